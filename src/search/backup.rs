//! The way back up: what a simulation has found out is told to the edges that led there.

use super::edge::Edge;
use super::head::{mean, units};
use super::link::Link;
use super::numeric::greater;
use super::worker::{Opened, Worker};
use super::{Actor, Bounds, Evaluator, Game};

/// What a simulation has come to.
pub(super) struct End {
    /// Of the state where it ends.
    value: f32,
    news: News,
    /// The edge below the path which that state is behind; it has counted the visit.
    below: Option<u32>,
}

impl End {
    /// Behind an edge, with a value that is no news.
    pub(super) fn at(edge: u32, value: f32) -> End {
        End {
            below: Some(edge),
            ..End::above(value)
        }
    }

    /// At the end of the path.
    pub(super) fn above(value: f32) -> End {
        End {
            value,
            news: News::default(),
            below: None,
        }
    }
}

/// What a simulation has changed about an edge.
#[derive(Clone, Copy, Default)]
pub(super) struct News {
    /// More is proven of it.
    proof: bool,
    /// Its best value has become another; the former one.
    moved: Option<f32>,
}

impl<G: Game, E: Evaluator<G>> Worker<'_, G, E> {
    /// Tells a claimed edge what its state is worth by its moves and what they prove,
    /// counts the visit and leads the edge to its block, if there is room for one.
    pub(super) fn learn(
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
    /// of them made it [worth](super::shared::Shared::worth).
    pub(super) fn sum_so_far(&self, edge: Edge<'_>) -> i64 {
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
    pub(super) fn backup(&mut self, end: End) {
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
            sign * greater(sign * before, sign * now)
        };
        let moved = edge.set_minimax(utility.clamp(after, head.bounds()));
        News {
            proof,
            moved: moved.then_some(before),
        }
    }

    /// The best backed-up value among a block's moves, the first untried one
    /// included; of all of them where none has been tried.
    pub(super) fn best_of(&self, block: u32, actor: Actor) -> f32 {
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
