//! The board as lines, for listing steps.
//!
//! Every row, column and diagonal is one small word with Light's pieces in
//! the low half and Dark's in the high half; cells beyond the board's edge
//! are set in both. Whether a farmer may harvest or sow along a line is then
//! one masked test: the path must be free of the opponent's pieces and the
//! landing cell of all (harvest), or the whole path of all (sowing).

use super::arch::{clear, clear_twice};
use super::geometry::{BoardSize, Cell, Side};
use std::marker::PhantomData;

/// 16 rows, 16 columns, 32 diagonals each way: more than the 12×12 board has,
/// so that no index made from a cell's two nibbles can be out of bounds.
const LINES: usize = 96;

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
pub(crate) type StepBits = u16;

/// The change of a [`Cell`]'s number with one pace, by step bit.
pub(super) const PACES: [i8; 16] = [
    1, -1, 1, -1, 17, -17, 17, -17, -15, 15, -15, 15, 16, -16, 16, -16,
];

/// The cells' difference of a single pace in the direction of step bit `bit`.
#[inline(always)]
pub(super) const fn pace(bit: u32) -> i8 {
    PACES[(bit & 15) as usize]
}

/// The harvest against the direction of step bit `bit`, as a step bit.
#[inline(always)]
pub(super) const fn harvest_back(bit: u32) -> StepBits {
    1 << ((bit & 13) ^ 1)
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
static MASKS: [[[[u32; 4]; 16]; 16]; 2] = {
    let mut table = [[[[WALL; 4]; 16]; 16]; 2];
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
            let [row, diagonal, antidiagonal, column] = places(Cell((y << 4 | x) as u8));
            words[row] &= !(0x1_0001 << x);
            words[diagonal] &= !(0x1_0001 << x);
            words[antidiagonal] &= !(0x1_0001 << x);
            words[column] &= !(0x1_0001 << y);
            x += 1;
        }
        y += 1;
    }
    words
}

/// The words of a cell's row, diagonal, antidiagonal and column; its bit is
/// the file in the first three and the rank in the last.
#[inline(always)]
const fn places(cell: Cell) -> [usize; 4] {
    let (x, y) = (cell.file() as usize, cell.rank() as usize);
    [y, 48 + x - y, 64 + x + y, 16 + x]
}

impl<S: BoardSize> Lines<S> {
    /// The empty board.
    pub(super) const EMPTY: Self = Lines {
        words: walls(S::SIZE as usize),
        size: PhantomData,
    };

    /// Puts a piece of `side` on an empty cell, or takes it away.
    #[inline(always)]
    pub fn flip(&mut self, cell: Cell, side: Side) {
        let [row, diagonal, antidiagonal, column] = places(cell);
        let piece = 1u32 << (16 * side.index());
        let by_file = piece << cell.file();
        self.words[row] ^= by_file;
        self.words[diagonal] ^= by_file;
        self.words[antidiagonal] ^= by_file;
        self.words[column] ^= piece << cell.rank();
    }

    /// The legal steps of a farmer of `side` with this crop on `cell`.
    #[inline(always)]
    pub(super) fn steps(&self, side: Side, cell: Cell, crop: u8) -> StepBits {
        let [by_file, by_rank] = Self::masks_at(side, cell);
        let crop = usize::from(crop & 15);
        clear(self.through(cell), &by_file[crop], &by_rank[crop])
    }

    /// The same with this crop, at most 14, and with one that is one greater.
    #[inline(always)]
    pub(super) fn steps_twice(&self, side: Side, cell: Cell, crop: u8) -> [StepBits; 2] {
        let [by_file, by_rank] = Self::masks_at(side, cell);
        let crop = usize::from(crop).min(14);
        let two = |masks: &'static [[u32; 4]; 16]| -> &'static [[u32; 4]; 2] {
            masks[crop..].first_chunk().unwrap_or(&[[WALL; 4]; 2])
        };
        clear_twice(self.through(cell), two(by_file), two(by_rank))
    }

    /// The lines through a cell.
    #[inline(always)]
    fn through(&self, cell: Cell) -> [u32; 4] {
        places(cell).map(|word| self.words[word])
    }

    /// The masks by crop of a farmer on a cell: in the lines that go by its file
    /// and in its column, which goes by its rank.
    #[inline(always)]
    fn masks_at(side: Side, cell: Cell) -> [&'static [[u32; 4]; 16]; 2] {
        let masks = &MASKS[side.index()];
        [cell.file(), cell.rank()].map(|at| &masks[usize::from(at & 15)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_mask_has_the_top_bit() {
        let masks = MASKS.as_flattened().as_flattened().as_flattened();
        assert!(masks.iter().all(|&mask| mask != 0 && mask >> 31 == 0));
    }
}
