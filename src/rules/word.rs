//! Bitboards: the machine words that hold one bit a cell.
//!
//! [`u64`] serves boards up to 8×8, [`u128`] up to 11×11 and [`Wide`], three
//! 64-bit limbs, the 12×12 board.

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

    /// The set of the highest bit alone; the set must not be empty.
    fn only_highest(self) -> Self;

    /// The index of the set bit number `k` from 0; there must be more than `k`.
    fn select(self, k: u32) -> u32;

    /// Which farmers stand on the set's cells, one bit each.
    fn standing(self, places: &Places) -> u16;

    /// Calls `visit` with the index of every bit set, the lowest first.
    fn each(self, visit: impl FnMut(u32));

    /// Whether the two sets share a bit.
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }
}

macro_rules! limbs {
    ($limbs:literal, |$word:ident| $to_limbs:expr) => {
        #[inline(always)]
        fn each(self, mut visit: impl FnMut(u32)) {
            let $word = self;
            let limbs: [u64; $limbs] = $to_limbs;
            for (limb, mut rest) in limbs.into_iter().enumerate() {
                while rest != 0 {
                    visit(64 * limb as u32 + rest.trailing_zeros());
                    rest &= rest - 1;
                }
            }
        }

        #[inline(always)]
        fn standing(self, places: &Places) -> u16 {
            let $word = self;
            standing::<$limbs>(places, $to_limbs)
        }
    };
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
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline(always)]
            fn only_highest(self) -> Self {
                1 << (Self::BITS - 1 - self.leading_zeros())
            }

            #[inline(always)]
            fn select(self, $k: u32) -> u32 {
                let $word = self;
                $select
            }

            limbs!($limbs, |word| {
                std::array::from_fn(|limb| ((word as u128) >> (64 * limb)) as u64)
            });
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

/// 192 bits in three limbs, the lowest first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Wide(pub [u64; 3]);

macro_rules! limbwise {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:tt) => {
        impl $trait for Wide {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let (a, b) = (self.0, other.0);
                Wide([a[0] $op b[0], a[1] $op b[1], a[2] $op b[2]])
            }
        }

        impl $assign_trait for Wide {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = *self $op other;
            }
        }
    };
}

use std::ops::BitXorAssign;
limbwise!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
limbwise!(BitOr, bitor, BitOrAssign, bitor_assign, |);
limbwise!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Wide {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Wide(self.0.map(|limb| !limb))
    }
}

/// Shifts by 1 to 63 bits: the only ones that geometry asks for.
impl Shl<u32> for Wide {
    type Output = Self;

    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        debug_assert!((1..64).contains(&by));
        let [a, b, c] = self.0;
        Wide([
            a << by,
            (b << by) | (a >> (64 - by)),
            (c << by) | (b >> (64 - by)),
        ])
    }
}

/// Shifts by 1 to 63 bits: the only ones that geometry asks for.
impl Shr<u32> for Wide {
    type Output = Self;

    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        debug_assert!((1..64).contains(&by));
        let [a, b, c] = self.0;
        Wide([
            (a >> by) | (b << (64 - by)),
            (b >> by) | (c << (64 - by)),
            c >> by,
        ])
    }
}

impl Word for Wide {
    const EMPTY: Self = Wide([0; 3]);

    #[inline(always)]
    fn bit(index: u32) -> Self {
        let mut limbs = [0; 3];
        limbs[(index / 64) as usize] = 1 << (index % 64);
        Wide(limbs)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|limb| limb.count_ones()).sum()
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        let [a, b, c] = self.0;
        if a != 0 {
            a.trailing_zeros()
        } else if b != 0 {
            64 + b.trailing_zeros()
        } else {
            128 + c.trailing_zeros()
        }
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        let [a, b, c] = self.0;
        // The borrow runs on into the next limb while the lower ones are zero.
        let (a1, borrow) = a.overflowing_sub(1);
        let (b1, borrow) = b.overflowing_sub(u64::from(borrow));
        let c1 = c.wrapping_sub(u64::from(borrow));
        Wide([a & a1, b & b1, c & c1])
    }

    #[inline(always)]
    fn only_highest(self) -> Self {
        let limb = if self.0[2] != 0 {
            2
        } else {
            usize::from(self.0[1] != 0)
        };
        let mut limbs = [0; 3];
        limbs[limb] = 1 << (63 - self.0[limb].leading_zeros());
        Wide(limbs)
    }

    #[inline(always)]
    fn select(self, k: u32) -> u32 {
        let [a, b, c] = self.0;
        let low = a.count_ones();
        let middle = low + b.count_ones();
        if k < low {
            select(a, k)
        } else if k < middle {
            64 + select(b, k - low)
        } else {
            128 + select(c, k - middle)
        }
    }

    limbs!(3, |word| word.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(word: impl Word) -> Vec<u32> {
        let mut rest = word;
        let mut out = Vec::new();
        while !rest.is_empty() {
            out.push(rest.lowest());
            rest = rest.without_lowest();
        }
        out
    }

    #[test]
    fn wide_walks_its_bits_across_limbs() {
        let all = [0, 5, 63, 64, 70, 127, 128, 150, 191];
        let word = all.iter().fold(Wide::EMPTY, |w, &i| w | Wide::bit(i));
        assert_eq!(bits(word), all);
        assert_eq!(word.count() as usize, all.len());
        assert_eq!(bits(word.only_lowest()), [0]);
        assert_eq!(bits(word.only_highest()), [191]);
        assert_eq!(bits(Wide::bit(3).only_highest()), [3]);
        assert_eq!(bits(Wide::bit(130) | Wide::bit(131)), [130, 131]);
    }

    #[test]
    fn wide_shifts_carry_between_limbs() {
        for by in [1, 13, 63] {
            for i in 0..(192 - by) {
                assert_eq!(Wide::bit(i) << by, Wide::bit(i + by));
                assert_eq!(Wide::bit(i + by) >> by, Wide::bit(i));
            }
            assert_eq!(Wide::bit(191) << by, Wide::EMPTY);
            assert_eq!(Wide::bit(0) >> by, Wide::EMPTY);
        }
    }
}
