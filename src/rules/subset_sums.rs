//! Powers of crops and their sums over every set of farmers, with intrinsics
//! where the build's target has AVX2.

/// Twice 16 to the power of each of eight numbers up to 15; 0 for 0.
#[inline(always)]
pub(super) fn powers(of: [u8; 8]) -> [f64; 8] {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        let mut powers = [0.0; 8];
        // SAFETY: this is compiled only where the build's target has AVX2;
        // the stores are of the whole array. Measured: a third of what the
        // compiler makes of the portable way.
        #[allow(unsafe_code)]
        unsafe {
            let of = _mm_cvtsi64_si128(i64::from_le_bytes(of));
            for (four, of) in powers.chunks_exact_mut(4).zip([of, _mm_bsrli_si128(of, 4)]) {
                let of = _mm256_cvtepu8_epi64(of);
                let some = _mm256_cmpgt_epi64(of, _mm256_setzero_si256());
                let exponents = _mm256_slli_epi64(of, 54);
                let exponents = _mm256_or_si256(exponents, _mm256_set1_epi64x(1 << 62));
                let all = _mm256_castsi256_pd(_mm256_and_si256(some, exponents));
                _mm256_storeu_pd(four.as_mut_ptr(), all);
            }
        }
        powers
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        of.map(power)
    }
}

/// Twice 16 to the power of a number up to 15; 0 for 0.
#[inline(always)]
pub(super) const fn power(of: u8) -> f64 {
    // An exponent is told as 1023 more, and this one is 1 + 4 × `of`.
    let exponent = 1 << 62 | (of as u64) << 54;
    if of == 0 {
        0.0
    } else {
        f64::from_bits(exponent)
    }
}

/// The sums over every subset of the first five of eight numbers and over those
/// of the next two: number `i` is in the subsets that have bit `i` in their
/// index. The last number is 0.
#[inline(always)]
pub(super) fn subset_sums(of: &[f64; 8]) -> ([f64; 32], [f64; 4]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        use std::arch::x86_64::*;
        let (mut low, mut high) = ([0.0; 32], [0.0; 4]);
        // SAFETY: this is compiled only where the build's target has AVX2;
        // the load and the stores are of whole arrays. Measured: half of what
        // the compiler makes of the portable way.
        #[allow(unsafe_code)]
        unsafe {
            let zero = _mm256_setzero_pd();
            let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i: usize| _mm256_set1_pd(of[i]));
            let first = _mm256_add_pd(
                _mm256_blend_pd(zero, a, 0b1010),
                _mm256_blend_pd(zero, b, 0b1100),
            );
            let with_c = _mm256_add_pd(first, c);
            let [with_d, with_c_d] = [first, with_c].map(|sums| _mm256_add_pd(sums, d));
            let rows = [first, with_c, with_d, with_c_d];
            let with_e = rows.map(|sums| _mm256_add_pd(sums, e));
            for (sums, row) in low.chunks_exact_mut(4).zip(rows.into_iter().chain(with_e)) {
                _mm256_storeu_pd(sums.as_mut_ptr(), row);
            }
            // Numbers 4 to 7, the last of which is 0.
            let rest = _mm256_loadu_pd(of.as_ptr().add(4));
            let sums = _mm256_add_pd(
                _mm256_permute4x64_pd(rest, 0b01_11_01_11),
                _mm256_permute4x64_pd(rest, 0b10_10_11_11),
            );
            _mm256_storeu_pd(high.as_mut_ptr(), sums);
        }
        (low, high)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        subset_sums_portable(of)
    }
}

/// [`subset_sums`] without intrinsics.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
#[inline(always)]
fn subset_sums_portable(&[a, b, c, d, e, f, g, _]: &[f64; 8]) -> ([f64; 32], [f64; 4]) {
    let mut low = [0.0; 32];
    for (i, number) in [a, b, c, d, e].into_iter().enumerate() {
        for set in 0..1 << i {
            low[set | 1 << i] = low[set] + number;
        }
    }
    (low, [0.0, f, g, f + g])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_raise_to_powers() {
        for first in 0..=12 {
            let of = [first, 12 - first, first / 2, 0, 15, 1, first, 7];
            assert_eq!(powers(of), of.map(power));
        }
        assert_eq!(
            powers([0, 1, 2, 12, 0, 0, 0, 0])[..4],
            [0.0, 32.0, 512.0, 2f64.powi(49)]
        );
    }

    #[test]
    fn both_ways_sum_subsets() {
        let of = [1.0, 20.0, 300.0, 2f64.powi(52), 4096.0, 7.0, 70.0, 0.0];
        let (low, high) = subset_sums(&of);
        assert_eq!((low, high), subset_sums_portable(&of));
        let sum = |first: usize, set: usize| -> f64 {
            let within = (0..5).filter(|i| set >> i & 1 == 1);
            within.map(|i| of[first + i]).sum()
        };
        assert_eq!(low, std::array::from_fn(|set| sum(0, set)));
        assert_eq!(high, std::array::from_fn(|set| sum(5, set)));
    }
}
