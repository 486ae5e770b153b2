//! Games in a form that people read and programs check: tags and numbered moves.
//!
//! ```text
//! [Event "Agros tournament, seed 1"]
//! [Game "1"]
//! [Round "1"]
//! [Light "mcts"]
//! [Dark "greedy"]
//! [Position "x3/x1,D1,x1/L1,x2 L 1 0"]
//! [Result "1-0"]
//! [Score "8.5 5"]
//! [Ending "by the rules"]
//!
//! 1.a1a2 2.b2b3 3.pass 4.pass 1-0
//! ```
//!
//! Moves are numbered singly, because the same side moves twice in a row while
//! farmers are placed. [`check`] plays them under the rules.

use std::fmt::{self, Write as _};

use super::journal::{Ending, Header, Record, Result as GameResult};
use crate::rules::{Move, Position};

/// Lines of moves are broken before this column.
const WIDTH: usize = 80;
/// The most tags of a game.
const MOST_TAGS: usize = 100;

/// Writes a game of a tournament.
#[must_use]
pub fn write(header: &Header, record: &Record) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let settings = &header.settings;
    tag(
        "Event",
        &format!("Agros {}, seed {}", settings.format, settings.seed),
    );
    tag("Game", &(record.game + 1).to_string());
    tag("Round", &(record.round + 1).to_string());
    tag("Light", &record.light);
    tag("Dark", &record.dark);
    tag("Limit", &settings.limit.to_string());
    tag("Position", &record.opening);
    tag("Result", result_text(record.result));
    if let Some((light, dark)) = record.points {
        tag("Score", &format!("{light} {dark}"));
    }
    tag("Ending", record.ending.name());
    if let Some(detail) = &record.detail {
        tag("Detail", detail);
    }
    text.push('\n');
    write_moves(&mut text, record);
    text
}

fn write_moves(text: &mut String, record: &Record) {
    let moves = record.moves.split_whitespace().enumerate();
    let mut words: Vec<String> = moves.map(|(i, mv)| format!("{}.{mv}", i + 1)).collect();
    words.push(result_text(record.result).to_owned());
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text.push_str("\n\n");
}

const fn result_text(result: GameResult) -> &'static str {
    match result {
        GameResult::Light => "1-0",
        GameResult::Dark => "0-1",
        GameResult::Draw => "1/2-1/2",
    }
}

/// A game as read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Tags in their order.
    pub tags: Vec<(String, String)>,
    /// The moves, as written.
    pub moves: Vec<String>,
    /// The result after the moves.
    pub result: String,
    /// The number of its first line, from 1.
    pub line: usize,
}

/// A text that is no game record: the line and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    line: usize,
    reason: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ParseError {}

/// Reads any number of games.
///
/// # Errors
/// For a line that is no part of a game.
pub fn read(text: &str) -> Result<Vec<Game>, ParseError> {
    let mut games = Vec::new();
    let mut game = Game::default();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let error = |reason: String| ParseError {
            line: number,
            reason,
        };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if game.line == 0 {
            game.line = number;
        }
        if line.starts_with('[') {
            if !game.moves.is_empty() {
                return Err(error("a tag among the moves: the result is missing".into()));
            }
            if game.tags.len() == MOST_TAGS {
                return Err(error(format!("more than {MOST_TAGS} tags")));
            }
            game.tags.push(read_tag(line).map_err(error)?);
            continue;
        }
        for word in line.split_whitespace() {
            if ["1-0", "0-1", "1/2-1/2"].contains(&word) {
                game.result = word.to_owned();
                games.push(std::mem::take(&mut game));
            } else {
                game.line = if game.line == 0 { number } else { game.line };
                let mv = read_move(word, game.moves.len() + 1).map_err(error)?;
                game.moves.push(mv);
            }
        }
    }
    if game.line != 0 {
        return Err(ParseError {
            line: text.lines().count(),
            reason: "the last game has no result".into(),
        });
    }
    Ok(games)
}

fn read_tag(line: &str) -> Result<(String, String), String> {
    let bad = || "not a tag such as [Light \"mcts\"]".to_owned();
    let inner = line
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix("\"]"))
        .ok_or_else(bad)?;
    let (name, value) = inner.split_once(" \"").ok_or_else(bad)?;
    if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Err(bad());
    }
    let mut text = String::new();
    let mut escaped = false;
    for c in value.chars() {
        if c == '\\' && !escaped {
            escaped = true;
        } else {
            text.push(c);
            escaped = false;
        }
    }
    Ok((name.to_owned(), text))
}

