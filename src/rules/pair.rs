//! Two numbers at once, Light's and Dark's: one register where the build's
//! target has AVX2, an array elsewhere; a test holds the two equal.

#![allow(unsafe_code)]
// SAFETY (all of this file): intrinsics are called where the build's target is
// known to have AVX2, and none of them touches memory. Measured: half of what
// the same costs side by side in general registers (callgrind, child scan).

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use registers as lanes;

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable as lanes;

pub(super) use lanes::{Floats, Integers};

/// In vector registers.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod registers {
    use std::arch::x86_64::*;

    /// Two unsigned integers.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Integers(__m128i);

    impl Integers {
        #[inline(always)]
        pub(in super::super) const fn of(numbers: [u64; 2]) -> Integers {
            Integers(bytemuck::must_cast(numbers))
        }

        #[inline(always)]
        pub(in super::super) const fn numbers(self) -> [u64; 2] {
            bytemuck::must_cast(self.0)
        }

        #[inline(always)]
        pub(in super::super) fn plus(self, other: Integers) -> Integers {
            Integers(unsafe { _mm_add_epi64(self.0, other.0) })
        }

        #[inline(always)]
        pub(in super::super) fn minus(self, other: Integers) -> Integers {
            Integers(unsafe { _mm_sub_epi64(self.0, other.0) })
        }

        /// Both times `factor`; they have 32 bits at most.
        #[inline(always)]
        pub(in super::super) fn times(self, factor: u32) -> Integers {
            unsafe {
                let factor = _mm_set1_epi64x(factor.into());
                Integers(_mm_mul_epu32(self.0, factor))
            }
        }
    }

    /// Two floating-point numbers.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Floats(__m128d);

    impl Floats {
        #[inline(always)]
        pub(in super::super) const fn of(numbers: [f64; 2]) -> Floats {
            Floats(bytemuck::must_cast(numbers))
        }

        #[inline(always)]
        pub(in super::super) const fn numbers(self) -> [f64; 2] {
            bytemuck::must_cast(self.0)
        }

        #[inline(always)]
        pub(in super::super) fn plus(self, other: Floats) -> Floats {
            Floats(unsafe { _mm_add_pd(self.0, other.0) })
        }

        #[inline(always)]
        pub(in super::super) fn minus(self, other: Floats) -> Floats {
            Floats(unsafe { _mm_sub_pd(self.0, other.0) })
        }

        /// Bit 0 where the first is the greater, bit 1 where the second is.
        #[inline(always)]
        pub(in super::super) fn greater(self) -> u32 {
            unsafe { _mm_movemask_pd(self.greater_lane()).cast_unsigned() }
        }

        #[inline(always)]
        fn greater_lane(self) -> __m128d {
            unsafe { _mm_cmpgt_pd(self.0, _mm_shuffle_pd(self.0, self.0, 1)) }
        }

        /// Of each, unless it is 0: a quarter of the power of 2 in it, and 1 << 24
        /// for being the greater, both only where it is, and 1 << 16 in any case.
        /// Numbers that aren't 0 are between 2 and 2^64.
        #[inline(always)]
        pub(in super::super) fn worth(self) -> Integers {
            unsafe {
                // An exponent is told as 1023 more, and that of a number from 2 on
                // as 1024 and a number from 0 on.
                let quarters = _mm_srli_epi64(_mm_castpd_si128(self.0), 54);
                let spread = _mm_set_epi64x(
                    0xffff_ffff_0909_ff08_u64.cast_signed(),
                    0xffff_ffff_0101_ff00_u64.cast_signed(),
                );
                let all = _mm_shuffle_epi8(quarters, spread);
                let greater = _mm_castpd_si128(self.greater_lane());
                let always = _mm_set1_epi64x(1 << 16);
                Integers(_mm_and_si128(all, _mm_or_si128(greater, always)))
            }
        }
    }
}

