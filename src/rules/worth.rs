//! What fields are worth to each side, packed so that whole positions add up
//! field by field in one addition.

use super::fields::HalfPoints;
use super::geometry::Side;
use super::pair::Integers;
use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Points, reach and control of both sides, summed over fields.
///
/// A number a side: points in the lowest 16 bits (at most 144 × 12), then reach
/// in 8 and controlled cells in 8 (at most 143 each), so that no part overflows
/// into the next.
#[derive(Clone, Copy)]
pub struct Worth(Integers);

impl Worth {
    /// Nothing.
    pub(super) const NONE: Worth = Worth(Integers::of([0; 2]));

    /// What these numbers say.
    #[inline(always)]
    pub(super) const fn of(numbers: Integers) -> Worth {
        Worth(numbers)
    }

    /// So many cells, each worth this.
    #[inline(always)]
    pub(super) fn times(self, count: u32) -> Worth {
        Worth(self.0.times(count))
    }

    /// All in one number, Light's low.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        let [light, dark] = self.0.numbers();
        light | dark << 32
    }

    #[inline(always)]
    const fn of_side(self, side: Side) -> u32 {
        self.0.numbers()[side.index()] as u32
    }

    /// Points from fields, without the half point.
    #[inline(always)]
    #[must_use]
    pub const fn points(self, side: Side) -> u32 {
        self.of_side(side) & 0xffff
    }

    /// Empty cells in fields next to the side's farmers.
    #[inline(always)]
    #[must_use]
    pub const fn reach(self, side: Side) -> u32 {
        self.of_side(side) >> 16 & 0xff
    }

    /// Empty cells in fields that the side controls.
    #[inline(always)]
    #[must_use]
    pub const fn control(self, side: Side) -> u32 {
        self.of_side(side) >> 24
    }
}

impl Default for Worth {
    fn default() -> Worth {
        Worth::NONE
    }
}

impl PartialEq for Worth {
    fn eq(&self, other: &Worth) -> bool {
        self.0.numbers() == other.0.numbers()
    }
}

impl Eq for Worth {}

impl fmt::Debug for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = Side::BOTH.map(|side| [self.points(side), self.reach(side), self.control(side)]);
        f.debug_tuple("Worth").field(&all).finish()
    }
}

impl Add for Worth {
    type Output = Worth;

    #[inline(always)]
    fn add(self, other: Worth) -> Worth {
        Worth(self.0.plus(other.0))
    }
}

impl Sub for Worth {
    type Output = Worth;

    /// What is subtracted must have been added before.
    #[inline(always)]
    fn sub(self, other: Worth) -> Worth {
        Worth(self.0.minus(other.0))
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
