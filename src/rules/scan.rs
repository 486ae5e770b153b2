//! One look at all children of a position: how each of them stands.
//!
//! A farmer is lifted once for all its harvests and once for all its sowings;
//! a child then differs only in the field that it lands in or sows through.

use super::geometry::{BoardSize, Cell};
use super::landing::{Farmer, Landing, Lifted};
use super::lines::pace;
use super::moves::Move;
use super::regions::Fields;
use super::state::{Slot, State};
use super::steps::Steps;
use super::word::Word;
use super::worth::Standing;

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
        let side = state.side();
        let (bits, mut movable) = steps.by_slot();
        while movable != 0 {
            let slot = movable.trailing_zeros() as Slot;
            movable &= movable - 1;
            let (cell, crop) = (state.farmer_cell(side, slot), state.crop(side, slot));
            let farmer = Farmer { slot, cell, crop };
            visitor.turn_to(farmer);
            let lifted = Lifted::of(self, side, farmer);
            scan_harvests(&lifted, bits[slot & 15] & 0x3333, visitor);
            scan_sowings(&lifted, bits[slot & 15] & 0xcccc, visitor);
        }
        visitor.pass(self.standing());
    }

    fn scan_placements(&self, state: &State<S>, visitor: &mut impl Visitor<S>) {
        let farmer = Farmer {
            slot: state.free_slot(state.side()),
            ..Farmer::default()
        };
        let lifted = Lifted::placed(self, state.side(), farmer);
        let landing = Landing::new(&lifted, 1);
        let mut rest = self.empty;
        while !rest.is_empty() {
            let to = S::cell(rest.lowest());
            rest = rest.without_lowest();
            let field = landing.other_field(S::bit(to));
            visitor.place(to, landing.on(to, field));
        }
    }
}

#[inline(always)]
fn scan_harvests<S: BoardSize>(
    lifted: &Lifted<S>,
    mut harvests: u16,
    visitor: &mut impl Visitor<S>,
) {
    if harvests == 0 {
        return;
    }
    let farmer = lifted.farmer;
    visitor.begin_harvests();
    let mut landing = Landing::new(lifted, farmer.crop + 1);
    let joined = landing.open();
    while harvests != 0 {
        let pace = pace(harvests.trailing_zeros());
        let to = farmer.cell.along(pace, farmer.crop);
        harvests &= harvests - 1;
        let filled = S::bit(to);
        let field = if joined.cells.meets(filled) {
            joined
        } else {
            landing.other_field(filled)
        };
        visitor.harvest(to, landing.on(to, field));
    }
    visitor.end_harvests();
}

#[inline(always)]
fn scan_sowings<S: BoardSize>(lifted: &Lifted<S>, mut sowings: u16, visitor: &mut impl Visitor<S>) {
    if sowings == 0 {
        return;
    }
    let farmer = lifted.farmer;
    visitor.begin_sowings();
    let mut landing = Landing::new(lifted, 1);
    let left = landing.leave();
    while sowings != 0 {
        let bit = sowings.trailing_zeros();
        let pace = pace(bit);
        sowings &= sowings - 1;
        let mut to = farmer.cell.along(pace, 1);
        let mut sown = S::bit(to);
        let standing = if farmer.crop == 2 {
            landing.on(to, landing.field(sown, &left))
        } else {
            for _ in 2..farmer.crop {
                to = to.along(pace, 1);
                sown |= S::bit(to);
            }
            landing.along(sown, to, &left)
        };
        visitor.sow(bit, to, sown, standing);
    }
}
