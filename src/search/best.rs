//! The best of many moves, eight looked at together.

use super::selection::Formula;

/// Edges looked at together.
pub(super) const LANES: usize = 8;

/// The [appeals](super::edge::Edge::appeal) of eight edges.
pub(super) type Appeals = [u64; LANES];

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use vectors::Best;

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable::Best;

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
mod portable {
    use super::super::numeric::greatest;
    use super::{Appeals, Formula, LANES};

    /// In each lane the greatest score of those looked at, the edge that was the first
    /// to have it, and the edge that comes next.
    pub(in super::super) struct Best {
        scores: [f32; LANES],
        edges: [u32; LANES],
        next: u32,
    }

    impl Default for Best {
        fn default() -> Best {
            Best {
                scores: [f32::NEG_INFINITY; LANES],
                edges: [0; LANES],
                next: 0,
            }
        }
    }

    impl Best {
        /// Looks at the next eight edges, of which those beyond so many don't count.
        pub(in super::super) fn look(&mut self, formula: Formula, appeals: &Appeals, edges: u32) {
            let lanes = self.scores.iter_mut().zip(&mut self.edges);
            let all = lanes.zip(self.next..).zip(appeals).zip(formula.lean);
            for ((((best, first), edge), &appeal), lean) in all.take(edges as usize) {
                let score = formula.score(appeal) + lean;
                if score > *best {
                    (*best, *first) = (score, edge);
                }
            }
            self.next += LANES as u32;
        }

