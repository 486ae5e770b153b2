//! One look at all children of a position: how each of them stands.
//!
//! A farmer is lifted once for all its harvests and once for all its sowings;
//! a child then differs only in the field that it lands in or sows through.

use super::geometry::{BoardSize, Cell, Side};
use super::joints::{Seeds, runs_round};
use super::lines::pace;
use super::moves::Move;
use super::regions::{Fields, Region, beside};
use super::state::{Slot, State};
use super::steps::Steps;
use super::word::Word;
use super::worth::{Farmers, Standing, Worth, farmer, lead, weight};

/// A farmer that may move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Farmer {
    pub(crate) slot: Slot,
    pub(crate) cell: Cell,
    pub(crate) crop: u8,
}

/// What wants to know of every child of a position how it stands, in the order
/// of [`State::legal_moves`].
pub(crate) trait Visitor<S: BoardSize> {
    /// A farmer is placed.
    fn place(&mut self, to: Cell, standing: Standing);

    /// The harvests and then the sowings of this farmer come next.
    fn turn_to(&mut self, farmer: Farmer);

    /// Its harvests come next; called only if there are some.
    #[inline(always)]
    fn begin_harvests(&mut self) {}

    /// It harvests to this cell.
    fn harvest(&mut self, to: Cell, standing: Standing);

    /// That were its harvests.
    #[inline(always)]
    fn end_harvests(&mut self) {}

    /// Its sowings come next; called only if there are some.
    #[inline(always)]
    fn begin_sowings(&mut self) {}

    /// It sows, by this bit of its steps, to this cell; `sown` are the cells
    /// it fills, that one included.
    fn sow(&mut self, bit: u32, to: Cell, sown: S::Word, standing: Standing);

    /// The side passes.
    fn pass(&mut self, standing: Standing);
}

/// A visitor that is told nothing but moves.
struct Moves<F> {
    visit: F,
    from: Cell,
}

impl<S: BoardSize, F: FnMut(Move, Standing)> Visitor<S> for Moves<F> {
    #[inline(always)]
    fn place(&mut self, to: Cell, standing: Standing) {
        (self.visit)(Move::Place(to), standing);
    }

    #[inline(always)]
    fn turn_to(&mut self, farmer: Farmer) {
        self.from = farmer.cell;
    }

    #[inline(always)]
    fn harvest(&mut self, to: Cell, standing: Standing) {
        let from = self.from;
        (self.visit)(Move::Step { from, to }, standing);
    }

    #[inline(always)]
    fn sow(&mut self, _: u32, to: Cell, _: S::Word, standing: Standing) {
        let from = self.from;
        (self.visit)(Move::Step { from, to }, standing);
    }

    #[inline(always)]
    fn pass(&mut self, standing: Standing) {
        (self.visit)(Move::Pass, standing);
    }
}

impl<S: BoardSize> Fields<S> {
    /// Calls `visit` with every legal move of `state`, in the order of
    /// [`State::legal_moves`], and how its child stands.
    ///
    /// `steps` are those of the side to move; they are not looked at in the
    /// placement stage.
    #[inline]
    pub fn scan(&self, state: &State<S>, steps: Steps, visit: impl FnMut(Move, Standing)) {
        let from = Cell::default();
        self.scan_for(state, steps, &mut Moves { visit, from });
    }

    /// The same for a visitor that is told more.
    #[inline(always)]
    pub(crate) fn scan_for(&self, state: &State<S>, steps: Steps, visitor: &mut impl Visitor<S>) {
        if state.is_over() {
            return;
        }
        if state.is_placing() {
            self.scan_placements(state, visitor);
            return;
        }
        let own = self.crops.sum(state.side(), Farmers::MAX);
        let opponents = self.crops.sum(state.side().other(), Farmers::MAX);
        for (slot, cell) in state.slots(state.side()) {
            let bits = steps.of_slot(slot);
            if bits != 0 {
                let crop = state.crop(state.side(), slot);
                let mover = Mover {
                    side: state.side(),
                    farmer: Farmer { slot, cell, crop },
                    near_others: S::neighbours(self.farmers & !S::bit(cell)),
                    others: own - weight(crop),
                    opponents,
                };
                visitor.turn_to(mover.farmer);
                self.scan_harvests(mover, bits & 0x3333, visitor);
                self.scan_sowings(mover, bits & 0xcccc, visitor);
            }
        }
        visitor.pass(self.standing());
    }

