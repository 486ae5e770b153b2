//! The operations that some machines have instructions for, each with a
//! portable twin that the tests hold equal to it.
//!
//! Of the rules `unsafe` is here, in [`pair`](super::pair),
//! [`places`](super::places), [`subset_sums`](super::subset_sums),
//! [`wide`](super::wide) and `twins` alone: an intrinsic is called where the
//! build's target is known to have it.

/// Tests four words against four masks each: bit `4 × word + mask` of the
/// result is set where the masked word is zero. The first three words go
/// with the first row of masks, the last word with the second. No mask has
/// the top bit.
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
            let masked =
                |word: u32, masks| _mm_and_si128(_mm_set1_epi32(word.cast_signed()), masks);
            // Packed with saturation, what is positive stays so.
            let low = _mm_packs_epi32(masked(words[0], first), masked(words[1], first));
            let high = _mm_packs_epi32(masked(words[2], first), masked(words[3], second));
            let all = _mm_packs_epi16(low, high);
            _mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) as u16
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

/// [`clear`] with two pairs of rows of masks.
#[inline(always)]
pub(super) fn clear_twice(
    words: [u32; 4],
    first: &[[u32; 4]; 2],
    second: &[[u32; 4]; 2],
) -> [u16; 2] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        // SAFETY: this is compiled only where the build's target has AVX2; the
        // loads read whole arrays. Measured: a third less than twice `clear`
        // (callgrind, the surveys of a search).
        #[allow(unsafe_code)]
        unsafe {
            let first = _mm256_loadu_si256(first.as_ptr().cast());
            let second = _mm256_loadu_si256(second.as_ptr().cast());
            let masked =
                |word: u32, masks| _mm256_and_si256(_mm256_set1_epi32(word.cast_signed()), masks);
            let low = _mm256_packs_epi32(masked(words[0], first), masked(words[1], first));
            let high = _mm256_packs_epi32(masked(words[2], first), masked(words[3], second));
            let all = _mm256_packs_epi16(low, high);
            let clear = _mm256_cmpeq_epi8(all, _mm256_setzero_si256());
            let bits = _mm256_movemask_epi8(clear).cast_unsigned();
            [bits as u16, (bits >> 16) as u16]
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        [0, 1].map(|which| clear(words, &first[which], &second[which]))
    }
}

/// Which of sixteen farmers have a harvest and which a sowing: four bytes, the
/// harvests and the sowings of the first eight, then those of the others.
#[inline(always)]
pub(super) fn kinds(steps: &[u16; 16]) -> u32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        // SAFETY: this is compiled only where the build's target has AVX2; the
        // load reads the whole array.
        #[allow(unsafe_code)]
        unsafe {
            let steps = _mm256_loadu_si256(steps.as_ptr().cast());
            let none = |kind: u16| {
                let of_kind = _mm256_and_si256(steps, _mm256_set1_epi16(kind.cast_signed()));
                _mm256_cmpeq_epi16(of_kind, _mm256_setzero_si256())
            };
            let none = _mm256_packs_epi16(none(0x3333), none(0xcccc));
            !_mm256_movemask_epi8(none).cast_unsigned()
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        kinds_portable(steps)
    }
}

/// [`kinds`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(always)]
fn kinds_portable(steps: &[u16; 16]) -> u32 {
    (0..16).fold(0, |kinds, lane| {
        let at = lane % 8 + 16 * (lane / 8);
        let harvest = u32::from(steps[lane] & 0x3333 != 0);
        let sowing = u32::from(steps[lane] & 0xcccc != 0);
        kinds | harvest << at | sowing << (at + 8)
    })
}

/// Which of sixteen sets have an element of another in common, one bit each.
#[inline(always)]
pub(super) fn having(sets: &[u16; 16], other: u16) -> u16 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        // SAFETY: this is compiled only where the build's target has AVX2; the
        // load reads the whole array.
        #[allow(unsafe_code)]
        unsafe {
            let sets = _mm256_loadu_si256(sets.as_ptr().cast());
            let both = _mm256_and_si256(sets, _mm256_set1_epi16(other.cast_signed()));
            let none = _mm256_cmpeq_epi16(both, _mm256_setzero_si256());
            let none = _mm_packs_epi16(
                _mm256_castsi256_si128(none),
                _mm256_extracti128_si256(none, 1),
            );
            !_mm_movemask_epi8(none) as u16
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        having_portable(sets, other)
    }
}

/// [`having`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(always)]
fn having_portable(sets: &[u16; 16], other: u16) -> u16 {
    (0..16).fold(0, |bits, i| bits | u16::from(sets[i] & other != 0) << i)
}

/// The bits of a word put where a mask has bits, the lowest first.
#[inline(always)]
pub(super) fn deposit(word: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: this is compiled only where the build's target has BMI2.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pdep_u64(word, mask)
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        deposit_portable(word, mask)
    }
}

/// [`deposit`] without a bit deposit instruction.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
#[inline(always)]
fn deposit_portable(word: u64, mut mask: u64) -> u64 {
    let (mut rest, mut out) = (word, 0);
    while mask != 0 {
        // A run of bits at once.
        let start = mask.trailing_zeros();
        let length = (mask >> start).trailing_ones();
        let run = u64::MAX >> (64 - length);
        out |= (rest & run) << start;
        mask &= !(run << start);
        rest = rest.checked_shr(length).unwrap_or(0);
    }
    out
}

