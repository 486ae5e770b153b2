//! From counts to the numbers that the weights multiply.

use super::survey::Survey;
use crate::rules::{BoardSize, Side};

/// The number of features, a multiple of what a vector register holds.
pub const FEATURES: usize = 16;

macro_rules! features {
    ($($number:literal $feature:ident $name:literal, $about:literal;)*) => {
        /// The features' names, in order. All are Light's minus Dark's.
        pub const NAMES: [&str; FEATURES] = [$($name,)*];

        /// The features' numbers.
        pub mod feature {
            $(#[doc = $about] pub const $feature: usize = $number;)*
        }
    };
}

features! {
    0 MARGIN "margin", "The score as things stand, in half points.";
    1 AHEAD "ahead", "The same, bent sooner.";
    2 REACH "reach", "Empty cells in fields beside the side's farmers.";
    3 CONTROLLED "controlled", "Empty cells in fields that it controls.";
    4 BESIDE "beside", "Empty cells that are horizontal or vertical neighbours of its farmers.";
    5 SEEDS "seeds", "Its seeds that lie on the board alone.";
    6 HARVESTS "harvests", "Harvest moves, as if it were its turn.";
    7 SOWINGS "sowings", "Sowing moves, as if it were its turn.";
    8 NEXT_HARVESTS "next_harvests", "Harvests it would have with every crop one greater.";
    9 CENTRE "centre", "Sum of its farmers' distances from the board's edge.";
    10 CROPS "crops", "Sum of its crops.";
    11 HALF "half", "1 for the side that is ahead, where somebody has the half point.";
    12 TEMPO "tempo", "1 for the side to move.";
    13 PASSED "passed", "1 for the side that has just passed.";
    14 STRONG_TEMPO "strong_tempo", "The harvests of both sides, for the side to move.";
    15 NEXT_SOWINGS "next_sowings", "Sowings it would have with every crop one greater.";
}

/// The features of one position.
pub type Features = [f32; FEATURES];

/// Scales that make boards of all sizes alike (counts of cells are taken for
/// a board of 100 cells) and features of about the same size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// By the side whose counts come first in the differences.
    counts: [Features; 2],
}

/// A scaled count `x` becomes `x / (LEVEL + |x| × BEND)`: the margin is bent,
/// all else stays as it is.
pub(super) const LEVEL: Features = {
    let mut level = [1.0; FEATURES];
    level[feature::MARGIN] = 10.0;
    level[feature::AHEAD] = 4.0;
    level
};
pub(super) const BEND: Features = {
    let mut bend = [0.0; FEATURES];
    bend[feature::MARGIN] = 0.1;
    bend[feature::AHEAD] = 1.0;
    bend
};

impl Scale {
    pub(super) fn of<S: BoardSize>() -> Scale {
        let area = 100.0 / (f32::from(S::SIZE) * f32::from(S::SIZE));
        let counts = |sign: f32| {
            let cells = sign * area;
            let quarter = sign * 0.25;
            let points = 0.5 * area;
            [
                points,
                points,
                0.1 * cells,
                0.1 * cells,
                quarter,
                0.25 * cells,
                quarter,
                quarter,
                quarter,
                quarter,
                quarter,
                1.0,
                1.0,
                1.0,
                0.05,
                quarter,
            ]
        };
        Scale {
            counts: [counts(1.0), counts(-1.0)],
        }
    }

    /// The features of a surveyed position.
    pub(super) fn features(&self, survey: &Survey) -> Features {
        scaled(&survey.counts, self.of_counts(survey.side))
    }

    /// The scale of counts that are the lead of `side`.
    #[inline(always)]
    pub(super) fn of_counts(&self, side: Side) -> &Features {
        &self.counts[side.index()]
    }
}

/// Counts made features.
///
/// A function of its own, and the same for all of them, so that the compiler
/// makes vectors of them.
#[inline(never)]
pub(super) fn scaled(counts: &[i16; FEATURES], scale: &Features) -> Features {
    std::array::from_fn(|i| {
        let scaled = f32::from(counts[i]) * scale[i];
        scaled / (LEVEL[i] + scaled.abs() * BEND[i])
    })
}
