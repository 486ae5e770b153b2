//! The fields of a position, kept up to date as moves are made.
//!
//! A field is its cells and the set of farmers beside it; crops are looked up
//! only when its worth is asked. Fields that no farmer touches are left out:
//! nobody scores them, and where a farmer comes to one, a flood finds it.

use super::arch::Places;
use super::geometry::{BoardSize, Cell, Side};
use super::joints::{Joints, seeds_round, split};
use super::moves::Move;
use super::state::{State, distance, path};
use super::word::Word;
use super::worth::{Crops, Farmers, Standing, Worth, farmer, number};
use smallvec::SmallVec;

/// A field that farmers touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Region<W> {
    pub(super) cells: W,
    pub(super) beside: Farmers,
    pub(super) worth: Worth,
}

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
    places: Places,
    pub(super) crops: Crops,
    /// Every field that farmers touch, and some that they left: worth nothing,
    /// those may stay.
    pub(super) regions: SmallVec<[Region<S::Word>; 24]>,
    pub(super) total: Worth,
}

/// The farmers beside a set of cells.
#[inline(always)]
fn beside<S: BoardSize>(cells: S::Word, places: &Places) -> Farmers {
    S::neighbours(cells).standing(places)
}

/// Calls `visit` with every field that has a cell in `touched`: its cells and
/// the farmers beside it.
#[inline(always)]
fn each_touched<S: BoardSize>(
    empty: S::Word,
    touched: S::Word,
    places: &Places,
    mut visit: impl FnMut(S::Word, Farmers),
) {
    let mut touched = touched & empty;
    while !touched.is_empty() {
        let [first, second] = S::two_fields(touched.ends(), empty, places);
        touched &= !(first.0 | second.0);
        visit(first.0, first.1);
        if !first.0.meets(second.0) {
            visit(second.0, second.1);
        }
    }
}

impl<S: BoardSize> State<S> {
    /// How the position stands, computed from scratch.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let crops = Crops::of(self);
        let mut worth = Worth::NONE;
        self.each_touched(|cells, beside| worth += crops.worth(cells.count(), beside));
        let lead = crops.lead(Side::Light, 0, 0);
        Standing { worth, lead }
    }

    /// The points from fields, Light's and Dark's, and who has the half point.
    #[inline(always)]
    pub(super) fn points(&self) -> ([u32; 2], i32) {
        let crops = Crops::of(self);
        let mut points = [0, 0];
        self.each_touched(|cells, beside| {
            let won = Worth::points_of_field(cells.count(), crops.sums(beside));
            points = [points[0] + won[0], points[1] + won[1]];
        });
        (points, crops.lead(Side::Light, 0, 0))
    }

    /// Calls `visit` with every field that farmers touch.
    #[inline(always)]
    fn each_touched(&self, visit: impl FnMut(S::Word, Farmers)) {
        let touched = S::neighbours(self.farmers_cells());
        each_touched::<S>(self.empty_cells(), touched, &self.places(), visit);
    }
}

impl<S: BoardSize> Fields<S> {
    /// The fields of a state, computed from scratch.
    #[must_use]
    pub fn of(state: &State<S>) -> Fields<S> {
        let mut fields = Fields {
            empty: S::Word::EMPTY,
            farmers: S::Word::EMPTY,
            places: Places::default(),
            crops: Crops::NONE,
            regions: SmallVec::new(),
            total: Worth::NONE,
        };
        fields.reset(state);
        fields
    }

    /// Makes these the fields of another state, computed from scratch.
    #[inline]
    pub fn reset(&mut self, state: &State<S>) {
        self.places = state.places();
        self.farmers = state.farmers_cells();
        self.empty = state.empty_cells();
        self.crops.reset(state);
        self.total = Worth::NONE;
        self.regions.clear();
        let places = self.places;
        let touched = S::neighbours(self.farmers);
        each_touched::<S>(self.empty, touched, &places, |cells, beside| {
            self.keep(cells, beside);
        });
    }

    /// How the position stands.
    #[inline]
    #[must_use]
    pub fn standing(&self) -> Standing {
        Standing {
            worth: self.total,
            lead: self.crops.lead(Side::Light, 0, 0),
        }
    }

    #[inline(always)]
    fn keep(&mut self, cells: S::Word, beside: Farmers) {
        let worth = self.crops.worth(cells.count(), beside);
        self.total += worth;
        self.regions.push(Region {
            cells,
            beside,
            worth,
        });
    }

    /// Follows a legal move that is about to be made in `state`.
    #[inline]
    pub fn make(&mut self, state: &State<S>, mv: Move) {
        match mv {
            Move::Pass => {}
            Move::Place(to) => {
                let slot = state.free_slot(state.side());
                self.set_down(state.side(), slot, 1, S::bit(to), to);
            }
            Move::Step { from, to } => {
                let side = state.side();
                let slot = state.slot_of(side, from).unwrap_or(0);
                let crop = state.crop(side, slot);
                self.farmers &= !S::bit(from);
                if distance(from, to) == crop {
                    self.lift(from, farmer(side, slot));
                    self.set_down(side, slot, crop + 1, S::bit(to), to);
                } else {
                    self.leave(farmer(side, slot));
                    let sown = path::<S>(from, to) & !S::bit(from);
                    self.set_down(side, slot, 1, sown, to);
                }
            }
        }
    }

