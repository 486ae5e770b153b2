//! Which move a simulation follows.

use super::edge::{Edge, PRIOR_UNITS, prior_of, visits_of, worth_of};
use super::numeric::log2;
use super::slot::Slot;
use super::{Actor, Bounds, Params};

/// Edges looked at together.
const LANES: usize = 8;

/// The [appeals](Edge::appeal) of eight edges.
type Appeals = [u64; LANES];

/// PUCT (Rosin 2011, in the form of Silver et al. 2017) at one node: a move's
/// worth and, for what isn't known of it yet, its prior over its visits.
#[derive(Clone, Copy)]
pub(super) struct Formula {
    /// What a unit of prior counts for, unvisited.
    exploration: f32,
    /// What a move loses as long as nobody has visited it.
    urgency_loss: f32,
    /// Of the player who moves.
    sign: f32,
    /// What is added to the scores of every eight edges.
    lean: [f32; LANES],
}

/// The [`Formula`]s of a search.
pub(super) struct Selection {
    urgency_loss: f32,
    /// What threads lean towards; none if there is but one.
    leans: Box<[[f32; LANES]]>,
    /// What a unit of prior counts for after each of the first numbers of visits:
    /// a simulation waits for it at every node.
    first: Box<[f32]>,
    /// The same from there on, at [`STEPS`] numbers of visits from each power of 2
    /// to the next.
    further: Box<[f32]>,
}

/// Visits that have an entry of their own in a table.
const FIRST: u32 = 512;
/// Entries for visits that are twice as many.
const STEPS: u32 = 64;
/// The bits of a floating-point number from one such entry to the next.
const STEP: u32 = (1 << 23) / STEPS;

impl Selection {
    /// For a search with so many threads.
    pub(super) fn new(params: &Params, threads: u32) -> Selection {
        let doublings = u32::BITS - FIRST.ilog2();
        let further = (0..=STEPS * doublings + 1).map(|step| {
            let visits = f32::from_bits((FIRST as f32).to_bits() + STEP * step);
            exploration(params, visits)
        });
        Selection {
            urgency_loss: params.urgency_loss,
            leans: leans(params, threads),
            first: (0..FIRST)
                .map(|visits| exploration(params, visits as f32))
                .collect(),
            further: further.collect(),
        }
    }

    /// The formula at a node with so many visits.
    pub(super) fn at(&self, visits: u32, actor: Actor) -> Formula {
        let known = self.first.get(visits as usize);
        Formula {
            exploration: known.map_or_else(|| self.exploration_between(visits), |&known| known),
            urgency_loss: self.urgency_loss,
            sign: actor.sign(),
            lean: [0.0; LANES],
        }
    }

    /// What a unit of prior counts for after many visits, on a straight line between
    /// the entries before and after; off by less than a ten thousandth.
    #[inline(always)]
    fn exploration_between(&self, visits: u32) -> f32 {
        let bits = (visits.max(FIRST) as f32).to_bits() - (FIRST as f32).to_bits();
        let (step, part) = ((bits / STEP) as usize, (bits % STEP) as f32 / STEP as f32);
        match self.further.get(step..step + 2) {
            Some(&[before, after]) => before + (after - before) * part,
            _ => 0.0,
        }
    }
}

/// What the threads of a search add to scores, each in turn: something to one of so
/// many edges as there are threads.
fn leans(params: &Params, threads: u32) -> Box<[[f32; LANES]]> {
    let threads = (threads as usize).min(LANES);
    let of = |thread: usize| {
        std::array::from_fn(|lane| {
            if lane % threads == thread {
                params.lean
            } else {
                0.0
            }
        })
    };
    if threads < 2 {
        return Box::default();
    }
    (0..threads).map(of).collect()
}

/// What a unit of prior counts for after so many visits.
fn exploration(params: &Params, visits: f32) -> f32 {
    let growth = log2(1.0 + visits / params.exploration_base);
    (params.exploration + params.exploration_growth * growth) * visits.sqrt() / PRIOR_UNITS
}

