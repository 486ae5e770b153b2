//! A line of the protocol, read.

use std::time::Duration;

use crate::rules::{Move, Position, Side};

/// The longest time that an order can name: a week, in milliseconds.
const LONGEST_MS: u64 = 7 * 24 * 3_600_000;

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Say who you are and what can be set.
    Ugi,
    /// Say when you are ready.
    IsReady,
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, perhaps empty.
        value: String,
    },
    /// Another game begins.
    NewGame,
    /// Set the position: `None` for the start position.
    Position {
        /// Where the moves begin.
        from: Option<Position>,
        /// The moves, as written.
        moves: Vec<String>,
    },
    /// Search.
    Go(Go),
    /// End the search.
    Stop,
    /// End.
    Quit,
    /// Whether Light is to move.
    QueryTurn,
    /// Whether the game is over.
    QueryGameOver,
    /// The result of the game.
    QueryResult,
    /// The position.
    QueryFen,
}

impl Order {
    /// The word by which the line begins.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Order::Ugi => "ugi",
            Order::IsReady => "isready",
            Order::SetOption { .. } => "setoption",
            Order::NewGame => "uginewgame",
            Order::Position { .. } => "position",
            Order::Go(_) => "go",
            Order::Stop => "stop",
            Order::Quit => "quit",
            Order::QueryTurn | Order::QueryGameOver | Order::QueryResult | Order::QueryFen => {
                "query"
            }
        }
    }
}

/// The limits of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Time left to Light and Dark.
    pub time: [Option<Duration>; 2],
    /// What each move adds to it.
    pub increment: [Duration; 2],
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// Simulations.
    pub nodes: Option<u64>,
    /// Until told to stop.
    pub infinite: bool,
    /// Words that could not be read.
    pub complaints: Vec<String>,
}

impl Go {
    /// The time left to a side and its increment.
    #[must_use]
    pub fn clock(&self, side: Side) -> Option<(Duration, Duration)> {
        let time = self.time[side.index()]?;
        Some((time, self.increment[side.index()]))
    }
}

/// Reads a line; `Ok(None)` for an empty one.
///
/// # Errors
/// With a reason, for a line that asks for nothing known.
pub fn read(line: &str) -> Result<Option<Order>, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Ok(Some(match words.as_slice() {
        [] => return Ok(None),
        ["ugi"] => Order::Ugi,
        ["isready"] => Order::IsReady,
        ["uginewgame"] => Order::NewGame,
        ["stop"] => Order::Stop,
        ["quit"] => Order::Quit,
        ["query", "p1turn"] => Order::QueryTurn,
        ["query", "gameover"] => Order::QueryGameOver,
        ["query", "result"] => Order::QueryResult,
        ["query", "fen"] => Order::QueryFen,
        ["setoption", "name", rest @ ..] => set_option(rest),
        ["position", rest @ ..] => position(rest)?,
        ["go", rest @ ..] => Order::Go(go(rest)),
        _ => return Err(format!("unknown: {}", shorten(line))),
    }))
}

/// `N... [value V...]`.
fn set_option(words: &[&str]) -> Order {
    let split = words.iter().position(|&word| word == "value");
    let (name, value) = match split {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    Order::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    }
}

/// `startpos|fen P [moves M...]`.
fn position(words: &[&str]) -> Result<Order, String> {
    let (from, rest) = match words {
        ["startpos", rest @ ..] => (None, rest),
        ["fen", board, side, farmers, passes, rest @ ..] => {
            let text = [*board, side, farmers, passes].join(" ");
            let position = text.parse().map_err(|error| format!("position: {error}"))?;
            (Some(position), rest)
        }
        _ => return Err("position: startpos or fen with four fields".into()),
    };
    let moves = match rest {
        [] => Vec::new(),
        ["moves", moves @ ..] => moves.iter().map(|&mv| mv.to_owned()).collect(),
        [other, ..] => return Err(format!("position: {} instead of moves", shorten(other))),
    };
    Ok(Order::Position { from, moves })
}

