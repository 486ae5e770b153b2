//! Opening a node: its moves judged, their values and priors, and the block
//! that goes into the tree.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use super::numeric::exp;
use super::order::Order;
use super::tree::Tree;
use super::value::Utility;
use super::{Actor, Bounds, Children, Evaluator, Game, Params};

/// The moves of one state, ready for the tree; kept from node to node for its
/// memory.
pub(super) struct Expansion<G: Game> {
    children: Children<G>,
    values: Vec<f32>,
    margins: Vec<f32>,
    priors: Vec<f32>,
    order: Order,
}

impl<G: Game> Default for Expansion<G> {
    fn default() -> Self {
        Expansion {
            children: Children::default(),
            values: Vec::new(),
            margins: Vec::new(),
            priors: Vec::new(),
            order: Order::default(),
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
        let (children, values, margins) = (&self.children, &mut self.values, &mut self.margins);
        values.clear();
        values.extend(children.iter().map(|child| child.logit));
        margins.clear();
        margins.extend(children.iter().map(|child| child.margin));
        utility.judge_all(values, margins);
        for (value, child) in values.iter_mut().zip(children.iter()) {
            if !child.bounds.is_open() {
                // Rare: not to be worked out for all.
                cold();
                *value = utility.clamp(*value, child.bounds);
            }
        }
    }

    /// Turns the policy into priors.
    fn make_priors(&mut self, params: &Params, rng: Option<&mut Xoshiro256PlusPlus>) {
        let sharpness = 1.0 / params.temperature;
        let priors = &mut self.priors;
        priors.clear();
        priors.extend(self.children.iter().map(|child| sharpness * child.policy));
        let greatest = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for prior in priors.iter_mut() {
            *prior = exp((*prior - greatest).max(-30.0));
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

    /// What the moves prove of the state.
    pub(super) fn proof(&self, actor: Actor) -> Bounds {
        let (mut sure, mut some_open) = (Bounds::worst(actor), false);
        for child in self.children.iter() {
            if child.bounds.is_open() {
                some_open = true;
            } else {
                cold();
                sure = sure.choice(child.bounds, actor);
            }
        }
        if some_open {
            sure = sure.choice(Bounds::OPEN, actor);
        }
        sure
    }

    /// The value of the move that is best for the player who moves.
    pub(super) fn best_value(&self, actor: Actor) -> f32 {
        let sign = actor.sign();
        let values = self.values.iter();
        sign * values.fold(-2.0, |best: f32, &value| best.max(sign * value))
    }

    /// Writes the block of the state that `edge` leads to; `None` when the tree is
    /// full. Nothing leads to the block yet.
    pub(super) fn write(&mut self, tree: &Tree, edge: u32, actor: Actor) -> Option<u32> {
        let len = self.children.len() as u32;
        let block = tree.reserve(len)?;
        tree.head(block).init(len, actor, edge);
        let places = self.order.places(&self.priors);
        for (which, child) in self.children.iter().enumerate() {
            tree.edge(block + 1 + places[which]).init(
                G::pack(child.mv),
                self.priors[which],
                self.values[which],
                child.margin,
                child.bounds,
            );
        }
        Some(block)
    }
}

/// Tells the compiler that what comes after it is rare.
#[cold]
#[inline(never)]
fn cold() {}
