//! Positions as commands take them: one as an argument, or many from stdin.

use super::{Failure, Outcome, complain};
use crate::rules::{Move, Position};
use clap::Args;
use serde::Serialize;
use std::io::{self, BufRead, BufWriter, Read, Write};

/// The longest line that a batch reads, in bytes; no position needs more
/// than a tenth of it.
const LONGEST_LINE: u64 = 16 * 1024;

/// The position that a command is about.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// A position string, start, start:SIZE or start:SIZE:FARMERS; - reads
    /// one a line from stdin
    #[arg(value_name = "POS", allow_hyphen_values = true)]
    position: String,

    /// Moves to play from POS first, as in "e5 f6"
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

    /// One JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Answers to positions, as a command gives them.
pub(crate) trait Answer: Serialize {
    /// Writes the answer for people; in a batch it must be a single line.
    fn write_text(&self, out: &mut dyn Write, batch: bool) -> io::Result<()>;
}

impl PositionArgs {
    pub(crate) fn is_batch(&self) -> bool {
        self.position == "-"
    }

    /// Reads a position and plays the moves given with it.
    fn read(&self, text: &str) -> Result<Position, String> {
        let mut position: Position = text.parse().map_err(|e| format!("{e}"))?;
        for (i, text) in self.moves.split_whitespace().enumerate() {
            let at = i + 1;
            let mv: Move = text
                .parse()
                .map_err(|e| format!("--moves, move {at}: {e}"))?;
            position
                .play(mv)
                .map_err(|e| format!("--moves, move {at}, {mv}: {e}"))?;
        }
        Ok(position)
    }

    /// The single position that a command is about, where one a line from
    /// stdin makes no sense.
    pub(crate) fn read_one(&self) -> Result<Position, Failure> {
        if self.is_batch() {
            return Err(Failure::Usage("this needs one position, not -".into()));
        }
        self.read(&self.position).map_err(Failure::Usage)
    }

    /// The last of the moves given with the position.
    pub(crate) fn last_move(&self) -> Option<Move> {
        self.moves.split_whitespace().last()?.parse().ok()
    }

    /// Answers the position, or each line of stdin, in order.
    pub(crate) fn answer<A: Answer>(
        &self,
        mut command: impl FnMut(&Position) -> Result<A, Failure>,
    ) -> Outcome {
        let mut out = BufWriter::new(io::stdout().lock());
        if self.is_batch() {
            return self.answer_lines(&mut io::stdin().lock(), &mut out, command);
        }
        let position = self.read(&self.position).map_err(Failure::Usage)?;
        let answer = command(&position)?;
        self.write(&answer, &mut out)?;
        out.flush()?;
        Ok(())
    }

    fn write<A: Answer>(&self, answer: &A, out: &mut dyn Write) -> Outcome {
        if self.json {
            let line = serde_json::to_string(answer).map_err(|e| Failure::Work(e.to_string()))?;
            writeln!(out, "{line}")?;
        } else {
            answer.write_text(out, self.is_batch())?;
        }
        Ok(())
    }

    fn answer_lines<A: Answer>(
        &self,
        input: &mut dyn BufRead,
        out: &mut dyn Write,
        mut command: impl FnMut(&Position) -> Result<A, Failure>,
    ) -> Outcome {
        let mut status = Ok(());
        let mut number = 0u64;
        while let Some(line) = read_line(input)? {
            number += 1;
            let answer = line
                .and_then(|line| self.read(&line))
                .map_err(Failure::Usage)
                .and_then(|position| command(&position));
            match answer {
                Ok(answer) => self.write(&answer, out)?,
                Err(Failure::Usage(reason) | Failure::Work(reason)) => {
                    complain(&format!("line {number}: {reason}"));
                    self.write_error(&reason, out)?;
                    status = Err(Failure::BadLines);
                }
                Err(other) => return Err(other),
            }
            // Whoever feeds us line by line waits for each answer.
            out.flush()?;
        }
        status
    }

    fn write_error(&self, reason: &str, out: &mut dyn Write) -> io::Result<()> {
        if self.json {
            writeln!(out, "{}", serde_json::json!({ "error": reason }))
        } else {
            writeln!(out, "error")
        }
    }
}

/// Reads one line, whatever its ending; `None` at the end of input. A line
/// that is too long or isn't UTF-8 is read to its end and refused.
fn read_line(input: &mut dyn BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    let length = input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if length == 0 {
        return Ok(None);
    }
    if length as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        skip_line(input)?;
        return Ok(Some(Err(format!(
            "the line is longer than {LONGEST_LINE} bytes"
        ))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|error| {
        format!("offset {}: not UTF-8", error.utf8_error().valid_up_to())
    })))
}

fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let used = end.map_or(buffer.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Result<String, String>> {
        let mut input = input;
        let mut out = Vec::new();
        while let Some(line) = read_line(&mut input).unwrap() {
            out.push(line.map(|l| l.trim_end().to_owned()));
        }
        out
    }

    #[test]
    fn lines_are_read_whatever_their_ending() {
        let read = lines(b"one\r\n\ntwo");
        assert_eq!(
            read,
            [Ok("one".into()), Ok(String::new()), Ok("two".into())]
        );
    }

    #[test]
    fn a_line_too_long_is_refused_and_the_next_one_read() {
        let mut input = vec![b'x'; 3 * LONGEST_LINE as usize];
        input.extend(b"\nstart\n\xff\xfe\nend");
        let read = lines(&input);
        assert!(read[0].as_ref().is_err_and(|e| e.contains("longer")));
        assert_eq!(read[1], Ok("start".into()));
        assert!(read[2].as_ref().is_err_and(|e| e.contains("offset 0")));
        assert_eq!(read[3], Ok("end".into()));
    }
}