    /// Takes a harvesting farmer off the board: the fields beside it join.
    #[inline(always)]
    fn lift(&mut self, from: Cell, who: Farmers) {
        let mut joined = self.opened(S::bit(from));
        let mut i = 0;
        while i < self.regions.len() {
            let region = self.regions[i];
            if region.beside & who != 0 {
                joined = (joined.0 | region.cells, joined.1 | region.beside);
                self.total -= region.worth;
                self.regions.swap_remove(i);
            } else {
                i += 1;
            }
        }
        self.empty |= S::bit(from);
        self.keep(joined.0, joined.1 & !who);
    }

    /// A cell that a farmer leaves empty, and the farmers beside it.
    #[inline(always)]
    pub(super) fn opened(&self, cell: S::Word) -> (S::Word, Farmers) {
        (cell, beside::<S>(cell, &self.places))
    }

    /// Takes a sowing farmer away from the fields beside it; a seed stays.
    #[inline(always)]
    fn leave(&mut self, who: Farmers) {
        for region in &mut self.regions {
            if region.beside & who != 0 {
                region.beside &= !who;
                self.total -= region.worth;
                region.worth = self.crops.worth(region.cells.count(), region.beside);
                self.total += region.worth;
            }
        }
    }

    /// Fills cells, the farmer in `slot` standing on the last of them, `to`.
    #[inline(always)]
    fn set_down(&mut self, side: Side, slot: usize, crop: u8, filled: S::Word, to: Cell) {
        let joints = Joints::of(self.empty);
        let landing = Landing {
            filled,
            single: filled == S::bit(to),
            beside_at: S::near(to),
            who: farmer(side, slot),
            near_others: S::neighbours(self.farmers),
            joints: &joints,
        };
        let was_empty = self.empty;
        self.empty &= !filled;
        self.farmers |= S::bit(to);
        self.crops.set(side, slot, crop);
        let mut left = filled;
        let mut i = 0;
        // Most moves fill cells of one field, which is then found early.
        while i < self.regions.len() && !left.is_empty() {
            let region = self.regions[i];
            if region.cells.meets(left) {
                left &= !region.cells;
                self.total -= region.worth;
                self.regions.swap_remove(i);
                self.fill(region.cells, region.beside, &landing);
            } else {
                i += 1;
            }
        }
        while !left.is_empty() {
            let cells = S::flood(left.only_lowest(), was_empty);
            left &= !cells;
            self.fill(cells, 0, &landing);
        }
        self.places.put(number(side, slot), S::index(to));
    }

    /// Puts back what is left of a field when cells of it are filled.
    #[inline(always)]
    fn fill(&mut self, cells: S::Word, beside: Farmers, landing: &Landing<'_, S>) {
        let Fields {
            places,
            crops,
            regions,
            total,
            ..
        } = self;
        landing.each_part(cells, beside, places, |cells, others, touched| {
            let who = if touched { landing.who } else { 0 };
            let beside = others | who;
            if beside != 0 {
                let worth = crops.worth(cells.count(), beside);
                *total += worth;
                regions.push(Region {
                    cells,
                    beside,
                    worth,
                });
            }
        });
    }

    /// Calls `visit` with each part of a field that is left when cells of it
    /// are filled; see [`Landing::each_part`].
    #[inline(always)]
    pub(super) fn each_part(
        &self,
        cells: S::Word,
        beside: Farmers,
        landing: &Landing<'_, S>,
        visit: impl FnMut(S::Word, Farmers, bool),
    ) {
        landing.each_part(cells, beside, &self.places, visit);
    }
}

/// A farmer that comes to stand somewhere, with all cells that its move fills.
pub(super) struct Landing<'a, S: BoardSize> {
    pub(super) filled: S::Word,
    /// Whether `filled` is one cell.
    pub(super) single: bool,
    /// The neighbours of the last cell filled, where the farmer stands.
    pub(super) beside_at: S::Word,
    pub(super) who: Farmers,
    /// The cells beside all other farmers.
    pub(super) near_others: S::Word,
    /// The joints of the board before, with the farmer lifted.
    pub(super) joints: &'a Joints<S>,
}

impl<S: BoardSize> Landing<'_, S> {
    /// Calls `visit` with each part of a field that is left when cells of it
    /// are filled: its cells, the farmers beside it but the one that moves,
    /// and whether that one is beside it too. `beside` is the field's, `places`
    /// the farmers' before the move.
    #[inline(always)]
    fn each_part(
        &self,
        cells: S::Word,
        beside: Farmers,
        places: &Places,
        mut visit: impl FnMut(S::Word, Farmers, bool),
    ) {
        let filled = self.filled;
        let rest = cells & !filled;
        if self.single && !self.joints.any.meets(filled) {
            // The field stays in one piece, and the farmer stands beside it.
            if !rest.is_empty() {
                visit(rest, self.remaining(rest, beside, places), true);
            }
            return;
        }
        let seeds = if self.single {
            self.joints.runs(filled)
        } else {
            seeds_round::<S>(filled, rest)
        };
        split::<S>(rest, seeds, |part| {
            let others = if part == rest {
                self.remaining(rest, beside, places)
            } else {
                self::beside::<S>(part, places) & !self.who
            };
            visit(part, others, self.beside_at.meets(part));
        });
    }

    /// The farmers of `beside` that still touch what is left of their field.
    #[inline(always)]
    fn remaining(&self, rest: S::Word, beside: Farmers, places: &Places) -> Farmers {
        if self.filled.meets(self.near_others) {
            self::beside::<S>(rest, places) & !self.who
        } else {
            beside & !self.who
        }
    }
}
