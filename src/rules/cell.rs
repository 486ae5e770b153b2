//! The two sides and the cells of any board.

use std::fmt;
use std::str::FromStr;

/// The smallest board side.
pub const MIN_SIZE: u8 = 3;
/// The largest board side.
pub const MAX_SIZE: u8 = 12;
/// The most farmers a player can have.
pub const MAX_FARMERS: u8 = 7;

/// One of the two players. Light moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The first player.
    Light = 0,
    /// The second player.
    Dark = 1,
}

impl Side {
    /// Both sides, in the order of their indices.
    pub const BOTH: [Side; 2] = [Side::Light, Side::Dark];

    /// The opponent.
    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Light => Side::Dark,
            Side::Dark => Side::Light,
        }
    }

    /// 0 for Light, 1 for Dark.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter of a position string: `L` or `D`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Side::Light => 'L',
            Side::Dark => 'D',
        }
    }

    #[inline(always)]
    pub(super) const fn from_bit(bit: u8) -> Side {
        if bit & 1 == 0 {
            Side::Light
        } else {
            Side::Dark
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Side::Light => "Light",
            Side::Dark => "Dark",
        })
    }
}

/// A cell, whatever the board's size: the file in the low four bits and the
/// rank in the high four, both from 0; `a1` is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// No cell of any board; its sets of cells are empty.
    pub(super) const NOWHERE: Cell = Cell(255);

    /// The cell on this file and rank, both from 0; `None` beyond 12×12.
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Option<Cell> {
        if file < MAX_SIZE && rank < MAX_SIZE {
            Some(Cell(rank << 4 | file))
        } else {
            None
        }
    }

    /// The file from 0 (`a`).
    #[inline(always)]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 15
    }

    /// The rank from 0 (rank 1).
    #[inline(always)]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// The cell some paces away; it must be on the board.
    #[inline(always)]
    pub(super) const fn along(self, pace: i8, paces: u8) -> Cell {
        Cell(self.0.wrapping_add((pace as u8).wrapping_mul(paces)))
    }

    /// The pace of the straight line to another cell.
    #[inline(always)]
    pub(super) const fn pace_to(self, to: Cell) -> i8 {
        let files = (to.file() as i8 - self.file() as i8).signum();
        let ranks = (to.rank() as i8 - self.rank() as i8).signum();
        ranks * 16 + files
    }

    /// Whether a board of this size has the cell.
    #[must_use]
    pub const fn is_on(self, size: u8) -> bool {
        self.file() < size && self.rank() < size
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

/// A cell or a move that can't be read; the text says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseMoveError(pub(super) String);

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseMoveError {}

impl FromStr for Cell {
    type Err = ParseMoveError;

    /// Reads `e5`; upper case is accepted.
    fn from_str(text: &str) -> Result<Cell, ParseMoveError> {
        let bad = || ParseMoveError(format!("{text:?} is not a cell (a1 to l12)"));
        let file = text.bytes().next().ok_or_else(bad)?.to_ascii_lowercase();
        let digits = text.get(1..).ok_or_else(bad)?;
        if !(b'a'..=b'l').contains(&file)
            || digits.starts_with('0')
            || digits.len() > 2
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return Err(bad());
        }
        let rank: u8 = digits.parse().map_err(|_| bad())?;
        Cell::new(file - b'a', rank.wrapping_sub(1)).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_read_and_print() {
        for text in ["a1", "e5", "l12", "L12", "A10"] {
            let cell: Cell = text.parse().unwrap();
            assert_eq!(cell.to_string(), text.to_lowercase());
        }
        for text in ["", "a", "5", "m1", "a0", "a01", "a13", "a111", "é1", "a+1"] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }
}
