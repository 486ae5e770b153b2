//! The steps of both sides after each move of a position, at a fraction of
//! what listing them anew for every child would take.
//!
//! They are told twice: with the crops as they are, and with each crop one
//! greater, which is what a farmer will have to move by once it has harvested.
//!
//! A piece that comes to a cell can only block steps that cross it. Which
//! these are depends on where the farmers stand and on their crops, and is
//! entered once for the whole board. A harvest also clears the cell that it
//! leaves: what that frees is worked out once a farmer, not once a move.

use super::geometry::{BoardSize, Cell, Side};
use super::lines::{Lines, PACES, StepBits, harvest_back};
use super::state::{Slot, State};
use super::steps::Steps;

/// How many crops are looked at: the present one, and one more.
pub(crate) const CROPS: usize = 2;

/// The steps of Light and of Dark, by how much is added to the crops.
pub(crate) type BothSteps = [[Steps; 2]; CROPS];

const NO_STEPS: BothSteps = [[Steps::NONE; 2]; CROPS];

/// Both sides' steps in a position and after each of its moves.
pub(crate) struct Outlook<S> {
    /// The position's lines, without the farmer that is lifted.
    lines: Lines<S>,
    now: BothSteps,
    crossings: Crossings,
    /// Where the farmer stood that is lifted off the board.
    lifted: Option<Cell>,
    /// Both sides' steps without the lifted farmer.
    freed: BothSteps,
}

/// Both sides' steps after a move, each as if it were its turn.
#[derive(Clone, Copy)]
pub(crate) struct After {
    /// The steps of all farmers but the one that moved.
    pub(crate) others: BothSteps,
    /// The steps of the one that moved, by how much is added to its crop.
    pub(crate) own: [StepBits; CROPS],
}

impl After {
    /// The steps of a state in which nobody has moved.
    pub(crate) fn of<S: BoardSize>(state: &State<S>) -> After {
        After {
            others: both_steps(state, &state.lines()),
            own: [0; CROPS],
        }
    }
}

/// Both sides' steps.
#[inline(always)]
fn both_steps<S: BoardSize>(state: &State<S>, lines: &Lines<S>) -> BothSteps {
    let mut steps = NO_STEPS;
    for side in Side::BOTH {
        for (slot, cell) in state.slots(side) {
            let crop = state.crop(side, slot);
            for (more, steps) in steps.iter_mut().enumerate() {
                let bits = lines.steps(side, cell, crop + more as u8);
                steps[side.index()].add(slot, bits);
            }
        }
    }
    steps
}

impl<S: BoardSize> Outlook<S> {
    /// The outlook on nothing yet.
    ///
    /// It is then turned to a state where it lies: it is too large to be moved.
    pub(crate) const BLANK: Outlook<S> = Outlook {
        lines: Lines::BLANK,
        now: NO_STEPS,
        crossings: Crossings::NONE,
        lifted: None,
        freed: NO_STEPS,
    };

    /// Turns a blank outlook to a state; all other methods want the same state.
    #[inline(always)]
    pub(crate) fn turn_to(&mut self, state: &State<S>) {
        self.lines = state.lines();
        self.now = both_steps(state, &self.lines);
        self.crossings.enter_all(state);
    }

    /// The steps of a side as they are.
    #[inline(always)]
    pub(crate) const fn steps(&self, side: Side) -> Steps {
        self.now[0][side.index()]
    }

    /// The steps after a pass.
    #[inline(always)]
    pub(crate) const fn after_pass(&self) -> After {
        After {
            others: self.now,
            own: [0; CROPS],
        }
    }

    /// The steps after a farmer is placed on `to`.
    #[inline(always)]
    pub(crate) fn after_placing(&self, state: &State<S>, to: Cell) -> After {
        After {
            others: self.crossings.block(&self.now, to),
            own: self.own_steps(state.side(), to, 1),
        }
    }

    /// The steps after the farmer in `slot` harvests to `to`.
    #[inline(always)]
    pub(crate) fn after_harvest(&mut self, state: &State<S>, slot: Slot, to: Cell) -> After {
        let side = state.side();
        self.lift(state, slot);
        After {
            others: self.crossings.block(&self.freed, to),
            own: self.own_steps(side, to, state.crop(side, slot) + 1),
        }
    }

    /// The steps after the farmer in `slot` sows to `to`.
    #[inline(always)]
    pub(crate) fn after_sowing(&mut self, state: &State<S>, slot: Slot, to: Cell) -> After {
        let side = state.side();
        self.set_down(side);
        let mut at = state.farmer_cell(side, slot);
        let pace = at.pace_to(to);
        let mut others = self.now;
        for steps in &mut others {
            steps[side.index()] = steps[side.index()].without_slot(slot);
        }
        for _ in 1..state.crop(side, slot) {
            at = at.along(pace, 1);
            others = self.crossings.block(&others, at);
        }
        let mut own = self.own_steps(side, to, 1);
        // Behind it lies what it has just sown: nowhere to land with a crop of
        // one, no cell to sow with a crop of two. With that one lands a cell
        // further back, which is sown too unless it had but one seed.
        let back = harvest_back(pace);
        own[0] &= !back;
        own[1] &= !(back << 2);
        if state.crop(side, slot) > 2 {
            own[1] &= !back;
        }
        After { others, own }
    }

