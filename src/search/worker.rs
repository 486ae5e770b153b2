//! One thread of the search: simulation after simulation on the shared tree.
//!
//! A simulation walks down from the root by PUCT (Rosin 2011, in the form of
//! Silver et al. 2017), expands the node it falls out of, and carries that
//! node's value and proofs back up.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use rand_xoshiro::Xoshiro256PlusPlus;

use super::apart::Apart;
use super::edge::Edge;
use super::expansion::Expansion;
use super::head::{DEAD, HEAD, Head, mean, units};
use super::ledger::Ledger;
use super::link::Link;
use super::numeric::greater;
use super::recycle::recycle;
use super::rendezvous::Rendezvous;
use super::selection::Selection;
use super::tree::Tree;
use super::value::Utility;
use super::{Actor, Bounds, Evaluator, Game, Params, StopReason};

/// Simulations that a thread which isn't alone takes on at once.
const TICKETS: u64 = 8;

/// What all workers of one search share.
pub(super) struct Shared<'s, G, E> {
    pub(super) tree: &'s Tree,
    pub(super) root: &'s G,
    pub(super) evaluator: &'s E,
    pub(super) params: &'s Params,
    pub(super) selection: Selection,
    pub(super) utility: Utility,
    pub(super) threads: u32,
    pub(super) nodes: u64,
    pub(super) keep_going: bool,
    pub(super) tickets: Apart<AtomicU64>,
    pub(super) ended: AtomicU32,
    pub(super) stop: &'s AtomicBool,
    pub(super) place: Rendezvous,
}

impl<G, E> Shared<'_, G, E> {
    fn is_parallel(&self) -> bool {
        self.threads > 1
    }

    /// What a move is worth to the selection by the mean of its visits, the best value
    /// below it and what is proven.
    fn worth(&self, mean: f32, minimax: f32, bounds: Bounds) -> f32 {
        let weight = self.params.minimax;
        let value = (1.0 - weight) * mean + weight * minimax;
        self.utility.clamp(value, bounds)
    }

    /// Counts visits of these values, in all, where other threads may write; works out
    /// anew what the edge is worth to the selection.
    pub(super) fn count(&self, index: u32, visits: u32, sum: i64) {
        let edge = self.tree.edge(index);
        let Some(block) = edge.link().block() else {
            return edge.add(visits, |_| edge.worth());
        };
        let head = self.tree.head(block);
        let (sum, bounds) = (head.add(sum), head.bounds());
        edge.add(visits, |visits| {
            self.worth(mean(sum, visits), edge.minimax(), bounds)
        });
    }

    /// The same where no other thread writes.
    fn count_alone(&self, edge: Edge<'_>, head: Head<'_>, value: f32, bounds: Bounds) {
        let sum = head.add_alone(units(value));
        edge.add_alone(1, |visits| {
            self.worth(mean(sum, visits), edge.minimax(), bounds)
        });
    }
}

impl<G: Game, E: Evaluator<G>> Shared<'_, G, E> {
    /// Ends the search; the first reason given counts.
    pub(super) fn end(&self, reason: StopReason) {
        let _ = self
            .ended
            .compare_exchange(0, reason as u32, Relaxed, Relaxed);
    }

    /// Whether the search has ended for a thread with so many simulations left of
    /// those it has taken on: these are counted as done.
    fn has_ended(&self, left: u64) -> bool {
        let ended = self.ended.load(Relaxed);
        ended != 0 && (left == 0 || ended != StopReason::Nodes as u32)
    }

    /// How many simulations a thread may do next; 0 if all have been taken on.
    fn take_on(&self) -> u64 {
        let some = if self.is_parallel() { TICKETS } else { 1 };
        let first = self.tickets.fetch_add(some, Relaxed);
        self.nodes.saturating_sub(first).min(some)
    }

    /// Ends the search when there is nothing left to find out at the root.
    pub(super) fn check_root(&self) {
        let link = self.tree.edge(0).link();
        if self.tree.bounds(link).is_exact() {
            self.end(StopReason::Proven);
        } else if !self.keep_going
            && let Some(block) = link.block()
        {
            let head = self.tree.head(block);
            if head.len() == 1 {
                self.end(StopReason::Forced);
            } else if self.has_certain_best(block, head.actor()) {
                self.end(StopReason::Proven);
            }
        }
    }

    /// Whether one move is proven to be at least as good as every other.
    fn has_certain_best(&self, block: u32, actor: Actor) -> bool {
        let bounds = || {
            let edges = self.tree.edges(block).enumerate();
            edges.map(|(i, edge)| (i, self.tree.bounds(edge.link())))
        };
        let surest = bounds().max_by_key(|(_, bounds)| bounds.seen_by(actor).lo);
        surest.is_some_and(|(best, sure)| {
            bounds().all(|(i, bounds)| i == best || bounds.cannot_beat(sure, actor))
        })
    }
}

