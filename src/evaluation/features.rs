//! From counts to the numbers that the weights multiply.

use super::survey::Survey;
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
    "next_harvests",
    "centre",
    "crops",
    "half",
    "tempo",
    "passed",
    "strong_tempo",
    "next_sowings",
];

/// The features of one position.
pub type Features = [f32; FEATURES];

/// Scales that make boards of all sizes alike (counts of cells are taken for
/// a board of 100 cells) and features of about the same size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    points: f32,
    /// By the side whose counts come first in the differences.
    counts: [Features; 2],
}

impl Scale {
    pub(super) fn of<S: BoardSize>() -> Scale {
        let area = 100.0 / (f32::from(S::SIZE) * f32::from(S::SIZE));
        let counts = |sign: f32| {
            let cells = sign * area;
            let quarter = sign * 0.25;
            let differences = [
                0.1 * cells,
                0.1 * cells,
                quarter,
                0.25 * cells,
                quarter,
                quarter,
                quarter,
                quarter,
                quarter,
            ];
            let mut scale = [1.0; FEATURES];
            scale[14] = 0.05;
            scale[15] = quarter;
            scale[2..11].copy_from_slice(&differences);
            scale
        };
        Scale {
            points: 0.5 * area,
            counts: [counts(1.0), counts(-1.0)],
        }
    }
}

/// Whose turn it is and whether the other has just passed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// 1 if it is Light's turn, -1 if it is Dark's.
    tempo: i16,
    /// 1 if Light has just passed, -1 if Dark has.
    passed: i16,
}

impl Turn {
    fn new(side: Side, passes: u8) -> Turn {
        let tempo = if side == Side::Light { 1 } else { -1 };
        // Of two passes the first was made by the side to move.
        Turn {
            tempo,
            passed: if passes == 1 { -tempo } else { 0 },
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

/// A surveyed position in whole numbers, feature by feature: one vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counts {
    by_feature: [i16; FEATURES],
    /// The side whose counts come first in the differences.
    side: Side,
    /// Light's score minus Dark's in half points.
    pub(super) margin: i16,
    pub(super) empties: u16,
}

impl Counts {
    #[inline(always)]
    pub(super) fn of(survey: &Survey, turn: Turn) -> Counts {
        let Survey { own, other, .. } = survey;
        let difference = |own: u16, other: u16| own.wrapping_sub(other).cast_signed();
        let margin = survey.margin as i16;
        let harvests = own.harvests.wrapping_add(other.harvests).cast_signed();
        Counts {
            by_feature: [
                0,
                0,
                difference(own.reach, other.reach),
                difference(own.controlled, other.controlled),
                difference(own.beside, other.beside),
                difference(own.seeds, other.seeds),
                difference(own.harvests, other.harvests),
                difference(own.sowings, other.sowings),
                difference(own.next_harvests, other.next_harvests),
                difference(own.centre, other.centre),
                difference(own.crops, other.crops),
                (margin & 1) * margin.signum(),
                turn.tempo,
                turn.passed,
                turn.tempo.wrapping_mul(harvests),
                difference(own.next_sowings, other.next_sowings),
            ],
            side: survey.side,
            margin,
            empties: survey.empties,
        }
    }

    /// The features.
    #[inline(always)]
    pub(super) fn features(&self, scale: &Scale) -> Features {
        let counts = &scale.counts[self.side.index()];
        let mut features = [0.0; FEATURES];
        for (i, feature) in features.iter_mut().enumerate() {
            *feature = f32::from(self.by_feature[i]) * counts[i];
        }
        let points = f32::from(self.margin) * scale.points;
        features[0] = points / (10.0 + points.abs() * 0.1);
        features[1] = points / (points.abs() + 4.0);
        features
    }
}
