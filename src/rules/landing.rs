//! How a position stands when a farmer is taken from its cell and set down on
//! another.

use super::crops::{Farmers, Weights, farmer};
use super::geometry::{BoardSize, Cell, Side};
use super::joints::{Seeds, runs_round};
use super::region::Region;
use super::regions::Fields;
use super::state::Slot;
use super::word::Word;
use super::worth::{Standing, Worth};

/// A farmer that may move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Farmer {
    pub(crate) slot: Slot,
    pub(crate) cell: Cell,
    pub(crate) crop: u8,
}

/// A farmer and what depends on all others alone.
pub(super) struct Lifted<'a, S: BoardSize> {
    fields: &'a Fields<S>,
    side: Side,
    pub(super) farmer: Farmer,
    /// The cells beside all other farmers.
    near_others: S::Word,
    /// What the crops of all other farmers weigh.
    others: Weights,
    /// The fields that it stands beside.
    beside: [Option<&'a Region<S::Word>>; 4],
}

impl<'a, S: BoardSize> Lifted<'a, S> {
    /// A farmer of `side`, taken from where it stands.
    #[inline(always)]
    pub(super) fn of(fields: &'a Fields<S>, side: Side, farmer: Farmer) -> Lifted<'a, S> {
        let who = self::farmer(side, farmer.slot);
        Lifted {
            near_others: S::neighbours(fields.farmers & !S::bit(farmer.cell)),
            others: fields.crops.all().without(Weights::of(side, farmer.crop)),
            beside: fields.regions.beside(who),
            ..Lifted::placed(fields, side, farmer)
        }
    }

    /// A farmer that isn't on the board so far.
    #[inline(always)]
    pub(super) fn placed(fields: &'a Fields<S>, side: Side, farmer: Farmer) -> Lifted<'a, S> {
        Lifted {
            fields,
            side,
            farmer,
            near_others: S::neighbours(fields.farmers),
            others: fields.crops.all(),
            beside: [None; 4],
        }
    }

    /// The fields that it stands beside.
    #[inline(always)]
    fn regions(&self) -> impl Iterator<Item = &'a Region<S::Word>> {
        self.beside.into_iter().map_while(|region| region)
    }

    /// The farmers on a set of cells but this one.
    #[inline(always)]
    fn others_on(&self, cells: S::Word) -> Farmers {
        cells.standing(&self.fields.places) & !farmer(self.side, self.farmer.slot)
    }

    /// The farmers beside a set of cells but this one.
    #[inline(always)]
    fn others_beside(&self, cells: S::Word) -> Farmers {
        self.others_on(S::neighbours(cells))
    }
}

/// The fields without a farmer, ready for it to land with a certain crop.
pub(super) struct Landing<'a, S: BoardSize> {
    lifted: &'a Lifted<'a, S>,
    /// The empty cells.
    empty: S::Word,
    /// The worth of all fields.
    base: Worth,
    /// The farmer's weight after its move.
    weight: Weights,
    /// Who has the half point then.
    lead: i32,
}

impl<'a, S: BoardSize> Landing<'a, S> {
    /// The fields as they are; `crop` is the farmer's after its move.
    #[inline(always)]
    pub(super) fn new(lifted: &'a Lifted<'a, S>, crop: u8) -> Self {
        let weight = Weights::of(lifted.side, crop);
        Landing {
            lifted,
            empty: lifted.fields.empty,
            base: lifted.fields.total,
            weight,
            lead: lifted.others.with(weight).lead(),
        }
    }

    /// Opens the cell of a harvesting farmer; returns the field that those beside
    /// it become.
    #[inline(always)]
    pub(super) fn open(&mut self) -> Region<S::Word> {
        let start = S::bit(self.lifted.farmer.cell);
        let (mut cells, mut count) = (start, 1);
        for region in self.lifted.regions() {
            cells |= region.cells;
            count += u32::from(region.count);
            self.base -= region.worth;
        }
        let beside = self.lifted.others_beside(cells);
        let joined = Region::new(cells, count, self.lifted.fields.crops.sum(beside));
        self.empty |= start;
        self.base += joined.worth;
        joined
    }

