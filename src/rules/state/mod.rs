//! The compact state: everything that a position is, and nothing derived.
//!
//! A [`State`] of a board up to 8×8 takes 48 bytes, of a larger one 96 (a test
//! holds it there), so that the tree and the generators copy it instead of
//! taking moves back. How moves change it is in `make`.

mod make;

use super::fields::CropList;
use super::geometry::{BoardSize, Cell, MAX_FARMERS, Side};
use super::lines::{Lines, is_sowing, pace};
use super::moves::{Move, MoveList};
use super::places::Places;
use super::steps::{HARVESTS, Steps};
use super::word::Word;
use std::ops::Range;

/// A farmer's place in its side's list.
pub(crate) type Slot = usize;

/// A position on a board of size `S`.
#[derive(Clone, Copy, Debug)]
pub struct State<S: BoardSize> {
    /// Farmers and seeds of each side.
    pieces: [S::Word; 2],
    /// Where each farmer stands; [`Cell::NOWHERE`] where it isn't placed.
    cells: [[Cell; MAX_FARMERS as usize]; 2],
    /// Each farmer's crop; 0 where it isn't placed.
    crops: [[u8; MAX_FARMERS as usize]; 2],
    side: Side,
    passes: u8,
    farmers: u8,
    placed: u8,
}

/// The side that places farmer number `placed` (from 0): L, DD, LL, ..., D.
#[inline(always)]
pub(super) const fn placement_side(placed: u8) -> Side {
    Side::from_bit(placed.div_ceil(2) & 1)
}

impl<S: BoardSize> State<S> {
    /// The empty board of a game with this many farmers a side.
    ///
    /// `farmers` must be 1 to 7 and leave a cell empty.
    #[must_use]
    pub(super) fn empty(farmers: u8) -> Self {
        debug_assert!((1..=MAX_FARMERS).contains(&farmers));
        State {
            pieces: [S::Word::EMPTY; 2],
            cells: [[Cell::NOWHERE; MAX_FARMERS as usize]; 2],
            crops: [[0; MAX_FARMERS as usize]; 2],
            side: Side::Light,
            passes: 0,
            farmers,
            placed: 0,
        }
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Passes in a row just made; 2 ends the game.
    #[inline(always)]
    #[must_use]
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Farmers a side in the whole game.
    #[inline(always)]
    #[must_use]
    pub const fn farmers(&self) -> u8 {
        self.farmers
    }

    /// Whether farmers are still to be placed.
    #[inline(always)]
    #[must_use]
    pub const fn is_placing(&self) -> bool {
        self.placed < 2 * self.farmers
    }

    /// The side to move after any legal move but a pass.
    #[inline(always)]
    #[must_use]
    pub fn side_after_action(&self) -> Side {
        if !self.is_placing() {
            self.side.other()
        } else if self.placed + 1 == 2 * self.farmers {
            Side::Light
        } else {
            placement_side(self.placed + 1)
        }
    }

    /// Whether a pass would end the game.
    #[inline(always)]
    #[must_use]
    pub const fn may_end(&self) -> bool {
        self.passes == 1
    }

    /// Whether the game is over.
    #[inline(always)]
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// The cells with a piece of `side`.
    #[inline(always)]
    #[must_use]
    pub const fn pieces(&self, side: Side) -> S::Word {
        self.pieces[side.index()]
    }

    /// The empty cells.
    #[inline(always)]
    #[must_use]
    pub fn empty_cells(&self) -> S::Word {
        S::BOARD & !(self.pieces[0] | self.pieces[1])
    }

    /// The crops of all farmers of a side, 0 of those not placed.
    #[inline(always)]
    pub(super) fn crops(&self, side: Side) -> [u8; MAX_FARMERS as usize] {
        self.crops[side.index()]
    }

    /// Where the farmers of a side stand; nowhere if not placed.
    #[inline(always)]
    pub(super) fn cells(&self, side: Side) -> [Cell; MAX_FARMERS as usize] {
        self.cells[side.index()]
    }

    /// The cells of all farmers.
    #[inline(always)]
    pub(super) fn farmers_cells(&self) -> S::Word {
        self.each_farmer(S::bit)
    }

    /// The neighbours of all farmers.
    #[inline(always)]
    pub(super) fn near_farmers(&self) -> S::Word {
        self.each_farmer(S::near)
    }

    /// What `set` tells of the cells of all farmers, taken together; of those
    /// not placed it must tell nothing.
    #[inline(always)]
    fn each_farmer(&self, set: impl Fn(Cell) -> S::Word) -> S::Word {
        let of = |slots: Range<Slot>, all| {
            let cells = self.cells.iter().flat_map(|cells| &cells[slots.clone()]);
            cells.fold(all, |all, &cell| all | set(cell))
        };
        let most = of(0..5, S::Word::EMPTY);
        // Few play with more.
        if self.farmers > 5 {
            of(5..7, most)
        } else {
            most
        }
    }

    /// Where the farmers of both sides stand, in the order of
    /// [`Farmers`](super::crops::Farmers).
    #[inline(always)]
    pub(super) fn places(&self) -> Places {
        let mut cells = [Cell::NOWHERE.0; 16];
        for (place, cell) in cells.iter_mut().zip(self.cells.as_flattened()) {
            *place = cell.0;
        }
        Places::of(cells, S::RANKS)
    }

    /// The farmers of `side` that are on the board: slot and cell.
    #[inline(always)]
    pub(super) fn slots(&self, side: Side) -> impl Iterator<Item = (Slot, Cell)> + '_ {
        let (cells, crops) = (&self.cells[side.index()], &self.crops[side.index()]);
        (0..usize::from(self.farmers).min(MAX_FARMERS.into()))
            .filter(|&slot| crops[slot] != 0)
            .map(|slot| (slot, cells[slot]))
    }