/// Plays the moves of a `position` order.
///
/// # Errors
/// Names the first move that is none, or is illegal.
pub fn play(mut position: Position, moves: &[String]) -> Result<Position, String> {
    for (index, text) in moves.iter().enumerate() {
        let place = |reason: String| format!("position: move {}: {reason}", index + 1);
        let mv: Move = text.parse().map_err(|error| place(format!("{error}")))?;
        position
            .play(mv)
            .map_err(|error| place(format!("{mv}: {error}")))?;
    }
    Ok(position)
}

fn go(words: &[&str]) -> Go {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            go.infinite = true;
            continue;
        }
        let known = ["p1time", "p2time", "p1inc", "p2inc", "movetime", "nodes"];
        if !known.contains(&word) {
            go.complaints.push(format!("go: unknown {}", shorten(word)));
            continue;
        }
        let value = words.next().copied().unwrap_or("");
        // Clocks of other programs may show less than nothing.
        let number = match value.parse::<i64>() {
            Ok(number) => u64::try_from(number).unwrap_or(0),
            Err(_) => {
                let value = shorten(value);
                go.complaints
                    .push(format!("go: {word} {value} is not a number"));
                continue;
            }
        };
        let time = Duration::from_millis(number.min(LONGEST_MS));
        match word {
            "p1time" => go.time[0] = Some(time),
            "p2time" => go.time[1] = Some(time),
            "p1inc" => go.increment[0] = time,
            "p2inc" => go.increment[1] = time,
            "movetime" => go.movetime = Some(time),
            _ => go.nodes = Some(number),
        }
    }
    go
}

/// At most 60 printable characters, for messages.
pub(super) fn shorten(text: &str) -> String {
    let short: String = text.chars().filter(|c| !c.is_control()).take(60).collect();
    format!("'{short}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let read = |line| read(line).unwrap();
        assert_eq!(read("  \t "), None);
        assert_eq!(read(" isready\t"), Some(Order::IsReady));
        assert_eq!(
            read("setoption name Multi PV value  a b"),
            Some(Order::SetOption {
                name: "Multi PV".into(),
                value: "a b".into()
            })
        );
        let Some(Order::Go(go)) = read("go p1time 1000 p2time -5 p1inc 10 nodes x depth 3") else {
            panic!();
        };
        let ms = Duration::from_millis;
        assert_eq!(go.clock(Side::Light), Some((ms(1000), ms(10))));
        assert_eq!(go.clock(Side::Dark), Some((ms(0), ms(0))));
        assert_eq!(
            go.complaints,
            [
                "go: nodes 'x' is not a number",
                "go: unknown 'depth'",
                "go: unknown '3'"
            ]
        );
    }

    #[test]
    fn a_position_with_moves_is_read_and_played() {
        let line = "position fen x3/x1,D1,x1/L1,x2 L 1 0 moves A1A2 pass";
        let Ok(Some(Order::Position { from, moves })) = read(line) else {
            panic!();
        };
        let played = play(from.unwrap(), &moves).unwrap();
        assert_eq!(played.to_string(), "x3/L2,D1,x1/x3 L 1 1");
        for (line, reason) in [
            ("position", "startpos or fen"),
            ("position fen x3/x3 L 1 0", "position: board"),
            ("position startpos e5", "'e5' instead of moves"),
            ("hello world", "unknown: 'hello world'"),
            ("query", "unknown: 'query'"),
        ] {
            assert!(read(line).unwrap_err().contains(reason), "{line}");
        }
        let start = Position::start(4, 1).unwrap();
        for (mv, reason) in [
            ("e5", "move 1: e5"),
            ("x", "move 1: \"x\""),
            ("pass", "move 1"),
        ] {
            assert!(
                play(start, &[mv.into()]).unwrap_err().contains(reason),
                "{mv}"
            );
        }
    }
}
