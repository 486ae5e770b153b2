//! One thread of the search: simulation after simulation on the shared tree.
//!
//! A simulation walks down from the root by PUCT (Rosin 2011, in the form of
//! Silver et al. 2017), expands the node it falls out of, and carries that
//! node's value and proofs back up.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use rand_xoshiro::Xoshiro256PlusPlus;

use super::apart::Apart;
use super::expansion::Expansion;
use super::recycle::recycle;
use super::rendezvous::Rendezvous;
use super::selection::Selection;
use super::slot::{BUSY, DEAD, Edge, NONE};
use super::tree::Tree;
use super::value::Utility;
use super::{Actor, Bounds, Evaluator, Game, Params, StopReason};

/// What all workers of one search share.
pub(super) struct Shared<'s, G, E> {
    pub(super) tree: &'s Tree,
    pub(super) root: &'s G,
    pub(super) evaluator: &'s E,
    pub(super) params: &'s Params,
    pub(super) selection: Selection,
    pub(super) utility: Utility,
    pub(super) parallel: bool,
    pub(super) nodes: u64,
    pub(super) keep_going: bool,
    pub(super) tickets: Apart<AtomicU64>,
    pub(super) ended: AtomicU32,
    pub(super) stop: &'s AtomicBool,
    pub(super) place: Rendezvous,
}

impl<G: Game, E: Evaluator<G>> Shared<'_, G, E> {
    /// Ends the search; the first reason given counts.
    pub(super) fn end(&self, reason: StopReason) {
        let _ = self
            .ended
            .compare_exchange(0, reason as u32, Relaxed, Relaxed);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Relaxed) != 0
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
    path: Vec<Step>,
    expansion: Expansion<G>,
    rng: Xoshiro256PlusPlus,
    /// Simulations done.
    pub(super) done: u64,
}

impl<'s, G: Game, E: Evaluator<G>> Worker<'s, G, E> {
    pub(super) fn new(shared: &'s Shared<'s, G, E>, rng: Xoshiro256PlusPlus) -> Self {
        Worker {
            shared,
            path: Vec::new(),
            expansion: Expansion::default(),
            rng,
            done: 0,
        }
    }

    /// Works until the search ends, calling `between` after each simulation.
    pub(super) fn run(&mut self, mut between: impl FnMut()) {
        let _presence = self.shared.place.enter();
        while !self.shared.has_ended() {
            if self.shared.place.wanted() {
                self.shared
                    .place
                    .meet(|| recycle(self.shared.tree, self.shared.tree.capacity() / 2));
            }
            if self.shared.tickets.fetch_add(1, Relaxed) >= self.shared.nodes {
                self.shared.end(StopReason::Nodes);
                break;
            }
            self.simulate();
            if self.shared.stop.load(Relaxed) {
                self.shared.end(StopReason::Stopped);
            }
            between();
        }
    }

    /// One simulation.
    pub(super) fn simulate(&mut self) {
        let tree = self.shared.tree;
        let mut state = self.shared.root.clone();
        self.path.clear();
        let mut step = Step {
            edge: 0,
            expected: 0.0,
        };
        let mut news = News::default();
        let value = loop {
            self.path.push(step);
            let index = step.edge;
            let edge = tree.edge(index);
            let bounds = edge.bounds();
            if bounds.is_exact() {
                break self.shared.utility.of_margin(bounds.lo);
            }
            let block = match edge.link() {
                NONE if edge.claim() => match self.open(index, &state) {
                    Opened::Block(block) => block,
                    Opened::Worth(value, told) => {
                        news = told;
                        break value;
                    }
                },
                NONE | BUSY => break self.shared.utility.clamp(edge.minimax(), bounds),
                block => block,
            };
            step.edge = self.select(edge, block, bounds);
            let edge = tree.edge(step.edge);
            state.play(state.unpack(edge.mv()));
            if self.shared.parallel {
                step.expected = self.expected(edge, tree.head(block).actor());
                edge.begin(step.expected);
                // A visit that counts as the move's worth hardly changes it.
                if self.shared.params.virtual_loss != 0.0 {
                    self.settle(edge);
                }
            }
        };
        self.backup(value, news);
        self.done += 1;
    }

    /// What a visit under way counts for until it is over: what the move is worth,
    /// or somewhat less for the player who chose it.
    fn expected(&self, edge: Edge<'_>, actor: Actor) -> f32 {
        (edge.worth() - actor.sign() * self.shared.params.virtual_loss).clamp(-1.0, 1.0)
    }

    /// The edge to follow from a block, to which `above` leads.
    fn select(&self, above: Edge<'_>, block: u32, sure: Bounds) -> u32 {
        let tree = self.shared.tree;
        let head = tree.head(block);
        let actor = head.actor();
        // The visits of the edge above are those below it, but for the first.
        let formula = self.shared.selection.at(above.visits(), actor);
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

    /// Works out anew what a visited edge is worth to the selection.
    fn settle(&self, edge: Edge<'_>) {
        let weight = self.shared.params.minimax;
        let value = (1.0 - weight) * edge.mean() + weight * edge.minimax();
        let worth = self.shared.utility.clamp(value, edge.bounds());
        if self.shared.parallel {
            edge.set_worth(worth);
        } else {
            edge.set_worth_alone(worth);
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
        if edge.visits() > u32::from(self.shared.parallel) {
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
            let Step { edge, expected } = self.path[level];
            let edge = tree.edge(edge);
            if let Some(below) = self.path.get(level + 1) {
                news = self.carry(edge, tree.edge(below.edge), news);
            }
            value = utility.clamp(value, edge.bounds());
            if self.shared.parallel && level > 0 {
                edge.finish(expected, value);
            } else if self.shared.parallel {
                edge.add(value);
            } else {
                edge.add_alone(value);
            }
            self.settle(edge);
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
        let after = if below.visits() <= 1 + u32::from(self.shared.parallel)
            || was_best && sign * now < sign * before
            || self.shared.parallel && edge.visits().is_multiple_of(16)
        {
            self.best_of(block, actor)
        } else {
            sign * (sign * before).max(sign * now)
        };
        let after = utility.clamp(after, edge.bounds());
        edge.set_minimax(after);
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

/// An edge of a simulation's path.
#[derive(Clone, Copy)]
struct Step {
    edge: u32,
    /// What the visit counted for while it was under way.
    expected: f32,
}

/// What a simulation has changed about an edge.
#[derive(Clone, Copy, Default)]
struct News {
    /// More is proven of it.
    proof: bool,
    /// Its best value has become another; the former one.
    moved: Option<f32>,
}
