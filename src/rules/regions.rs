//! The fields of a position, kept up to date as moves are made.
//!
//! A field is its cells and the set of farmers beside it; crops are looked up
//! only when its worth is asked. Fields that no farmer touches are left out:
//! nobody scores them, and where a farmer comes to one, a flood finds it.

use super::geometry::{BoardSize, Cell, Side};
use super::moves::Move;
use super::state::{State, distance, path};
use super::word::Word;
use super::worth::{Crops, Farmers, Standing, Worth, farmer};
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
    /// Which farmer stands on a cell of `farmers`, by bit index.
    marks: Marks,
    pub(super) crops: Crops,
    /// Every field that farmers touch, and some that they left: worth nothing,
    /// those may stay.
    pub(super) regions: SmallVec<[Region<S::Word>; 24]>,
    pub(super) total: Worth,
}

/// A farmer for each bit index of the widest word.
type Marks = [Farmers; 192];

/// The maximal set of `within` joined to `seed`.
#[inline(always)]
pub(super) fn flood<S: BoardSize>(seed: S::Word, within: S::Word) -> S::Word {
    let mut filled = seed;
    loop {
        // Two steps for each look at whether it still grows.
        let once = (filled | S::neighbours(filled)) & within;
        let twice = (once | S::neighbours(once)) & within;
        if twice == once {
            return once;
        }
        filled = twice;
    }
}

/// The farmers beside a set of cells.
#[inline(always)]
fn beside<S: BoardSize>(cells: S::Word, farmers: S::Word, marks: &Marks) -> Farmers {
    let mut rest = S::neighbours(cells) & farmers;
    let mut found = 0;
    while !rest.is_empty() {
        found |= marks[rest.lowest() as usize];
        rest = rest.without_lowest();
    }
    found
}

/// The farmers of a state: their cells, and which stands where.
#[inline(always)]
fn farmers_of<S: BoardSize>(state: &State<S>) -> (S::Word, Marks) {
    let mut marks = [0; 192];
    let mut farmers = S::Word::EMPTY;
    for side in Side::BOTH {
        for (slot, cell) in state.slots(side) {
            let index = S::index(cell);
            farmers |= S::Word::bit(index);
            marks[index as usize] = farmer(side, slot);
        }
    }
    (farmers, marks)
}

/// Calls `visit` with the cells of every field that a farmer touches and the
/// farmers beside it.
#[inline(always)]
fn each_touched<S: BoardSize>(
    empty: S::Word,
    farmers: S::Word,
    marks: &Marks,
    mut visit: impl FnMut(S::Word, Farmers),
) {
    let mut touched = S::neighbours(farmers) & empty;
    while !touched.is_empty() {
        let cells = flood::<S>(touched.only_lowest(), empty);
        touched &= !cells;
        visit(cells, beside::<S>(cells, farmers, marks));
    }
}

impl<S: BoardSize> State<S> {
    /// How the position stands, computed from scratch.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let crops = Crops::of(self);
        let (farmers, marks) = farmers_of(self);
        let mut worth = Worth::NONE;
        each_touched::<S>(self.empty_cells(), farmers, &marks, |cells, beside| {
            worth += crops.worth(cells.count(), beside);
        });
        let lead = crops.lead(Side::Light, 0, 0);
        Standing { worth, lead }
    }
}

