//! One thread of the search: simulation after simulation on the shared tree.
//!
//! A simulation walks down from the root by PUCT (Rosin 2011, in the form of
//! Silver et al. 2017), expands the node it falls out of, and carries that
//! node's value and proofs back up.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use rand_xoshiro::Xoshiro256PlusPlus;

use super::apart::Apart;
use super::expansion::Expansion;
use super::ledger::Ledger;
use super::recycle::recycle;
use super::rendezvous::Rendezvous;
use super::selection::Selection;
use super::slot::{BUSY, DEAD, Edge, NONE};
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

    /// What an edge is worth to the selection, as the mean of its visits is.
    pub(super) fn worth(&self, edge: Edge<'_>, mean: f32) -> f32 {
        let weight = self.params.minimax;
        let value = (1.0 - weight) * mean + weight * edge.minimax();
        self.utility.clamp(value, edge.bounds())
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
        let (bounds, block) = (self.tree.edge(0).bounds(), self.tree.root());
        if bounds.is_exact() {
            self.end(StopReason::Proven);
        } else if !self.keep_going && block > BUSY {
            let actor = self.tree.head(block).actor();
            if self.tree.head(block).len() == 1 {
                self.end(StopReason::Forced);
            } else if self.has_certain_best(block, actor) {
                self.end(StopReason::Proven);
            }
        }
    }

    /// Whether one move is proven to be at least as good as every other.
    fn has_certain_best(&self, block: u32, actor: Actor) -> bool {
        let surest = self
            .tree
            .edges(block)
            .map(|edge| edge.bounds())
            .enumerate()
            .max_by_key(|(_, bounds)| bounds.seen_by(actor).lo);
        surest.is_some_and(|(best, sure)| {
            self.tree
                .edges(block)
                .enumerate()
                .all(|(i, edge)| i == best || edge.bounds().cannot_beat(sure, actor))
        })
    }
}

