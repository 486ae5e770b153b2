//! Fields: maximal sets of empty cells joined at their sides, the farmers
//! beside them, who controls them and what they are worth.

use super::crops::Farmers;
use super::geometry::{BoardSize, Cell, Side};
use super::region::Region;
use super::regions::Fields;
use super::state::State;
use super::word::Word;
use super::worth::Standing;
use std::cmp::Ordering;
use std::fmt;

/// A list of crops that compares as the rules do: tallest first, at the first
/// place where two lists differ; a list that has run out loses.
///
/// Crop `h` weighs `16^h`, and no side has more than 7 farmers, so that no
/// digit overflows and comparing the sums compares the sorted lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct CropList(pub(super) u64);

impl CropList {
    /// The empty list.
    pub const NONE: CropList = CropList(0);

    /// The list with one more crop, 1 to 12.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, crop: u8) -> CropList {
        CropList(self.0 + (1 << (4 * crop)))
    }

    /// The tallest crop; 0 of the empty list.
    #[inline(always)]
    #[must_use]
    pub const fn tallest(self) -> u32 {
        (63 - (self.0 | 1).leading_zeros()) / 4
    }

    /// The crops, tallest first.
    #[must_use]
    pub fn to_vec(self) -> Vec<u8> {
        (1..16)
            .rev()
            .flat_map(|h| std::iter::repeat_n(h, (self.0 >> (4 * h) & 15) as usize))
            .collect()
    }
}

/// Points in halves: `HalfPoints(141)` prints as `70.5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct HalfPoints(pub i32);

impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let whole = self.0.unsigned_abs() / 2;
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        f.pad(&format!("{sign}{whole}{half}"))
    }
}

/// The score of both sides, the half point included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Score {
    /// Light's points.
    pub light: HalfPoints,
    /// Dark's points.
    pub dark: HalfPoints,
}

impl Score {
    /// Light's points minus Dark's.
    #[inline(always)]
    #[must_use]
    pub const fn margin(self) -> HalfPoints {
        HalfPoints(self.light.0 - self.dark.0)
    }
}

/// `LIGHT DARK`, as in `71 70.5`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.light, self.dark)
    }
}

/// A field as callers see it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its empty cells, in the order a1, b1, ..., a2, ...
    pub cells: Vec<Cell>,
    /// The crops of the farmers beside it, tallest first, Light's and Dark's.
    pub crops: [Vec<u8>; 2],
    /// Who controls it, if anyone.
    pub controller: Option<Side>,
    /// Points for its controller; 0 without one.
    pub value: u32,
}

impl Field {
    /// A field of these cells with these crops beside it.
    fn new<S: BoardSize>(cells: S::Word, crops: [CropList; 2]) -> Field {
        let controller = match crops[0].cmp(&crops[1]) {
            Ordering::Greater => Some(Side::Light),
            Ordering::Less => Some(Side::Dark),
            Ordering::Equal => None,
        };
        let value = match controller {
            Some(side) => cells.count() * crops[side.index()].tallest(),
            None => 0,
        };
        let mut list = Vec::new();
        cells.each(|index| list.push(S::cell(index)));
        Field {
            cells: list,
            crops: crops.map(CropList::to_vec),
            controller,
            value,
        }
    }
}

impl<S: BoardSize> Fields<S> {
    /// The fields that farmers touch, in the order of their lowest cells.
    #[must_use]
    pub fn touched(&self) -> Vec<Field> {
        // Some that farmers left may still be kept.
        let touched = |&(_, beside): &(_, Farmers)| beside != 0;
        let mut regions: Vec<_> = self.regions.with_farmers().filter(touched).collect();
        regions.sort_unstable_by_key(|(region, _)| region.cells.lowest());
        let field = |(region, _): (&Region<S::Word>, _)| {
            Field::new::<S>(region.cells, region.weights.lists())
        };
        regions.into_iter().map(field).collect()
    }
}

impl<S: BoardSize> State<S> {
    /// The fields, those that no farmer touches too, in the order of their
    /// lowest cells (a1, b1, ..., a2, ...).
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        let mut rest = self.empty_cells();
        while !rest.is_empty() {
            let cells = S::flood(rest.only_lowest(), rest);
            rest &= !cells;
            fields.push(self.field(cells));
        }
        fields
    }

    /// The field of these cells.
    fn field(&self, cells: S::Word) -> Field {
        let border = S::neighbours(cells);
        let crops = Side::BOTH.map(|side| {
            self.farmers_of(side)
                .filter(|&(cell, _)| border.meets(S::bit(cell)))
                .fold(CropList::NONE, |list, (_, crop)| list.with(crop))
        });
        Field::new::<S>(cells, crops)
    }

    /// The score as things stand, the half point included.
    #[must_use]
    pub fn score(&self) -> Score {
        let Standing { worth, lead } = self.standing();
        let [light, dark] = Side::BOTH.map(|side| 2 * worth.points(side) as i32);
        Score {
            light: HalfPoints(light + lead.max(0)),
            dark: HalfPoints(dark + (-lead).max(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(crops: &[u8]) -> CropList {
        crops.iter().fold(CropList::NONE, |l, &c| l.with(c))
    }

    #[test]
    fn crop_lists_compare_as_in_the_table_of_the_rules() {
        assert!(list(&[4]) > list(&[3, 3, 3]));
        assert!(list(&[4, 2]) > list(&[4, 1]));
        assert!(list(&[4]) < list(&[4, 1]));
        assert_eq!(list(&[4, 4]), list(&[4, 4]));
        assert!(list(&[]) < list(&[1]));
        assert!(list(&[12]) > list(&[11; 7]));
        assert_eq!(list(&[1, 12, 3, 12]).to_vec(), [12, 12, 3, 1]);
        assert_eq!(list(&[1, 12, 3]).tallest(), 12);
        assert_eq!(list(&[]).tallest(), 0);
    }

    #[test]
    fn half_points_print_as_points() {
        for (half, text) in [
            (0, "0"),
            (1, "0.5"),
            (-1, "-0.5"),
            (-9, "-4.5"),
            (142, "71"),
        ] {
            assert_eq!(HalfPoints(half).to_string(), text);
        }
    }
}
