//! How many steps both sides have after each move of a position, at a fraction
//! of what listing them anew for every child would take.
//!
//! They are counted twice: with the crops as they are, and with each crop one
//! greater, which is what a farmer will have to move by once it has harvested.
//!
//! A piece that comes to a cell can only block steps that cross it, which
//! `crossings` tells. A harvest also clears the cell that it leaves: what that
//! frees is worked out once a farmer, not once a move.

use super::crossings::Crossings;
use super::geometry::{BoardSize, Cell, Side};
use super::landing::Farmer;
use super::lines::{Lines, StepBits, harvest_back, pace};
use super::mobility::{BothSteps, CROPS, Mobility, OTHERS};
use super::state::State;
use super::steps::Steps;

/// Both sides' steps in a position and their numbers after each of its moves,
/// those of the side to move first.
pub(crate) struct Outlook<S> {
    /// The position's lines, without the farmer that is lifted.
    lines: Lines<S>,
    crossings: Crossings,
    now: BothSteps,
    mobility: Mobility,
    /// The steps of all farmers but the one that moves, and their numbers.
    others: BothSteps,
    others_mobility: Mobility,
}

impl<S: BoardSize> Outlook<S> {
    /// The outlook on a state; all other methods want the same state.
    #[inline(always)]
    pub(crate) fn of(state: &State<S>) -> Outlook<S> {
        let lines = state.lines();
        let now = BothSteps::of(state, &lines, state.side());
        let mobility = Mobility::of(&now);
        Outlook {
            lines,
            crossings: Crossings::of(state),
            now,
            mobility,
            others: now,
            others_mobility: mobility,
        }
    }

    /// The steps of the side to move.
    #[inline(always)]
    pub(crate) fn steps(&self) -> Steps {
        self.now.now()
    }

    /// The numbers of steps as they are.
    #[inline(always)]
    pub(crate) const fn mobility(&self) -> Mobility {
        self.mobility
    }

    /// The numbers of steps after a farmer is placed on `to`.
    #[inline(always)]
    pub(crate) fn after_placing(&self, state: &State<S>, to: Cell) -> Mobility {
        self.mobility
            .less(&self.now, &self.crossings.at(to))
            .with(self.own_steps(state.side(), to, 1))
    }

    /// Turns to the sowings of a farmer: leaves its own steps aside.
    #[inline(always)]
    pub(crate) fn turn_to_sowings(&mut self, farmer: Farmer) {
        self.others = self.now.without_slot(farmer.slot);
        let own = self.now.of_slot(farmer.slot);
        self.others_mobility = self.mobility.without_own(own);
    }

    /// Turns to the harvests of a farmer: takes it off the board too.
    #[inline(always)]
    pub(crate) fn turn_to_harvests(&mut self, state: &State<S>, farmer: Farmer) {
        self.turn_to_sowings(farmer);
        let side = state.side();
        self.lines.flip(farmer.cell, side);
        // Only what crosses the cell and was blocked can have become free.
        let crossed = self.crossings.at(farmer.cell);
        let blocked = crossed.without(&self.now).without_slot(farmer.slot);
        blocked.each_lane(|more, lane| {
            let who = if lane < OTHERS { side } else { side.other() };
            let slot = lane % OTHERS;
            let (cell, crop) = (state.farmer_cell(who, slot), state.crop(who, slot));
            let steps = self.lines.steps(who, cell, crop + more as u8);
            let freed = steps & !self.now.0[more][lane];
            self.others.0[more][lane] = steps;
            self.others_mobility = self.others_mobility.with_of_lane(lane, more, freed);
        });
    }

    /// The numbers of steps after the farmer whose harvests these are harvests
    /// to `to`.
    #[inline(always)]
    pub(crate) fn after_harvest(&self, side: Side, farmer: Farmer, to: Cell) -> Mobility {
        self.others_mobility
            .less(&self.others, &self.crossings.at(to))
            .with(self.own_steps(side, to, farmer.crop + 1))
    }

    /// Sets the farmer down again where it was.
    #[inline(always)]
    pub(crate) fn end_harvests(&mut self, side: Side, farmer: Farmer) {
        self.lines.flip(farmer.cell, side);
    }

    /// The numbers of steps after the farmer whose sowings these are sows to
    /// `to` by this bit of its steps.
    #[inline(always)]
    pub(crate) fn after_sowing(&self, side: Side, farmer: Farmer, bit: u32, to: Cell) -> Mobility {
        let pace = pace(bit);
        let mut at = farmer.cell.along(pace, 1);
        let mut crossed = self.crossings.at(at);
        let mut mobility = self.others_mobility.less(&self.others, &crossed);
        let mut others = self.others;
        for _ in 2..farmer.crop {
            others = others.without(&crossed);
            at = at.along(pace, 1);
            crossed = self.crossings.at(at);
            mobility = mobility.less(&others, &crossed);
        }
        let mut own = self.own_steps(side, to, 1);
        // Behind it lies what it has just sown: nowhere to land with a crop of
        // one, no cell to sow with a crop of two. With that one lands a cell
        // further back, which is sown too unless it had but one seed.
        let back = harvest_back(bit);
        own[0] &= !back;
        own[1] &= !(back << 2);
        if farmer.crop > 2 {
            own[1] &= !back;
        }
        mobility.with(own)
    }

    /// The steps of a farmer of `side` on a cell, by what is added to its crop.
    #[inline(always)]
    fn own_steps(&self, side: Side, cell: Cell, crop: u8) -> [StepBits; CROPS] {
        self.lines.steps_twice(side, cell, crop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::is_sowing;
    use super::super::moves::Move;
    use super::super::position::random::each_position;
    use super::super::straight::distance;
    use super::*;
    use crate::on_size;

    /// The numbers of steps of a state by the listed steps of each side.
    fn listed<S: BoardSize>(state: &State<S>, first: Side) -> [[i16; 2]; 2] {
        let sides = [first, first.other()].map(|side| state.steps(&state.lines(), side));
        [Steps::harvests, Steps::sowings].map(|kind| sides.map(|steps| kind(steps) as i16))
    }

    fn check<S: BoardSize>(state: &State<S>) {
        let mut outlook = Outlook::of(state);
        let side = state.side();
        for mv in state.legal_moves() {
            let mut child = *state;
            child.make(mv);
            let after = match mv {
                Move::Pass => outlook.mobility(),
                Move::Place(to) => outlook.after_placing(state, to),
                Move::Step { from, to } => {
                    let slot = state.slot_of(side, from).unwrap();
                    let crop = state.crop(side, slot);
                    let farmer = Farmer {
                        slot,
                        cell: from,
                        crop,
                    };
                    if distance(from, to) == crop {
                        outlook.turn_to_harvests(state, farmer);
                        let after = outlook.after_harvest(side, farmer, to);
                        outlook.end_harvests(side, farmer);
                        after
                    } else {
                        let bit = outlook.steps().of_slot(slot);
                        let leads = |&bit: &u32| from.along(pace(bit), crop - 1) == to;
                        let sowings = (0..16).filter(|i| bit >> i & 1 == 1 && is_sowing(*i));
                        let bit = sowings.clone().find(leads).unwrap();
                        outlook.turn_to_sowings(farmer);
                        outlook.after_sowing(side, farmer, bit, to)
                    }
                }
            };
            assert_eq!(after, Mobility::of_state(&child, side), "{state:?} {mv}");
            let bytes = after.bits().to_le_bytes().map(i16::from);
            let counted = [[bytes[0], bytes[2]], [bytes[1], bytes[3]]];
            assert_eq!(counted, listed(&child, side), "{state:?} {mv}");
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
