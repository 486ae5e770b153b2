//! The steps of both sides after each move of a position, at a fraction of
//! what listing them anew for every child would take.
//!
//! A piece that comes to a cell can only block steps that cross it. Which
//! these are depends on where the farmers stand and on their crops, and is
//! entered once for the whole board. A harvest also clears the cell that it
//! leaves: what that frees is worked out once a farmer, not once a move.

use super::geometry::{BoardSize, Cell, Side};
use super::lines::{Lines, PACES, StepBits, harvest_back};
use super::state::{Slot, State, Steps};

/// Both sides' steps in a position and after each of its moves.
pub(crate) struct Outlook<S> {
    /// The position's lines, without the farmer of `lifted`.
    lines: Lines<S>,
    now: [Steps; 2],
    crossings: Crossings,
    lifted: Cell,
    /// Both sides' steps with the farmer on `lifted` taken off the board.
    freed: [Steps; 2],
}

impl<S: BoardSize> Outlook<S> {
    /// The outlook of a state; all other methods want the same state.
    #[inline(always)]
    pub(crate) fn of(state: &State<S>) -> Outlook<S> {
        let lines = state.lines();
        let now = Side::BOTH.map(|side| state.steps(&lines, side));
        Outlook {
            lines,
            now,
            crossings: Crossings::of(state),
            lifted: Cell::NOWHERE,
            freed: now,
        }
    }

    /// The steps of Light and of Dark as they are, each as if it were its turn.
    #[inline(always)]
    pub(crate) const fn now(&self) -> [Steps; 2] {
        self.now
    }

    /// The steps after a farmer is placed on `to`.
    #[inline(always)]
    pub(crate) fn after_placing(&self, state: &State<S>, to: Cell) -> [Steps; 2] {
        let side = state.side();
        let own = self.lines.steps(side, to, 1);
        let blocked = self.crossings.at(to);
        landed(self.now, blocked, side, state.free_slot(side), own)
    }

    /// The steps after the farmer in `slot` harvests to `to`.
    #[inline(always)]
    pub(crate) fn after_harvest(&mut self, state: &State<S>, slot: Slot, to: Cell) -> [Steps; 2] {
        let side = state.side();
        self.lift(state, slot);
        let own = self.lines.steps(side, to, state.crop(side, slot) + 1);
        landed(self.freed, self.crossings.at(to), side, slot, own)
    }

    /// The steps after the farmer in `slot` sows to `to`, `pace` by `pace`.
    #[inline(always)]
    pub(crate) fn after_sowing(&mut self, state: &State<S>, slot: Slot, pace: i8) -> [Steps; 2] {
        let side = state.side();
        self.set_down(side);
        let mut to = state.farmer_cell(side, slot);
        let mut blocked = [Steps::NONE; 2];
        for _ in 1..state.crop(side, slot) {
            to = to.along(pace, 1);
            let here = self.crossings.at(to);
            blocked = [blocked[0] | here[0], blocked[1] | here[1]];
        }
        // Behind it lies what it has just sown.
        let own = self.lines.steps(side, to, 1) & !harvest_back(pace);
        landed(self.now, blocked, side, slot, own)
    }

    /// Takes a farmer of the side to move off the board.
    #[inline(always)]
    fn lift(&mut self, state: &State<S>, slot: Slot) {
        let side = state.side();
        let from = state.farmer_cell(side, slot);
        if self.lifted == from {
            return;
        }
        self.set_down(side);
        self.lines.flip(from, side);
        self.lifted = from;
        self.freed = self.now;
        let crossing = self.crossings.at(from);
        for who in Side::BOTH {
            // Only what crosses the cell and was blocked can have become free.
            let blocked = crossing[who.index()] & !self.now[who.index()];
            blocked.each_slot(|slot| {
                let (cell, crop) = (state.farmer_cell(who, slot), state.crop(who, slot));
                let steps = self.lines.steps(who, cell, crop);
                self.freed[who.index()] = self.freed[who.index()].with_slot(slot, steps);
            });
        }
    }

