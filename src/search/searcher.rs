//! The searcher: a tree that lives from move to move, and its workers.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::apart::Apart;
use super::limits::{Confidence, Timer};
use super::recycle::recycle;
use super::rendezvous::Rendezvous;
use super::report::{Reader, Root};
use super::selection::Selection;
use super::shared::Shared;
use super::tree::Tree;
use super::value::Utility;
use super::worker::Worker;
use super::{Children, Evaluator, Game, Limits, Params, Report, StopReason};

/// Simulations of the first worker between two looks at the clock.
const CLOCK_INTERVAL: u64 = 8;
/// How many plies apart two roots may be for the tree to be reused.
const REUSE_PLIES: u32 = 4;
/// Moves tried at most when the new root is looked for.
const REUSE_TRIES: u32 = 20_000;

/// How a searcher is set up.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Worker threads, 1 to 256.
    pub threads: usize,
    /// Memory for the tree in MiB, 1 to 65536.
    pub hash_mib: usize,
    /// Tells games between equal players apart.
    pub seed: u64,
    /// Keep what is still of use from one search to the next.
    pub reuse: bool,
    /// The tunable numbers.
    pub params: Params,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            threads: 1,
            hash_mib: 256,
            seed: 0,
            reuse: true,
            params: Params::default(),
        }
    }
}

/// A search tree with its settings, for one game after the other.
pub struct Searcher<G: Game> {
    settings: Settings,
    tree: Tree,
    root: Option<G>,
}

