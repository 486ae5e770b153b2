//! The operations that some machines have instructions for, each with a
//! portable twin that the tests hold equal to it.
//!
//! This is the only place with `unsafe`: an intrinsic is called where the
//! build's target is known to have it.

/// Tests four words against four masks each: bit `4 × word + mask` of the
/// result is set where the masked word is zero. The first three words go
/// with the first row of masks, the last word with the second.
#[inline(always)]
pub(super) fn clear(words: [u32; 4], first: &[u32; 4], second: &[u32; 4]) -> u16 {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::*;
        // SAFETY: every x86-64 has SSE2, and the loads read whole arrays.
        // Measured: 9 instructions less a farmer than the compiler's own way
        // with portable vectors (callgrind, legal moves of 10×10 with 5).
        #[allow(unsafe_code)]
        unsafe {
            let first = _mm_loadu_si128(first.as_ptr().cast());
            let second = _mm_loadu_si128(second.as_ptr().cast());
            let zero = _mm_setzero_si128();
            let test = |word: u32, masks| {
                _mm_cmpeq_epi32(
                    _mm_and_si128(_mm_set1_epi32(word.cast_signed()), masks),
                    zero,
                )
            };
            let low = _mm_packs_epi32(test(words[0], first), test(words[1], first));
            let high = _mm_packs_epi32(test(words[2], first), test(words[3], second));
            _mm_movemask_epi8(_mm_packs_epi16(low, high)) as u16
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        clear_portable(words, first, second)
    }
}

/// [`clear`] without intrinsics.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn clear_portable(words: [u32; 4], first: &[u32; 4], second: &[u32; 4]) -> u16 {
    let mut bits = 0;
    for (i, word) in words.into_iter().enumerate() {
        let masks = if i < 3 { first } else { second };
        for (k, mask) in masks.iter().enumerate() {
            bits |= u16::from(word & mask == 0) << (4 * i + k);
        }
    }
    bits
}

/// Sixteen sets of cells side by side, limb by limb.
pub(super) type Lanes<const LIMBS: usize> = [[u64; 16]; LIMBS];

/// Which of sixteen sets share a bit with `set`, one bit each.
#[inline(always)]
pub(super) fn meeting<const LIMBS: usize>(lanes: &Lanes<LIMBS>, set: [u64; LIMBS]) -> u16 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        let mut bits = 0;
        for group in 0..4 {
            // SAFETY: this is compiled only where the build's target has AVX2;
            // a load reads 4 of a limb's 16 words. Measured: half of what the
            // loop over farmers took (callgrind, child scan of 10×10 with 5).
            #[allow(unsafe_code)]
            let apart = unsafe {
                let mut common = _mm256_setzero_si256();
                for limb in 0..LIMBS {
                    let sets = _mm256_loadu_si256(lanes[limb].as_ptr().add(4 * group).cast());
                    let wanted = _mm256_set1_epi64x(set[limb].cast_signed());
                    common = _mm256_or_si256(common, _mm256_and_si256(sets, wanted));
                }
                let apart = _mm256_cmpeq_epi64(common, _mm256_setzero_si256());
                _mm256_movemask_pd(_mm256_castsi256_pd(apart))
            };
            bits |= apart << (4 * group);
        }
        !bits as u16
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        meeting_portable(lanes, set)
    }
}

/// [`meeting`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(always)]
fn meeting_portable<const LIMBS: usize>(lanes: &Lanes<LIMBS>, set: [u64; LIMBS]) -> u16 {
    let mut bits = 0;
    for lane in 0..16 {
        let common = (0..LIMBS).fold(0, |common, limb| common | (lanes[limb][lane] & set[limb]));
        bits |= u16::from(common != 0) << lane;
    }
    bits
}