impl<S: BoardSize> Fields<S> {
    /// The fields of a state, computed from scratch.
    #[must_use]
    #[inline]
    pub fn of(state: &State<S>) -> Fields<S> {
        let crops = Crops::of(state);
        let (farmers, marks) = farmers_of(state);
        let empty = state.empty_cells();
        let mut regions = SmallVec::new();
        let mut total = Worth::NONE;
        each_touched::<S>(empty, farmers, &marks, |cells, beside| {
            let worth = crops.worth(cells.count(), beside);
            total += worth;
            regions.push(Region {
                cells,
                beside,
                worth,
            });
        });
        Fields {
            empty,
            farmers,
            marks,
            crops,
            regions,
            total,
        }
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

    /// The farmers beside a set of cells.
    #[inline(always)]
    pub(super) fn beside(&self, cells: S::Word, farmers: S::Word) -> Farmers {
        beside::<S>(cells, farmers, &self.marks)
    }

    /// The farmers that lose their last cell of a field when `filled` leaves
    /// only `rest` of it.
    #[inline(always)]
    fn cut_off(&self, filled: S::Word, rest: S::Word, landing: &Landing<S>) -> Farmers {
        if !filled.meets(landing.near) {
            return 0;
        }
        let mut near = S::neighbours(filled) & landing.others;
        let mut lost = 0;
        while !near.is_empty() {
            if !S::neighbours(near.only_lowest()).meets(rest) {
                lost |= self.marks[near.lowest() as usize];
            }
            near = near.without_lowest();
        }
        lost
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
        let start = S::bit(from);
        self.empty |= start;
        let mut cells = start;
        let mut beside = self.beside(start, self.farmers);
        let mut i = 0;
        while i < self.regions.len() {
            let region = self.regions[i];
            if region.beside & who != 0 {
                cells |= region.cells;
                beside |= region.beside;
                self.total -= region.worth;
                self.regions.swap_remove(i);
            } else {
                i += 1;
            }
        }
        self.keep(cells, beside & !who);
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

    /// Fills cells, the farmer in `slot` standing on the last of them, `to`.
    #[inline(always)]
    fn set_down(&mut self, side: Side, slot: usize, crop: u8, filled: S::Word, to: Cell) {
        let others = self.farmers;
        let was_empty = self.empty;
        self.empty &= !filled;
        self.crops.set(side, slot, crop);
        self.farmers |= S::bit(to);
        self.marks[S::index(to) as usize] = farmer(side, slot);
        let landing = Landing {
            filled,
            single: filled == S::bit(to),
            at: S::bit(to),
            who: farmer(side, slot),
            others,
            near: S::neighbours(others),
            breaks: Breaks::of(was_empty),
        };
        let mut left = filled;
        let mut i = 0;
        // Most moves fill cells of one field, which is then found early.
        while i < self.regions.len() && !left.is_empty() {
            let region = self.regions[i];
            if !region.cells.meets(left) {
                i += 1;
                continue;
            }
            left &= !region.cells;
            self.total -= region.worth;
            self.regions.swap_remove(i);
            self.fill(region.cells, region.beside, &landing);
        }
        while !left.is_empty() {
            let cells = flood::<S>(left.only_lowest(), was_empty);
            left &= !cells;
            self.fill(cells, 0, &landing);
        }
    }

    /// Puts back what is left of a field when cells of it are filled.
    #[inline(always)]
    fn fill(&mut self, cells: S::Word, beside: Farmers, landing: &Landing<S>) {
        let mut parts = SmallVec::<[(S::Word, Farmers); 8]>::new();
        self.each_part(cells, beside, landing, |part, farmers| {
            parts.push((part, farmers));
        });
        for (part, farmers) in parts {
            if farmers != 0 {
                self.keep(part, farmers);
            }
        }
    }

    /// Calls `visit` with each part of a field, and the farmers beside it,
    /// that is left when cells of it are filled. `beside` is the field's,
    /// without the farmer that moves.
    #[inline(always)]
    pub(super) fn each_part(
        &self,
        cells: S::Word,
        beside: Farmers,
        landing: &Landing<S>,
        mut visit: impl FnMut(S::Word, Farmers),
    ) {
        let Landing { filled, others, .. } = *landing;
        let rest = cells & !filled;
        if landing.single && !landing.breaks.joints.meets(filled) {
            // The field stays in one piece, and the farmer stands beside it.
            if !rest.is_empty() {
                let lost = self.cut_off(filled, rest, landing);
                visit(rest, (beside & !lost) | landing.who);
            }
            return;
        }
        let seeds = if landing.single {
            landing.breaks.runs(filled)
        } else {
            S::neighbours(filled) & rest
        };
        split::<S>(rest, seeds, |part| {
            let mut farmers = if part == rest {
                beside & !self.cut_off(filled & cells, rest, landing)
            } else {
                self.beside(part, others)
            };
            if S::neighbours(landing.at).meets(part) {
                farmers |= landing.who;
            }
            visit(part, farmers);
        });
    }
}

/// A farmer that comes to stand on `at`, with all cells that its move fills.
#[derive(Clone, Copy)]
pub(super) struct Landing<S: BoardSize> {
    pub(super) filled: S::Word,
    /// Whether `filled` is one cell.
    pub(super) single: bool,
    pub(super) at: S::Word,
    pub(super) who: Farmers,
    /// The cells of all other farmers.
    pub(super) others: S::Word,
    /// The cells beside other farmers.
    pub(super) near: S::Word,
    /// The breaks of the board before, with the farmer lifted.
    pub(super) breaks: Breaks<S>,
}

/// For every cell of a board, where the ring of its eight neighbours breaks.
///
/// Going round a cell, a side neighbour that is empty while the corner or the
/// side neighbour after it is not ends a run of joined empties. A cell with at
/// most one such break can be filled without parting its field (Yokoi,
/// Toriwaki, Fukumura, An Analysis of Topological Properties of Digitized
/// Binary Pictures, 1975: the connectivity number).
#[derive(Clone, Copy)]
pub(super) struct Breaks<S: BoardSize> {
    east: S::Word,
    north: S::Word,
    west: S::Word,
    south: S::Word,
    /// The cells with two breaks or more.
    pub(super) joints: S::Word,
}

impl<S: BoardSize> Breaks<S> {
    #[inline(always)]
    pub(super) fn of(empty: S::Word) -> Self {
        let up = |set: S::Word| set >> S::STRIDE;
        let down = |set: S::Word| set << S::STRIDE;
        let (e, w) = if S::PADDED {
            (empty >> 1, empty << 1)
        } else {
            (
                (empty & S::NOT_FIRST_FILE) >> 1,
                (empty & S::NOT_LAST_FILE) << 1,
            )
        };
        let (n, s) = (up(empty), down(empty));
        let east = e & !(up(e) & n);
        let north = n & !(up(w) & w);
        let west = w & !(down(w) & s);
        let south = s & !(down(e) & e);
        let joints = (east & north) | (west & south) | ((east | north) & (west | south));
        Breaks {
            east,
            north,
            west,
            south,
            joints,
        }
    }

    /// One cell of each run of the ring round a cell.
    #[inline(always)]
    fn runs(&self, at: S::Word) -> S::Word {
        ((self.east & at) << 1)
            | ((self.west & at) >> 1)
            | ((self.north & at) << S::STRIDE)
            | ((self.south & at) >> S::STRIDE)
    }
}

/// Calls `visit` with each part of `rest`, where every part has a seed.
#[inline(always)]
fn split<S: BoardSize>(mut rest: S::Word, mut seeds: S::Word, mut visit: impl FnMut(S::Word)) {
    while !seeds.is_empty() {
        let part = part::<S>(rest, seeds);
        rest &= !part;
        seeds &= !part;
        visit(part);
    }
}

/// The part of `rest` that one of the seeds is in, where every part has a
/// seed: grown from two sides at once until they meet or one stalls.
#[inline(always)]
fn part<S: BoardSize>(rest: S::Word, seeds: S::Word) -> S::Word {
    let (mut a, mut b) = (seeds.only_lowest(), seeds.without_lowest());
    if b.is_empty() {
        return rest;
    }
    let two = b.without_lowest().is_empty();
    loop {
        let grown = (a | S::neighbours(a)) & rest;
        if grown == a {
            return a;
        }
        a = grown;
        if a.meets(b) {
            // Of two seeds, both are now in one part; of more, some are.
            return if two { rest } else { flood::<S>(a, rest) };
        }
        let grown = (b | S::neighbours(b)) & rest;
        if grown == b {
            return rest & !b;
        }
        b = grown;
        if a.meets(b) {
            return if two { rest } else { flood::<S>(a, rest) };
        }
    }
}