    /// The slot that the next farmer placed by `side` takes.
    #[inline(always)]
    pub(super) fn free_slot(&self, side: Side) -> Slot {
        let crops = &self.crops[side.index()];
        crops.iter().position(|&crop| crop == 0).unwrap_or(0)
    }

    /// The farmers of `side` that are on the board: cell and crop.
    #[inline(always)]
    pub fn farmers_of(&self, side: Side) -> impl Iterator<Item = (Cell, u8)> + '_ {
        let (cells, crops) = (&self.cells[side.index()], &self.crops[side.index()]);
        (0..usize::from(self.farmers))
            .map(|slot| (cells[slot], crops[slot]))
            .filter(|&(_, crop)| crop != 0)
    }

    /// All crops of `side`, as a list that compares tallest first.
    #[inline(always)]
    #[must_use]
    pub fn crop_list(&self, side: Side) -> CropList {
        self.farmers_of(side)
            .fold(CropList::NONE, |list, (_, crop)| list.with(crop))
    }

    /// The lines of this position, made anew.
    #[must_use]
    pub fn lines(&self) -> Lines<S> {
        let mut lines = Lines::EMPTY;
        for side in Side::BOTH {
            self.pieces(side)
                .each(|index| lines.flip(S::cell(index), side));
        }
        lines
    }

    /// The steps that `side` would have if it were its turn.
    #[inline(always)]
    #[must_use]
    pub fn steps(&self, lines: &Lines<S>, side: Side) -> Steps {
        let (cells, crops) = (&self.cells[side.index()], &self.crops[side.index()]);
        let mut steps = Steps::NONE;
        for slot in 0..usize::from(self.farmers) {
            steps.add(slot, lines.steps(side, cells[slot], crops[slot]));
        }
        steps
    }

    /// Every legal move, in no particular order but always the same.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.each_legal_move(|mv| moves.push(mv));
        moves
    }

    /// Calls `visit` with every legal move, in the order of [`Self::legal_moves`].
    pub fn each_legal_move(&self, mut visit: impl FnMut(Move)) {
        if self.is_over() {
            return;
        }
        if self.is_placing() {
            let mut rest = self.empty_cells();
            while !rest.is_empty() {
                visit(Move::Place(S::cell(rest.lowest())));
                rest = rest.without_lowest();
            }
            return;
        }
        let steps = self.steps(&self.lines(), self.side);
        for (slot, _) in self.slots(self.side) {
            for kind in [HARVESTS, !HARVESTS] {
                let mut rest = steps.of_slot(slot) & kind as u16;
                while rest != 0 {
                    visit(self.step_of_bit(16 * slot as u32 + rest.trailing_zeros()));
                    rest &= rest - 1;
                }
            }
        }
        visit(Move::Pass);
    }

    /// The move of a bit of [`Steps`].
    #[inline(always)]
    pub(super) fn step_of_bit(&self, bit: u32) -> Move {
        let slot = (bit / 16) as usize;
        let from = self.cells[self.side.index()][slot];
        let crop = self.crops[self.side.index()][slot];
        let to = from.along(pace(bit % 16), crop - u8::from(is_sowing(bit % 16)));
        Move::Step { from, to }
    }

    /// The slot of the farmer of `side` on `cell`.
    #[inline(always)]
    pub(crate) fn slot_of(&self, side: Side, cell: Cell) -> Option<Slot> {
        let (cells, crops) = (&self.cells[side.index()], &self.crops[side.index()]);
        (0..usize::from(self.farmers)).find(|&slot| cells[slot] == cell && crops[slot] != 0)
    }

    /// The cell of the farmer in a slot; [`Cell::NOWHERE`] if it isn't placed.
    #[inline(always)]
    pub(super) fn farmer_cell(&self, side: Side, slot: Slot) -> Cell {
        self.cells[side.index()][slot]
    }

    /// The crop of the farmer in a slot.
    #[inline(always)]
    pub(crate) fn crop(&self, side: Side, slot: Slot) -> u8 {
        self.crops[side.index()][slot]
    }
}

/// Two states are equal where their positions are, in whatever order their
/// farmers stand in the lists.
impl<S: BoardSize> PartialEq for State<S> {
    fn eq(&self, other: &Self) -> bool {
        let turn = |s: &Self| (s.side, s.passes, s.farmers, s.placed);
        turn(self) == turn(other)
            && self.pieces == other.pieces
            && Side::BOTH.iter().all(|&side| {
                let same = |(cell, crop)| {
                    other
                        .slot_of(side, cell)
                        .is_some_and(|slot| other.crop(side, slot) == crop)
                };
                self.farmers_of(side).all(same)
            })
    }
}

impl<S: BoardSize> Eq for State<S> {}

#[cfg(test)]
mod tests {
    use super::super::geometry::*;
    use super::*;

    #[test]
    fn a_state_is_as_small_as_the_docs_say() {
        assert_eq!(size_of::<State<Size3>>(), 48);
        assert_eq!(size_of::<State<Size8>>(), 48);
        assert_eq!(size_of::<State<Size9>>(), 96);
        assert_eq!(size_of::<State<Size12>>(), 96);
    }

    #[test]
    fn the_placement_order_is_that_of_the_rules() {
        let order = |farmers: u8| -> String {
            (0..2 * farmers)
                .map(|t| placement_side(t).letter())
                .collect()
        };
        assert_eq!(order(1), "LD");
        assert_eq!(order(3), "LDDLLD");
        assert_eq!(order(5), "LDDLLDDLLD");
    }
}