/// A thread's own scratch.
pub(super) struct Worker<'s, G: Game, E> {
    shared: &'s Shared<'s, G, E>,
    /// From 0 on.
    number: u32,
    /// The edges of a simulation and the blocks that they lead to.
    path: Vec<(u32, u32)>,
    expansion: Expansion<G>,
    rng: Xoshiro256PlusPlus,
    ledger: Ledger,
    /// Simulations done.
    pub(super) done: u64,
}

impl<'s, G: Game, E: Evaluator<G>> Worker<'s, G, E> {
    pub(super) fn new(shared: &'s Shared<'s, G, E>, number: u32, rng: Xoshiro256PlusPlus) -> Self {
        Worker {
            shared,
            number,
            path: Vec::new(),
            expansion: Expansion::default(),
            rng,
            ledger: Ledger::default(),
            done: 0,
        }
    }

    /// Works until the search ends, calling `between` after each simulation.
    pub(super) fn run(&mut self, mut between: impl FnMut()) {
        let _presence = self.shared.place.enter();
        let mut left = 0;
        while !self.shared.has_ended(left) {
            if self.shared.place.wanted() {
                self.ledger.settle(self.shared);
                self.shared
                    .place
                    .meet(|| recycle(self.shared.tree, self.shared.tree.capacity() / 2));
            }
            if left == 0 {
                left = self.shared.take_on();
            }
            if left == 0 {
                self.shared.end(StopReason::Nodes);
                break;
            }
            left -= 1;
            self.simulate();
            if self.shared.stop.load(Relaxed) {
                self.shared.end(StopReason::Stopped);
            }
            between();
        }
        self.ledger.settle(self.shared);
    }

    /// One simulation.
    pub(super) fn simulate(&mut self) {
        let tree = self.shared.tree;
        let mut state = self.shared.root.clone();
        self.path.clear();
        let mut index = 0;
        let end = loop {
            let edge = tree.edge(index);
            let link = edge.link();
            let bounds = tree.bounds(link);
            if bounds.is_exact() {
                self.count_known(edge);
                break End::at(index, self.shared.utility.of_margin(bounds.lo));
            }
            let block = match link.block() {
                Some(block) => block,
                None if link != Link::BUSY && self.claim(edge, link) => {
                    match self.open(index, link, &state) {
                        Opened::Block(block) => block,
                        Opened::Worth(end) => break end,
                    }
                }
                // Another thread is about to find out what this is worth; that counts
                // for the moves that led here and not for this one.
                None => break End::above(edge.minimax()),
            };
            self.path.push((index, block));
            index = self.select(edge, block, bounds);
            state.play(state.unpack(tree.edge(index).mv()));
        };
        self.backup(end);
        self.done += 1;
    }

    /// Claims an edge without a block; false if another thread was faster.
    fn claim(&self, edge: Edge<'_>, link: Link) -> bool {
        if self.shared.is_parallel() {
            edge.claim(link)
        } else {
            edge.claim_alone()
        }
    }