    fn scan_placements(&self, state: &State<S>, visitor: &mut impl Visitor<S>) {
        let mover = Mover {
            side: state.side(),
            farmer: Farmer {
                slot: state.free_slot(state.side()),
                cell: Cell::default(),
                crop: 0,
            },
            near_others: S::neighbours(self.farmers),
            others: self.crops.sum(state.side(), Farmers::MAX),
            opponents: self.crops.sum(state.side().other(), Farmers::MAX),
        };
        let ground = Ground::new(self, mover, 1);
        let mut rest = self.empty;
        while !rest.is_empty() {
            let to = S::cell(rest.lowest());
            rest = rest.without_lowest();
            visitor.place(to, ground.land(to));
        }
    }

    #[inline(always)]
    fn scan_harvests(&self, mover: Mover<S>, mut harvests: u16, visitor: &mut impl Visitor<S>) {
        if harvests == 0 {
            return;
        }
        let farmer = mover.farmer;
        visitor.begin_harvests();
        let mut ground = Ground::new(self, mover, farmer.crop + 1);
        ground.open();
        while harvests != 0 {
            let to = farmer
                .cell
                .along(pace(harvests.trailing_zeros()), farmer.crop);
            harvests &= harvests - 1;
            visitor.harvest(to, ground.land(to));
        }
        visitor.end_harvests();
    }

    #[inline(always)]
    fn scan_sowings(&self, mover: Mover<S>, mut sowings: u16, visitor: &mut impl Visitor<S>) {
        if sowings == 0 {
            return;
        }
        let farmer = mover.farmer;
        visitor.begin_sowings();
        let mut ground = Ground::new(self, mover, 1);
        ground.leave();
        while sowings != 0 {
            let bit = sowings.trailing_zeros();
            let pace = pace(bit);
            sowings &= sowings - 1;
            let mut to = farmer.cell.along(pace, 1);
            let mut sown = S::bit(to);
            let standing = if farmer.crop == 2 {
                ground.land(to)
            } else {
                for _ in 2..farmer.crop {
                    to = to.along(pace, 1);
                    sown |= S::bit(to);
                }
                ground.sow(to, sown)
            };
            visitor.sow(bit, to, sown, standing);
        }
    }
}

/// The farmer that is about to move; its crop is 0 if it is to be placed.
#[derive(Clone, Copy)]
struct Mover<S: BoardSize> {
    side: Side,
    farmer: Farmer,
    /// The cells beside all other farmers.
    near_others: S::Word,
    /// What the crops of its side's other farmers weigh, and its opponent's.
    others: u64,
    opponents: u64,
}

impl<S: BoardSize> Mover<S> {
    #[inline(always)]
    fn who(&self) -> Farmers {
        farmer(self.side, self.farmer.slot)
    }
}

/// The fields with one farmer lifted, ready for it to land.
struct Ground<'a, S: BoardSize> {
    fields: &'a Fields<S>,
    mover: Mover<S>,
    /// The empty cells.
    empty: S::Word,
    /// The fields that the farmer was beside, as they are without it. They
    /// come before those of `fields`, some of which they replace.
    changed: [Region<S::Word>; 4],
    /// The number of those.
    changes: usize,
    /// The worth of all fields.
    base: Worth,
    /// The farmer's weight after its move.
    weight: u64,
    /// Who has the half point then.
    lead: i32,
}

impl<'a, S: BoardSize> Ground<'a, S> {
    /// The fields as they are; `crop` is the farmer's after its move.
    #[inline(always)]
    fn new(fields: &'a Fields<S>, mover: Mover<S>, crop: u8) -> Self {
        let none = Region {
            cells: S::Word::EMPTY,
            worth: Worth::NONE,
            beside: 0,
            count: 0,
        };
        Ground {
            fields,
            mover,
            empty: fields.empty,
            changed: [none; 4],
            changes: 0,
            base: fields.total,
            weight: weight(crop),
            lead: lead(mover.side, mover.others + weight(crop), mover.opponents),
        }
    }