impl<G: Game> Searcher<G> {
    /// A searcher with an empty tree; its memory is touched as it is needed.
    pub fn new(settings: Settings) -> Self {
        let threads = settings.threads.clamp(1, 256);
        let hash_mib = settings.hash_mib.clamp(1, 1 << 16);
        let settings = Settings {
            threads,
            hash_mib,
            ..settings
        };
        Searcher {
            tree: Tree::new(settings.hash_mib),
            settings,
            root: None,
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Forgets the tree, as before a new game.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.root = None;
    }

    /// Searches from `root` until a limit is reached or `stop` is set.
    ///
    /// At least one simulation is always done, so that an unfinished game gets
    /// a move. `progress` is called from this thread as often as the limits ask.
    pub fn search<E: Evaluator<G>>(
        &mut self,
        root: &G,
        evaluator: &E,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(Report<G::Move>),
    ) -> Report<G::Move> {
        let mut timer = Timer::new(limits);
        self.set_root(root);
        let utility = Utility::new(&self.settings.params);
        if let Some(margin) = root.outcome() {
            return Report::finished(margin);
        }
        let mut told = Root {
            state: root,
            children: Children::default(),
        };
        evaluator.judge(root, &mut told.children);
        let threads = self.settings.threads as u32;
        let asked = limits.nodes.unwrap_or(u64::MAX).max(1);
        let countable = u32::MAX - self.tree.edge(0).visits();
        let nodes = asked.min(countable.max(1).into());
        let shared = Shared {
            tree: &self.tree,
            root,
            evaluator,
            params: &self.settings.params,
            selection: Selection::new(&self.settings.params, threads),
            utility,
            threads,
            nodes,
            used_up: if nodes == asked {
                StopReason::Nodes
            } else {
                StopReason::Visits
            },
            keep_going: limits.keep_going,
            tickets: Apart(AtomicU64::new(0)),
            ended: AtomicU32::new(0),
            stop,
            place: Rendezvous::new(self.settings.threads),
        };
        let nodes = self.run(&shared, &told, limits, &mut timer, progress);
        let mut report = self.reader().report(&told, usize::MAX);
        report.nodes = nodes;
        report.time = timer.elapsed();
        report.stop = StopReason::from_code(shared.ended.load(Relaxed));
        report
    }

    /// Runs all workers to the end; the number of simulations.
    fn run<E: Evaluator<G>>(
        &self,
        shared: &Shared<'_, G, E>,
        told: &Root<'_, G>,
        limits: &Limits,
        timer: &mut Timer,
        progress: &mut dyn FnMut(Report<G::Move>),
    ) -> u64 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.settings.seed);
        let mut first = Worker::new(shared, 0, rng.clone());
        // The root is expanded before anyone else comes, whatever the limits.
        if self.tree.root().is_none() {
            shared.tickets.fetch_add(1, Relaxed);
            first.simulate();
        }
        shared.check_root();
        let others = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for number in 1..shared.threads {
                rng.jump();
                let (rng, others) = (rng.clone(), &others);
                scope.spawn(move || {
                    let mut worker = Worker::new(shared, number, rng);
                    worker.run(|| {});
                    others.fetch_add(worker.done, Relaxed);
                });
            }
            let mut watch = Watch {
                count: 0,
                reported: 0,
            };
            first.run(|| watch.look(self, shared, told, limits, timer, progress));
        });
        first.done + others.load(Relaxed)
    }

    fn reader(&self) -> Reader<'_> {
        Reader {
            tree: &self.tree,
            utility: Utility::new(&self.settings.params),
        }
    }

    /// Makes `root` the root, with its subtree if the tree has it.
    fn set_root(&mut self, root: &G) {
        let known = self.root.take().filter(|_| self.settings.reuse);
        let found = known.and_then(|old| {
            let mut tries = REUSE_TRIES;
            self.find(&old, 0, root, REUSE_PLIES, &mut tries)
        });
        // A child whose margin is known may have lost its block: the root needs
        // one, as its moves are what is asked for.
        match found.filter(|&edge| self.tree.edge(edge).link().block().is_some()) {
            Some(edge) => {
                self.tree.reroot(edge);
                if self.tree.used() > self.tree.capacity() / 2 {
                    recycle(&self.tree, self.tree.capacity() / 2);
                }
            }
            None => self.tree.clear(),
        }
        self.root = Some(root.clone());
    }

    /// The edge that leads from `state` to `goal` within so many plies.
    fn find(&self, state: &G, edge: u32, goal: &G, plies: u32, tries: &mut u32) -> Option<u32> {
        if state == goal {
            return Some(edge);
        }
        if plies == 0 || state.outcome().is_some() {
            return None;
        }
        let block = self.tree.edge(edge).link().block()?;
        for index in self.tree.indices(block) {
            let child = self.tree.edge(index);
            if child.visits() == 0 {
                continue;
            }
            *tries = tries.checked_sub(1)?;
            let mut next = state.clone();
            next.play(state.unpack(child.mv()));
            let found = self.find(&next, index, goal, plies - 1, tries);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// How sure the tree is of its best move, given the share of the soft limit
    /// already used.
    fn confidence(&self, progress: f32) -> Option<Confidence> {
        let block = self.tree.root()?;
        let ranked = self.reader().ranked(block);
        let edge = |rank: usize| ranked.get(rank).map(|&index| self.tree.edge(index));
        let (best, second) = (edge(0)?, edge(1)?);
        let visits = self.tree.edge(0).visits().max(1) as f32;
        let sign = self.tree.head(block).actor().sign();
        let to_come = visits * ((1.0 - progress) / progress.max(0.05)).max(0.0);
        Some(Confidence {
            share: best.visits() as f32 / visits,
            agrees: ranked.iter().all(|&index| {
                let other = self.tree.edge(index);
                other.visits() * 10 < best.visits()
                    || sign * self.tree.mean(other) <= sign * self.tree.mean(best)
            }),
            out_of_reach: best.visits() as f32 - second.visits() as f32 > to_come,
        })
    }
}

/// The first worker's second job: the clock and the reports.
struct Watch {
    count: u64,
    reported: u32,
}

impl Watch {
    fn look<G: Game, E: Evaluator<G>>(
        &mut self,
        searcher: &Searcher<G>,
        shared: &Shared<'_, G, E>,
        told: &Root<'_, G>,
        limits: &Limits,
        timer: &mut Timer,
        progress: &mut dyn FnMut(Report<G::Move>),
    ) {
        self.count += 1;
        if !self.count.is_multiple_of(CLOCK_INTERVAL) {
            return;
        }
        if timer.expired() {
            shared.end(StopReason::Time);
        }
        if self.count.is_multiple_of(CLOCK_INTERVAL * 16)
            && timer.past(0.25)
            && let Some(confidence) = searcher.confidence(timer.progress())
            && timer.enough(confidence)
        {
            shared.end(StopReason::Settled);
        }
        if let Some(every) = limits.report_every
            && timer.elapsed() >= every * (self.reported + 1)
        {
            self.reported = (timer.elapsed().as_micros() / every.as_micros().max(1)) as u32;
            let mut report = searcher.reader().report(told, usize::MAX);
            report.nodes = shared.tickets.load(Relaxed).min(shared.nodes);
            report.time = timer.elapsed();
            progress(report);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Actor, Bounds, Child};
    use super::*;

    /// Steps of one or two without an end that a search would reach.
    #[derive(Clone, PartialEq)]
    struct Walk(u64);

    impl Game for Walk {
        type Move = u16;

        fn actor(&self) -> Actor {
            Actor::First
        }

        fn outcome(&self) -> Option<i16> {
            None
        }

        fn play(&mut self, step: u16) {
            self.0 += u64::from(step);
        }

        fn key(&self) -> u64 {
            self.0
        }

        fn pack(step: u16) -> u16 {
            step
        }

        fn unpack(&self, bits: u16) -> u16 {
            bits
        }
    }

    struct Ignorant;

    impl Evaluator<Walk> for Ignorant {
        fn judge(&self, _: &Walk, children: &mut Children<Walk>) {
            children.push(Child::unjudged(1, Bounds::OPEN));
            children.push(Child::unjudged(2, Bounds::OPEN));
        }
    }

    #[test]
    fn a_search_ends_when_no_more_visits_can_be_counted() {
        for threads in [1, 3] {
            let settings = Settings {
                threads,
                hash_mib: 1,
                ..Settings::default()
            };
            let mut searcher = Searcher::new(settings);
            let stop = AtomicBool::new(false);
            let search = |searcher: &mut Searcher<Walk>, limits: Limits| {
                let report = searcher.search(&Walk(0), &Ignorant, &limits, &stop, &mut |_| ());
                (report.nodes, report.stop)
            };
            let few = search(&mut searcher, Limits::nodes(100));
            assert_eq!(few, (100, Some(StopReason::Nodes)));
            let root = searcher.tree.edge(0);
            root.add_alone(u32::MAX - 1100, |_| root.worth());
            let as_many = search(&mut searcher, Limits::nodes(600));
            assert_eq!(as_many, (600, Some(StopReason::Nodes)));
            let endless = search(&mut searcher, Limits::default());
            assert_eq!(endless, (400, Some(StopReason::Visits)));
            assert_eq!(searcher.tree.edge(0).visits(), u32::MAX);
        }
    }
}