    /// The edge to follow from a block, to which `above` leads.
    fn select(&self, above: Edge<'_>, block: u32, sure: Bounds) -> u32 {
        let tree = self.shared.tree;
        let head = tree.head(block);
        let actor = head.actor();
        // The visits of the edge above are those below it, but for the first.
        let selection = &self.shared.selection;
        let formula = selection
            .at(above.visits(), actor)
            .lean(selection, self.number, block);
        // Priors fall: the first untried move stands for all untried ones.
        let count = (head.tried() + 1).min(head.len());
        let best = if sure.is_open() {
            formula.best(tree.eights(block, count), count)
        } else {
            let bounds = |edge: Edge<'_>| tree.bounds(edge.link());
            let edges = tree.slots(block, head.len());
            formula.best_unless_beaten(edges, head.tried(), bounds, sure, actor)
        };
        head.try_up_to(best + 1);
        block + HEAD + best
    }

    /// Counts a visit to what has a known margin, which it is worth already.
    fn count_known(&self, edge: Edge<'_>) {
        if self.shared.is_parallel() {
            edge.add(1, |_| edge.worth());
        } else {
            edge.add_alone(1, |_| edge.worth());
        }
    }

    /// Opens the state behind a claimed edge, whose link was this.
    ///
    /// Of a state that has been opened elsewhere, the first visit learns what is
    /// known there and leaves it at that, as most states are visited but once; the
    /// second makes it a block and goes on below.
    fn open(&mut self, index: u32, link: Link, state: &G) -> Opened {
        let (tree, actor, key) = (self.shared.tree, state.actor(), state.key());
        // The root has priors of its own.
        let known = if index == 0 { None } else { tree.find(key) };
        let Some(known) = known else {
            return self.expand(index, link, state, key);
        };
        let (edge, proof) = (tree.edge(index), tree.head(known).bounds());
        if edge.visits() > 0 {
            if let Some(block) = tree.copy_block(known, index) {
                tree.head(block).prove(link.bounds());
                if tree.head(block).bounds() != link.bounds() {
                    // More has been proven since the first visit: that goes up first.
                    let value = self.best_of(block, actor);
                    return self.learn(index, link, Some(block), value, proof);
                }
                tree.head(block).add_alone(self.sum_so_far(edge));
                edge.set_link(Link::to(block));
                return Opened::Block(block);
            }
            self.shared.place.call();
        }
        let value = match tree.head(known).parent() {
            DEAD => self.best_of(known, actor),
            above => tree.edge(above).minimax(),
        };
        self.learn(index, link, None, value, proof)
    }

    /// Judges all moves of a state and publishes them as a block.
    fn expand(&mut self, index: u32, link: Link, state: &G, key: u64) -> Opened {
        let (tree, params, utility) = (self.shared.tree, self.shared.params, self.shared.utility);
        let actor = state.actor();
        let rng = (index == 0).then_some(&mut self.rng);
        let expansion = &mut self.expansion;
        expansion.judge(state, self.shared.evaluator, params, utility, rng);
        let (value, margin) = expansion.best_value(actor);
        let proof = expansion.proof(actor);
        let block = expansion.write(tree, index, actor, margin);
        let opened = self.learn(index, link, block, value, proof);
        match block {
            Some(block) => tree.enter(block, key),
            None => self.shared.place.call(),
        }
        opened
    }

    /// Tells a claimed edge what its state is worth by its moves and what they prove,
    /// counts the visit and leads the edge to its block, if there is room for one.
    fn learn(
        &self,
        index: u32,
        link: Link,
        block: Option<u32>,
        mut value: f32,
        proof: Bounds,
    ) -> Opened {
        let (tree, shared) = (self.shared.tree, self.shared);
        let edge = tree.edge(index);
        let before = edge.minimax();
        if index != 0 {
            value += (1.0 - shared.params.lookahead) * (before - value);
        }
        let bounds = link.bounds().and(proof);
        let value = shared.utility.clamp(value, bounds);
        let sum = self.sum_so_far(edge) + units(value);
        let moved = edge.set_minimax(value);
        edge.add_alone(1, |visits| {
            shared.worth(mean(sum, visits), edge.minimax(), bounds)
        });
        let (link_now, bounds_now) = match block {
            Some(block) => {
                tree.head(block).prove(bounds);
                tree.head(block).add_alone(sum);
                (Link::to(block), bounds)
            }
            None => (Link::of(bounds), Link::of(bounds).bounds()),
        };
        edge.set_link(link_now);
        Opened::Worth(End {
            value,
            news: News {
                proof: bounds_now != link.bounds(),
                moved: moved.then_some(before),
            },
            below: Some(index),
        })
    }