impl Formula {
    /// The formula of one of several threads at a block: each leans towards other moves
    /// than the rest do, at every block anew. Threads then seldom meet, and their
    /// caches hold what they walk on; where one move is clearly best, all follow it.
    #[inline(always)]
    pub(super) fn lean(mut self, selection: &Selection, thread: u32, block: u32) -> Formula {
        if !selection.leans.is_empty() {
            let spread = block.wrapping_mul(0x9e37_79b9) >> 29;
            let which = thread.wrapping_add(spread) as usize % selection.leans.len();
            self.lean = selection.leans[which];
        }
        self
    }

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
        let mut look = |appeals: Appeals, filled| {
            let (score, lane) = self.best_of_eight(&appeals, filled);
            if score > best.0 {
                best = (score, first + lane);
            }
            first += LANES as u32;
        };
        for eight in eights {
            look(eight.each_ref().map(|slot| Edge(slot).appeal()), LANES);
        }
        if let Some((last, others)) = rest.split_last() {
            // The last edge fills up the eight. It is read once, as other threads
            // may write: the first of its lanes, its own, is as good as the rest.
            let mut appeals = [Edge(last).appeal(); LANES];
            for (appeal, slot) in appeals.iter_mut().zip(others) {
                *appeal = Edge(slot).appeal();
            }
            look(appeals, rest.len());
        }
        best.1
    }

    /// The greatest score of eight edges, and the first that has it. Nobody leans
    /// towards any beyond the first `filled`.
    #[inline(always)]
    fn best_of_eight(self, appeals: &Appeals, filled: usize) -> (f32, u32) {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            use super::edge::WORTH_UNITS;
            use std::arch::x86_64::*;
            // SAFETY: this is compiled only where the build's target has AVX2; the load
            // is of a whole array. Measured: half of the instructions of the
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
                let prior = _mm256_cvtepi32_ps(_mm256_srli_epi32(rest, 16));
                let bonus = _mm256_div_ps(
                    _mm256_mul_ps(_mm256_set1_ps(self.exploration), prior),
                    _mm256_add_ps(_mm256_set1_ps(1.0), visits),
                );
                let worth = _mm256_srai_epi32(_mm256_slli_epi32(rest, 16), 16);
                let worth =
                    _mm256_mul_ps(_mm256_cvtepi32_ps(worth), _mm256_set1_ps(1.0 / WORTH_UNITS));
                let worth = _mm256_mul_ps(_mm256_set1_ps(self.sign), worth);
                let scores = _mm256_add_ps(_mm256_sub_ps(worth, urgency), bonus);
                let filled = _mm256_set1_epi32(filled as i32);
                let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let within = _mm256_castsi256_ps(_mm256_cmpgt_epi32(filled, lanes));
                let lean = _mm256_and_ps(_mm256_loadu_ps(self.lean.as_ptr()), within);
                let scores = _mm256_add_ps(scores, lean);
                let four = _mm256_max_ps(scores, _mm256_permute2f128_ps(scores, scores, 1));
                let two = _mm256_max_ps(four, _mm256_permute_ps(four, 0b01_00_11_10));
                let all = _mm256_max_ps(two, _mm256_permute_ps(two, 0b10_11_00_01));
                let equal = _mm256_movemask_ps(_mm256_cmp_ps(scores, all, _CMP_EQ_OQ));
                (_mm256_cvtss_f32(all), equal.trailing_zeros())
            }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        {
            self.best_of_eight_portable(appeals, filled)
        }
    }

    /// [`Self::best_of_eight`] without intrinsics.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
    fn best_of_eight_portable(self, appeals: &Appeals, filled: usize) -> (f32, u32) {
        let leans = self.lean.into_iter().take(filled);
        let scores = appeals.iter().zip(leans.chain(std::iter::repeat(0.0)));
        let scores = scores.map(|(&appeal, lean)| self.score(appeal) + lean);
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
        bounds: impl Fn(Edge<'_>) -> Bounds,
        sure: Bounds,
        actor: Actor,
    ) -> u32 {
        let (mut best, mut best_score) = (0, f32::NEG_INFINITY);
        for (offset, edge) in (0..).zip(edges.iter().map(Edge)) {
            if bounds(edge).cannot_beat(sure, actor) {
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
    use super::super::edge::fresh;
    use super::*;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_tables_tell_the_exploration() {
        let params = Params::default();
        let selection = Selection::new(&params, 1);
        let told = |visits| selection.at(visits, Actor::First).exploration;
        let some =
            (0..32).flat_map(|power| [1, 17, 29, 31].map(|part| (1u32 << power) / 32 * part));
        let near = (0..u32::BITS).flat_map(|power| {
            let visits = 1u32 << power;
            [visits - 1, visits, visits + 1]
        });
        for visits in some.chain(near).chain([u32::MAX - 1, u32::MAX]) {
            let exact = exploration(&params, visits as f32);
            let off = (told(visits) - exact).abs();
            assert!(off <= exact * 1e-4, "{visits}: {} {exact}", told(visits));
        }
    }

    #[test]
    fn both_ways_choose_the_same_of_eight() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.next_u32();
        let mut chosen = [0; LANES];
        for round in 0..4000 {
            let params = Params::default();
            let actor = [Actor::First, Actor::Second][round % 2];
            let selection = Selection::new(&params, round as u32 % 12 + 1);
            let formula = selection.at(next() >> (next() % 32), actor);
            let formula = formula.lean(&selection, next(), next());
            // Few different edges, so that some are equal.
            let of: [u32; 5] = std::array::from_fn(|_| next());
            let appeals = std::array::from_fn(|_| {
                let any = of[next() as usize % 5];
                let visits = any >> (any % 33).min(31);
                u64::from(visits) << 32 | u64::from(any.rotate_left(9))
            });
            let filled = next() as usize % LANES + 1;
            let (score, lane) = formula.best_of_eight(&appeals, filled);
            let plain = formula.best_of_eight_portable(&appeals, filled);
            assert_eq!((score.to_bits(), lane), (plain.0.to_bits(), plain.1));
            chosen[lane as usize] += 1;
        }
        assert!(chosen.iter().all(|&times| times > 100), "{chosen:?}");
    }

    #[test]
    fn the_best_is_that_of_scoring_each() {
        use bytemuck::Zeroable;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.random::<f32>();
        for len in 1..120 {
            let threads = len % 3 + 1;
            let edges: Vec<Slot> = (0..len).map(|_| Slot::zeroed()).collect();
            for edge in edges.iter().map(Edge) {
                let judged = (8.0 * next()).floor() / 4.0 - 1.0;
                edge.init(7, fresh(next() * next(), judged));
                edge.add_alone((4.0 * next()) as u32, |_| judged);
            }
            let selection = Selection::new(&Params::default(), threads);
            let formula = selection
                .at(3 * len, Actor::Second)
                .lean(&selection, 1, len);
            let scores = edges.iter().zip(formula.lean.iter().cycle());
            let scores = scores.map(|(edge, lean)| formula.score(Edge(edge).appeal()) + lean);
            let best = scores.clone().fold(f32::NEG_INFINITY, f32::max);
            let first = scores.clone().position(|score| score == best).unwrap();
            assert_eq!(formula.best(&edges), first as u32);
            if threads == 1 {
                let open = |_: Edge<'_>| Bounds::OPEN;
                let all =
                    formula.best_unless_beaten(&edges, len, open, Bounds::OPEN, Actor::Second);
                assert_eq!(all, first as u32);
            }
        }
    }

    #[test]
    fn of_equal_moves_each_thread_takes_its_own() {
        use bytemuck::Zeroable;
        let edges: Vec<Slot> = (0..16).map(|_| Slot::zeroed()).collect();
        for edge in edges.iter().map(Edge) {
            edge.init(7, fresh(0.25, 0.5));
        }
        for threads in 2..=8 {
            let selection = Selection::new(&Params::default(), threads);
            for block in 0..20 {
                let best = |thread| {
                    let formula = selection.at(100, Actor::First);
                    formula.lean(&selection, thread, block).best(&edges)
                };
                let mut taken: Vec<u32> = (0..threads).map(best).collect();
                taken.sort_unstable();
                assert_eq!(taken, Vec::from_iter(0..threads));
            }
        }
    }
}
