//! One look at all children of a position: how each of them stands.
//!
//! A farmer is lifted once for all its harvests and once for all its sowings;
//! a child then differs only in the field that it lands in or sows through.

use super::geometry::{BoardSize, Cell, Side};
use super::lines::pace;
use super::moves::Move;
use super::regions::{Breaks, Fields, Landing, Region};
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
        if state.is_placing() {
            self.scan_placements(state, visit);
            return;
        }
        let still = Breaks::of(self.empty);
        for (slot, cell) in state.slots(state.side()) {
            let bits = steps.of_slot(slot);
            if bits != 0 {
                let mover = Mover {
                    slot,
                    cell,
                    crop: state.crop(state.side(), slot),
                };
                self.scan_farmer(state.side(), mover, bits, &still, &mut visit);
            }
        }
        visit(Move::Pass, self.standing());
    }

    fn scan_placements(&self, state: &State<S>, mut visit: impl FnMut(Move, Standing)) {
        let side = state.side();
        let slot = state.free_slot(side);
        let mut crops = self.crops;
        crops.set(side, slot, 1);
        let lead = crops.lead(Side::Light, 0, 0);
        let mut landing = Landing {
            filled: S::Word::EMPTY,
            single: true,
            at: S::Word::EMPTY,
            who: farmer(side, slot),
            others: self.farmers,
            near: S::neighbours(self.farmers),
            breaks: Breaks::of(self.empty),
        };
        let ground = Ground {
            fields: self,
            start: None,
            base: self.total,
            who: landing.who,
        };
        let mut rest = self.empty;
        while !rest.is_empty() {
            landing.at = rest.only_lowest();
            landing.filled = landing.at;
            let worth = ground.fill(&landing, &crops);
            visit(
                Move::Place(S::cell(rest.lowest())),
                Standing { worth, lead },
            );
            rest = rest.without_lowest();
        }
    }

    /// Visits the steps of one farmer, harvests and sowings as the bits come.
    #[inline(always)]
    fn scan_farmer(
        &self,
        side: Side,
        mover: Mover,
        bits: u16,
        still: &Breaks<S>,
        visit: &mut impl FnMut(Move, Standing),
    ) {
        let who = farmer(side, mover.slot);
        let from = S::bit(mover.cell);
        let others = self.farmers & !from;
        let near = S::neighbours(others);
        let old = weight(mover.crop);
        let mut crops = self.crops;
        let (mut harvests, mut sowings) = (bits & 0x3333, bits & 0xcccc);
        if harvests != 0 {
            crops.set(side, mover.slot, mover.crop + 1);
            let lead = self.crops.lead(side, old, weight(mover.crop + 1));
            let ground = self.joined(from, who, others);
            let mut landing = Landing {
                filled: from,
                single: true,
                at: from,
                who,
                others,
                near,
                breaks: Breaks::of(self.empty | from),
            };
            while harvests != 0 {
                let to = mover
                    .cell
                    .along(pace(harvests.trailing_zeros()), mover.crop);
                landing.at = S::bit(to);
                landing.filled = landing.at;
                let worth = ground.fill(&landing, &crops);
                visit(
                    Move::Step {
                        from: mover.cell,
                        to,
                    },
                    Standing { worth, lead },
                );
                harvests &= harvests - 1;
            }
        }
        if sowings != 0 {
            crops.set(side, mover.slot, 1);
            let lead = self.crops.lead(side, old, weight(1));
            let ground = self.left(who);
            let mut landing = Landing {
                filled: from,
                single: mover.crop == 2,
                at: from,
                who,
                others,
                near,
                breaks: *still,
            };
            while sowings != 0 {
                let pace = pace(sowings.trailing_zeros());
                let mut to = mover.cell;
                landing.filled = S::Word::EMPTY;
                for _ in 1..mover.crop {
                    to = to.along(pace, 1);
                    landing.filled |= S::bit(to);
                }
                landing.at = S::bit(to);
                let worth = ground.fill(&landing, &crops);
                visit(
                    Move::Step {
                        from: mover.cell,
                        to,
                    },
                    Standing { worth, lead },
                );
                sowings &= sowings - 1;
            }
        }
    }

    /// The board with a harvesting farmer lifted: the fields beside it joined.
    #[inline(always)]
    fn joined(&self, from: S::Word, who: Farmers, others: S::Word) -> Ground<'_, S> {
        let mut cells = from;
        let mut beside = self.beside(from, others);
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
            who,
        }
    }

    /// The board with a sowing farmer gone from its fields.
    #[inline(always)]
    fn left(&self, who: Farmers) -> Ground<'_, S> {
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
            who,
        }
    }
}

/// The farmer that is about to move.
#[derive(Clone, Copy)]
struct Mover {
    slot: usize,
    cell: Cell,
    crop: u8,
}

/// The fields with one farmer lifted, ready for it to land.
struct Ground<'a, S: BoardSize> {
    fields: &'a Fields<S>,
    /// The field that its harvest opens, if it harvests.
    start: Option<Region<S::Word>>,
    /// The worth of all fields, the start included.
    base: Worth,
    who: Farmers,
}

impl<S: BoardSize> Ground<'_, S> {
    /// The worth of all fields when the farmer lands.
    #[inline(always)]
    fn fill(&self, landing: &Landing<S>, crops: &super::worth::Crops) -> Worth {
        let fields = self.fields;
        let mut worth = self.base;
        let mut left = landing.filled;
        if let Some(start) = self.start
            && start.cells.meets(left)
        {
            return worth - start.worth + self.parts(start.cells, start.beside, landing, crops);
        }
        for region in &fields.regions {
            if region.cells.meets(left) {
                left &= !region.cells;
                let beside = region.beside & !self.who;
                worth -= if beside == region.beside {
                    region.worth
                } else {
                    fields.crops.worth(region.cells.count(), beside)
                };
                worth += self.parts(region.cells, beside, landing, crops);
                if left.is_empty() {
                    return worth;
                }
            }
        }
        while !left.is_empty() {
            let cells = super::regions::flood::<S>(left.only_lowest(), fields.empty);
            left &= !cells;
            worth += self.parts(cells, 0, landing, crops);
        }
        worth
    }

    #[inline(always)]
    fn parts(
        &self,
        cells: S::Word,
        beside: Farmers,
        landing: &Landing<S>,
        crops: &super::worth::Crops,
    ) -> Worth {
        let mut worth = Worth::NONE;
        self.fields
            .each_part(cells, beside, landing, |part, farmers| {
                worth += crops.worth(part.count(), farmers);
            });
        worth
    }
}
