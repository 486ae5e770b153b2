//! What fields are worth to each side, packed so that whole positions add up
//! field by field in one addition.

use super::arch::{powers, subset_sums};
use super::fields::HalfPoints;
use super::geometry::{BoardSize, MAX_FARMERS, Side};
use super::state::State;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Points, reach and control of both sides, summed over fields.
///
/// 32 bits a side, Light's low: points in 16 bits (at most 144 × 12), reach in
/// 8 and controlled cells in 8 (at most 143 each), so that no part overflows
/// into the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Worth(u64);

impl Worth {
    /// Nothing.
    pub(super) const NONE: Worth = Worth(0);

    /// Each cell of a field beside which a side's crops weigh `own` and its
    /// opponent's `other`.
    #[inline(always)]
    fn of_cell(side: Side, own: u64, other: u64) -> Worth {
        let won = u64::from(tallest(own.max(other)) | 1 << 24);
        let half = |wins: bool, reaches: bool| {
            let controlled = if wins { won } else { 0 };
            controlled | u64::from(reaches) << 16
        };
        let halves = half(own > other, own != 0) | half(other > own, other != 0) << 32;
        Worth(halves.rotate_left(32 * side.index() as u32))
    }

    /// So many cells, each worth this.
    #[inline(always)]
    fn times(self, count: u32) -> Worth {
        Worth(self.0 * u64::from(count))
    }

    /// The points alone of a field of `count` cells, Light's and Dark's.
    #[inline(always)]
    pub(super) fn points_of_field(count: u32, [light, dark]: [u64; 2]) -> [u32; 2] {
        let value = count * tallest(light.max(dark));
        [
            if light > dark { value } else { 0 },
            if dark > light { value } else { 0 },
        ]
    }

    /// All in one number, as the type's description has it.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    const fn half(self, side: Side) -> u32 {
        (self.0 >> (32 * side.index())) as u32
    }

    /// Points from fields, without the half point.
    #[inline(always)]
    #[must_use]
    pub const fn points(self, side: Side) -> u32 {
        self.half(side) & 0xffff
    }

    /// Empty cells in fields next to the side's farmers.
    #[inline(always)]
    #[must_use]
    pub const fn reach(self, side: Side) -> u32 {
        self.half(side) >> 16 & 0xff
    }

    /// Empty cells in fields that the side controls.
    #[inline(always)]
    #[must_use]
    pub const fn control(self, side: Side) -> u32 {
        self.half(side) >> 24
    }
}

impl Add for Worth {
    type Output = Worth;

    #[inline(always)]
    fn add(self, other: Worth) -> Worth {
        Worth(self.0.wrapping_add(other.0))
    }
}

impl Sub for Worth {
    type Output = Worth;

    /// What is subtracted must have been added before.
    #[inline(always)]
    fn sub(self, other: Worth) -> Worth {
        Worth(self.0.wrapping_sub(other.0))
    }
}

impl AddAssign for Worth {
    #[inline(always)]
    fn add_assign(&mut self, other: Worth) {
        *self = *self + other;
    }
}

impl SubAssign for Worth {
    #[inline(always)]
    fn sub_assign(&mut self, other: Worth) {
        *self = *self - other;
    }
}

/// A set of farmers: bit 7 × side + slot.
pub type Farmers = u16;

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

/// The weight of a crop: 16 to its power, so that sums of up to 15 crops
/// compare as the lists do, tallest first.
#[inline(always)]
pub(super) const fn weight(crop: u8) -> u64 {
    1 << (4 * crop as u32)
}

/// The tallest crop of a sum of weights; 0 of none.
#[inline(always)]
const fn tallest(sum: u64) -> u32 {
    // `|1` keeps an empty list at height 0 instead of undefined.
    (63 - (sum | 1).leading_zeros()) / 4
}

/// The crops of all farmers, summed over every set of them: what turns the
/// farmers beside a field into its worth with a few loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Crops {
    /// By side, of slots 0 to 3 and 4 to 7.
    weights: [[[u64; 4]; 2]; 2],
    /// Sums over the subsets of those slots.
    sums: [[[[u64; 4]; 4]; 2]; 2],
}

impl Crops {
    /// No farmers.
    pub(super) const NONE: Crops = Crops {
        weights: [[[0; 4]; 2]; 2],
        sums: [[[[0; 4]; 4]; 2]; 2],
    };

    /// The crops of a state.
    #[inline(always)]
    pub(super) fn of<S: BoardSize>(state: &State<S>) -> Crops {
        let weights = Side::BOTH.map(|side| {
            // A farmer not placed has crop 0 and weighs nothing.
            let [a, b, c, d, e, f, g] = state.crops(side);
            [powers([a, b, c, d]), powers([e, f, g, 0])]
        });
        let sums = weights.map(|halves| halves.map(|weights| subset_sums(&weights)));
        Crops { weights, sums }
    }

    /// Gives the farmer in a slot another crop.
    #[inline(always)]
    pub(super) fn set(&mut self, side: Side, slot: usize, crop: u8) {
        let (half, slot) = ((slot / 4) & 1, slot % 4);
        let weights = &mut self.weights[side.index()][half];
        weights[slot] = weight(crop);
        self.sums[side.index()][half] = subset_sums(weights);
    }

    /// The crops of the side's farmers in a set, as a sum of weights.
    #[inline(always)]
    pub(super) fn sum(&self, side: Side, set: Farmers) -> u64 {
        let set = usize::from(set >> number(side, 0));
        let [low, high] = &self.sums[side.index()];
        low.as_flattened()[set & 15] + high.as_flattened()[set >> 4 & 7]
    }

    /// The crops of each side's farmers in a set.
    #[inline(always)]
    pub(super) fn sums(&self, set: Farmers) -> [u64; 2] {
        Side::BOTH.map(|side| self.sum(side, set))
    }

    /// The worth of a field of `count` cells beside which these farmers stand.
    #[inline(always)]
    pub(super) fn worth(&self, count: u32, beside: Farmers) -> Worth {
        self.worth_with(count, beside, Side::Light, 0)
    }

    /// The same with one more farmer of `side` of this weight, or of none.
    #[inline(always)]
    pub(super) fn worth_with(&self, count: u32, beside: Farmers, side: Side, more: u64) -> Worth {
        let own = self.sum(side, beside) + more;
        let other = self.sum(side.other(), beside);
        Worth::of_cell(side, own, other).times(count)
    }

    /// Who has the half point: 1 Light, -1 Dark, 0 nobody.
    #[inline(always)]
    pub(super) fn lead(&self) -> i32 {
        let [light, dark] = self.sums(Farmers::MAX);
        lead(Side::Light, light, dark)
    }
}

/// Who has the half point where all crops of a side weigh `own` and those of
/// its opponent `other`: 1 Light, -1 Dark, 0 nobody.
#[inline(always)]
pub(super) fn lead(side: Side, own: u64, other: u64) -> i32 {
    let ahead = i32::from(own > other) - i32::from(other > own);
    match side {
        Side::Light => ahead,
        Side::Dark => -ahead,
    }
}

/// How a position stands: its fields' worth and its margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standing {
    /// What the fields are worth to each side.
    pub worth: Worth,
    /// Who has the half point: 1 Light, -1 Dark, 0 nobody.
    pub lead: i32,
}

impl Standing {
    /// Light's points minus Dark's, the half point included.
    #[inline(always)]
    #[must_use]
    pub const fn margin(self) -> HalfPoints {
        let [light, dark] = [
            self.worth.points(Side::Light) as i32,
            self.worth.points(Side::Dark) as i32,
        ];
        HalfPoints(2 * (light - dark) + self.lead)
    }
}