fn read_move(word: &str, expected: usize) -> Result<String, String> {
    let (number, mv) = word
        .split_once('.')
        .ok_or_else(|| format!("'{word}' is not a numbered move such as 1.e5"))?;
    if number.parse() != Ok(expected) {
        return Err(format!("'{word}' has not the number {expected}"));
    }
    Ok(mv.to_owned())
}

impl Game {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Plays a game under the rules; the number of its moves.
///
/// # Errors
/// When the position or a move is illegal, or when the score, the result or
/// the end isn't what the rules say.
pub fn check(game: &Game) -> Result<usize, String> {
    let text = game.tag("Position").ok_or("no Position tag")?;
    let mut position: Position = text.parse().map_err(|error| format!("Position: {error}"))?;
    for (index, text) in game.moves.iter().enumerate() {
        let place = |reason: String| format!("move {}, '{text}': {reason}", index + 1);
        let mv: Move = text.parse().map_err(|error| place(format!("{error}")))?;
        position
            .play(mv)
            .map_err(|error| place(error.to_string()))?;
    }
    if let Some(result) = game.tag("Result")
        && result != game.result
    {
        return Err(format!(
            "the tag says {result}, the moves end with {}",
            game.result
        ));
    }
    if game
        .tag("Ending")
        .is_none_or(|ending| ending == Ending::Rules.name())
    {
        check_end(game, &position)?;
    }
    Ok(game.moves.len())
}

fn check_end(game: &Game, position: &Position) -> Result<(), String> {
    if !position.is_over() {
        return Err("the game isn't over after the last move".into());
    }
    let score = position.score();
    if let Some(told) = game.tag("Score")
        && told != score.to_string()
    {
        return Err(format!("the score is {score}, not {told}"));
    }
    let result = match score.light.cmp(&score.dark) {
        std::cmp::Ordering::Greater => GameResult::Light,
        std::cmp::Ordering::Less => GameResult::Dark,
        std::cmp::Ordering::Equal => GameResult::Draw,
    };
    if game.result != result_text(result) {
        return Err(format!(
            "the result is {}, not {}",
            result_text(result),
            game.result
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GAME: &str = "[Light \"a \\\"b\\\" \\\\\"]\n[Position \"x3/x1,D1,x1/L1,x2 L 1 0\"]\n\n\
                        1.a1a2 2.pass\n3.pass 1-0\n";

    #[test]
    fn a_record_is_read_and_checked() {
        let games = read(&format!("{GAME}\n{GAME}")).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("Light"), Some("a \"b\" \\"));
        assert_eq!(check(&games[1]), Ok(3));
    }

    #[test]
    fn what_the_rules_deny_is_found() {
        for (from, to, reason) in [
            ("1.a1a2", "1.a1a3", "move 1, 'a1a3'"),
            ("3.pass 1-0", "1-0", "isn't over"),
            ("3.pass 1-0", "3.pass 0-1", "the result is 1-0"),
            ("x3/x1", "x4/x1", "Position: board"),
            ("[Position", "[Other", "no Position"),
            ("[Light", "[Score \"9 9\"]\n[Light", "the score is"),
        ] {
            let games = read(&GAME.replace(from, to)).unwrap();
            let error = check(&games[0]).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn what_is_no_record_is_refused_with_its_line() {
        for (text, reason) in [
            ("hello", "line 1: 'hello' is not a numbered move"),
            ("1.e5 3.e6 1-0", "line 1: '3.e6' has not the number 2"),
            ("[Light mcts]", "line 1: not a tag"),
            ("1.e5\n[Light \"x\"]", "line 2: a tag among the moves"),
            ("1.e5\n2.e6", "line 2: the last game has no result"),
        ] {
            assert_eq!(
                read(text).unwrap_err().to_string().find(reason),
                Some(0),
                "{text}"
            );
        }
        assert_eq!(read("\n\n"), Ok(vec![]));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_reader_panic(
            text in "(\\[[A-Z]{0,2} \"[a-z\"\\\\]{0,4}\"\\]\n|[0-9]\\.[a-c][1-3]{0,3} |1-0\n|.){0,20}"
        ) {
            if let Ok(games) = read(&text) {
                for game in &games {
                    let _ = check(game);
                }
            }
        }
    }
}
