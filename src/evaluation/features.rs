//! From counts to the numbers that the weights multiply.

use super::survey::{SideSurvey, Survey};
use crate::rules::{BoardSize, Side, State};

/// The number of features, a multiple of what a vector register holds.
pub const FEATURES: usize = 16;

/// The features' names, in order. All are Light's minus Dark's.
pub const NAMES: [&str; FEATURES] = [
    "margin",
    "ahead",
    "reach",
    "controlled",
    "beside",
    "seeds",
    "harvests",
    "sowings",
    "movable",
    "centre",
    "crops",
    "half",
    "tempo",
    "passed",
    "strong_tempo",
    "spare",
];

/// The features of one position.
pub type Features = [f32; FEATURES];

/// Scales that make boards of all sizes alike: counts of cells are taken for
/// a board of 100 cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    area: f32,
}

impl Scale {
    pub(super) fn of<S: BoardSize>() -> Scale {
        Scale {
            area: 100.0 / (f32::from(S::SIZE) * f32::from(S::SIZE)),
        }
    }
}

/// Whose turn it is and whether the other has just passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    tempo: f32,
    passed: f32,
}

impl Turn {
    fn new(side: Side, passes: u8) -> Turn {
        let tempo = if side == Side::Light { 1.0 } else { -1.0 };
        // Of two passes the first was made by the side to move.
        Turn {
            tempo,
            passed: if passes == 1 { -tempo } else { 0.0 },
        }
    }

    pub(super) fn of<S: BoardSize>(state: &State<S>) -> Turn {
        Turn::new(state.side(), state.passes())
    }

    /// Whose turn it is after a pass.
    pub(super) fn after_pass<S: BoardSize>(state: &State<S>) -> Turn {
        Turn::new(state.side().other(), state.passes() + 1)
    }

    /// Whose turn it is after any other move.
    pub(super) fn after_action<S: BoardSize>(state: &State<S>) -> Turn {
        Turn::new(state.side_after_action(), 0)
    }
}

/// The features of a surveyed position.
pub(super) fn features(survey: &Survey, turn: Turn, scale: Scale) -> Features {
    let difference = |count: fn(&SideSurvey) -> u16| {
        f32::from(count(&survey.sides[0])) - f32::from(count(&survey.sides[1]))
    };
    let points = survey.margin as f32 * 0.5 * scale.area;
    let half = survey.margin & 1;
    [
        points / (10.0 + points.abs() * 0.1),
        points / (points.abs() + 4.0),
        difference(|side| side.reach) * scale.area * 0.1,
        difference(|side| side.controlled) * scale.area * 0.1,
        difference(|side| side.beside) * 0.25,
        difference(|side| side.seeds) * scale.area * 0.25,
        difference(|side| side.harvests) * 0.25,
        difference(|side| side.sowings) * 0.25,
        difference(|side| side.movable),
        difference(|side| side.centre) * 0.25,
        difference(|side| side.crops) * 0.25,
        half as f32 * if survey.margin > 0 { 1.0 } else { -1.0 },
        turn.tempo,
        turn.passed,
        turn.tempo * f32::from(survey.sides[0].harvests + survey.sides[1].harvests) * 0.05,
        0.0,
    ]
}
