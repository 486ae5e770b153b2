//! The judgement of a position: who will win, and by how much.
//!
//! [`survey`] counts both sides out, from the `ground` up, in `rows`;
//! [`features`] turns the counts into numbers that mean the same on every board;
//! [`weights`] multiplies them, with weights that depend on the stage of the game
//! and were fitted to the results of the engine's own games ([`table`], made by
//! the package in `tuning/`).
//! The same numbers, with weights of their own, tell how likely each move is to
//! be played after a search. Everything is linear in the log odds and uses no
//! function of the platform's mathematics library, so that a judgement has the
//! same bits everywhere.

pub mod features;
mod ground;
mod rows;
mod sums;
pub mod survey;
mod table;
pub mod weights;

use crate::rules::word::Word;
use crate::rules::{BoardSize, Move, State};
use features::{Features, Scale};
use sums::sums;
use survey::{Survey, Surveys};
use weights::{Staged, Table};

/// Which judgement to use.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Judgement {
    /// The fitted one.
    #[default]
    Fitted,
    /// The present margin alone, as a measure of what judgement is worth.
    PresentMargin,
    /// Weights under trial.
    Trial(Box<Table>),
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
        self.children(state, &mut Surveys::new())
            .for_each(|(mv, judged)| visit(mv, judged));
    }

    /// The same as an iterator; `surveys` is what it goes over.
    #[inline(always)]
    pub(crate) fn children<'j, S: BoardSize>(
        &'j self,
        state: &State<S>,
        surveys: &'j mut Surveys,
    ) -> impl ExactSizeIterator<Item = (Move, Judged)> + 'j {
        let here = state.empty_cells().count() as u16;
        // Counted first and judged then: each is a loop with its data at hand.
        surveys.clear();
        Survey::of_children(state, surveys);
        let surveys = surveys.as_slice();
        surveys
            .iter()
            .map(move |(mv, survey)| (*mv, self.judge(survey, here)))
    }

    /// Judges a counted position, reached from one with `before` empty cells.
    #[inline(always)]
    fn judge(&self, survey: &Survey, before: u16) -> Judged {
        let margin = f32::from(survey.margin());
        let (logit, expected, policy) = match &self.weights {
            Some(staged) => {
                let weights = staged.at(survey.empties);
                // Moves compete with each other: the same weights for all.
                let policy = &staged.at(before).policy;
                let [winning, expected, policy] = sums(
                    &survey.counts,
                    self.scale.of_counts(survey.side),
                    [&weights.winning, &weights.margin, policy],
                );
                (
                    winning.clamp(-12.0, 12.0),
                    (2.0 * expected).clamp(-4000.0, 4000.0),
                    policy,
                )
            }
            None => (margin * 0.05, margin, margin * 0.05),
        };
        Judged {
            logit,
            expected,
            policy,
            margin: i32::from(survey.margin()),
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
    /// How likely a move to this position is among its rivals, on a log scale:
    /// Light's moves; the negative for Dark's.
    pub policy: f32,
    /// The margin as things stand, in half points.
    pub margin: i32,
}

/// The features of a position, as the fitting needs them.
pub fn features_of<S: BoardSize>(state: &State<S>) -> Features {
    Scale::of::<S>().features(&Survey::of(state))
}
