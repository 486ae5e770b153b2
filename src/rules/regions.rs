//! The fields of a position, kept up to date as moves are made.
//!
//! A field is its cells and what the crops beside it weigh. Fields that no farmer touches are left out:
//! nobody scores them, and where a farmer comes to one, a flood finds it.

use super::crops::{Crops, Farmers, Weights, farmer, number};
use super::geometry::{BoardSize, Cell, Found, Side};
use super::joints::{Seeds, runs_round};
use super::moves::Move;
use super::places::Places;
use super::region::{Region, Regions};
use super::state::State;
use super::straight::{path, straight};
use super::word::Word;
use super::worth::{Standing, Worth};

/// The fields of a position.
///
/// ```
/// use agros::rules::geometry::Size8;
/// use agros::rules::{AnyState, Fields, Position};
///
/// let position: Position = "start:8:3".parse()?;
/// let AnyState::S8(mut state) = *position.state() else { panic!() };
/// let mut fields = Fields::of(&state);
/// for mv in ["e4", "d5", "d6"] {
///     let mv = mv.parse()?;
///     fields.make(&state, mv);
///     state.make(mv);
/// }
/// assert_eq!(fields.standing().margin(), state.score().margin());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fields<S: BoardSize> {
    pub(super) empty: S::Word,
    /// The cells of the farmers of both sides.
    pub(super) farmers: S::Word,
    pub(super) places: Places,
    pub(super) crops: Crops,
    /// Every field that farmers touch, and some that they left: worth nothing,
    /// those may stay.
    pub(super) regions: Regions<S::Word>,
    pub(super) total: Worth,
}

/// The farmers beside a set of cells.
#[inline(always)]
pub(super) fn beside<S: BoardSize>(cells: S::Word, places: &Places) -> Farmers {
    S::neighbours(cells).standing(places)
}

/// Calls `visit` with every field that has a cell in `touched`.
#[inline(always)]
fn each_touched<S: BoardSize>(
    empty: S::Word,
    touched: S::Word,
    places: &Places,
    mut visit: impl FnMut(Found<S::Word>),
) {
    let mut touched = touched & empty;
    while !touched.is_empty() {
        let [first, second] = S::two_fields(touched.ends(), empty, places);
        touched &= !(first.cells | second.cells);
        let both = !first.cells.meets(second.cells);
        visit(first);
        if both {
            visit(second);
        }
    }
}

impl<S: BoardSize> State<S> {
    /// How the position stands, computed from scratch.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let crops = Crops::of(self);
        let mut worth = Worth::NONE;
        self.each_touched(|field| worth += crops.sum(field.beside).worth(field.count));
        let lead = crops.all().lead();
        Standing { worth, lead }
    }

    /// Calls `visit` with every field that farmers touch.
    #[inline(always)]
    fn each_touched(&self, visit: impl FnMut(Found<S::Word>)) {
        let touched = self.near_farmers();
        each_touched::<S>(self.empty_cells(), touched, &self.places(), visit);
    }
}

impl<S: BoardSize> Fields<S> {
    /// No fields: those of a state are wanted next, by [`Self::reset`].
    #[inline(always)]
    #[must_use]
    pub fn none() -> Fields<S> {
        Fields {
            empty: S::Word::EMPTY,
            farmers: S::Word::EMPTY,
            places: Places::default(),
            crops: Crops::NONE,
            regions: Regions::none(),
            total: Worth::NONE,
        }
    }

    /// The fields of a state, computed from scratch.
    #[must_use]
    pub fn of(state: &State<S>) -> Fields<S> {
        let mut fields = Fields::none();
        fields.reset(state);
        fields
    }

    /// Makes these the fields of another state, computed from scratch.
    #[inline]
    pub fn reset(&mut self, state: &State<S>) {
        self.places = state.places();
        self.farmers = state.farmers_cells();
        self.empty = state.empty_cells();
        self.crops = Crops::of(state);
        self.total = Worth::NONE;
        self.regions.clear();
        let places = self.places;
        let touched = S::neighbours(self.farmers);
        each_touched::<S>(self.empty, touched, &places, |field| {
            self.keep(field.cells, field.count, field.beside);
        });
    }

