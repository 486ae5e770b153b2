//! One thread of the search: simulation after simulation on the shared tree.
//!
//! A simulation walks down from the root by PUCT (Rosin 2011, in the form of
//! Silver et al. 2017), expands the node it falls out of, and carries that
//! node's value and proofs [back up](super::backup).

use std::sync::atomic::Ordering::Relaxed;

use rand_xoshiro::Xoshiro256PlusPlus;

use super::backup::End;
use super::edge::Edge;
use super::expansion::Expansion;
use super::head::{DEAD, HEAD};
use super::ledger::Ledger;
use super::link::Link;
use super::recycle::recycle;
use super::shared::Shared;
use super::{Bounds, Evaluator, Game, StopReason};

/// A thread's own scratch.
pub(super) struct Worker<'s, G: Game, E> {
    pub(super) shared: &'s Shared<'s, G, E>,
    /// From 0 on.
    number: u32,
    /// The edges of a simulation and the blocks that they lead to.
    pub(super) path: Vec<(u32, u32)>,
    expansion: Expansion<G>,
    rng: Xoshiro256PlusPlus,
    pub(super) ledger: Ledger,
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
                self.shared.end(self.shared.used_up);
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
                self.shared.count_known(edge);
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
}

/// What comes of opening a state.
pub(super) enum Opened {
    /// Its block, for the simulation to go on.
    Block(u32),
    /// Its value.
    Worth(End),
}
