//! One look at all children of a position: how each of them stands.
//!
//! A farmer is lifted once for all its harvests and once for all its sowings;
//! a child then differs only in the field that it lands in or sows through.

use super::geometry::{BoardSize, Cell, Side};
use super::joints::Joints;
use super::lines::pace;
use super::moves::Move;
use super::regions::{Fields, Landing, Region};
use super::state::{State, Steps};
use super::word::Word;
use super::worth::{Farmers, Standing, Worth, farmer, weight};

impl<S: BoardSize> Fields<S> {
    /// Calls `visit` with every legal move of `state`, in the order of
    /// [`State::legal_moves`], and how its child stands.
    ///
    /// `steps` are those of the side to move; they are not looked at in the
    /// placement stage.
    #[inline]
    pub fn scan(&self, state: &State<S>, steps: Steps, mut visit: impl FnMut(Move, Standing)) {
        if state.is_over() {
            return;
        }
        let joints = Joints::of(self.empty);
        if state.is_placing() {
            self.scan_placements(state, &joints, visit);
            return;
        }
        for (slot, cell) in state.slots(state.side()) {
            let bits = steps.of_slot(slot);
            if bits != 0 {
                let from = S::bit(cell);
                let mover = Mover {
                    side: state.side(),
                    slot,
                    cell,
                    crop: state.crop(state.side(), slot),
                    near_others: S::neighbours(self.farmers & !from),
                };
                self.scan_harvests(mover, bits & 0x3333, &mut visit);
                self.scan_sowings(mover, bits & 0xcccc, &joints, &mut visit);
            }
        }
        visit(Move::Pass, self.standing());
    }

    fn scan_placements(
        &self,
        state: &State<S>,
        joints: &Joints<S>,
        mut visit: impl FnMut(Move, Standing),
    ) {
        let mover = Mover {
            side: state.side(),
            slot: state.free_slot(state.side()),
            cell: Cell::default(),
            crop: 0,
            near_others: S::neighbours(self.farmers),
        };
        let ground = Ground {
            fields: self,
            start: None,
            base: self.total,
            landed: mover.landed(self, 1),
            mover,
        };
        let mut rest = self.empty;
        while !rest.is_empty() {
            let to = S::cell(rest.lowest());
            rest = rest.without_lowest();
            visit(Move::Place(to), ground.land(to, S::bit(to), true, joints));
        }
    }

    #[inline(always)]
    fn scan_harvests(
        &self,
        mover: Mover<S>,
        mut harvests: u16,
        visit: &mut impl FnMut(Move, Standing),
    ) {
        if harvests == 0 {
            return;
        }
        let start = S::bit(mover.cell);
        let joints = Joints::of(self.empty | start);
        let ground = self.joined(mover);
        while harvests != 0 {
            let to = mover
                .cell
                .along(pace(harvests.trailing_zeros()), mover.crop);
            harvests &= harvests - 1;
            let mv = Move::Step {
                from: mover.cell,
                to,
            };
            visit(mv, ground.land(to, S::bit(to), true, &joints));
        }
    }

    #[inline(always)]
    fn scan_sowings(
        &self,
        mover: Mover<S>,
        mut sowings: u16,
        joints: &Joints<S>,
        visit: &mut impl FnMut(Move, Standing),
    ) {
        if sowings == 0 {
            return;
        }
        let ground = self.left(mover);
        while sowings != 0 {
            let pace = pace(sowings.trailing_zeros());
            sowings &= sowings - 1;
            let mut to = mover.cell.along(pace, 1);
            let mut filled = S::bit(to);
            for _ in 2..mover.crop {
                to = to.along(pace, 1);
                filled |= S::bit(to);
            }
            let mv = Move::Step {
                from: mover.cell,
                to,
            };
            visit(mv, ground.land(to, filled, mover.crop == 2, joints));
        }
    }