/// A thread's own scratch.
pub(super) struct Worker<'s, G: Game, E> {
    shared: &'s Shared<'s, G, E>,
    /// From 0 on.
    number: u32,
    /// The edges of a simulation.
    path: Vec<u32>,
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
        let mut news = News::default();
        let value = loop {
            self.path.push(index);
            let edge = tree.edge(index);
            let bounds = edge.bounds();
            if bounds.is_exact() {
                break self.shared.utility.of_margin(bounds.lo);
            }
            let block = match edge.link() {
                NONE if self.claim(edge) => match self.open(index, &state) {
                    Opened::Block(block) => block,
                    Opened::Worth(value, told) => {
                        news = told;
                        break value;
                    }
                },
                NONE | BUSY => break self.shared.utility.clamp(edge.minimax(), bounds),
                block => block,
            };
            index = self.select(edge, block, bounds);
            state.play(state.unpack(tree.edge(index).mv()));
        };
        self.backup(value, news);
        self.done += 1;
    }

    /// Claims the expansion behind an edge that has none; false if another thread was
    /// faster.
    fn claim(&self, edge: Edge<'_>) -> bool {
        if self.shared.is_parallel() {
            edge.claim()
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
            formula.best(tree.slots(block, count))
        } else {
            formula.best_unless_beaten(tree.slots(block, head.len()), head.tried(), sure, actor)
        };
        head.try_up_to(best + 1);
        block + 1 + best
    }

    /// Counts a visit of this value and works out anew what the edge is worth to the
    /// selection.
    fn count(&mut self, index: u32, value: f32) {
        if self.shared.is_parallel() {
            self.ledger.count(self.shared, index, value);
        } else {
            let edge = self.shared.tree.edge(index);
            edge.add_alone(value);
            edge.set_worth_alone(self.shared.worth(edge, edge.mean()));
        }
    }

    /// Opens the state behind a claimed edge.
    ///
    /// Of a state that has been opened elsewhere, the first visit learns what is
    /// known there and leaves it at that, as most states are visited but once; the
    /// second makes it a block and goes on below.
    fn open(&mut self, index: u32, state: &G) -> Opened {
        let (tree, actor, key) = (self.shared.tree, state.actor(), state.key());
        // The root has priors of its own.
        let known = if index == 0 { None } else { tree.find(key) };
        let Some(known) = known else {
            return self.expand(index, state, key);
        };
        let edge = tree.edge(index);
        if edge.visits() > 0 {
            if let Some(block) = tree.copy_block(known, index) {
                edge.set_link(block);
                let proof = tree.proof(block);
                return if edge.bounds().meet(proof) == edge.bounds() {
                    Opened::Block(block)
                } else {
                    // More has been proven since the first visit: that goes up first.
                    self.learn(index, self.best_of(block, actor), proof)
                };
            }
            self.shared.place.call();
        }
        edge.set_link(NONE);
        let (value, proof) = match tree.head(known).parent() {
            DEAD => (self.best_of(known, actor), tree.proof(known)),
            above => (tree.edge(above).minimax(), tree.edge(above).bounds()),
        };
        self.learn(index, value, proof)
    }

    /// Judges all moves of a state and publishes them as a block.
    fn expand(&mut self, index: u32, state: &G, key: u64) -> Opened {
        let (tree, params, utility) = (self.shared.tree, self.shared.params, self.shared.utility);
        let actor = state.actor();
        let rng = (index == 0).then_some(&mut self.rng);
        let expansion = &mut self.expansion;
        expansion.judge(state, self.shared.evaluator, params, utility, rng);
        let (value, proof) = (expansion.best_value(actor), expansion.proof(actor));
        let block = expansion.write(tree, index, actor);
        if let Some(block) = block {
            tree.enter(block, key);
        } else {
            self.shared.place.call();
        }
        tree.edge(index).set_link(block.unwrap_or(NONE));
        self.learn(index, value, proof)
    }

    /// Tells an edge what its state is worth by its moves, and what they prove.
    fn learn(&self, index: u32, mut value: f32, proof: Bounds) -> Opened {
        let edge = self.shared.tree.edge(index);
        let before = edge.minimax();
        if index != 0 {
            value += (1.0 - self.shared.params.lookahead) * (before - value);
        }
        let value = self.shared.utility.clamp(value, proof);
        edge.set_minimax(value);
        let news = News {
            proof: edge.prove(proof),
            moved: (value != before).then_some(before),
        };
        Opened::Worth(value, news)
    }

    /// Carries a value and, as long as they tell something new, proofs and the
    /// best values up the path.
    fn backup(&mut self, mut value: f32, mut news: News) {
        let (tree, utility) = (self.shared.tree, self.shared.utility);
        for level in (0..self.path.len()).rev() {
            let index = self.path[level];
            let edge = tree.edge(index);
            if let Some(&below) = self.path.get(level + 1) {
                news = self.carry(edge, tree.edge(below), news);
            }
            value = utility.clamp(value, edge.bounds());
            self.count(index, value);
            if news.proof && level <= 1 {
                self.shared.check_root();
            }
        }
    }

    /// Tells `edge` the news of `below`, one of the moves behind it; what is
    /// new about `edge` then.
    fn carry(&self, edge: Edge<'_>, below: Edge<'_>, news: News) -> News {
        let (tree, utility) = (self.shared.tree, self.shared.utility);
        let block = edge.link();
        let actor = tree.head(block).actor();
        let proof = news.proof && edge.prove(tree.proof(block));
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
        let after = utility.clamp(after, edge.bounds());
        if after != before {
            edge.set_minimax(after);
        }
        News {
            proof,
            moved: (after != before).then_some(before),
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
            .fold(-2.0, |best: f32, edge| best.max(sign * edge.minimax()));
        sign * best
    }
}

/// What comes of opening a state.
enum Opened {
    /// Its block, for the simulation to go on.
    Block(u32),
    /// Its value, and what is new about it.
    Worth(f32, News),
}

/// What a simulation has changed about an edge.
#[derive(Clone, Copy, Default)]
struct News {
    /// More is proven of it.
    proof: bool,
    /// Its best value has become another; the former one.
    moved: Option<f32>,
}
