//! 256 bits as sixteen ranks of sixteen bits: the words of boards whose cells
//! don't fit into 128 bits.
//!
//! Ranks and files of spare bits surround a board, so that a step sideways
//! carries nothing, a step up or down moves whole ranks, and what leaves the
//! board stays out of it; a set that has left it isn't moved further. A set is one
//! register with AVX2, two with SSE2 and elsewhere four limbs; a test holds
//! them equal.

use super::arch::{around, four_ranks, select};
use super::crops::Farmers;
use super::geometry::Cell;
use super::places::{Places, standing};
use super::word::Word;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[path = "wide/avx2.rs"]
mod limbs;
#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
#[path = "wide/sse2.rs"]
mod limbs;
#[cfg(not(target_arch = "x86_64"))]
#[path = "wide/portable.rs"]
mod limbs;
#[cfg(test)]
#[path = "wide/portable.rs"]
mod portable;

/// 256 bits in four limbs, the lowest first.
#[derive(Clone, Copy)]
pub struct Wide(pub(super) limbs::Limbs);

/// All bits of the lowest limb that isn't zero and of the highest, by which
/// limbs are.
static END_LIMBS: [[[u64; 4]; 2]; 16] = {
    let mut table = [[[0; 4]; 2]; 16];
    let mut vacant = 0u32;
    while vacant < 15 {
        let highest = 31 - (!vacant & 15).leading_zeros();
        let ends = [vacant.trailing_ones(), highest];
        let mut end = 0;
        while end < 2 {
            table[vacant as usize][end][ends[end] as usize] = u64::MAX;
            end += 1;
        }
        vacant += 1;
    }
    table
};

impl Wide {
    /// The set with these limbs.
    #[inline(always)]
    pub(super) const fn from_limbs(limbs: [u64; 4]) -> Wide {
        Wide(bytemuck::must_cast(limbs))
    }

    /// The set's limbs.
    #[inline(always)]
    pub(super) const fn limbs(self) -> [u64; 4] {
        bytemuck::must_cast(self.0)
    }
}

macro_rules! limbwise {
    ($trait:ident, $method:ident, $function:ident) => {
        impl $trait for Wide {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Wide(limbs::$function(self.0, other.0))
            }
        }
    };
}

limbwise!(BitAnd, bitand, and);
limbwise!(BitOr, bitor, or);
limbwise!(BitXor, bitxor, xor);

impl BitAndAssign for Wide {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Wide {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl Not for Wide {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        self ^ Wide::from_limbs([u64::MAX; 4])
    }
}

impl PartialEq for Wide {
    #[inline(always)]
    fn eq(&self, other: &Wide) -> bool {
        (*self ^ *other).is_empty()
    }
}

impl Eq for Wide {}

impl Hash for Wide {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.limbs().hash(hasher);
    }
}

impl Default for Wide {
    fn default() -> Wide {
        Wide::EMPTY
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.limbs();
        write!(f, "Wide({a:#x}, {b:#x}, {c:#x}, {d:#x})")
    }
}

impl Word for Wide {
    const STRIDE: u32 = 16;
    const FIRST: u32 = 17;
    const EMPTY: Self = Wide::from_limbs([0; 4]);

    #[inline(always)]
    fn bit(index: u32) -> Self {
        Wide(limbs::bit(index))
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        limbs::apart(self.0, self.0)
    }

    #[inline(always)]
    fn meets(self, other: Self) -> bool {
        !limbs::apart(self.0, other.0)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        let [a, b, c, d] = self.limbs().map(u64::count_ones);
        (a + b) + (c + d)
    }

    #[inline(always)]
    fn lowest(self) -> u32 {
        let limb = limbs::vacant(self.0).trailing_ones();
        64 * limb + self.limbs()[(limb & 3) as usize].trailing_zeros()
    }

    #[inline(always)]
    fn ends(self) -> [Self; 2] {
        let lowest = Wide(limbs::lowest_each(self.0));
        END_LIMBS[(limbs::vacant(self.0) & 15) as usize].map(|limb| lowest & Wide::from_limbs(limb))
    }

    #[inline(always)]
    fn only_lowest(self) -> Self {
        self.ends()[0]
    }

    #[inline(always)]
    fn east(self) -> Self {
        Wide(limbs::east(self.0))
    }

    #[inline(always)]
    fn west(self) -> Self {
        Wide(limbs::west(self.0))
    }

    #[inline(always)]
    fn north(self) -> Self {
        Wide(limbs::north(self.0))
    }