    /// Opens the cell of a harvesting farmer: the fields beside it join.
    #[inline(always)]
    fn open(&mut self) {
        let (who, start) = (self.mover.who(), S::bit(self.mover.farmer.cell));
        let mut cells = start;
        for region in &self.fields.regions {
            if region.beside & who != 0 {
                cells |= region.cells;
                self.base -= region.worth;
            }
        }
        let beside = beside::<S>(cells, &self.fields.places) & !who;
        let count = cells.count();
        let worth = self.fields.crops.worth(count, beside);
        self.empty |= start;
        self.changes = 1;
        self.base += worth;
        self.changed[0] = Region {
            cells,
            worth,
            beside,
            count: count as u8,
        };
    }

    /// Takes a sowing farmer from its fields.
    #[inline(always)]
    fn leave(&mut self) {
        let who = self.mover.who();
        for region in &self.fields.regions {
            if region.beside & who != 0 {
                let beside = region.beside & !who;
                let worth = self.fields.crops.worth(region.count.into(), beside);
                self.base = self.base - region.worth + worth;
                // A farmer has four neighbours at most.
                self.changed[self.changes & 3] = Region {
                    worth,
                    beside,
                    ..*region
                };
                self.changes += 1;
            }
        }
    }

    /// The field with a cell in `wanted`.
    #[inline(always)]
    fn field(&self, wanted: S::Word) -> Region<S::Word> {
        for region in &self.changed[..self.changes & 7] {
            if region.cells.meets(wanted) {
                return *region;
            }
        }
        for region in &self.fields.regions {
            if region.cells.meets(wanted) {
                return *region;
            }
        }
        // No farmer touches it so far.
        let cells = S::flood(wanted.only_lowest(), self.empty);
        Region {
            cells,
            worth: Worth::NONE,
            beside: 0,
            count: cells.count() as u8,
        }
    }

    /// How the position stands when the farmer lands on `to`.
    #[inline(always)]
    fn land(&self, to: Cell) -> Standing {
        let filled = S::bit(to);
        let field = self.field(filled);
        let rest = field.cells & !filled;
        let count = u32::from(field.count) - 1;
        let worth = match runs_round::<S>(self.empty, to) {
            Some(seeds) => self.parts(rest, count, to, seeds),
            None => {
                let beside = if filled.meets(self.mover.near_others) {
                    self.others_beside(rest)
                } else {
                    field.beside
                };
                let (side, weight) = (self.mover.side, self.weight);
                self.fields.crops.worth_with(count, beside, side, weight)
            }
        };
        self.standing(self.base - field.worth + worth)
    }

    /// How the position stands when the farmer sows several cells and stops
    /// on the last of them, `to`.
    #[inline(always)]
    fn sow(&self, to: Cell, sown: S::Word) -> Standing {
        let (mut left, mut worth) = (sown, self.base);
        while !left.is_empty() {
            let field = self.field(left);
            left &= !field.cells;
            let rest = field.cells & !sown;
            let seeds = Seeds::round(sown, rest);
            worth = worth - field.worth + self.parts(rest, rest.count(), to, seeds);
        }
        self.standing(worth)
    }

    /// What the parts of a field are worth when the farmer stands on `to`;
    /// together they are `rest`, of `count` cells.
    #[inline(always)]
    fn parts(&self, rest: S::Word, count: u32, to: Cell, seeds: Seeds<S>) -> Worth {
        let (side, near) = (self.mover.side, S::near(to));
        let (mut left, mut worth) = (count, Worth::NONE);
        seeds.split(rest, |part, last| {
            let count = if last { left } else { part.count() };
            left -= count;
            let weight = if near.meets(part) { self.weight } else { 0 };
            let beside = self.others_beside(part);
            worth += self.fields.crops.worth_with(count, beside, side, weight);
        });
        worth
    }

    /// The farmers beside a set of cells but the one that moves.
    #[inline(always)]
    fn others_beside(&self, cells: S::Word) -> Farmers {
        beside::<S>(cells, &self.fields.places) & !self.mover.who()
    }

    #[inline(always)]
    fn standing(&self, worth: Worth) -> Standing {
        Standing {
            worth,
            lead: self.lead,
        }
    }
}
