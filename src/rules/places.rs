//! Where the farmers stand, for finding those beside a set of cells at once.

use super::crops::Farmers;

/// Where up to sixteen farmers stand, as bytes and bits of a set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(16))]
pub struct Places {
    /// The number of the byte that has the farmer's cell.
    pub(super) byte: [u8; 16],
    /// The cell's bit in that byte; 0 of a farmer that stands nowhere.
    pub(super) bit: [u8; 16],
}

impl Places {
    /// The places of farmers on these cells, by [`Cell`]'s numbers, where
    /// `starts` are the first bits of the ranks.
    #[inline(always)]
    pub(super) fn of(cells: [u8; 16], starts: &[u8; 16]) -> Places {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            use std::arch::x86_64::*;
            let mut places = Places::default();
            // SAFETY: this is compiled only where the build's target has AVX2;
            // loads and stores are of whole arrays. Measured: 16 instructions
            // instead of about 10 a farmer.
            #[allow(unsafe_code)]
            unsafe {
                let cells = _mm_loadu_si128(cells.as_ptr().cast());
                let starts = _mm_loadu_si128(starts.as_ptr().cast());
                let low = |bytes, mask| _mm_and_si128(bytes, _mm_set1_epi8(mask));
                let rank = low(_mm_srli_epi16(cells, 4), 15);
                let index = _mm_add_epi8(_mm_shuffle_epi8(starts, rank), low(cells, 15));
                let powers = _mm_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
                let bit = _mm_shuffle_epi8(powers, low(index, 7));
                let nowhere = _mm_cmpeq_epi8(cells, _mm_set1_epi8(-1));
                let byte = low(_mm_srli_epi16(index, 3), 31);
                _mm_store_si128(places.byte.as_mut_ptr().cast(), byte);
                let bit = _mm_andnot_si128(nowhere, bit);
                _mm_store_si128(places.bit.as_mut_ptr().cast(), bit);
            }
            places
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        {
            Places::of_portable(cells, starts)
        }
    }

    /// [`Self::of`] without intrinsics.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
    #[inline(always)]
    fn of_portable(cells: [u8; 16], starts: &[u8; 16]) -> Places {
        let index = cells.map(|cell| starts[usize::from(cell >> 4)].wrapping_add(cell & 15));
        Places {
            byte: index.map(|index| index >> 3),
            bit: std::array::from_fn(|who| match cells[who] {
                u8::MAX => 0,
                _ => 1 << (index[who] & 7),
            }),
        }
    }

    /// Puts a farmer on the cell of a bit.
    #[inline(always)]
    pub(super) fn put(&mut self, who: usize, index: u32) {
        self.byte[who & 15] = (index / 8) as u8;
        self.bit[who & 15] = 1 << (index % 8);
    }
}

/// Which of the farmers stand on a cell of `set`, one bit each.
#[inline(always)]
pub(super) fn standing<const LIMBS: usize>(places: &Places, set: [u64; LIMBS]) -> Farmers {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        let limb = |i: usize| if i < LIMBS { set[i].cast_signed() } else { 0 };
        // SAFETY: this is compiled only where the build's target has AVX2; the
        // loads read whole arrays. Measured: a third of what one comparison of
        // the farmers' neighbours took (callgrind, child scan of 10×10 with 5).
        #[allow(unsafe_code)]
        unsafe {
            let byte = _mm_load_si128(places.byte.as_ptr().cast());
            let bit = _mm_load_si128(places.bit.as_ptr().cast());
            let mut found = if LIMBS == 1 {
                _mm_shuffle_epi8(_mm_cvtsi64_si128(limb(0)), byte)
            } else if LIMBS == 2 {
                _mm_shuffle_epi8(_mm_set_epi64x(limb(1), limb(0)), byte)
            } else {
                // A byte number with its top bit set finds 0.
                let low = _mm_add_epi8(byte, _mm_set1_epi8(0x70));
                let high = _mm_sub_epi8(byte, _mm_set1_epi8(0x10));
                _mm_or_si128(
                    _mm_shuffle_epi8(_mm_set_epi64x(limb(1), limb(0)), low),
                    _mm_shuffle_epi8(_mm_set_epi64x(limb(3), limb(2)), high),
                )
            };
            found = _mm_and_si128(found, bit);
            let none = _mm_cmpeq_epi8(found, _mm_setzero_si128());
            !_mm_movemask_epi8(none).cast_unsigned() & 0xffff
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        standing_portable(places, set)
    }
}

/// [`standing`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(always)]
fn standing_portable<const LIMBS: usize>(places: &Places, set: [u64; LIMBS]) -> Farmers {
    (0..16).fold(0, |bits, who| {
        let byte = usize::from(places.byte[who]);
        let found = (set[(byte / 8) % LIMBS] >> (8 * (byte % 8))) as u8 & places.bit[who];
        bits | Farmers::from(found != 0) << who
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn both_ways_find_who_stands_on_a_set() {
        fn check<const LIMBS: usize>() {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut next = || rng.next_u64() >> 9;
            let mut seen = [0; 2];
            for _ in 0..2000 {
                let places = Places {
                    byte: std::array::from_fn(|_| (next() % (8 * LIMBS as u64)) as u8),
                    bit: std::array::from_fn(|_| ((1u32 << (next() % 9)) & 255) as u8),
                };
                let set = std::array::from_fn(|_| next() << 9 ^ next());
                let bits = standing::<LIMBS>(&places, set);
                assert_eq!(bits, standing_portable(&places, set));
                seen = [seen[0] | bits, seen[1] | !bits];
            }
            assert_eq!(
                seen.map(|set: Farmers| set & 0xffff),
                [0xffff; 2],
                "every farmer found and not"
            );
        }
        check::<1>();
        check::<2>();
        check::<4>();
    }

    #[test]
    fn both_ways_place_farmers() {
        let starts = std::array::from_fn(|rank| (17 * rank) as u8);
        for first in 0..=255u8 {
            let cells = std::array::from_fn(|who| first.wrapping_add(who as u8));
            let places = Places::of(cells, &starts);
            assert_eq!(places, Places::of_portable(cells, &starts));
            let mut put = Places::default();
            for (who, cell) in cells
                .into_iter()
                .enumerate()
                .filter(|&(_, cell)| cell != 255)
            {
                let start = starts[usize::from(cell >> 4)];
                put.put(who, u32::from(start.wrapping_add(cell & 15)));
            }
            assert_eq!(places.bit, put.bit);
        }
    }
}
