//! Bitboards: the machine words that hold one bit a cell.
//!
//! [`u64`] serves boards up to 8×8 and [`Wide`](super::wide::Wide), four
//! 64-bit limbs, those beyond.

use super::arch::{around, deposit, select};
use super::crops::Farmers;
use super::geometry::Cell;
use super::places::{Places, standing};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// A set of cells, one bit a cell.
pub trait Word:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// Bits from one rank to the next.
    const STRIDE: u32;
    /// The bit of cell a1: where there is room, ranks and files of unused bits
    /// surround the board.
    const FIRST: u32;

    /// The empty set.
    const EMPTY: Self;

    /// The set of bit `index` alone; `index` is below the number of bits.
    fn bit(index: u32) -> Self;

    /// Whether no bit is set.
    fn is_empty(self) -> bool;

    /// The number of bits set.
    fn count(self) -> u32;

    /// The index of the lowest bit set; the set must not be empty.
    fn lowest(self) -> u32;

    /// The set without its lowest bit.
    fn without_lowest(self) -> Self;

    /// The set of the lowest bit alone.
    fn only_lowest(self) -> Self {
        self & !self.without_lowest()
    }

    /// Two bits of the set, far apart where that is cheap to find, each as a
    /// set; they are the same where the set has but one. It must not be empty.
    fn ends(self) -> [Self; 2];

    /// The index of the set bit number `k` from 0; there must be more than `k`.
    fn select(self, k: u32) -> u32;

    /// Which farmers stand on the set's cells, one bit each.
    fn standing(self, places: &Places) -> Farmers;

    /// Calls `visit` with the index of every bit set, the lowest first.
    fn each(self, visit: impl FnMut(u32));

    /// Every bit one up in its rank; what leaves the board is nowhere on it.
    fn east(self) -> Self;

    /// Every bit one down in its rank; what leaves the board is nowhere on it.
    fn west(self) -> Self;

    /// Every rank one up.
    fn north(self) -> Self;

    /// Every rank one down.
    fn south(self) -> Self;

    /// All bits in one number; different sets hardly ever share one.
    fn folded(self) -> u64;

    /// The eight bits round a cell, from the one south-west of it rank by rank.
    fn ring(self, cell: Cell) -> u8;

    /// Whether the set has every bit of the other.
    fn covers(self, other: Self) -> bool {
        (other & !self).is_empty()
    }

    /// Whether the two sets share a bit.
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
}

/// The lowest bit of every byte.
const FIRST_FILE: u64 = 0x0101_0101_0101_0101;

impl Word for u64 {
    const STRIDE: u32 = 8;
    const FIRST: u32 = 0;
    const EMPTY: Self = 0;

    #[inline(always)]
    fn bit(index: u32) -> Self {
        1 << index
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        self.trailing_zeros()
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.wrapping_sub(1)
    }

    #[inline(always)]
    fn ends(self) -> [Self; 2] {
        [self & self.wrapping_neg(), 1 << (63 - self.leading_zeros())]
    }

    #[inline(always)]
    fn east(self) -> Self {
        self << 1 & !FIRST_FILE
    }

    #[inline(always)]
    fn west(self) -> Self {
        self >> 1 & !(FIRST_FILE << 7)
    }

    #[inline(always)]
    fn north(self) -> Self {
        self << 8
    }

    #[inline(always)]
    fn south(self) -> Self {
        self >> 8
    }

    #[inline(always)]
    fn folded(self) -> u64 {
        self
    }

    #[inline(always)]
    fn ring(self, cell: Cell) -> u8 {
        /// The ranks below, of and above a cell that the board has.
        const RANKS: [u32; 16] = {
            let mut ranks = [0xff_ffff; 16];
            ranks[0] = 0xff_ff00;
            ranks[7] = 0xffff;
            ranks
        };
        let below = (8 * u32::from(cell.rank()) + 56) & 63;
        let ranks = self.rotate_right(below) as u32 & RANKS[usize::from(cell.rank())];
        // A free bit on both sides of each rank.
        let spread = deposit(u64::from(ranks), 0x00ff_00ff_00ff) << 1;
        around(spread >> (cell.file() & 15))
    }

    #[inline(always)]
    fn select(self, k: u32) -> u32 {
        select(self, k)
    }

    #[inline(always)]
    fn each(mut self, mut visit: impl FnMut(u32)) {
        while self != 0 {
            visit(self.trailing_zeros());
            self &= self - 1;
        }
    }

    #[inline(always)]
    fn standing(self, places: &Places) -> Farmers {
        standing(places, [self])
    }
}

/// Calls `visit` with the index of every bit set, the lowest first.
#[inline(always)]
pub(super) fn each_of_128(bits: u128, mut visit: impl FnMut(u32)) {
    for limb in 0..2 {
        let mut rest = (bits >> (64 * limb)) as u64;
        while rest != 0 {
            visit(64 * limb + rest.trailing_zeros());
            rest &= rest - 1;
        }
    }
}

/// The index of the set bit number `k` from 0; there must be more than `k`.
#[inline(always)]
pub(super) fn select_of_128(bits: u128, k: u32) -> u32 {
    let low = (bits as u64).count_ones();
    if k < low {
        select(bits as u64, k)
    } else {
        64 + select((bits >> 64) as u64, k - low)
    }
}