/// The same without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use std::array::from_fn;

    /// Two unsigned integers.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Integers([u64; 2]);

    impl Integers {
        #[inline(always)]
        pub(in super::super) const fn of(numbers: [u64; 2]) -> Integers {
            Integers(numbers)
        }

        #[inline(always)]
        pub(in super::super) const fn numbers(self) -> [u64; 2] {
            self.0
        }

        #[inline(always)]
        pub(in super::super) fn plus(self, other: Integers) -> Integers {
            Integers(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
        }

        #[inline(always)]
        pub(in super::super) fn minus(self, other: Integers) -> Integers {
            Integers(from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
        }

        /// Both times `factor`; they have 32 bits at most.
        #[inline(always)]
        pub(in super::super) fn times(self, factor: u32) -> Integers {
            Integers(self.0.map(|number| number * u64::from(factor)))
        }
    }

    /// Two floating-point numbers.
    #[derive(Clone, Copy, Debug)]
    pub(in super::super) struct Floats([f64; 2]);

    impl Floats {
        #[inline(always)]
        pub(in super::super) const fn of(numbers: [f64; 2]) -> Floats {
            Floats(numbers)
        }

        #[inline(always)]
        pub(in super::super) const fn numbers(self) -> [f64; 2] {
            self.0
        }

        #[inline(always)]
        pub(in super::super) fn plus(self, other: Floats) -> Floats {
            Floats(from_fn(|i| self.0[i] + other.0[i]))
        }

        #[inline(always)]
        pub(in super::super) fn minus(self, other: Floats) -> Floats {
            Floats(from_fn(|i| self.0[i] - other.0[i]))
        }

        /// Bit 0 where the first is the greater, bit 1 where the second is.
        #[inline(always)]
        pub(in super::super) fn greater(self) -> u32 {
            let [first, second] = self.0;
            u32::from(first > second) | u32::from(second > first) << 1
        }

        /// See the twin.
        #[inline(always)]
        pub(in super::super) fn worth(self) -> Integers {
            let [first, second] = self.0;
            let worth = |own: f64, other: f64| {
                let quarters = own.to_bits() >> 54;
                let greater = if own > other {
                    quarters & 255 | 1 << 24
                } else {
                    0
                };
                greater | (quarters & 256) << 8
            };
            Integers([worth(first, second), worth(second, first)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::subset_sums::power;
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn both_ways_are_equal() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u64() >> 20;
        let mut greater = [0; 3];
        for _ in 0..4000 {
            let integers = [(); 2].map(|()| [(); 2].map(|()| next() & 0xffff_ffff));
            let factor = next() as u32 % 145;
            let [a, b] = integers.map(Integers::of);
            let [c, d] = integers.map(portable::Integers::of);
            assert_eq!(a.plus(b).numbers(), c.plus(d).numbers());
            assert_eq!(a.minus(b).numbers(), c.minus(d).numbers());
            assert_eq!(a.times(factor).numbers(), c.times(factor).numbers());

            // Up to seven crops a side, often the same ones.
            let sums = [(); 2].map(|()| {
                [(); 2].map(|()| {
                    let crops = (0..next() % 8).map(|_| power((next() % 4) as u8 * 4));
                    crops.sum::<f64>()
                })
            });
            let [a, b] = sums.map(Floats::of);
            let [c, d] = sums.map(portable::Floats::of);
            assert_eq!(a.plus(b).numbers(), c.plus(d).numbers());
            assert_eq!(a.minus(b).numbers(), c.minus(d).numbers());
            assert_eq!(a.greater(), c.greater());
            assert_eq!(a.worth().numbers(), c.worth().numbers());
            greater[a.greater() as usize] += 1;
        }
        assert!(greater.into_iter().all(|times| times > 150), "{greater:?}");
    }

    #[test]
    fn worth_is_told_as_described() {
        let tall_and_short = Floats::of([power(12) + power(3), power(12)]);
        assert_eq!(
            tall_and_short.worth().numbers(),
            [12 | 1 << 16 | 1 << 24, 1 << 16]
        );
        let one = Floats::of([0.0, 7.0 * power(1)]);
        assert_eq!(one.worth().numbers(), [0, 1 | 1 << 16 | 1 << 24]);
        assert_eq!(Floats::of([0.0; 2]).worth().numbers(), [0; 2]);
        let even = Floats::of([power(5); 2]);
        assert_eq!(even.worth().numbers(), [1 << 16; 2]);
    }
}
