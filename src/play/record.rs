//! The record of a game: where it began and the moves since.
//!
//! The text is that of tournament games (tags, numbered moves, the result):
//!
//! ```text
//! [Position "x4/x4/x4/x4 L 1 0"]
//! [Result "*"]
//!
//! 1.a1 2.d4 3.a1b2 *
//! ```
//!
//! A plainer one is read too: the start (a position string or
//! `start:SIZE:FARMERS`) on a line of its own and moves below it, with or
//! without numbers. Lines that begin with `#` and other tags are passed over,
//! so that a position string alone is a record without moves.

use crate::rules::{IllegalMove, Move, Position};
use std::fmt;
use std::str::FromStr;

/// The longest text that is read as a record, in bytes. Every game ends: on
/// the largest board after fewer moves than fit here.
pub const LONGEST_TEXT: usize = 64 * 1024;

/// A game from some position on.
///
/// ```
/// use agros::play::Record;
///
/// let record: Record = "start:8:3\n1. e4 2. d6 c2".parse()?;
/// assert_eq!(record.moves().len(), 3);
/// assert_eq!(record.position().farmers(), 3);
/// # Ok::<(), agros::play::RecordError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    moves: Vec<Move>,
    /// The position before each move and the one after the last; never empty.
    positions: Vec<Position>,
}

/// Why a text is no record; says in which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError(String);

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// A game that begins with this position.
    #[must_use]
    pub fn new(start: Position) -> Record {
        Record {
            moves: Vec::new(),
            positions: vec![start],
        }
    }

    /// The position that the game began with.
    #[must_use]
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The moves made so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position before each move, and the present one at the end.
    #[must_use]
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.moves.len()]
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Where the rules don't allow it; the game stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mut position = *self.position();
        position.play(mv)?;
        self.moves.push(mv);
        self.positions.push(position);
        Ok(())
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }
}

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Record, RecordError> {
        if text.len() > LONGEST_TEXT {
            return Err(RecordError(format!(
                "the record is longer than {LONGEST_TEXT} bytes"
            )));
        }
        let mut record: Option<Record> = None;
        for (i, line) in text.lines().enumerate() {
            let number = i + 1;
            let line = line.trim();
            let start = match line.strip_prefix("[Position ") {
                Some(tag) => tag.trim_matches(['"', ']', ' ']),
                None if line.is_empty() || line.starts_with(['#', '[']) => continue,
                None => line,
            };
            match &mut record {
                None => {
                    let start: Position = start
                        .parse()
                        .map_err(|e| RecordError(format!("line {number}: {e}")))?;
                    record = Some(Record::new(start));
                }
                Some(record) => record.read_moves(line, number)?,
            }
        }
        record.ok_or_else(|| RecordError("line 1: no position to start from".into()))
    }
}

impl Record {
    fn read_moves(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        for word in line.split_whitespace() {
            let word = without_number(word);
            if word.is_empty() || ["*", "1-0", "0-1", "1/2-1/2"].contains(&word) {
                continue;
            }
            let at = self.moves.len() + 1;
            let bad = |reason: String| RecordError(format!("line {number}, move {at}: {reason}"));
            let mv: Move = word.parse().map_err(|e| bad(format!("{e}")))?;
            self.play(mv).map_err(|e| bad(format!("{mv}: {e}")))?;
        }
        Ok(())
    }

    fn result(&self) -> &'static str {
        let position = self.position();
        match (position.is_over(), position.margin().0.signum()) {
            (false, _) => "*",
            (true, 1) => "1-0",
            (true, -1) => "0-1",
            (true, _) => "1/2-1/2",
        }
    }
}

/// Takes `12.` off the front of `12.e4`.
fn without_number(word: &str) -> &str {
    match word.split_once('.') {
        Some((number, rest)) if number.bytes().all(|b| b.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    }
}

/// Prints what [`FromStr`] reads, ten moves a line.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = self.result();
        writeln!(f, "[Position \"{}\"]", self.start())?;
        writeln!(f, "[Result \"{result}\"]")?;
        if result != "*" {
            writeln!(f, "[Score \"{}\"]", self.position().score())?;
        }
        writeln!(f)?;
        for (i, mv) in self.moves.iter().enumerate() {
            let end = if i % 10 == 9 { '\n' } else { ' ' };
            write!(f, "{}.{mv}{end}", i + 1)?;
        }
        writeln!(f, "{result}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back_what_it_prints() {
        let mut record = Record::new("start:4:1".parse().unwrap());
        for mv in ["a1", "d4", "a1b2", "pass", "b2d2", "d4c4", "pass", "pass"] {
            record.play(mv.parse().unwrap()).unwrap();
        }
        assert!(record.position().is_over());
        let again: Record = format!("# two people\n{record}").parse().unwrap();
        assert_eq!(again, record);
        let plain = "start:4:1\n1. a1 d4 a1b2 2... pass b2d2\n\nd4c4 pass pass";
        assert_eq!(plain.parse::<Record>().unwrap(), record);
        let games = crate::arena::record::read(&record.to_string()).unwrap();
        assert_eq!(games[0].moves.len(), 8);
        assert!(record.play(Move::Pass).is_err());
        while record.undo().is_some() {}
        assert_eq!(record, Record::new("start:4:1".parse().unwrap()));
    }

    #[test]
    fn a_bad_record_names_the_line_the_move_and_the_reason() {
        for (text, reason) in [
            ("", "line 1: no position to start from"),
            ("# nothing\n", "line 1: no position to start from"),
            ("start:4:1\n1. a1 a1", "line 2, move 2: a1: a1 is occupied"),
            ("start:4:1\na1\n\nx9", "line 4, move 2: "),
            ("start:99", "line 1: "),
        ] {
            let error = text.parse::<Record>().unwrap_err().to_string();
            assert!(error.starts_with(reason), "{text:?}: {error}");
        }
        let long = "start:4:1\n".to_owned() + &"pass ".repeat(LONGEST_TEXT);
        assert!(
            long.parse::<Record>()
                .unwrap_err()
                .to_string()
                .contains("longer")
        );
    }
}
