//! Which move a simulation follows.

use super::numeric::log2;
use super::slot::{Edge, Slot, prior_of, visits_of, worth_of};
use super::{Actor, Bounds, Params};

/// Edges looked at together.
const LANES: usize = 8;

/// The [appeals](Edge::appeal) of eight edges.
type Appeals = [u64; LANES];

/// PUCT (Rosin 2011, in the form of Silver et al. 2017) at one node: a move's
/// worth and, for what isn't known of it yet, its prior over its visits.
#[derive(Clone, Copy)]
pub(super) struct Formula {
    /// What a prior of 1 counts for, unvisited.
    exploration: f32,
    /// What a move loses as long as nobody has visited it.
    urgency_loss: f32,
    /// Of the player who moves.
    sign: f32,
}

/// The [`Formula`]s of a search.
pub(super) struct Selection {
    params: Params,
    /// What a prior of 1 counts for after each of the first numbers of visits:
    /// a simulation waits for it at every node.
    exploration: Box<[f32]>,
}

impl Selection {
    pub(super) fn new(params: &Params) -> Selection {
        Selection {
            params: params.clone(),
            exploration: (0..512).map(|visits| exploration(params, visits)).collect(),
        }
    }

    /// The formula at a node with so many visits.
    pub(super) fn at(&self, visits: u32, actor: Actor) -> Formula {
        let known = self.exploration.get(visits as usize);
        Formula {
            exploration: known.map_or_else(|| exploration(&self.params, visits), |&known| known),
            urgency_loss: self.params.urgency_loss,
            sign: actor.sign(),
        }
    }
}

/// What a prior of 1 counts for after so many visits.
fn exploration(params: &Params, visits: u32) -> f32 {
    let visits = visits as f32;
    let growth = log2(1.0 + visits / params.exploration_base);
    (params.exploration + params.exploration_growth * growth) * visits.sqrt()
}

impl Formula {
    #[inline(always)]
    fn score(self, appeal: u64) -> f32 {
        let visits = visits_of(appeal);
        let urgency = if visits == 0 { self.urgency_loss } else { 0.0 };
        let visits = visits.min(i32::MAX as u32) as f32;
        let bonus = self.exploration * prior_of(appeal) / (1.0 + visits);
        self.sign * worth_of(appeal) - urgency + bonus
    }

    /// The number of the edge with the greatest score, the first of equals.
    /// There must be one.
    pub(super) fn best(self, edges: &[Slot]) -> u32 {
        let (eights, rest) = edges.as_chunks::<LANES>();
        let mut best = (f32::NEG_INFINITY, 0);
        let mut first = 0;
        let mut look = |appeals: Appeals| {
            let (score, lane) = self.best_of_eight(&appeals);
            if score > best.0 {
                best = (score, first + lane);
            }
            first += LANES as u32;
        };
        for eight in eights {
            look(eight.each_ref().map(|slot| Edge(slot).appeal()));
        }
        if let Some((last, others)) = rest.split_last() {
            // The last edge fills up the eight. It is read once, as other threads
            // may write: the first of its lanes, its own, is as good as the rest.
            let mut appeals = [Edge(last).appeal(); LANES];
            for (appeal, slot) in appeals.iter_mut().zip(others) {
                *appeal = Edge(slot).appeal();
            }
            look(appeals);
        }
        best.1
    }

