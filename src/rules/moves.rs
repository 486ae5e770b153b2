//! A move and its text: `e5`, `c3f6` or `pass`.

use super::cell::{Cell, ParseMoveError};
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// One action of one player.
///
/// From and to name a step without doubt: its distance is the farmer's crop
/// for a harvest and one less for a sowing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Leave the turn to the opponent; only in the moving stage.
    Pass,
    /// Put a fresh farmer on an empty cell; only in the placement stage.
    Place(Cell),
    /// Move the farmer on `from` to `to`: a harvest or a sowing.
    Step {
        /// Where the farmer stands.
        from: Cell,
        /// Where it stops.
        to: Cell,
    },
}

/// The legal moves of a position; most positions need no heap for them.
pub type MoveList = SmallVec<[Move; 64]>;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Pass => f.pad("pass"),
            Move::Place(cell) => f.pad(&cell.to_string()),
            Move::Step { from, to } => f.pad(&format!("{from}{to}")),
        }
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `e5`, `c3f6` or `pass`; upper case is accepted.
    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(Move::Pass);
        }
        let bad = || {
            ParseMoveError(format!(
                "{:?} is not a move (a cell as e5, from and to as c3f6, or pass)",
                shorten(text)
            ))
        };
        // The second cell starts at the second letter.
        let split = text
            .bytes()
            .skip(1)
            .position(|b| b.is_ascii_alphabetic())
            .map_or(text.len(), |at| at + 1);
        let (first, second) = text.split_at_checked(split).ok_or_else(bad)?;
        let from: Cell = first.parse().map_err(|_| bad())?;
        if second.is_empty() {
            return Ok(Move::Place(from));
        }
        let to: Cell = second.parse().map_err(|_| bad())?;
        Ok(Move::Step { from, to })
    }
}

/// At most 40 characters of a text, for messages.
pub(super) fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 {
        text.to_owned()
    } else {
        text.chars().take(40).chain("...".chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_and_print() {
        for text in ["pass", "e5", "c3f6", "a10b10", "l12a1", "PASS", "C3F6"] {
            let mv: Move = text.parse().unwrap();
            assert_eq!(mv.to_string(), text.to_lowercase());
        }
        for text in [
            "", "p", "c3f", "c3f6g7", "c13f6", "c3-f6", "ü1", "c3ü", "a1 ",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
