//! Weights by stage of the game, and their interpolation.

use super::features::{FEATURES, Features};
use super::table::of_farmers;
use crate::rules::BoardSize;

/// The stages for which weights are fitted: shares of empty cells in the
/// moving stage (1 = all cells but the farmers'), then the placement's end
/// and its beginning.
pub const STAGES: [f32; 11] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.01, 2.0];

/// Weights of the log odds of winning, of the expected margin and of how likely
/// a move is to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Log odds that Light wins, a unit of each feature.
    pub winning: Features,
    /// Points of the final margin, a unit of each feature.
    pub margin: Features,
    /// Log scale of how likely a side is to make the move that leads here, a
    /// unit of each feature in its favour. Only differences between the moves
    /// of one position tell anything.
    pub policy: Features,
}

/// A row of weights for each stage.
pub type Table = [Weights; STAGES.len()];

impl Weights {
    /// A blend: all of `self` at 0, all of `other` at 1.
    pub(super) fn blend(&self, other: &Weights, share: f32) -> Weights {
        let mix = |a: &Features, b: &Features| {
            std::array::from_fn(|i| a[i] * (1.0 - share) + b[i] * share)
        };
        Weights {
            winning: mix(&self.winning, &other.winning),
            margin: mix(&self.margin, &other.margin),
            policy: mix(&self.policy, &other.policy),
        }
    }
}

/// Reads a table from the text of a fitted one (`table/`): the numbers in
/// each row's three pairs of brackets.
///
/// # Errors
/// Where rows or numbers are missing, too many, or not finite.
pub fn read(text: &str) -> Result<Box<Table>, String> {
    let lists = |name: &str| -> Result<Vec<Features>, String> {
        text.split(name).skip(1).map(read_list).collect()
    };
    let lists = (
        lists("winning: [")?,
        lists("margin: [")?,
        lists("policy: [")?,
    );
    let rows = lists.0.into_iter().zip(lists.1).zip(lists.2);
    let rows = rows.map(|((winning, margin), policy)| Weights {
        winning,
        margin,
        policy,
    });
    let rows: Box<[Weights]> = rows.collect();
    let count = rows.len();
    rows.try_into()
        .map_err(|_| format!("{count} rows of weights, not {}", STAGES.len()))
}

fn read_list(text: &str) -> Result<Features, String> {
    let inside = text.split(']').next().unwrap_or_default();
    let numbers: Vec<f32> = inside
        .split(',')
        .filter_map(|number| number.trim().parse().ok().filter(|n: &f32| n.is_finite()))
        .collect();
    let count = numbers.len();
    numbers
        .try_into()
        .map_err(|_| format!("{count} numbers in a row of weights, not {FEATURES}"))
}

/// Where a position stands between the game's stages; see [`STAGES`].
pub fn stage<S: BoardSize>(empties: u32, farmers: u8, placing: bool) -> f32 {
    let cells = u32::from(S::SIZE) * u32::from(S::SIZE);
    let all = 2 * u32::from(farmers);
    if placing {
        let placed = cells - empties;
        2.0 - 0.99 * placed as f32 / all as f32
    } else {
        empties as f32 / (cells - all).max(1) as f32
    }
}

/// The two stages around a stage, and how far it lies towards the second.
pub fn between(stage: f32) -> (usize, f32) {
    let above = STAGES
        .iter()
        .position(|&knot| stage <= knot)
        .unwrap_or(STAGES.len() - 1)
        .max(1);
    let (low, high) = (STAGES[above - 1], STAGES[above]);
    (above - 1, ((stage - low) / (high - low)).clamp(0.0, 1.0))
}

/// The weights of one game for every number of empty cells.
#[derive(Clone, Debug)]
pub(super) struct Staged {
    by_empties: Vec<Weights>,
}

impl Staged {
    /// The fitted weights for a board and a number of farmers.
    pub(super) fn fitted<S: BoardSize>(farmers: u8) -> Staged {
        Staged::from_table::<S>(&of_farmers(farmers), farmers)
    }

    /// Weights from a table with a row for each stage.
    pub(super) fn from_table<S: BoardSize>(table: &Table, farmers: u8) -> Staged {
        let cells = u32::from(S::SIZE) * u32::from(S::SIZE);
        let placed = cells - 2 * u32::from(farmers);
        let weights = |empties: u32| {
            let (knot, share) = between(stage::<S>(empties, farmers, empties > placed));
            table[knot].blend(&table[knot + 1], share)
        };
        Staged {
            by_empties: (0..=cells).map(weights).collect(),
        }
    }

    /// The weights for a position with so many empty cells.
    #[inline(always)]
    pub(super) fn at(&self, empties: u16) -> &Weights {
        &self.by_empties[usize::from(empties).min(self.by_empties.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::{Size3, Size10, Size12};

    #[test]
    fn stages_run_from_the_first_placement_to_a_full_board() {
        assert_eq!(stage::<Size10>(100, 5, true), 2.0);
        assert_eq!(stage::<Size10>(90, 5, false), 1.0);
        assert_eq!(stage::<Size12>(0, 7, false), 0.0);
        assert_eq!(between(0.0), (0, 0.0));
        assert_eq!(between(2.0), (STAGES.len() - 2, 1.0));
        assert!((0..=9).all(|empties| between(stage::<Size3>(empties, 4, empties > 1)).1 <= 1.0));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        assert!(read("").is_err() && read("winning: [1, 2] margin: [nan]").is_err());
    }

    #[test]
    fn fitted_weights_are_finite() {
        for weights in &Staged::fitted::<Size10>(5).by_empties {
            assert!(
                weights
                    .winning
                    .iter()
                    .chain(&weights.margin)
                    .chain(&weights.policy)
                    .all(|w| w.is_finite())
            );
        }
    }
}