    /// The greatest score of eight edges, and the first that has it.
    #[inline(always)]
    fn best_of_eight(self, appeals: &Appeals) -> (f32, u32) {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            use super::slot::{PRIOR_UNITS, WORTH_UNITS};
            use std::arch::x86_64::*;
            // SAFETY: this is compiled only where the build's target has AVX2; nothing
            // here touches memory. Measured: half of the instructions of the
            // portable way (callgrind, selection in a search of 50,000 nodes).
            #[allow(unsafe_code)]
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
                let urgency =
                    _mm256_and_ps(_mm256_castsi256_ps(new), _mm256_set1_ps(self.urgency_loss));
                let most = _mm256_set1_epi32(i32::MAX);
                let visits = _mm256_cvtepi32_ps(_mm256_min_epu32(visits, most));
                let prior = _mm256_div_ps(
                    _mm256_cvtepi32_ps(_mm256_srli_epi32(rest, 16)),
                    _mm256_set1_ps(PRIOR_UNITS),
                );
                let bonus = _mm256_div_ps(
                    _mm256_mul_ps(_mm256_set1_ps(self.exploration), prior),
                    _mm256_add_ps(_mm256_set1_ps(1.0), visits),
                );
                let worth = _mm256_srai_epi32(_mm256_slli_epi32(rest, 16), 16);
                let worth =
                    _mm256_mul_ps(_mm256_cvtepi32_ps(worth), _mm256_set1_ps(1.0 / WORTH_UNITS));
                let worth = _mm256_mul_ps(_mm256_set1_ps(self.sign), worth);
                let scores = _mm256_add_ps(_mm256_sub_ps(worth, urgency), bonus);
                let four = _mm256_max_ps(scores, _mm256_permute2f128_ps(scores, scores, 1));
                let two = _mm256_max_ps(four, _mm256_permute_ps(four, 0b01_00_11_10));
                let all = _mm256_max_ps(two, _mm256_permute_ps(two, 0b10_11_00_01));
                let equal = _mm256_movemask_ps(_mm256_cmp_ps(scores, all, _CMP_EQ_OQ));
                (_mm256_cvtss_f32(all), equal.trailing_zeros())
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        {
            self.best_of_eight_portable(appeals)
        }
    }

    /// [`Self::best_of_eight`] without intrinsics.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
    fn best_of_eight_portable(self, appeals: &Appeals) -> (f32, u32) {
        let scores = appeals.iter().map(|&appeal| self.score(appeal));
        scores.zip(0..).fold((f32::NEG_INFINITY, 0), |best, next| {
            if next.0 > best.0 { next } else { best }
        })
    }

    /// The same among those of which it isn't proven that they can't beat what
    /// is `sure`; `tried` is the number of edges that have been tried.
    #[cold]
    pub(super) fn best_unless_beaten(
        self,
        edges: &[Slot],
        tried: u32,
        sure: Bounds,
        actor: Actor,
    ) -> u32 {
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        for (offset, edge) in (0..).zip(edges.iter().map(Edge)) {
            if edge.bounds().cannot_beat(sure, actor) {
                continue;
            }
            let score = self.score(edge.appeal());
            if score > best_score {
                (best, best_score) = (offset, score);
            }
            if offset >= tried {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_choose_the_same_of_eight() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(0xd129_42e7_6296_c34d).rotate_left(17) ^ 1;
            (seed >> 30) as u32
        };
        let mut chosen = [0; LANES];
        for round in 0..4000 {
            let params = Params::default();
            let actor = [Actor::First, Actor::Second][round % 2];
            let formula = Selection::new(&params).at(next() >> (next() % 32), actor);
            // Few different edges, so that some are equal.
            let of: [u32; 5] = std::array::from_fn(|_| next());
            let appeals = std::array::from_fn(|_| {
                let any = of[next() as usize % 5];
                let visits = any >> (any % 33).min(31);
                u64::from(visits) << 32 | u64::from(any.rotate_left(9))
            });
            let (score, lane) = formula.best_of_eight(&appeals);
            let plain = formula.best_of_eight_portable(&appeals);
            assert_eq!((score.to_bits(), lane), (plain.0.to_bits(), plain.1));
            chosen[lane as usize] += 1;
        }
        assert!(chosen.iter().all(|&times| times > 100), "{chosen:?}");
    }

    #[test]
    fn the_best_is_that_of_scoring_each() {
        use bytemuck::Zeroable;
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(0xd129_42e7_6296_c34d).rotate_left(17) ^ 1;
            (seed >> 40) as f32 / (1 << 24) as f32
        };
        for len in 1..40 {
            let edges: Vec<Slot> = (0..len).map(|_| Slot::zeroed()).collect();
            for edge in edges.iter().map(Edge) {
                let judged = (8.0 * next()).floor() / 4.0 - 1.0;
                edge.init(7, next() * next(), judged, 0.0, Bounds::OPEN);
                (0..(4.0 * next()) as u32).for_each(|_| edge.add(judged));
            }
            let formula = Selection::new(&Params::default()).at(3 * len, Actor::Second);
            let scores = edges.iter().map(|edge| formula.score(Edge(edge).appeal()));
            let best = scores.clone().fold(f32::NEG_INFINITY, f32::max);
            let first = scores.clone().position(|score| score == best).unwrap();
            assert_eq!(formula.best(&edges), first as u32);
            let all = formula.best_unless_beaten(&edges, len, Bounds::OPEN, Actor::Second);
            assert_eq!(all, first as u32);
        }
    }
}