/// Floods from two seeds at once on a board of two limbs whose ranks are
/// `STRIDE` bits apart with an unused column between them. Returns the
/// maximal sets of `within` joined to each seed; the seeds must lie in it.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[inline(always)]
pub(super) fn flood_two<const STRIDE: i32>(a: u128, b: u128, within: u128) -> (u128, u128) {
    use std::arch::x86_64::*;
    // SAFETY: this is compiled only where the build's target has AVX2.
    // Measured: less than half of two floods with general registers.
    #[allow(unsafe_code)]
    unsafe {
        let word = |w: u128| _mm_set_epi64x((w >> 64) as i64, w as i64);
        let within = _mm256_broadcastsi128_si256(word(within));
        let mut filled = _mm256_set_m128i(word(b), word(a));
        // The shift counts are runtime registers only in name: they are constant.
        let up = _mm_cvtsi32_si128(STRIDE);
        let over = _mm_cvtsi32_si128(64 - STRIDE);
        let grow = |f: __m256i| {
            // What leaves one limb enters the other.
            let rising = _mm256_or_si256(_mm256_srli_epi64(f, 63), _mm256_srl_epi64(f, over));
            let sinking = _mm256_or_si256(_mm256_slli_epi64(f, 63), _mm256_sll_epi64(f, over));
            let sides = _mm256_or_si256(_mm256_slli_epi64(f, 1), _mm256_srli_epi64(f, 1));
            let ranks = _mm256_or_si256(_mm256_sll_epi64(f, up), _mm256_srl_epi64(f, up));
            let crossed = _mm256_or_si256(
                _mm256_bslli_epi128(rising, 8),
                _mm256_bsrli_epi128(sinking, 8),
            );
            let near = _mm256_or_si256(_mm256_or_si256(sides, ranks), crossed);
            _mm256_and_si256(_mm256_or_si256(f, near), within)
        };
        loop {
            let once = grow(filled);
            let twice = grow(once);
            // Both floods stand still where `twice` lies within `once`.
            if _mm256_testc_si256(once, twice) == 1 {
                let half = |v: __m128i| {
                    let (low, high) = (_mm_cvtsi128_si64(v), _mm_extract_epi64(v, 1));
                    u128::from(low.cast_unsigned()) | u128::from(high.cast_unsigned()) << 64
                };
                let (a, b) = (
                    _mm256_castsi256_si128(once),
                    _mm256_extracti128_si256(once, 1),
                );
                return (half(a), half(b));
            }
            // Floods that touch are one: let each go on from both.
            let swapped = _mm256_permute4x64_epi64(twice, 0b01_00_11_10);
            filled = if _mm256_testz_si256(twice, swapped) == 0 {
                _mm256_or_si256(twice, swapped)
            } else {
                twice
            };
        }
    }
}

/// The index of the set bit number `k` from 0; the word must have more than
/// `k` bits set.
#[inline(always)]
pub(super) fn select(word: u64, k: u32) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: this is compiled only where the build's target has BMI2.
        // Measured: 20 instructions of a random playout's move.
        #[allow(unsafe_code)]
        let bit = unsafe { std::arch::x86_64::_pdep_u64(1 << k, word) };
        bit.trailing_zeros()
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        select_portable(word, k)
    }
}

/// [`select`] without a bit deposit instruction.
///
/// Byte sums by multiplication, then the byte, then the bit in it (after
/// Vigna, Broadword Implementation of Rank/Select Queries, 2008).
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
#[inline(always)]
fn select_portable(word: u64, k: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x8080_8080_8080_8080;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // Byte i of `sums` counts the bits of the bytes 0 to i, at most 64.
    let sums = bytes.wrapping_mul(ONES);
    // A byte's top bit is set where its sum is at most k.
    let passed = (((u64::from(k) * ONES) | TOPS) - sums) & TOPS;
    let byte = 8 * (passed.count_ones());
    let before = (sums << 8 >> byte) as u8;
    let mut rest = (word >> byte) as u8;
    for _ in 0..(k - u32::from(before)) {
        rest &= rest - 1;
    }
    byte + rest.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_sets_that_meet() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(0xd129_42e7_6296_c34d).rotate_left(17) ^ 1;
            seed
        };
        let mut seen = [0u16; 2];
        for _ in 0..2000 {
            let mut sparse = || next() & next() & next() & next();
            let lanes: Lanes<2> = std::array::from_fn(|_| std::array::from_fn(|_| sparse()));
            let set = std::array::from_fn(|_| sparse());
            let bits = meeting(&lanes, set);
            assert_eq!(bits, meeting_portable(&lanes, set));
            seen = [seen[0] | bits, seen[1] | !bits];
        }
        assert_eq!(seen, [u16::MAX; 2], "every lane met and missed");
    }

    #[test]
    fn both_ways_clear_the_same_tests() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            seed = seed.wrapping_mul(0xd129_42e7_6296_c34d).rotate_left(17) ^ 1;
            (seed >> 20) as u32
        };
        let mut seen = 0u16;
        for _ in 0..2000 {
            let mut row = || std::array::from_fn(|_| next() & next() & next());
            let (words, first, second) = (row(), row(), row());
            let bits = clear(words, &first, &second);
            assert_eq!(bits, clear_portable(words, &first, &second));
            seen |= bits;
        }
        assert_eq!(seen, u16::MAX, "every test was clear at some time");
    }

    #[test]
    fn both_ways_find_every_bit() {
        let mut word = 0x9e37_79b9_7f4a_7c15u64;
        for round in 0..2000u32 {
            word = word.wrapping_mul(0xd129_42e7_6296_c34d).rotate_left(17) ^ u64::from(round);
            let sparse = if round % 3 == 0 {
                word & word << 7 & word >> 5
            } else {
                word
            };
            let word = if round % 7 == 0 { !sparse } else { sparse };
            let bits: Vec<u32> = (0..64).filter(|i| word >> i & 1 == 1).collect();
            for (k, &bit) in bits.iter().enumerate() {
                assert_eq!(select(word, k as u32), bit);
                assert_eq!(select_portable(word, k as u32), bit);
            }
        }
        assert_eq!(select_portable(u64::MAX, 63), 63);
    }
}