/// The eight bits round the middle one of three, in ranks of 16 bits.
#[inline(always)]
pub(super) fn around(ranks: u64) -> u8 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: this is compiled only where the build's target has BMI2.
        #[allow(unsafe_code)]
        let bits = unsafe { std::arch::x86_64::_pext_u64(ranks, 0x0007_0005_0007) };
        bits as u8
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        around_portable(ranks)
    }
}

/// [`around`] without a bit extract instruction.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "bmi2"))))]
#[inline(always)]
fn around_portable(ranks: u64) -> u8 {
    let beside = (ranks >> 13 & 8) | (ranks >> 14 & 16);
    ((ranks & 7) | beside | (ranks >> 27 & 0xe0)) as u8
}

/// Four ranks of sixteen bits from one of sixteen on; of those above rank 12 as
/// if from there.
#[inline(always)]
pub(super) fn four_ranks(limbs: &[u64; 4], from: u8) -> u64 {
    #[cfg(target_endian = "little")]
    {
        /// The first byte of a rank, 24 at most.
        const BYTES: [u8; 16] = {
            let mut bytes = [24; 16];
            let mut rank = 0;
            while rank < 12 {
                bytes[rank] = 2 * rank as u8;
                rank += 1;
            }
            bytes
        };
        let byte = BYTES[usize::from(from & 15)];
        // SAFETY: no more than 24 bytes into 32, the eight that are read are
        // there. Measured: 12 instructions less than shifting two limbs.
        #[allow(unsafe_code)]
        unsafe {
            let bytes = limbs.as_ptr().cast::<u8>().add(byte.into());
            bytes.cast::<u64>().read_unaligned()
        }
    }
    #[cfg(not(target_endian = "little"))]
    {
        four_ranks_portable(limbs, from)
    }
}

/// [`four_ranks`] by shifts.
#[cfg(any(test, not(target_endian = "little")))]
fn four_ranks_portable(limbs: &[u64; 4], from: u8) -> u64 {
    let pair = |limb: usize| u128::from(limbs[limb]) | u128::from(limbs[(limb + 1) & 3]) << 64;
    let from = usize::from(from & 15).min(12);
    (pair(from / 4) >> (16 * (from % 4))) as u64
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
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn both_ways_find_the_sets_that_have() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u32() as u16;
        let mut seen = [0, 0];
        for _ in 0..2000 {
            let sets = std::array::from_fn(|_| next() & next());
            let other = next() & next() & next();
            let bits = having(&sets, other);
            assert_eq!(bits, having_portable(&sets, other));
            seen = [seen[0] | bits, seen[1] | !bits];
        }
        assert_eq!(seen, [u16::MAX; 2]);
    }

    #[test]
    fn both_ways_tell_the_kinds_of_steps() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut seen = 0;
        for _ in 0..2000 {
            let steps = std::array::from_fn(|_| {
                let word = rng.next_u64();
                (word & word >> 16 & word >> 32 & word >> 48) as u16
            });
            assert_eq!(kinds(&steps), kinds_portable(&steps));
            seen |= kinds(&steps) & !kinds(&[0; 16]);
        }
        assert_eq!(seen, u32::MAX);
        let mut steps = [0; 16];
        (steps[0], steps[7], steps[8], steps[15]) = (1 << 13, 1 << 2, 1 << 15, 1);
        assert_eq!(kinds(&steps), 1 | 1 << 15 | 1 << 24 | 1 << 23);
    }

    #[test]
    fn both_ways_clear_the_same_tests() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u32();
        let mut seen = 0u16;
        for _ in 0..2000 {
            let mut row = |allowed| std::array::from_fn(|_| next() & next() & next() & allowed);
            let (words, first, second) = (row(u32::MAX), row(u32::MAX >> 1), row(u32::MAX >> 1));
            let bits = clear(words, &first, &second);
            assert_eq!(bits, clear_portable(words, &first, &second));
            let twice = clear_twice(words, &[first, second], &[second, first]);
            assert_eq!(twice, [bits, clear_portable(words, &second, &first)]);
            seen |= bits;
        }
        assert_eq!(seen, u16::MAX, "every test was clear at some time");
    }

    #[test]
    fn both_ways_deposit_and_look_around() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..2000 {
            let word = rng.next_u64();
            let mask = word.rotate_left(23) ^ word << 9;
            assert_eq!(deposit(word, mask), deposit_portable(word, mask));
            assert_eq!(around(word), around_portable(word));
            let limbs = [word, mask, !word, word ^ mask];
            for from in 0..16 {
                assert_eq!(four_ranks(&limbs, from), four_ranks_portable(&limbs, from));
            }
        }
        assert_eq!(deposit(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(deposit_portable(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(around(0x0004_0000_0002), 0b1000_0010);
    }

    #[test]
    fn both_ways_find_every_bit() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for round in 0..2000 {
            let word = rng.next_u64();
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