    /// Sets the lifted farmer, if there is one, down where it was.
    #[inline(always)]
    fn set_down(&mut self, side: Side) {
        if self.lifted != Cell::NOWHERE {
            self.lines.flip(self.lifted, side);
            self.lifted = Cell::NOWHERE;
        }
    }
}

/// Steps less the blocked ones, and the farmer in `slot` of `side` with new ones.
#[inline(always)]
fn landed(
    steps: [Steps; 2],
    blocked: [Steps; 2],
    side: Side,
    slot: Slot,
    own: StepBits,
) -> [Steps; 2] {
    let mut after = [steps[0] & !blocked[0], steps[1] & !blocked[1]];
    after[side.index()] = after[side.index()].with_slot(slot, own);
    after
}

/// For every cell the steps, by side, that a piece of the side to move would
/// block there, whether or not they are legal now.
struct Crossings {
    through: [[Steps; 2]; 256],
}

impl Crossings {
    #[inline(always)]
    fn of<S: BoardSize>(state: &State<S>) -> Crossings {
        let mut crossings = Crossings {
            through: [[Steps::NONE; 2]; 256],
        };
        for side in Side::BOTH {
            for (slot, cell) in state.slots(side) {
                let crop = state.crop(side, slot);
                crossings.enter(cell, crop, side, slot, side == state.side());
            }
        }
        crossings
    }

    /// Enters the steps of one farmer. A piece on the path blocks a sowing,
    /// one on the last cell a harvest, an opponent's on the path that too.
    ///
    /// Where a path leaves the board, its cells' numbers wrap to others; that
    /// is harmless, as a step that leaves the board is never legal.
    #[inline(always)]
    fn enter(&mut self, cell: Cell, crop: u8, side: Side, slot: Slot, is_own: bool) {
        for paces in 1..=crop {
            let harvest = paces == crop || !is_own;
            let kinds = StepBits::from(harvest) | StepBits::from(paces != crop) << 2;
            for bit in HARVEST_BITS {
                let at = cell.along(PACES[bit], paces);
                let through = &mut self.through[usize::from(at.0)][side.index()];
                *through = *through | Steps::of_one(slot, kinds << bit);
            }
        }
    }

    /// The steps of Light and of Dark that a piece on this cell would block.
    #[inline(always)]
    fn at(&self, cell: Cell) -> [Steps; 2] {
        self.through[usize::from(cell.0)]
    }
}

/// The harvest bits of [`StepBits`]; the sowing of the same direction is two
/// bits further.
const HARVEST_BITS: [usize; 8] = [0, 1, 4, 5, 8, 9, 12, 13];

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::super::moves::Move;
    use super::super::state::distance;
    use super::*;
    use crate::on_size;

    fn check<S: BoardSize>(state: &State<S>) {
        let mut outlook = Outlook::of(state);
        let side = state.side();
        let steps = |state: &State<S>| Side::BOTH.map(|side| state.steps(&state.lines(), side));
        for mv in state.legal_moves() {
            let mut child = *state;
            child.make(mv);
            let after = match mv {
                Move::Pass => outlook.now(),
                Move::Place(to) => outlook.after_placing(state, to),
                Move::Step { from, to } => {
                    let slot = state.slot_of(side, from).unwrap();
                    if distance(from, to) == state.crop(side, slot) {
                        outlook.after_harvest(state, slot, to)
                    } else {
                        outlook.after_sowing(state, slot, from.pace_to(to))
                    }
                }
            };
            assert_eq!(after, steps(&child), "{mv}");
        }
    }

    #[test]
    fn steps_after_every_move_are_those_of_the_child() {
        let mut x = 1u64;
        for game in 0..30 {
            let size = 3 + game % 10;
            let mut position = Position::start(size, Position::usual_farmers(size)).unwrap();
            while !position.is_over() {
                on_size!(position.state(), s => check(s));
                let moves = position.legal_moves();
                x = x
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                position
                    .play(moves[(x >> 33) as usize % moves.len()])
                    .unwrap();
            }
        }
    }
}
