//! Opening a node: its moves judged, their values and priors, and the block
//! that goes into the tree.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::edge::{Edge, fresh};
use super::link::Link;
use super::numeric::{exp, greatest};
use super::order::Order;
use super::tree::Tree;
use super::value::Utility;
use super::{Actor, Bounds, Children, Evaluator, Game, Params};

/// The moves of one state, ready for the tree; kept from node to node for its
/// memory.
pub(super) struct Expansion<G: Game> {
    /// Values take the place of the log odds, priors that of the policy.
    children: Children<G>,
    order: Order,
    /// What the tree is told of each move.
    fresh: Vec<u32>,
}

impl<G: Game> Default for Expansion<G> {
    fn default() -> Self {
        Expansion {
            children: Children::default(),
            order: Order::default(),
            fresh: Vec::new(),
        }
    }
}

impl<G: Game> Expansion<G> {
    /// Judges the moves of an unfinished state; with `rng` the priors get some
    /// noise.
    pub(super) fn judge<E: Evaluator<G>>(
        &mut self,
        state: &G,
        evaluator: &E,
        params: &Params,
        utility: Utility,
        rng: Option<&mut Xoshiro256PlusPlus>,
    ) {
        self.children.clear();
        evaluator.judge(state, &mut self.children);
        self.make_values(utility);
        self.make_priors(params, rng);
    }

    /// Turns judgements into values.
    fn make_values(&mut self, utility: Utility) {
        let Children {
            logits,
            margins,
            bounds,
            ..
        } = &mut self.children;
        utility.judge_all(logits, margins);
        for &(which, bounds) in &*bounds {
            logits[which] = utility.clamp(logits[which], bounds);
        }
    }

    /// Turns the policy into priors.
    fn make_priors(&mut self, params: &Params, rng: Option<&mut Xoshiro256PlusPlus>) {
        let sharpness = 1.0 / params.temperature;
        let priors = &mut self.children.policies;
        let greatest = greatest(priors, 1.0);
        for prior in priors.iter_mut() {
            *prior = exp((sharpness * (*prior - greatest)).max(-30.0));
        }
        if let Some(rng) = rng
            && params.jitter > 0.0
        {
            for prior in priors.iter_mut() {
                let unit = (rng.next_u32() >> 8) as f32 / (1 << 24) as f32;
                *prior *= 1.0 + params.jitter * (2.0 * unit - 1.0);
            }
        }
        let total: f32 = priors.iter().sum();
        for prior in priors.iter_mut() {
            *prior = (*prior / total).min(1.0);
        }
    }

    fn values(&self) -> &[f32] {
        &self.children.logits
    }

    /// What the moves prove of the state.
    pub(super) fn proof(&self, actor: Actor) -> Bounds {
        let known = &self.children.bounds;
        let start = if known.len() < self.children.len() {
            Bounds::OPEN
        } else {
            Bounds::worst(actor)
        };
        known
            .iter()
            .fold(start, |sure, &(_, bounds)| sure.choice(bounds, actor))
    }

    /// The value of the move that is best for the player who moves, and the final
    /// margin it was judged to lead to.
    pub(super) fn best_value(&self, actor: Actor) -> (f32, i16) {
        let sign = actor.sign();
        let best = greatest(self.values(), sign);
        let which = self.values().iter().position(|&value| sign * value == best);
        let margin = which.map_or(0.0, |which| self.children.margins[which]);
        (sign * best, margin as i16)
    }

    /// Writes the block of the state that `edge` leads to; `None` when the tree is
    /// full. Nothing leads to the block yet.
    pub(super) fn write(
        &mut self,
        tree: &Tree,
        edge: u32,
        actor: Actor,
        margin: i16,
    ) -> Option<u32> {
        let Children {
            moves,
            logits: values,
            policies: priors,
            bounds,
            ..
        } = &self.children;
        let len = moves.len() as u32;
        let block = tree.reserve(len)?;
        tree.head(block).init(len, actor, edge, margin);
        self.fresh.clear();
        let all = priors.iter().zip(values);
        self.fresh
            .extend(all.map(|(&prior, &value)| fresh(prior, value)));
        let places = self.order.places(priors);
        let edges = tree.slots(block, len);
        for ((&mv, &fresh), &place) in moves.iter().zip(&self.fresh).zip(places) {
            Edge(&edges[place as usize]).init(G::pack(mv), fresh);
        }
        for &(which, bounds) in bounds {
            Edge(&edges[places[which] as usize]).set_link(Link::of(bounds));
        }
        Some(block)
    }
}
