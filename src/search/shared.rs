//! What the workers of one search share, and when it is over.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::apart::Apart;
use super::edge::Edge;
use super::head::{Head, mean, units};
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
    /// Simulations to be done.
    pub(super) nodes: u64,
    /// What it is called when these are done.
    pub(super) used_up: StopReason,
    pub(super) keep_going: bool,
    pub(super) tickets: Apart<AtomicU64>,
    pub(super) ended: AtomicU32,
    pub(super) stop: &'s AtomicBool,
    pub(super) place: Rendezvous,
}

impl<G, E> Shared<'_, G, E> {
    pub(super) fn is_parallel(&self) -> bool {
        self.threads > 1
    }

    /// What a move is worth to the selection by the mean of its visits, the best value
    /// below it and what is proven.
    pub(super) fn worth(&self, mean: f32, minimax: f32, bounds: Bounds) -> f32 {
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
    pub(super) fn count_alone(&self, edge: Edge<'_>, head: Head<'_>, value: f32, bounds: Bounds) {
        let sum = head.add_alone(units(value));
        edge.add_alone(1, |visits| {
            self.worth(mean(sum, visits), edge.minimax(), bounds)
        });
    }

    /// Counts a visit to what has a known margin, which it is worth already.
    pub(super) fn count_known(&self, edge: Edge<'_>) {
        if self.is_parallel() {
            edge.add(1, |_| edge.worth());
        } else {
            edge.add_alone(1, |_| edge.worth());
        }
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
    pub(super) fn has_ended(&self, left: u64) -> bool {
        let ended = self.ended.load(Relaxed);
        ended != 0 && (left == 0 || ended != self.used_up as u32)
    }

    /// How many simulations a thread may do next; 0 if all have been taken on.
    pub(super) fn take_on(&self) -> u64 {
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
