//! Counts made features and features times weights: the sums that a judgement
//! is. It is done once for every child of every node.

use super::features::{self, Features};
use super::survey::Counts;

/// The sums of scaled counts times weights, for three rows of weights.
///
/// The order of additions is fixed, so that the sums have the same bits on every
/// machine: the two halves of a row's products, the halves of that, and so on.
#[inline(always)]
pub(super) fn sums(counts: &Counts, scale: &Features, weights: [&Features; 3]) -> [f32; 3] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        // SAFETY: this is compiled only where the build's target has AVX2; the
        // loads are of whole halves of arrays of 16. Measured: half of the
        // instructions that the compiler makes of the portable way.
        #[allow(unsafe_code)]
        unsafe {
            let half = |row: &Features, at: usize| _mm256_loadu_ps(row.as_ptr().add(8 * at));
            let feature = |at: usize| {
                let counts = _mm_loadu_si128(counts.as_ptr().add(8 * at).cast());
                let counts = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(counts));
                let scaled = _mm256_mul_ps(counts, half(scale, at));
                let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), scaled);
                let bent = _mm256_mul_ps(size, half(&features::BEND, at));
                _mm256_div_ps(scaled, _mm256_add_ps(half(&features::LEVEL, at), bent))
            };
            let all = [feature(0), feature(1)];
            weights.map(|row| {
                let products = |at: usize| _mm256_mul_ps(half(row, at), all[at]);
                let eight = _mm256_add_ps(products(0), products(1));
                let four = _mm_add_ps(
                    _mm256_castps256_ps128(eight),
                    _mm256_extractf128_ps(eight, 1),
                );
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            })
        }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        sums_portable(counts, scale, weights)
    }
}

/// [`sums`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(always)]
fn sums_portable(counts: &Counts, scale: &Features, weights: [&Features; 3]) -> [f32; 3] {
    let mut sums = [[0.0; 8]; 3];
    products(&features::scaled(counts, scale), weights, &mut sums);
    sums.map(|eight| {
        let four: [f32; 4] = std::array::from_fn(|i| eight[i] + eight[i + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    })
}

/// The products of features and weights, in eight sums of two for each row.
///
/// A function of its own so that the compiler makes vectors of them.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(never)]
fn products(features: &Features, weights: [&Features; 3], sums: &mut [[f32; 8]; 3]) {
    for (sums, weights) in sums.iter_mut().zip(weights) {
        for (i, sum) in sums.iter_mut().enumerate() {
            *sum = weights[i] * features[i] + weights[i + 8] * features[i + 8];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn both_ways_have_the_same_bits() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = |most: i16| rng.next_u32() as i16 % most;
        let mut row = |most| std::array::from_fn(|_| f32::from(next(most)) / 300.0);
        let rows: [Features; 4] = std::array::from_fn(|_| row(1000));
        let [a, b, c, scale] = &rows;
        for round in 0..2000 {
            let counts = std::array::from_fn(|_| next(if round % 3 == 0 { i16::MAX } else { 90 }));
            let fast = sums(&counts, scale, [a, b, c]);
            let plain = sums_portable(&counts, scale, [a, b, c]);
            assert_eq!(
                fast.map(f32::to_bits),
                plain.map(f32::to_bits),
                "{counts:?}"
            );
        }
    }
}
