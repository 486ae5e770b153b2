//! A position's counts as one row of numbers, put together in vectors.

use super::features::{FEATURES, feature};
use super::survey::Counts;
use crate::rules::Side;

/// By feature the bytes of [`told`](row), numbered from 0, that it is the
/// difference or the sum of; 128 for none.
const TOLD: [[u8; 2]; FEATURES] = {
    const OWN_AND_OTHERS: [(usize, [u8; 2]); 7] = [
        (feature::HARVESTS, [0, 2]),
        (feature::SOWINGS, [1, 3]),
        (feature::STRONG_TEMPO, [0, 2]),
        (feature::NEXT_HARVESTS, [4, 6]),
        (feature::NEXT_SOWINGS, [5, 7]),
        (feature::REACH, [10, 14]),
        (feature::CONTROLLED, [11, 15]),
    ];
    let mut told = [[128; 2]; FEATURES];
    let mut i = 0;
    while i < OWN_AND_OTHERS.len() {
        told[OWN_AND_OTHERS[i].0] = OWN_AND_OTHERS[i].1;
        i += 1;
    }
    told
};

/// What those bytes are multiplied with before they are added.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub(super) struct Leads([[i8; 2]; FEATURES]);

impl Leads {
    /// For counts that are the lead of `side`, and `tempo` 1 with Light to move
    /// and -1 with Dark.
    #[inline(always)]
    pub(super) fn of(side: Side, tempo: i8) -> Leads {
        let mut factors = [[1, -1]; FEATURES];
        factors[feature::STRONG_TEMPO] = [tempo; 2];
        if side == Side::Dark {
            // Fields are told of Light first, steps of the side itself.
            factors[feature::REACH] = [-1, 1];
            factors[feature::CONTROLLED] = [-1, 1];
        }
        Leads(factors)
    }
}

/// The counts of a position: `base`, with `more` cells beside farmers and from
/// the edge, and entered what a [`Mobility`](crate::rules::Mobility) and a
/// [`Worth`](crate::rules::Worth) have `told` as bytes, and the margin.
#[inline(always)]
pub(super) fn row(
    base: &Counts,
    leads: &Leads,
    told: [u64; 2],
    margin: i16,
    [beside, centre]: [i16; 2],
) -> Counts {
    // The sign of an odd margin, 0 of an even one.
    let half = (margin >> 15 | 1) & -(margin & 1);
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        const { assert!(feature::MARGIN == 0 && feature::AHEAD == 1 && feature::BESIDE == 4) };
        const { assert!(feature::CENTRE == 9 && feature::HALF == 11) };
        let lanes = |numbers: [i16; 4]| i64::from_le_bytes(bytemuck::cast(numbers));
        // SAFETY: this is compiled only where the build's target has AVX2; loads
        // and the store are of whole arrays. Measured: a third of the instructions
        // of the portable way (callgrind, a search's surveys).
        #[allow(unsafe_code)]
        unsafe {
            let told = _mm_set_epi64x(told[1].cast_signed(), told[0].cast_signed());
            let pairs = _mm256_shuffle_epi8(
                _mm256_broadcastsi128_si256(told),
                _mm256_loadu_si256(TOLD.as_ptr().cast()),
            );
            let leads = _mm256_load_si256(leads.0.as_ptr().cast());
            let mut sum = _mm256_maddubs_epi16(pairs, leads);
            sum = _mm256_add_epi16(sum, _mm256_loadu_si256(base.as_ptr().cast()));
            let others = _mm256_set_epi64x(
                0,
                lanes([0, centre, 0, half]),
                lanes([beside, 0, 0, 0]),
                lanes([margin, margin, 0, 0]),
            );
            let mut counts = [0; FEATURES];
            let all = _mm256_add_epi16(sum, others);
            _mm256_storeu_si256(counts.as_mut_ptr().cast(), all);
            counts
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        row_portable(base, leads, told, [margin, half, beside, centre])
    }
}

/// [`row`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn row_portable(
    base: &Counts,
    leads: &Leads,
    told: [u64; 2],
    [margin, half, beside, centre]: [i16; 4],
) -> Counts {
    let told: [[u8; 8]; 2] = told.map(u64::to_le_bytes);
    let told = told.as_flattened();
    let mut counts = *base;
    for (i, count) in counts.iter_mut().enumerate() {
        for (&byte, &factor) in TOLD[i].iter().zip(&leads.0[i]) {
            if byte < 128 {
                *count += i16::from(told[usize::from(byte)]) * i16::from(factor);
            }
        }
    }
    counts[feature::MARGIN] += margin;
    counts[feature::AHEAD] += margin;
    counts[feature::HALF] += half;
    counts[feature::BESIDE] += beside;
    counts[feature::CENTRE] += centre;
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn both_ways_make_the_same_row() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u64() >> 20;
        for round in 0..2000 {
            let base = std::array::from_fn(|_| next() as i16 % 300);
            let leads = Leads::of(Side::BOTH[round % 2], [1, -1, 0][round % 3]);
            // No byte that is told is greater than 143.
            let told = [(); 2].map(|()| (next() << 30 ^ next()) & 0x7f7f_7f7f_7f7f_7f7f);
            let [margin, beside, centre] = [(); 3].map(|()| next() as i16 % 4000);
            let half = if margin % 2 == 0 { 0 } else { margin.signum() };
            let made = row(&base, &leads, told, margin, [beside, centre]);
            let plain = row_portable(&base, &leads, told, [margin, half, beside, centre]);
            assert_eq!(made, plain);
        }
    }
}
