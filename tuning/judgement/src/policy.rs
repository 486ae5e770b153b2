//! Conditional logit of the moves that the search chose among all moves of a
//! position (McFadden 1974), on the features of the positions they lead to.

use agros::evaluation::features::{FEATURES, Features};
use agros::evaluation::features_of;
use agros::evaluation::weights::between;
use agros::on_size;
use agros::rules::{BoardSize, Move, Side, State};

use super::fit::{Pull, newton, spread, stage_of};
use super::games::Game;
use super::linear::Normal;

/// One in so many searched positions is fitted to: their moves are many.
const TAKEN: usize = 4;
/// Newton's steps; the loss is convex.
const STEPS: usize = 10;

/// A position with the move that was chosen in it.
pub(crate) struct Choice {
    /// The features after each move, in favour of the side that moves.
    moves: Vec<Features>,
    chosen: usize,
    knot: usize,
    share: f32,
}

impl Choice {
    fn of<S: BoardSize>(state: &State<S>, mv: Move) -> Option<Choice> {
        let legal = state.legal_moves();
        let chosen = legal.iter().position(|&other| other == mv)?;
        let sign = if state.side() == Side::Light {
            1.0
        } else {
            -1.0
        };
        let features = |mv: &Move| {
            let mut child = *state;
            child.make(*mv);
            features_of(&child).map(|feature| sign * feature)
        };
        let (knot, share) = between(stage_of(state));
        Some(Choice {
            moves: legal.iter().map(features).collect(),
            chosen,
            knot,
            share,
        })
    }

    /// Each move's share under these weights.
    fn shares(&self, weights: &[f64]) -> Vec<f64> {
        let at = |i: usize| {
            let share = f64::from(self.share);
            let start = self.knot * FEATURES + i;
            weights[start] * (1.0 - share) + weights[start + FEATURES] * share
        };
        let weights: [f64; FEATURES] = std::array::from_fn(at);
        let score = |features: &Features| -> f64 {
            let products = features.iter().zip(weights);
            products.map(|(&f, weight)| f64::from(f) * weight).sum()
        };
        let scores: Vec<f64> = self.moves.iter().map(score).collect();
        let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let shares: Vec<f64> = scores.iter().map(|s| (s - greatest).exp()).collect();
        let total: f64 = shares.iter().sum();
        shares.iter().map(|share| share / total).collect()
    }

    /// Adds the slope and the curvature of the loss at these weights.
    fn add_to(&self, normal: &mut Normal, weights: &[f64], x: &mut Vec<(usize, f64)>) {
        let shares = self.shares(weights);
        let mut mean = [0.0; FEATURES];
        for (features, share) in self.moves.iter().zip(&shares) {
            for (mean, &feature) in mean.iter_mut().zip(features) {
                *mean += share * f64::from(feature);
            }
        }
        for (number, (features, &share)) in self.moves.iter().zip(&shares).enumerate() {
            let chosen = f64::from(u8::from(number == self.chosen));
            if share < 1e-4 && chosen == 0.0 {
                continue;
            }
            let apart = std::array::from_fn(|i| (f64::from(features[i]) - mean[i]) as f32);
            spread(&apart, self.knot, self.share, x);
            normal.add(x, share, chosen);
        }
    }
}

/// The choices of a game's searches; forced moves tell nothing.
pub(crate) fn choices_of(
    game: &Game,
    number: usize,
    choices: &mut Vec<Choice>,
) -> Result<(), String> {
    game.each_searched(|ply, position, mv, _| {
        if (ply + number).is_multiple_of(TAKEN) {
            let choice = on_size!(position.state(), s => Choice::of(s, mv));
            choices.extend(choice.filter(|choice| choice.moves.len() > 1));
        }
    })
}

/// The log scale of each move's likelihood, by the log loss of the chosen ones.
pub(crate) fn fit(choices: &[Choice], pull: &Pull) -> Vec<f64> {
    let mut x = Vec::new();
    newton(STEPS, pull, |normal, weights| {
        for choice in choices {
            choice.add_to(normal, weights, &mut x);
        }
    })
}

/// Prints how well the weights foretell held-back choices.
pub(crate) fn tell_loss(weights: &[f64], choices: &[Choice]) {
    let (mut loss, mut first) = (0.0, 0u32);
    for choice in choices {
        let shares = choice.shares(weights);
        let chosen = shares[choice.chosen];
        loss -= chosen.max(1e-9).ln();
        first += u32::from(shares.iter().all(|&share| share <= chosen));
    }
    let count = choices.len().max(1) as f64;
    println!(
        "policy: {} positions, log loss {:.4}, first choice in {:.1} %",
        choices.len(),
        loss / count,
        100.0 * f64::from(first) / count
    );
}
