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
    /// The position's lines, without the farmer that is lifted.
    lines: Lines<S>,
    now: [Steps; 2],
    crossings: Crossings,
    /// Where the farmer stood that is lifted off the board.
    lifted: Option<Cell>,
    /// Both sides' steps without the lifted farmer.
    freed: [Steps; 2],
}

/// The steps of Light and of Dark after a move, each as if it were its turn.
#[derive(Clone, Copy)]
pub(crate) struct After {
    /// The steps of all farmers but the one that moved.
    pub(crate) others: [Steps; 2],
    /// The steps of the one that moved.
    pub(crate) own: StepBits,
}

impl<S: BoardSize> Outlook<S> {
    /// The outlook on nothing yet.
    ///
    /// It is then turned to a state where it lies: it is too large to be moved.
    pub(crate) const BLANK: Outlook<S> = Outlook {
        lines: Lines::BLANK,
        now: [Steps::NONE; 2],
        crossings: Crossings::NONE,
        lifted: None,
        freed: [Steps::NONE; 2],
    };

    /// Turns a blank outlook to a state; all other methods want the same state.
    #[inline(always)]
    pub(crate) fn turn_to(&mut self, state: &State<S>) {
        self.lines = Lines::EMPTY;
        for side in Side::BOTH {
            self.lines.flip_all(state.pieces(side), side);
        }
        for side in Side::BOTH {
            self.now[side.index()] = state.steps(&self.lines, side);
        }
        self.crossings.enter_all(state);
    }

    /// The steps of Light and of Dark as they are, each as if it were its turn.
    #[inline(always)]
    pub(crate) const fn now(&self) -> [Steps; 2] {
        self.now
    }

    /// The steps after a pass.
    #[inline(always)]
    pub(crate) const fn after_pass(&self) -> After {
        After {
            others: self.now,
            own: 0,
        }
    }

    /// The steps after a farmer is placed on `to`.
    #[inline(always)]
    pub(crate) fn after_placing(&self, state: &State<S>, to: Cell) -> After {
        After {
            others: self.crossings.block(self.now, to),
            own: self.lines.steps(state.side(), to, 1),
        }
    }

    /// The steps after the farmer in `slot` harvests to `to`.
    #[inline(always)]
    pub(crate) fn after_harvest(&mut self, state: &State<S>, slot: Slot, to: Cell) -> After {
        let side = state.side();
        self.lift(state, slot);
        After {
            others: self.crossings.block(self.freed, to),
            own: self.lines.steps(side, to, state.crop(side, slot) + 1),
        }
    }

    /// The steps after the farmer in `slot` sows, `pace` by `pace`.
    #[inline(always)]
    pub(crate) fn after_sowing(&mut self, state: &State<S>, slot: Slot, pace: i8) -> After {
        let side = state.side();
        self.set_down(side);
        let mut to = state.farmer_cell(side, slot);
        let mut others = self.now;
        others[side.index()] = others[side.index()].without_slot(slot);
        for _ in 1..state.crop(side, slot) {
            to = to.along(pace, 1);
            others = self.crossings.block(others, to);
        }
        After {
            others,
            // Behind it lies what it has just sown.
            own: self.lines.steps(side, to, 1) & !harvest_back(pace),
        }
    }

    /// Takes a farmer of the side to move off the board.
    #[inline(always)]
    fn lift(&mut self, state: &State<S>, slot: Slot) {
        let side = state.side();
        let from = state.farmer_cell(side, slot);
        if self.lifted == Some(from) {
            return;
        }
        self.set_down(side);
        self.lines.flip(from, side);
        self.lifted = Some(from);
        self.freed = self.now;
        for who in Side::BOTH {
            // Only what crosses the cell and was blocked can have become free.
            let blocked = self.crossings.at(from, who) & !self.now[who.index()];
            blocked.each_slot(|slot| {
                let (cell, crop) = (state.farmer_cell(who, slot), state.crop(who, slot));
                let steps = self.lines.steps(who, cell, crop);
                self.freed[who.index()] = self.freed[who.index()].with_slot(slot, steps);
            });
        }
        self.freed[side.index()] = self.freed[side.index()].without_slot(slot);
    }

    /// Sets the lifted farmer, if there is one, down where it was.
    #[inline(always)]
    fn set_down(&mut self, side: Side) {
        if let Some(cell) = self.lifted.take() {
            self.lines.flip(cell, side);
        }
    }
}

/// For every cell the steps, by side and slot, that a piece of the side to
/// move would block there, whether or not they are legal now.
struct Crossings {
    through: [[[StepBits; 8]; 2]; 256],
}

impl Crossings {
    const NONE: Crossings = Crossings {
        through: [[[0; 8]; 2]; 256],
    };

    #[inline(always)]
    fn enter_all<S: BoardSize>(&mut self, state: &State<S>) {
        for side in Side::BOTH {
            for (slot, cell) in state.slots(side) {
                let crop = state.crop(side, slot);
                self.enter(cell, crop, side, slot, side == state.side());
            }
        }
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
                self.through[usize::from(at.0)][side.index()][slot & 7] |= kinds << bit;
            }
        }
    }

    /// The steps of `side` that a piece on this cell would block.
    #[inline(always)]
    fn at(&self, cell: Cell, side: Side) -> Steps {
        Steps::of_slots(self.through[usize::from(cell.0)][side.index()])
    }

    /// The steps of Light and of Dark less those that a piece on a cell blocks.
    #[inline(always)]
    fn block(&self, steps: [Steps; 2], cell: Cell) -> [Steps; 2] {
        [
            steps[0] & !self.at(cell, Side::Light),
            steps[1] & !self.at(cell, Side::Dark),
        ]
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
        let mut outlook = Outlook::BLANK;
        outlook.turn_to(state);
        let side = state.side();
        let steps = |state: &State<S>| Side::BOTH.map(|side| state.steps(&state.lines(), side));
        for mv in state.legal_moves() {
            let mut child = *state;
            child.make(mv);
            let after = match mv {
                Move::Pass => outlook.after_pass(),
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
            let moved = match mv {
                Move::Pass => None,
                Move::Place(to) | Move::Step { to, .. } => child.slot_of(side, to),
            };
            let mut all = after.others;
            if let Some(slot) = moved {
                assert_eq!(all[side.index()].of_slot(slot), 0, "{mv}");
                all[side.index()] = all[side.index()].with_slot(slot, after.own);
            }
            assert_eq!(all, steps(&child), "{mv}");
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
