//! Two fields found at once, side by side in vector registers.
//!
//! [`BoardSize::two_fields`](super::geometry::BoardSize::two_fields) has the
//! portable twin of both functions, and a test holds them equal. A flood
//! waits for its own steps, so that two in step take little longer than one;
//! measured on 10×10 with 5 farmers, see tuning/EXPERIMENTS.md.

#![allow(unsafe_code)]
// SAFETY (all of this module): it is compiled only where the build's target has
// AVX2. Intrinsics but the loads and stores touch no memory, and those are of
// whole arrays.

use super::arch::Places;
use super::wide::Wide;
use super::worth::Farmers;
use std::arch::x86_64::*;

/// A set of cells and the farmers beside it, twice.
type TwoFields<W> = [(W, Farmers); 2];

/// The first set's farmers in the low half, the second's in the high one:
/// those at whose place `found` has a byte that isn't zero.
#[inline(always)]
fn beside(found: __m256i) -> [Farmers; 2] {
    let bits = unsafe {
        let none = _mm256_cmpeq_epi8(found, _mm256_setzero_si256());
        !_mm256_movemask_epi8(none).cast_unsigned()
    };
    [bits as Farmers, (bits >> 16) as Farmers]
}

/// One of the arrays of [`Places`] in both halves of a register.
#[inline(always)]
fn twice(bytes: &[u8; 16]) -> __m256i {
    unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
}

/// Two fields on a board of 16-bit ranks.
///
/// One register has the lower eight ranks of both, another the upper ones:
/// only a shift of bytes then moves a set up or down, and no half has to be
/// exchanged with the other.
#[inline(always)]
pub(super) fn wide(seeds: [Wide; 2], within: Wide, places: &Places) -> TwoFields<Wide> {
    unsafe {
        let halves = |a: Wide, b: Wide| {
            let low = _mm256_permute2x128_si256(a.0, b.0, 0x20);
            [low, _mm256_permute2x128_si256(a.0, b.0, 0x31)]
        };
        let [within_low, within_high] = halves(within, within);
        let [mut low, mut high] = halves(seeds[0], seeds[1]);
        loop {
            let sideways = |set| {
                let both = _mm256_or_si256(_mm256_add_epi16(set, set), _mm256_srli_epi16(set, 1));
                _mm256_or_si256(set, both)
            };
            let (beside_low, beside_high) = (sideways(low), sideways(high));
            let wider_low = _mm256_and_si256(beside_low, within_low);
            let wider_high = _mm256_and_si256(beside_high, within_high);
            let rim_low = _mm256_or_si256(
                _mm256_or_si256(beside_low, _mm256_bslli_epi128(wider_low, 2)),
                _mm256_alignr_epi8(wider_high, wider_low, 2),
            );
            let rim_high = _mm256_or_si256(
                _mm256_or_si256(beside_high, _mm256_bsrli_epi128(wider_high, 2)),
                _mm256_alignr_epi8(wider_high, wider_low, 14),
            );
            let grown_low = _mm256_and_si256(rim_low, within_low);
            let grown_high = _mm256_and_si256(rim_high, within_high);
            let more = _mm256_or_si256(
                _mm256_andnot_si256(low, grown_low),
                _mm256_andnot_si256(high, grown_high),
            );
            if _mm256_testz_si256(more, more) == 1 {
                let byte = twice(&places.byte);
                // A byte number with its top bit set finds 0.
                let in_low = _mm256_add_epi8(byte, _mm256_set1_epi8(0x70));
                let in_high = _mm256_sub_epi8(byte, _mm256_set1_epi8(0x10));
                let found = _mm256_or_si256(
                    _mm256_shuffle_epi8(rim_low, in_low),
                    _mm256_shuffle_epi8(rim_high, in_high),
                );
                let [first, second] = beside(_mm256_and_si256(found, twice(&places.bit)));
                return [
                    (Wide(_mm256_permute2x128_si256(low, high, 0x20)), first),
                    (Wide(_mm256_permute2x128_si256(low, high, 0x31)), second),
                ];
            }
            (low, high) = (grown_low, grown_high);
        }
    }
}

/// Two fields on a board of 8-bit ranks.
#[inline(always)]
pub(super) fn narrow(seeds: [u64; 2], within: u64, places: &Places) -> TwoFields<u64> {
    unsafe {
        let [a, b] = seeds.map(u64::cast_signed);
        let within = _mm_set1_epi64x(within.cast_signed());
        let mut filled = _mm_set_epi64x(b, a);
        loop {
            let east = _mm_add_epi8(filled, filled);
            let west = _mm_and_si128(_mm_srli_epi64(filled, 1), _mm_set1_epi8(0x7f));
            let beside_set = _mm_or_si128(filled, _mm_or_si128(east, west));
            let wider = _mm_and_si128(beside_set, within);
            let above = _mm_or_si128(_mm_slli_epi64(wider, 8), _mm_srli_epi64(wider, 8));
            let rim = _mm_or_si128(beside_set, above);
            let grown = _mm_and_si128(rim, within);
            if _mm_testc_si128(filled, grown) == 1 {
                let rims = _mm256_broadcastsi128_si256(rim);
                // The second set's bytes come after the first's.
                let second = _mm256_set_epi64x(0x0808_0808_0808_0808, 0x0808_0808_0808_0808, 0, 0);
                let byte = _mm256_add_epi8(twice(&places.byte), second);
                let found = _mm256_shuffle_epi8(rims, byte);
                let [first, second] = beside(_mm256_and_si256(found, twice(&places.bit)));
                let [a, b] = [_mm_cvtsi128_si64(filled), _mm_extract_epi64(filled, 1)];
                return [(a.cast_unsigned(), first), (b.cast_unsigned(), second)];
            }
            filled = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::*;
    use super::super::word::Word;
    use super::*;

    /// On random boards the fast way finds what the plain one does.
    fn check<S: BoardSize>() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(0xd129_42e7_6296_c34d).rotate_left(17) ^ 1;
            seed >> 20
        };
        let mut different = 0;
        for round in 0..2000 {
            let mut random = |of: u64| {
                let cells = (0..144).filter_map(|i| Cell::new(i % 12, i / 12));
                let cells = cells.filter(|cell| cell.is_on(S::SIZE) && next() % 8 < of);
                cells.fold(S::Word::EMPTY, |set, cell| set | S::bit(cell))
            };
            let within = random(2 + round % 5);
            let touched = within & random(4);
            if touched.is_empty() {
                continue;
            }
            let farmers = std::array::from_fn(|_| {
                let cell = Cell::new((next() % 12) as u8, (next() % 12) as u8);
                cell.filter(|cell| cell.is_on(S::SIZE)).map_or(255, |cell| cell.0)
            });
            let places = Places::of(farmers, S::RANKS);
            let seeds = touched.ends();
            let plain = seeds.map(|seed| {
                let [cells, rim] = S::flood_rimmed(seed, within);
                (cells, rim.standing(&places))
            });
            assert_eq!(S::two_fields(seeds, within, &places), plain);
            different += u32::from(plain[0] != plain[1]);
        }
        assert!(different > 300, "{different}");
    }

    #[test]
    fn two_fields_are_those_of_two_floods() {
        check::<Size5>();
        check::<Size7>();
        check::<Size8>();
        check::<Size9>();
        check::<Size10>();
        check::<Size12>();
    }
}