    /// Takes a sowing farmer from the fields beside it; returns what those are
    /// worth now.
    #[inline(always)]
    pub(super) fn leave(&mut self) -> [Worth; 4] {
        let own = self.own();
        let mut left = [Worth::NONE; 4];
        for (left, region) in left.iter_mut().zip(self.lifted.regions()) {
            *left = region.without(own).worth;
            self.base = self.base - region.worth + *left;
        }
        left
    }

    /// What the farmer's crop weighs before its move.
    #[inline(always)]
    fn own(&self) -> Weights {
        Weights::of(self.lifted.side, self.lifted.farmer.crop)
    }

    /// The field with a cell in `wanted`, where the farmer has [left](Self::leave)
    /// its fields.
    #[inline(always)]
    pub(super) fn field(&self, wanted: S::Word, left: &[Worth; 4]) -> Region<S::Word> {
        for (region, &worth) in self.lifted.regions().zip(left) {
            if region.cells.meets(wanted) {
                let weights = region.weights.without(self.own());
                return Region {
                    weights,
                    worth,
                    ..*region
                };
            }
        }
        self.other_field(wanted)
    }

    /// The field with a cell in `wanted`, one that the farmer doesn't touch.
    #[inline(always)]
    pub(super) fn other_field(&self, wanted: S::Word) -> Region<S::Word> {
        let fields = self.lifted.fields;
        match fields.regions.find(wanted) {
            Some(region) => *region,
            None => {
                // No farmer touches it so far.
                let cells = S::flood(wanted.only_lowest(), self.empty);
                Region::new(cells, cells.count(), Weights::NONE)
            }
        }
    }

    /// How the position stands when the farmer lands on `to`, in this field.
    #[inline(always)]
    pub(super) fn on(&self, to: Cell, field: Region<S::Word>) -> Standing {
        let filled = S::bit(to);
        let rest = field.cells & !filled;
        let count = u32::from(field.count) - 1;
        let worth = match runs_round::<S>(self.empty, to) {
            Some(seeds) => self.parts(rest, count, to, seeds),
            None => {
                let others = if filled.meets(self.lifted.near_others) {
                    let beside = self.lifted.others_beside(rest);
                    self.lifted.fields.crops.sum(beside)
                } else {
                    field.weights
                };
                others.with(self.weight).worth(count)
            }
        };
        self.standing(self.base - field.worth + worth)
    }

    /// How the position stands when the farmer, which has [left](Self::leave) its
    /// fields, sows several cells and stops on the last of them, `to`.
    #[inline(always)]
    pub(super) fn along(&self, sown: S::Word, to: Cell, left: &[Worth; 4]) -> Standing {
        let (mut unseen, mut worth) = (sown, self.base);
        // The farmer sows one cell less than its crop.
        let mut unseen_count = u32::from(self.lifted.farmer.crop) - 1;
        while !unseen.is_empty() {
            let field = self.field(unseen, left);
            let others = unseen & !field.cells;
            let filled = if others.is_empty() {
                unseen_count
            } else {
                (unseen & field.cells).count()
            };
            (unseen, unseen_count) = (others, unseen_count - filled);
            let (rest, count) = (field.cells & !sown, u32::from(field.count) - filled);
            let seeds = Seeds::round(sown, rest);
            worth = worth - field.worth + self.parts(rest, count, to, seeds);
        }
        self.standing(worth)
    }

    /// What the parts of a field are worth when the farmer stands on `to`;
    /// together they are `rest`, of `count` cells.
    #[inline(always)]
    fn parts(&self, rest: S::Word, count: u32, to: Cell, seeds: Seeds<S>) -> Worth {
        let near = S::near(to);
        let (mut left, mut worth) = (count, Worth::NONE);
        seeds.split(rest, |part, near_part, last| {
            let count = if last { left } else { part.count() };
            left -= count;
            let beside = self.lifted.others_on(near_part);
            let mut weights = self.lifted.fields.crops.sum(beside);
            if near.meets(part) {
                weights = weights.with(self.weight);
            }
            worth += weights.worth(count);
        });
        worth
    }

    #[inline(always)]
    fn standing(&self, worth: Worth) -> Standing {
        Standing {
            worth,
            lead: self.lead,
        }
    }
}