    /// How the position stands.
    #[inline]
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing {
            worth: self.total,
            lead: self.crops.all().lead(),
        }
    }

    /// Keeps a field of `count` cells if a farmer is beside it.
    #[inline(always)]
    fn keep(&mut self, cells: S::Word, count: u32, beside: Farmers) {
        if beside != 0 {
            let region = Region::new(cells, count, self.crops.sum(beside));
            self.total += region.worth;
            self.regions.push(region, beside);
        }
    }

    /// Follows a legal move that is about to be made in `state`.
    #[inline]
    pub fn make(&mut self, state: &State<S>, mv: Move) {
        let side = state.side();
        match mv {
            Move::Pass => {}
            Move::Place(to) => {
                self.move_farmer(side, state.free_slot(side), 1, S::Word::EMPTY, to);
                self.fill_one(to);
            }
            Move::Step { from, to } => {
                let slot = state.slot_of(side, from).unwrap_or(0);
                let crop = state.crop(side, slot);
                let (start, who) = (S::bit(from), farmer(side, slot));
                if straight(from, to) == crop {
                    self.move_farmer(side, slot, crop + 1, start, to);
                    let (joined, count) = self.lift(start, who);
                    if joined.meets(S::bit(to)) {
                        self.fill(joined, count, S::bit(to), Some(to));
                    } else {
                        self.keep(joined, count, beside::<S>(joined, &self.places));
                        self.fill_one(to);
                    }
                } else {
                    self.move_farmer(side, slot, 1, start, to);
                    let sown = path::<S>(from, to) & !start;
                    self.leave(who, Weights::of(side, crop), sown);
                    if crop == 2 {
                        self.fill_one(to);
                    } else {
                        self.fill_path(sown);
                    }
                }
            }
        }
    }

    /// Enters where a farmer comes to stand, and with what crop; the fields
    /// are as they were.
    #[inline(always)]
    fn move_farmer(&mut self, side: Side, slot: usize, crop: u8, from: S::Word, to: Cell) {
        self.farmers = self.farmers & !from | S::bit(to);
        self.places.put(number(side, slot), S::index(to));
        self.crops.set(side, slot, crop);
    }

    /// Opens the cell of a harvesting farmer: takes out the fields beside it
    /// and returns what they become together, and of how many cells.
    #[inline(always)]
    fn lift(&mut self, start: S::Word, who: Farmers) -> (S::Word, u32) {
        self.empty |= start;
        let (mut joined, mut count) = (start, 1);
        self.regions.take_beside(who, |region| {
            joined |= region.cells;
            count += u32::from(region.count);
            self.total -= region.worth;
        });
        (joined, count)
    }

    /// Takes a sowing farmer of this weight away from the fields beside it but
    /// those that it sows in, which are made anew.
    #[inline(always)]
    fn leave(&mut self, who: Farmers, weight: Weights, sown: S::Word) {
        self.regions.leave(who, |region| {
            if !region.cells.meets(sown) {
                self.total -= region.worth;
                *region = region.without(weight);
                self.total += region.worth;
            }
        });
    }

    /// Fills one cell.
    #[inline(always)]
    fn fill_one(&mut self, to: Cell) {
        let filled = S::bit(to);
        let (cells, count) = self.take(filled);
        self.fill(cells, count, filled, Some(to));
    }

    /// Fills several cells.
    #[inline(always)]
    fn fill_path(&mut self, filled: S::Word) {
        let (mut left, was_empty) = (filled, self.empty);
        while !left.is_empty() {
            self.empty = was_empty;
            let (cells, count) = self.take(left);
            left &= !cells;
            self.fill(cells, count, filled, None);
        }
    }

    /// Takes out a field with a cell in `wanted`.
    #[inline(always)]
    fn take(&mut self, wanted: S::Word) -> (S::Word, u32) {
        if let Some(region) = self.regions.take(wanted) {
            self.total -= region.worth;
            return (region.cells, region.count.into());
        }
        // No farmer touched it.
        let cells = S::flood(wanted.only_lowest(), self.empty);
        (cells, cells.count())
    }

    /// Fills cells of a field that is taken out, `one` if it is a single one,
    /// and puts back what is left.
    #[inline(always)]
    fn fill(&mut self, cells: S::Word, count: u32, filled: S::Word, one: Option<Cell>) {
        let rest = cells & !filled;
        let runs = match one {
            Some(to) => runs_round::<S>(self.empty, to),
            None => Some(Seeds::round(filled, rest)),
        };
        self.empty &= !filled;
        let Some(seeds) = runs else {
            self.keep(rest, count - 1, beside::<S>(rest, &self.places));
            return;
        };
        let mut left = if one.is_some() {
            count - 1
        } else {
            rest.count()
        };
        seeds.split(rest, |part, near, last| {
            let count = if last { left } else { part.count() };
            left -= count;
            self.keep(part, count, near.standing(&self.places));
        });
    }
}
