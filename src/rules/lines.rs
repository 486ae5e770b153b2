//! The board as lines, for listing steps.
//!
//! Every row, column and diagonal is one small word with Light's pieces in
//! the low half and Dark's in the high half; cells beyond the board's edge
//! are set in both. Whether a farmer may harvest or sow along a line is then
//! one masked test: the path must be free of the opponent's pieces and the
//! landing cell of all (harvest), or the whole path of all (sowing).

use super::geometry::{BoardSize, Cell, Side};
use std::marker::PhantomData;

/// Words enough for the 12×12 board: 12 rows, 12 columns, 23 diagonals each way.
const LINES: usize = 70;

/// A bit that is a wall in every line.
const WALL: u32 = 1 << 15;

/// The lines of one position, kept up to date as pieces come and go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines<S> {
    words: [u32; LINES],
    size: PhantomData<S>,
}

/// The steps of one farmer as 16 bits: for each of the four lines, harvest
/// forwards, harvest backwards, sow forwards, sow backwards.
pub(super) type StepBits = u16;

/// The change of a [`Cell`]'s number along each line, forwards.
const FORWARDS: [i8; 4] = [1, 17, -15, 16];

/// The cells' difference of a single pace in the direction of step bit `bit`.
#[inline(always)]
pub(super) const fn pace(bit: u32) -> i8 {
    let forwards = FORWARDS[(bit / 4) as usize];
    if bit & 1 == 0 { forwards } else { -forwards }
}

/// Whether step bit `bit` is a sowing.
#[inline(always)]
pub(super) const fn is_sowing(bit: u32) -> bool {
    bit & 2 != 0
}

/// The masks of a farmer of `side` at place `at` of a line with crop `crop`:
/// the step is legal where the masked line is zero.
///
/// Four words: harvest forwards, harvest backwards, sow forwards, backwards.
const fn masks(side: usize, at: u32, crop: u32) -> [u32; 4] {
    let mut out = [WALL; 4];
    let mut kind = 0;
    while kind < 4 {
        let distance = if kind < 2 { crop } else { crop - 1 };
        let backwards = kind % 2 == 1;
        let in_line = if backwards {
            at >= distance
        } else {
            at + distance < 15
        };
        if distance > 0 && in_line {
            let mut own = 0;
            let mut opponent = 0;
            let mut k = 1;
            while k <= distance {
                let bit = if backwards {
                    1 << (at - k)
                } else {
                    1 << (at + k)
                };
                opponent |= bit;
                if k == distance || kind >= 2 {
                    own |= bit;
                }
                k += 1;
            }
            out[kind] = if side == 0 {
                own | opponent << 16
            } else {
                opponent | own << 16
            };
        }
        kind += 1;
    }
    out
}

/// [`masks`] by side, place and crop; crop 0 stands for a farmer not placed.
static MASKS: [[[[u32; 4]; 16]; 12]; 2] = {
    let mut table = [[[[WALL; 4]; 16]; 12]; 2];
    let mut side = 0;
    while side < 2 {
        let mut at = 0;
        while at < 12 {
            let mut crop = 1;
            while crop <= 12 {
                table[side][at][crop] = masks(side, at as u32, crop as u32);
                crop += 1;
            }
            at += 1;
        }
        side += 1;
    }
    table
};

/// The empty board of a size: the walls alone.
const fn walls(size: usize) -> [u32; LINES] {
    let mut words = [0xffff_ffff; LINES];
    let mut y = 0;
    while y < size {
        let mut x = 0;
        while x < size {
            let places = places(size, x, y);
            let mut line = 0;
            while line < 4 {
                let (word, at) = places[line];
                words[word] &= !(0x1_0001 << at);
                line += 1;
            }
            x += 1;
        }
        y += 1;
    }
    words
}

/// The word and the bit of a cell in each of its four lines.
#[inline(always)]
const fn places(size: usize, x: usize, y: usize) -> [(usize, u32); 4] {
    [
        (y, x as u32),
        (2 * size + (size - 1 + x - y), x as u32),
        (4 * size - 1 + x + y, x as u32),
        (size + x, y as u32),
    ]
}

impl<S: BoardSize> Lines<S> {
    /// The empty board.
    pub(super) const EMPTY: Self = Lines {
        words: walls(S::SIZE as usize),
        size: PhantomData,
    };

    /// Puts a piece of `side` on an empty cell, or takes it away.
    #[inline(always)]
    pub(super) fn flip(&mut self, cell: Cell, side: Side) {
        let places = places(
            S::SIZE as usize,
            usize::from(cell.file()),
            usize::from(cell.rank()),
        );
        let half = 16 * side.index() as u32;
        for (word, at) in places {
            self.words[word] ^= 1 << (at + half);
        }
    }

    /// The legal steps of a farmer of `side` with this crop on `cell`.
    #[inline(always)]
    pub(super) fn steps(&self, side: Side, cell: Cell, crop: u8) -> StepBits {
        let (x, y) = (usize::from(cell.file()), usize::from(cell.rank()));
        let by_file = &MASKS[side.index()][x][usize::from(crop)];
        let by_rank = &MASKS[side.index()][y][usize::from(crop)];
        let places = places(S::SIZE as usize, x, y);
        let masks = [by_file, by_file, by_file, by_rank];
        let mut bits = 0;
        for (line, masks) in masks.into_iter().enumerate() {
            let word = self.words[places[line].0];
            for (kind, mask) in masks.iter().enumerate() {
                bits |= u16::from(word & mask == 0) << (4 * line + kind);
            }
        }
        bits
    }
}