    /// The sum of the values of all visits to an edge without a block, from what the mean
    /// of them made it [worth](Shared::worth).
    fn sum_so_far(&self, edge: Edge<'_>) -> i64 {
        let weight = self.shared.params.minimax;
        let mean = if weight < 1.0 {
            (edge.worth() - weight * edge.minimax()) / (1.0 - weight)
        } else {
            edge.worth()
        };
        units(mean.clamp(-1.0, 1.0)) * i64::from(edge.visits())
    }

    /// Carries a value and, as long as they tell something new, proofs and the
    /// best values up the path.
    fn backup(&mut self, end: End) {
        let (tree, shared) = (self.shared.tree, self.shared);
        let End {
            mut value,
            mut news,
            mut below,
        } = end;
        let mut root_learns = news.proof && self.path.len() <= 1;
        for level in (0..self.path.len()).rev() {
            let (index, block) = self.path[level];
            let (edge, head) = (tree.edge(index), tree.head(block));
            if let Some(below) = below {
                news = self.carry(edge, block, tree.edge(below), news);
            }
            root_learns |= news.proof && level <= 1;
            let bounds = head.bounds();
            value = shared.utility.clamp(value, bounds);
            if shared.is_parallel() {
                self.ledger.count(shared, index, value);
            } else {
                shared.count_alone(edge, head, value, bounds);
            }
            below = Some(index);
        }
        if root_learns {
            shared.check_root();
        }
    }

    /// Tells `edge` the news of `below`, one of the moves of its block; what is
    /// new about `edge` then.
    fn carry(&self, edge: Edge<'_>, block: u32, below: Edge<'_>, news: News) -> News {
        let (tree, utility) = (self.shared.tree, self.shared.utility);
        let head = tree.head(block);
        let actor = head.actor();
        let proof = news.proof && head.prove(tree.proof(block));
        if self.shared.params.minimax == 0.0 {
            return News { proof, moved: None };
        }
        let before = edge.minimax();
        let (sign, now) = (actor.sign(), below.minimax());
        // The best of all moves is looked for only where this one was it and
        // is worse now, where a further one counts now that this has been
        // tried, and now and then, as other threads may come between.
        let was_best = news.moved.is_some_and(|old| sign * old >= sign * before);
        let after = if below.visits() <= 1
            || was_best && sign * now < sign * before
            || self.shared.is_parallel() && self.done.is_multiple_of(16)
        {
            self.best_of(block, actor)
        } else {
            sign * (sign * before).max(sign * now)
        };
        let moved = edge.set_minimax(utility.clamp(after, head.bounds()));
        News {
            proof,
            moved: moved.then_some(before),
        }
    }

    /// The best backed-up value among a block's moves, the first untried one
    /// included; of all of them where none has been tried.
    fn best_of(&self, block: u32, actor: Actor) -> f32 {
        let tree = self.shared.tree;
        let head = tree.head(block);
        let sign = actor.sign();
        let count = match head.tried() {
            0 => head.len(),
            tried => (tried + 1).min(head.len()),
        };
        let best = tree
            .first_edges(block, count)
            .fold(-2.0, |best, edge| greater(sign * edge.minimax(), best));
        sign * best
    }
}

/// What comes of opening a state.
enum Opened {
    /// Its block, for the simulation to go on.
    Block(u32),
    /// Its value.
    Worth(End),
}

/// What a simulation has come to.
struct End {
    /// Of the state where it ends.
    value: f32,
    news: News,
    /// The edge below the path which that state is behind; it has counted the visit.
    below: Option<u32>,
}

impl End {
    /// Behind an edge, with a value that is no news.
    fn at(edge: u32, value: f32) -> End {
        End {
            below: Some(edge),
            ..End::above(value)
        }
    }

    /// At the end of the path.
    fn above(value: f32) -> End {
        End {
            value,
            news: News::default(),
            below: None,
        }
    }
}

/// What a simulation has changed about an edge.
#[derive(Clone, Copy, Default)]
struct News {
    /// More is proven of it.
    proof: bool,
    /// Its best value has become another; the former one.
    moved: Option<f32>,
}