        /// The first edge with the greatest score of all.
        pub(in super::super) fn first(self) -> u32 {
            let all = greatest(&self.scores, 1.0);
            let lanes = self.scores.into_iter().zip(self.edges);
            let equal = lanes.filter(|&(score, _)| score == all);
            equal.map(|(_, edge)| edge).min().unwrap_or(0)
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[allow(unsafe_code)]
mod vectors {
    use std::arch::x86_64::*;

    use super::super::edge::WORTH_UNITS;
    use super::{Appeals, Formula, LANES};

    /// The same as the portable one, of whole vectors. Measured: half of the
    /// instructions (callgrind, selection in a search of 50,000 nodes).
    pub(in super::super) struct Best {
        scores: __m256,
        edges: __m256i,
        next: __m256i,
    }

    impl Default for Best {
        #[inline(always)]
        fn default() -> Best {
            // SAFETY: this is compiled only where the build's target has AVX2.
            unsafe {
                Best {
                    scores: _mm256_set1_ps(f32::NEG_INFINITY),
                    edges: _mm256_setzero_si256(),
                    next: _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                }
            }
        }
    }

    impl Best {
        #[inline(always)]
        pub(in super::super) fn look(&mut self, formula: Formula, appeals: &Appeals, edges: u32) {
            // SAFETY: as above; the load is of a whole array.
            unsafe {
                let edges = _mm256_set1_epi32(edges.cast_signed());
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let within = _mm256_castsi256_ps(_mm256_cmpgt_epi32(edges, lanes));
                let lean = _mm256_loadu_ps(formula.lean.as_ptr());
                let scores = _mm256_add_ps(scores(formula, appeals), lean);
                let least = _mm256_set1_ps(f32::NEG_INFINITY);
                let scores = _mm256_blendv_ps(least, scores, within);
                let better = _mm256_cmp_ps(scores, self.scores, _CMP_GT_OQ);
                self.scores = _mm256_max_ps(scores, self.scores);
                let better = _mm256_castps_si256(better);
                self.edges = _mm256_blendv_epi8(self.edges, self.next, better);
                self.next = _mm256_add_epi32(self.next, _mm256_set1_epi32(LANES as i32));
            }
        }

        #[inline(always)]
        pub(in super::super) fn first(self) -> u32 {
            // SAFETY: as above.
            unsafe {
                let scores = self.scores;
                let four = _mm256_max_ps(scores, _mm256_permute2f128_ps(scores, scores, 1));
                let two = _mm256_max_ps(four, _mm256_permute_ps(four, 0b01_00_11_10));
                let all = _mm256_max_ps(two, _mm256_permute_ps(two, 0b10_11_00_01));
                let equal = _mm256_castps_si256(_mm256_cmp_ps(scores, all, _CMP_EQ_OQ));
                // Lanes that don't have it count as greater than any edge.
                let edges = _mm256_or_si256(
                    self.edges,
                    _mm256_andnot_si256(equal, _mm256_set1_epi32(-1)),
                );
                let four = _mm_min_epu32(
                    _mm256_castsi256_si128(edges),
                    _mm256_extracti128_si256(edges, 1),
                );
                let two = _mm_min_epu32(four, _mm_shuffle_epi32(four, 0b01_00_11_10));
                let one = _mm_min_epu32(two, _mm_shuffle_epi32(two, 0b10_11_00_01));
                _mm_cvtsi128_si32(one).cast_unsigned()
            }
        }
    }

    /// The scores of eight edges.
    #[inline(always)]
    unsafe fn scores(formula: Formula, appeals: &Appeals) -> __m256 {
        // SAFETY: as above.
        unsafe {
            let four = |edges: [usize; 4]| {
                let [a, b, c, d] = edges.map(|edge| appeals[edge].cast_signed());
                _mm256_castsi256_ps(_mm256_setr_epi64x(a, b, c, d))
            };
            // What comes out of each half of both has the order of the edges.
            let (some, others) = (four([0, 1, 4, 5]), four([2, 3, 6, 7]));
            let visits = _mm256_castps_si256(_mm256_shuffle_ps(some, others, 0b11_01_11_01));
            let rest = _mm256_castps_si256(_mm256_shuffle_ps(some, others, 0b10_00_10_00));
            let new = _mm256_cmpeq_epi32(visits, _mm256_setzero_si256());
            let urgency = _mm256_and_ps(
                _mm256_castsi256_ps(new),
                _mm256_set1_ps(formula.urgency_loss),
            );
            let most = _mm256_set1_epi32(i32::MAX);
            let visits = _mm256_cvtepi32_ps(_mm256_min_epu32(visits, most));
            let prior = _mm256_cvtepi32_ps(_mm256_srli_epi32(rest, 16));
            let bonus = _mm256_div_ps(
                _mm256_mul_ps(_mm256_set1_ps(formula.exploration), prior),
                _mm256_add_ps(_mm256_set1_ps(1.0), visits),
            );
            let worth = _mm256_srai_epi32(_mm256_slli_epi32(rest, 16), 16);
            let worth = _mm256_mul_ps(_mm256_cvtepi32_ps(worth), _mm256_set1_ps(1.0 / WORTH_UNITS));
            let worth = _mm256_mul_ps(_mm256_set1_ps(formula.sign), worth);
            _mm256_add_ps(_mm256_sub_ps(worth, urgency), bonus)
        }
    }
}

#[cfg(all(test, target_arch = "x86_64", target_feature = "avx2"))]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::selection::Selection;
    use super::super::{Actor, Params};
    use super::*;

    #[test]
    fn both_ways_choose_the_same() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u32();
        let mut chosen = [0; 3 * LANES];
        for round in 0..12_000 {
            let params = Params::default();
            let actor = [Actor::First, Actor::Second][round % 2];
            let selection = Selection::new(&params, round as u32 % 12 + 1);
            let formula = selection.at(next() >> (next() % 32), actor);
            let formula = formula.lean(&selection, next(), next());
            // Few different edges, so that some are equal.
            let of: [u32; 5] = std::array::from_fn(|_| next());
            let mut left = next() % 3 * LANES as u32 + next() % LANES as u32 + 1;
            let (mut vectors, mut portable) = (vectors::Best::default(), portable::Best::default());
            while left > 0 {
                let appeals = std::array::from_fn(|_| {
                    let any = of[next() as usize % 5];
                    let visits = any >> (any % 33).min(31);
                    u64::from(visits) << 32 | u64::from(any.rotate_left(9))
                });
                vectors.look(formula, &appeals, left);
                portable.look(formula, &appeals, left);
                left = left.saturating_sub(LANES as u32);
            }
            let first = vectors.first();
            assert_eq!(first, portable.first());
            chosen[first as usize] += 1;
        }
        assert!(chosen.iter().all(|&times| times > 0), "{chosen:?}");
    }
}
