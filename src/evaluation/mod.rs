//! The judgement of a position: who will win, and by how much.
//!
//! [`survey`] counts both sides out; [`features`] turns the counts into
//! numbers that mean the same on every board; [`weights`] multiplies them, with
//! weights that depend on the stage of the game and were fitted to the results
//! of the engine's own games ([`table`], made by the package in `tuning/`).
//! Everything is linear in the log odds and uses no function of the platform's
//! mathematics library, so that a judgement has the same bits everywhere.

pub mod features;
pub mod survey;
mod table;
pub mod weights;

use crate::rules::{BoardSize, Move, State};
use features::{Features, Scale, Turn, features};
use survey::Survey;
use weights::{STAGES, Staged, Weights};

/// Which judgement to use.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Judgement {
    /// The fitted one.
    #[default]
    Fitted,
    /// The present margin alone, as a measure of what judgement is worth.
    PresentMargin,
    /// Weights under trial.
    Trial(Box<[Weights; STAGES.len()]>),
}

/// A judge of positions on one board with one number of farmers.
#[derive(Clone, Debug)]
pub struct Judge {
    scale: Scale,
    weights: Option<Staged>,
}

impl Judge {
    /// A judge for a board and a number of farmers a side.
    pub fn new<S: BoardSize>(farmers: u8, judgement: &Judgement) -> Judge {
        let weights = match judgement {
            Judgement::Fitted => Some(Staged::fitted::<S>(farmers)),
            Judgement::Trial(table) => Some(Staged::from_table::<S>(table, farmers)),
            Judgement::PresentMargin => None,
        };
        Judge {
            scale: Scale::of::<S>(),
            weights,
        }
    }

    /// Judges the position after every legal move of an unfinished state.
    #[inline]
    pub fn each_child<S: BoardSize>(&self, state: &State<S>, mut visit: impl FnMut(Move, Judged)) {
        let (pass, other) = (Turn::after_pass(state), Turn::after_action(state));
        Survey::each_child(state, |mv, survey| {
            let turn = if mv == Move::Pass { pass } else { other };
            visit(mv, self.judge(turn, survey));
        });
    }

    /// Judges a surveyed position.
    #[inline(always)]
    fn judge(&self, turn: Turn, survey: &Survey) -> Judged {
        let (logit, expected) = match &self.weights {
            Some(staged) => {
                let features = features(survey, turn, self.scale);
                weights::judge(staged.at(survey.empties), &features)
            }
            None => (survey.margin as f32 * 0.05, survey.margin as f32),
        };
        Judged {
            logit,
            expected,
            margin: survey.margin,
        }
    }
}

/// A judged position; everything is Light's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// Log odds that Light wins.
    pub logit: f32,
    /// The expected final margin in half points.
    pub expected: f32,
    /// The margin as things stand, in half points.
    pub margin: i32,
}

/// The features of a position, as the fitting needs them.
pub fn features_of<S: BoardSize>(state: &State<S>) -> Features {
    features(&Survey::of(state), Turn::of(state), Scale::of::<S>())
}