    /// The board with a harvesting farmer lifted: the fields beside it joined.
    #[inline(always)]
    fn joined(&self, mover: Mover<S>) -> Ground<'_, S> {
        let who = mover.who();
        let (mut cells, mut beside) = self.opened(S::bit(mover.cell));
        let mut base = self.total;
        for region in &self.regions {
            if region.beside & who != 0 {
                cells |= region.cells;
                beside |= region.beside;
                base -= region.worth;
            }
        }
        beside &= !who;
        let worth = self.crops.worth(cells.count(), beside);
        Ground {
            fields: self,
            start: Some(Region {
                cells,
                beside,
                worth,
            }),
            base: base + worth,
            landed: mover.landed(self, mover.crop + 1),
            mover,
        }
    }

    /// The board with a sowing farmer gone from its fields.
    #[inline(always)]
    fn left(&self, mover: Mover<S>) -> Ground<'_, S> {
        let who = mover.who();
        let mut base = self.total;
        for region in &self.regions {
            if region.beside & who != 0 {
                base -= region.worth;
                base += self.crops.worth(region.cells.count(), region.beside & !who);
            }
        }
        Ground {
            fields: self,
            start: None,
            base,
            landed: mover.landed(self, 1),
            mover,
        }
    }
}

/// The farmer that is about to move; its crop is 0 if it is to be placed.
#[derive(Clone, Copy)]
struct Mover<S: BoardSize> {
    side: Side,
    slot: usize,
    cell: Cell,
    crop: u8,
    /// The cells beside all other farmers.
    near_others: S::Word,
}

/// A farmer's weight after its move, and who has the half point then.
#[derive(Clone, Copy)]
struct Landed {
    weight: u64,
    lead: i32,
}

impl<S: BoardSize> Mover<S> {
    #[inline(always)]
    fn who(&self) -> Farmers {
        farmer(self.side, self.slot)
    }

    #[inline(always)]
    fn landed(&self, fields: &Fields<S>, crop: u8) -> Landed {
        let old = if self.crop == 0 { 0 } else { weight(self.crop) };
        Landed {
            weight: weight(crop),
            lead: fields.crops.lead(self.side, old, weight(crop)),
        }
    }
}

/// The fields with one farmer lifted, ready for it to land.
struct Ground<'a, S: BoardSize> {
    fields: &'a Fields<S>,
    /// The field that its harvest opens, if it harvests.
    start: Option<Region<S::Word>>,
    /// The worth of all fields, the start included.
    base: Worth,
    landed: Landed,
    mover: Mover<S>,
}

impl<S: BoardSize> Ground<'_, S> {
    /// How the position stands when the farmer lands on `to`.
    #[inline(always)]
    fn land(&self, to: Cell, filled: S::Word, single: bool, joints: &Joints<S>) -> Standing {
        let landing = Landing {
            filled,
            single,
            beside_at: S::near(to),
            who: self.mover.who(),
            near_others: self.mover.near_others,
            joints,
        };
        Standing {
            worth: self.fill(&landing),
            lead: self.landed.lead,
        }
    }

    #[inline(always)]
    fn fill(&self, landing: &Landing<'_, S>) -> Worth {
        let mut left = landing.filled;
        let mut worth = self.base;
        if let Some(start) = self.start
            && start.cells.meets(left)
        {
            return worth - start.worth + self.parts(start.cells, start.beside, landing);
        }
        for region in &self.fields.regions {
            if region.cells.meets(left) {
                left &= !region.cells;
                let beside = region.beside & !landing.who;
                worth -= if beside == region.beside {
                    region.worth
                } else {
                    self.fields.crops.worth(region.cells.count(), beside)
                };
                worth += self.parts(region.cells, beside, landing);
                if left.is_empty() {
                    return worth;
                }
            }
        }
        // What is left lies in fields that no farmer touches so far.
        while !left.is_empty() {
            let cells = S::flood(left.only_lowest(), self.fields.empty);
            left &= !cells;
            worth += self.parts(cells, 0, landing);
        }
        worth
    }

    #[inline(always)]
    fn parts(&self, cells: S::Word, beside: Farmers, landing: &Landing<'_, S>) -> Worth {
        let mut worth = Worth::NONE;
        let (side, weight) = (self.mover.side, self.landed.weight);
        self.fields
            .each_part(cells, beside, landing, |part, others, touched| {
                let more = if touched { weight } else { 0 };
                worth += self
                    .fields
                    .crops
                    .worth_with(part.count(), others, side, more);
            });
        worth
    }
}