    #[inline(always)]
    fn south(self) -> Self {
        Wide(limbs::south(self.0))
    }

    #[inline(always)]
    fn folded(self) -> u64 {
        // A sum of products with random odd numbers (Carter, Wegman, Universal
        // Classes of Hash Functions, 1979).
        const FACTORS: [u64; 4] = [
            0x8f3d_2b1c_94e7_5a63,
            0xd1b5_4a32_d192_ed03,
            0xa24b_aed4_963e_e407,
            0x9fb2_1c65_1e98_df25,
        ];
        let limbs = self.limbs().into_iter().zip(FACTORS);
        limbs.fold(0, |sum: u64, (limb, factor)| {
            sum.wrapping_add(limb.wrapping_mul(factor))
        })
    }

    #[inline(always)]
    fn ring(self, cell: Cell) -> u8 {
        // The rank below the cell's has the cell's number as the lowest is free.
        let below = four_ranks(&self.limbs(), cell.rank());
        around(below >> (cell.file() & 15))
    }

    #[inline(always)]
    fn covers(self, other: Self) -> bool {
        limbs::covers(self.0, other.0)
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & !self.only_lowest()
    }

    #[inline(always)]
    fn select(self, mut k: u32) -> u32 {
        let limbs = self.limbs();
        for (i, limb) in limbs.into_iter().enumerate() {
            let count = limb.count_ones();
            if k < count {
                return 64 * i as u32 + select(limb, k);
            }
            k -= count;
        }
        unreachable!("more bits are set than asked for")
    }

    #[inline(always)]
    fn each(self, mut visit: impl FnMut(u32)) {
        for (i, mut rest) in self.limbs().into_iter().enumerate() {
            while rest != 0 {
                visit(64 * i as u32 + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }

    #[inline(always)]
    fn standing(self, places: &Places) -> Farmers {
        standing::<4>(places, self.limbs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

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
    fn bits_are_walked_across_limbs() {
        let all = [0, 5, 63, 64, 70, 127, 128, 150, 191, 192, 255];
        let word = all.iter().fold(Wide::EMPTY, |w, &i| w | Wide::bit(i));
        assert_eq!(bits(word), all);
        assert_eq!(word.count() as usize, all.len());
        for (k, &index) in all.iter().enumerate() {
            assert_eq!(word.select(k as u32), index);
            assert_eq!(bits(Wide::bit(index)), [index]);
        }
        let [first, last] = word.ends();
        assert_eq!((bits(first), bits(last)), (vec![0], vec![192]));
        assert_eq!(bits(word.only_lowest()), [0]);
    }

    #[test]
    fn both_ways_do_the_same() {
        const FILES: u64 = 0x7ffe_7ffe_7ffe_7ffe;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u64();
        for round in 0..3000 {
            let mut limbs = || std::array::from_fn(|_| next() & next() & !(next() >> 1));
            let (mut a, b): ([u64; 4], [u64; 4]) = (limbs(), limbs());
            for (i, limb) in a.iter_mut().enumerate() {
                *limb *= u64::from(round >> i & 1 == 1);
            }
            let (wide, other) = (Wide::from_limbs(a), Wide::from_limbs(b));
            assert_eq!(wide.limbs(), a);
            assert_eq!((wide & other).limbs(), portable::and(a, b));
            assert_eq!((wide | other).limbs(), portable::or(a, b));
            assert_eq!((wide ^ other).limbs(), portable::xor(a, b));
            assert_eq!((!wide).limbs(), a.map(|limb| !limb));
            let inner = [0x7ffe_7ffe_7ffe_0000, FILES, FILES, 0x7ffe_7ffe_7ffe];
            let inside = portable::and(a, inner);
            let moved = Wide::from_limbs(inside);
            assert_eq!(moved.east().limbs(), portable::east(inside));
            assert_eq!(moved.west().limbs(), portable::west(inside));
            assert_eq!(moved.north().limbs(), portable::north(inside));
            assert_eq!(moved.south().limbs(), portable::south(inside));
            assert_eq!(wide.meets(other), !portable::apart(a, b));
            assert!(wide.covers(wide & other));
            assert_eq!(wide.covers(other), portable::covers(a, b));
            assert_eq!(limbs::vacant(wide.0), portable::vacant(a));
            let lowest = Wide(limbs::lowest_each(wide.0));
            assert_eq!(lowest.limbs(), portable::lowest_each(a));
            let index = round % 256;
            assert_eq!(Wide::bit(index).limbs(), portable::bit(index));
        }
    }
}