    /// The steps of a farmer of `side` on a cell, by what is added to its crop.
    #[inline(always)]
    fn own_steps(&self, side: Side, cell: Cell, crop: u8) -> [StepBits; CROPS] {
        [
            self.lines.steps(side, cell, crop),
            self.lines.steps(side, cell, crop + 1),
        ]
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
        for (more, freed) in self.freed.iter_mut().enumerate() {
            for who in Side::BOTH {
                // Only what crosses the cell and was blocked can have become
                // free.
                let freed = &mut freed[who.index()];
                let blocked = self.crossings.at(from, more, who) & !*freed;
                blocked.each_slot(|slot| {
                    let (cell, crop) = (state.farmer_cell(who, slot), state.crop(who, slot));
                    let steps = self.lines.steps(who, cell, crop + more as u8);
                    *freed = freed.with_slot(slot, steps);
                });
            }
            freed[side.index()] = freed[side.index()].without_slot(slot);
        }
    }

    /// Sets the lifted farmer, if there is one, down where it was.
    #[inline(always)]
    fn set_down(&mut self, side: Side) {
        if let Some(cell) = self.lifted.take() {
            self.lines.flip(cell, side);
        }
    }
}

/// For every cell the steps, by what is added to the crops, by side and slot,
/// that a piece of the side to move would block there, whether or not they are
/// legal now. A cell's fill a line of the cache.
#[repr(align(64))]
struct Crossings {
    through: [[[[StepBits; 8]; 2]; CROPS]; 256],
}

impl Crossings {
    const NONE: Crossings = Crossings {
        through: [[[[0; 8]; 2]; CROPS]; 256],
    };

    #[inline(always)]
    fn enter_all<S: BoardSize>(&mut self, state: &State<S>) {
        for side in Side::BOTH {
            for (slot, cell) in state.slots(side) {
                let crop = state.crop(side, slot);
                for more in 0..CROPS {
                    let crop = crop + more as u8;
                    self.enter(cell, crop, more, side, slot, side == state.side());
                }
            }
        }
    }

    /// Enters the steps of one farmer. A piece on the path blocks a sowing,
    /// one on the last cell a harvest, an opponent's on the path that too.
    ///
    /// Where a path leaves the board, its cells' numbers wrap to others; that
    /// is harmless, as a step that leaves the board is never legal.
    #[inline(always)]
    fn enter(&mut self, cell: Cell, crop: u8, more: usize, side: Side, slot: Slot, is_own: bool) {
        for paces in 1..=crop {
            let harvest = paces == crop || !is_own;
            let kinds = StepBits::from(harvest) | StepBits::from(paces != crop) << 2;
            for bit in HARVEST_BITS {
                let at = cell.along(PACES[bit], paces);
                self.through[usize::from(at.0)][more][side.index()][slot & 7] |= kinds << bit;
            }
        }
    }

    /// The steps of `side` that a piece on this cell would block.
    #[inline(always)]
    fn at(&self, cell: Cell, more: usize, side: Side) -> Steps {
        Steps::of_slots(self.through[usize::from(cell.0)][more][side.index()])
    }

    /// Both sides' steps less those that a piece on a cell blocks.
    #[inline(always)]
    fn block(&self, steps: &BothSteps, cell: Cell) -> BothSteps {
        std::array::from_fn(|more| {
            [Side::Light, Side::Dark]
                .map(|side| steps[more][side.index()] & !self.at(cell, more, side))
        })
    }
}

/// The harvest bits of [`StepBits`]; the sowing of the same direction is two
/// bits further.
const HARVEST_BITS: [usize; 8] = [0, 1, 4, 5, 8, 9, 12, 13];

#[cfg(test)]
mod tests {
    use super::super::moves::Move;
    use super::super::position::random::each_position;
    use super::super::straight::distance;
    use super::*;
    use crate::on_size;

    fn check<S: BoardSize>(state: &State<S>) {
        let mut outlook = Outlook::BLANK;
        outlook.turn_to(state);
        let side = state.side();
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
                        outlook.after_sowing(state, slot, to)
                    }
                }
            };
            let moved = match mv {
                Move::Pass => None,
                Move::Place(to) | Move::Step { to, .. } => child.slot_of(side, to),
            };
            let expected = After::of(&child).others;
            for (more, expected) in expected.iter().enumerate() {
                let mut all = after.others[more];
                if let Some(slot) = moved {
                    assert_eq!(all[side.index()].of_slot(slot), 0, "{mv}");
                    all[side.index()] = all[side.index()].with_slot(slot, after.own[more]);
                }
                assert_eq!(all, *expected, "{state:?} {mv} {more}");
            }
            let steps = Side::BOTH.map(|side| child.steps(&child.lines(), side));
            assert_eq!(expected[0], steps);
        }
    }

    #[test]
    fn steps_after_every_move_are_those_of_the_child() {
        let mut seed = 1;
        for game in 0..30 {
            each_position(3 + game % 10, &mut seed, |position| {
                on_size!(position.state(), s => check(s));
            });
        }
    }
}
