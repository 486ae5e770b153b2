//! How moves change a state.

use super::super::geometry::{BoardSize, Cell, Side};
use super::super::lines::{Lines, is_sowing, pace};
use super::super::moves::Move;
use super::super::straight::{path, straight};
use super::super::word::Word;
use super::{Slot, State, placement_side};

impl<S: BoardSize> State<S> {
    /// Makes a legal move; an illegal one leaves a meaningless state.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        match mv {
            Move::Pass => self.pass(),
            Move::Place(cell) => self.place(cell),
            Move::Step { from, to } => {
                let slot = self.slot_of(self.side, from).unwrap_or(0);
                if straight(from, to) == self.crop(self.side, slot) {
                    self.harvest(slot, to);
                } else {
                    self.pieces[self.side.index()] |= path::<S>(from, to);
                    self.sow(slot, to);
                }
            }
        }
    }

    /// Makes the step of a bit of [`State::steps`], and keeps the lines with it.
    #[inline(always)]
    pub(in crate::rules) fn make_bit(&mut self, bit: u32, lines: &mut Lines<S>) {
        let (side, slot) = (self.side, (bit / 16) as usize);
        let from = self.cells[side.index()][slot];
        let crop = self.crops[side.index()][slot];
        let pace = pace(bit % 16);
        if is_sowing(bit % 16) {
            let (mut to, mut sown) = (from, S::Word::EMPTY);
            for _ in 1..crop {
                to = to.along(pace, 1);
                sown |= S::bit(to);
                lines.flip(to, side);
            }
            self.pieces[side.index()] |= sown;
            self.sow(slot, to);
        } else {
            let to = from.along(pace, crop);
            lines.flip(from, side);
            lines.flip(to, side);
            self.harvest(slot, to);
        }
    }

    #[inline(always)]
    pub(in crate::rules) fn pass(&mut self) {
        self.passes += 1;
        self.side = self.side.other();
    }

    /// Puts a farmer on an empty cell and moves the turn on.
    #[inline(always)]
    pub(in crate::rules) fn place(&mut self, cell: Cell) {
        self.put_farmer(cell, self.side, 1);
        self.side = if self.is_placing() {
            placement_side(self.placed)
        } else {
            Side::Light
        };
    }

    /// Moves the farmer in `slot`, tower and all, and ends the turn.
    #[inline(always)]
    fn harvest(&mut self, slot: Slot, to: Cell) {
        let side = self.side.index();
        let from = self.cells[side][slot];
        self.pieces[side] = self.pieces[side] ^ S::bit(from) ^ S::bit(to);
        self.cells[side][slot] = to;
        self.crops[side][slot] += 1;
        self.end_turn();
    }

    /// Sets the farmer in `slot` down on the last cell of a path that is
    /// sown already, and ends the turn.
    #[inline(always)]
    fn sow(&mut self, slot: Slot, to: Cell) {
        let side = self.side.index();
        self.cells[side][slot] = to;
        self.crops[side][slot] = 1;
        self.end_turn();
    }

    #[inline(always)]
    fn end_turn(&mut self) {
        self.passes = 0;
        self.side = self.side.other();
    }

    /// Puts a farmer of `side` on an empty cell; the turn stays.
    pub(in crate::rules) fn put_farmer(&mut self, cell: Cell, side: Side, crop: u8) {
        let slot = self.free_slot(side);
        self.crops[side.index()][slot] = crop;
        self.cells[side.index()][slot] = cell;
        self.pieces[side.index()] |= S::bit(cell);
        self.placed += 1;
    }

    /// Puts a seed of `side` on an empty cell.
    pub(in crate::rules) fn put_seed(&mut self, cell: Cell, side: Side) {
        self.pieces[side.index()] |= S::bit(cell);
    }

    /// Sets the turn and the passes, as a position string has them.
    pub(in crate::rules) fn set_turn(&mut self, side: Side, passes: u8) {
        self.side = side;
        self.passes = passes;
    }
}
