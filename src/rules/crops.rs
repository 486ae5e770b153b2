//! What crops weigh, so that comparing sums compares lists of crops.

use super::fields::CropList;
use super::geometry::{BoardSize, MAX_FARMERS, Side};
use super::pair::Floats;
use super::state::State;
use super::subset_sums::{power, powers, subset_sums};
use super::worth::Worth;

/// A set of farmers: bit 7 × side + slot.
pub(super) type Farmers = u32;

/// A farmer's number in [`Farmers`].
#[inline(always)]
pub(super) const fn number(side: Side, slot: usize) -> usize {
    MAX_FARMERS as usize * side.index() + slot
}

/// The set of one farmer.
#[inline(always)]
pub(super) const fn farmer(side: Side, slot: usize) -> Farmers {
    1 << number(side, slot)
}

/// The weights of crops of both sides.
///
/// A crop weighs twice 16 to its power, so that sums of up to 15 crops compare
/// as the lists do, tallest first, and tell the tallest by their exponent
/// alone. All of them are whole and below 2^53: no sum is rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights(Floats);

impl Weights {
    /// Those of no crops.
    pub(super) const NONE: Weights = Weights(Floats::of([0.0; 2]));

    /// That of one crop, 1 to 12, of a side.
    #[inline(always)]
    pub(super) fn of(side: Side, crop: u8) -> Weights {
        static ALL: [[Weights; 16]; 2] = {
            let mut all = [[Weights::NONE; 16]; 2];
            let mut crop = 1;
            while crop < 16 {
                let weight = power(crop as u8);
                all[0][crop] = Weights(Floats::of([weight, 0.0]));
                all[1][crop] = Weights(Floats::of([0.0, weight]));
                crop += 1;
            }
            all
        };
        ALL[side.index()][usize::from(crop & 15)]
    }

    #[inline(always)]
    pub(super) fn with(self, more: Weights) -> Weights {
        Weights(self.0.plus(more.0))
    }

    /// What is taken away must be among them.
    #[inline(always)]
    pub(super) fn without(self, less: Weights) -> Weights {
        Weights(self.0.minus(less.0))
    }

    /// The worth of a field of `count` cells beside which crops of these
    /// weights stand.
    #[inline(always)]
    pub(super) fn worth(self, count: u32) -> Worth {
        Worth::of(self.0.worth()).times(count)
    }

    /// Who is ahead: 1 Light, -1 Dark, 0 nobody.
    #[inline(always)]
    pub(super) fn lead(self) -> i32 {
        let greater = self.0.greater().cast_signed();
        (greater & 1) - (greater >> 1)
    }

    /// The crops themselves, Light's and Dark's.
    pub(super) fn lists(self) -> [CropList; 2] {
        self.0.numbers().map(|sum| CropList((sum / 2.0) as u64))
    }
}

/// The weights of all farmers' crops, summed over every set of them: what turns
/// the farmers beside a field into its worth with a few loads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crops {
    /// By side and slot.
    weights: [[f64; 8]; 2],
    /// By side, sums over the subsets of slots 0 to 4.
    low: [[f64; 32]; 2],
    /// The same of slots 5 and 6.
    high: [[f64; 4]; 2],
}

/// The farmers in slots 0 to 4.
const LOW: Farmers = 31 << number(Side::Light, 0) | 31 << number(Side::Dark, 0);

impl Crops {
    /// No farmers.
    pub(super) const NONE: Crops = Crops {
        weights: [[0.0; 8]; 2],
        low: [[0.0; 32]; 2],
        high: [[0.0; 4]; 2],
    };

    /// The crops of a state.
    #[inline(always)]
    pub(super) fn of<S: BoardSize>(state: &State<S>) -> Crops {
        let weights = Side::BOTH.map(|side| {
            // A farmer not placed has crop 0 and weighs nothing.
            let [a, b, c, d, e, f, g] = state.crops(side);
            powers([a, b, c, d, e, f, g, 0])
        });
        let [(low, high), (low_dark, high_dark)] = weights.each_ref().map(subset_sums);
        Crops {
            weights,
            low: [low, low_dark],
            high: [high, high_dark],
        }
    }

    /// Gives the farmer in a slot another crop.
    #[inline(always)]
    pub(super) fn set(&mut self, side: Side, slot: usize, crop: u8) {
        let of = side.index();
        self.weights[of][slot & 7] = power(crop);
        (self.low[of], self.high[of]) = subset_sums(&self.weights[of]);
    }

    /// The weights of the farmers in a set.
    #[inline(always)]
    pub(super) fn sum(&self, set: Farmers) -> Weights {
        if set & !LOW != 0 {
            return self.sum_of_any(set);
        }
        let [light, dark] = Side::BOTH.map(|side| (set >> number(side, 0)) as usize & 31);
        Weights(Floats::of([self.low[0][light], self.low[1][dark]]))
    }

    /// The same where there may be farmers in slots 5 and 6.
    #[inline(always)]
    fn sum_of_any(&self, set: Farmers) -> Weights {
        let sets = Side::BOTH.map(|side| (set >> number(side, 0)) as usize);
        let low = |side: usize| self.low[side][sets[side] & 31];
        let high = |side: usize| self.high[side][sets[side] >> 5 & 3];
        let [low, high] = [[low(0), low(1)], [high(0), high(1)]].map(Floats::of);
        Weights(low.plus(high))
    }

    /// The weights of all farmers.
    #[inline(always)]
    pub(super) fn all(&self) -> Weights {
        let [low, high] = [self.low.map(|sums| sums[31]), self.high.map(|sums| sums[3])];
        Weights(Floats::of(low).plus(Floats::of(high)))
    }
}
