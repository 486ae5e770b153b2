//! Bitboards: the machine words that hold one bit a cell.
//!
//! [`u64`] serves boards up to 8×8 and [`Wide`](super::wide::Wide), four
//! 64-bit limbs, those beyond; steps are the bits of a [`u128`].

use super::arch::{Places, select, standing};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

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
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
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

    /// The index of the highest bit set; the set must not be empty.
    fn highest(self) -> u32;

    /// Two bits of the set, far apart where that is cheap to find, each as a
    /// set; they are the same where the set has but one. It must not be empty.
    fn ends(self) -> [Self; 2];

    /// The index of the set bit number `k` from 0; there must be more than `k`.
    fn select(self, k: u32) -> u32;

    /// Which farmers stand on the set's cells, one bit each.
    fn standing(self, places: &Places) -> u16;

    /// Calls `visit` with the index of every bit set, the lowest first.
    fn each(self, visit: impl FnMut(u32));

    /// Whether the set has every bit of the other.
    fn covers(self, other: Self) -> bool {
        (other & !self).is_empty()
    }

    /// Whether the two sets share a bit.
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
}

macro_rules! primitive_word {
    ($t:ty, $limbs:literal, |$word:ident, $k:ident| $select:expr) => {
        impl Word for $t {
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
            fn highest(self) -> u32 {
                Self::BITS - 1 - self.leading_zeros()
            }

            #[inline(always)]
            fn ends(self) -> [Self; 2] {
                [self & self.wrapping_neg(), 1 << self.highest()]
            }

            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn select(self, $k: u32) -> u32 {
                let $word = self;
                $select
            }

            #[inline(always)]
            fn each(self, mut visit: impl FnMut(u32)) {
                for limb in 0..$limbs {
                    let mut rest = (self as u128 >> (64 * limb)) as u64;
                    while rest != 0 {
                        visit(64 * limb + rest.trailing_zeros());
                        rest &= rest - 1;
                    }
                }
            }

            #[inline(always)]
            fn standing(self, places: &Places) -> u16 {
                let limb = |limb| (self as u128 >> (64 * limb)) as u64;
                standing::<$limbs>(places, std::array::from_fn(limb))
            }
        }
    };
}

primitive_word!(u64, 1, |word, k| select(word, k));
primitive_word!(u128, 2, |word, k| {
    let low = (word as u64).count_ones();
    if k < low {
        select(word as u64, k)
    } else {
        64 + select((word >> 64) as u64, k - low)
    }
});
