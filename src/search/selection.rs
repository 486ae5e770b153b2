//! Which move a simulation follows.

use super::best::{Best, LANES};
use super::edge::{Edge, PRIOR_UNITS, prior_of, visits_of, worth_of};
use super::numeric::log2;
use super::slot::Slot;
use super::{Actor, Bounds, Params};

/// PUCT (Rosin 2011, in the form of Silver et al. 2017) at one node: a move's
/// worth and, for what isn't known of it yet, its prior over its visits.
#[derive(Clone, Copy)]
pub(super) struct Formula {
    /// What a unit of prior counts for, unvisited.
    pub(super) exploration: f32,
    /// What a move loses as long as nobody has visited it.
    pub(super) urgency_loss: f32,
    /// Of the player who moves.
    pub(super) sign: f32,
    /// What is added to the scores of every eight edges.
    pub(super) lean: [f32; LANES],
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
    pub(super) fn score(self, appeal: u64) -> f32 {
        let visits = visits_of(appeal);
        let urgency = if visits == 0 { self.urgency_loss } else { 0.0 };
        let visits = visits.min(i32::MAX as u32) as f32;
        let bonus = self.exploration * prior_of(appeal) / (1.0 + visits);
        self.sign * worth_of(appeal) - urgency + bonus
    }

    /// Of the first `count` edges the number of the one with the greatest score, the
    /// first of equals. There must be one.
    #[inline(always)]
    pub(super) fn best(self, eights: &[[Slot; LANES]], count: u32) -> u32 {
        let mut best = Best::default();
        let mut left = count;
        for eight in eights {
            let appeals = eight.each_ref().map(|slot| Edge(slot).appeal());
            best.look(self, &appeals, left);
            left = left.saturating_sub(LANES as u32);
        }
        best.first()
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
    use rand::{RngExt, SeedableRng};
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

    /// Untouched edges in whole eights.
    fn eights(len: u32) -> Vec<[Slot; LANES]> {
        use bytemuck::Zeroable;
        let eights = len.div_ceil(LANES as u32);
        (0..eights)
            .map(|_| [(); LANES].map(|()| Slot::zeroed()))
            .collect()
    }

    #[test]
    fn the_best_is_that_of_scoring_each() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = || rng.random::<f32>();
        for len in 1..120 {
            let threads = len % 3 + 1;
            let eights = eights(len);
            // What lies behind the last one must not count, however good it looks.
            for edge in eights.as_flattened().iter().map(Edge) {
                let judged = (8.0 * next()).floor() / 4.0 - 1.0;
                edge.init(7, fresh(next() * next(), judged));
                edge.add_alone((4.0 * next()) as u32, |_| judged);
            }
            let edges = &eights.as_flattened()[..len as usize];
            let selection = Selection::new(&Params::default(), threads);
            let formula = selection
                .at(3 * len, Actor::Second)
                .lean(&selection, 1, len);
            let scores = edges.iter().map(Edge).zip(formula.lean.iter().cycle());
            let scores = scores.map(|(edge, lean)| formula.score(edge.appeal()) + lean);
            let best = scores.clone().fold(f32::NEG_INFINITY, f32::max);
            let first = scores.clone().position(|score| score == best).unwrap();
            assert_eq!(formula.best(&eights, len), first as u32);
            if threads == 1 {
                let open = |_: Edge<'_>| Bounds::OPEN;
                let all = formula.best_unless_beaten(edges, len, open, Bounds::OPEN, Actor::Second);
                assert_eq!(all, first as u32);
            }
        }
    }

    #[test]
    fn of_equal_moves_each_thread_takes_its_own() {
        let eights = eights(16);
        for edge in eights.as_flattened().iter().map(Edge) {
            edge.init(7, fresh(0.25, 0.5));
        }
        for threads in 2..=8 {
            let selection = Selection::new(&Params::default(), threads);
            for block in 0..20 {
                let best = |thread| {
                    let formula = selection.at(100, Actor::First);
                    formula.lean(&selection, thread, block).best(&eights, 16)
                };
                let mut taken: Vec<u32> = (0..threads).map(best).collect();
                taken.sort_unstable();
                assert_eq!(taken, Vec::from_iter(0..threads));
            }
        }
    }
}
