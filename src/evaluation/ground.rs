//! What is known of a position before its fields and steps are.

use std::marker::PhantomData;

use super::features::{FEATURES, feature};
use super::rows::{Leads, row};
use super::survey::Counts;
use crate::rules::word::Word;
use crate::rules::{BoardSize, Cell, Farmer, Mobility, Side, Standing, State};

/// Every cell's distance from the nearest edge of a board.
struct Edges<S>(PhantomData<S>);

impl<S: BoardSize> Edges<S> {
    const DISTANCES: &'static [i8; 256] = &{
        let mut table = [0; 256];
        let mut cell = 0;
        while cell < 256 {
            let (file, rank) = (cell as i8 & 15, (cell >> 4) as i8);
            let to = [
                file,
                rank,
                S::SIZE as i8 - 1 - file,
                S::SIZE as i8 - 1 - rank,
            ];
            let mut least = to[0];
            let mut i = 1;
            while i < 4 {
                if to[i] < least {
                    least = to[i];
                }
                i += 1;
            }
            table[cell] = least;
            cell += 1;
        }
        table
    };
}

/// A cell's distance from the nearest edge.
#[inline(always)]
fn from_edge<S: BoardSize>(cell: Cell) -> i16 {
    let number = usize::from(cell.rank()) << 4 | usize::from(cell.file());
    Edges::<S>::DISTANCES[number].into()
}

/// The neighbours of a side's farmers, without the one on `but`.
#[inline(always)]
fn near<S: BoardSize>(state: &State<S>, side: Side, but: Option<Cell>) -> S::Word {
    state
        .farmers_of(side)
        .filter(|&(cell, _)| Some(cell) != but)
        .fold(S::Word::EMPTY, |near, (cell, _)| near | S::near(cell))
}

/// A number of cells.
#[inline(always)]
fn count(cells: impl Word) -> i16 {
    cells.count() as i16
}

/// Counts that depend on pieces and turn alone, the farmers' neighbours, and the
/// empty cells.
#[derive(Clone, Copy)]
pub(super) struct Ground<S: BoardSize> {
    side: Side,
    counts: Counts,
    leads: Leads,
    near_own: S::Word,
    near_other: S::Word,
    empty: S::Word,
    empties: i16,
}

impl<S: BoardSize> Ground<S> {
    /// The ground of a state with the lead of `side`. Whose turn it is must be
    /// [told](Ground::with_turn) next.
    #[inline(always)]
    pub(super) fn of(state: &State<S>, side: Side) -> Ground<S> {
        let mut counts = [0; FEATURES];
        for (of, sign) in [(side, 1), (side.other(), -1)] {
            counts[feature::SEEDS] += sign * count(state.pieces(of));
            for (cell, crop) in state.farmers_of(of) {
                counts[feature::SEEDS] -= sign;
                counts[feature::CENTRE] += sign * from_edge::<S>(cell);
                counts[feature::CROPS] += sign * i16::from(crop);
            }
        }
        let empty = state.empty_cells();
        Ground {
            side,
            counts,
            leads: Leads::of(side, 0),
            near_own: near(state, side, None),
            near_other: near(state, side.other(), None),
            empty,
            empties: count(empty),
        }
        .beside_counted()
    }

    /// The ground with it being the turn of `side` after so many passes; of two
    /// passes the first was made by the side to move.
    #[inline(always)]
    pub(super) fn with_turn(mut self, side: Side, passes: u8) -> Ground<S> {
        let tempo = if side == Side::Light { 1 } else { -1 };
        self.counts[feature::TEMPO] = tempo.into();
        self.counts[feature::PASSED] = if passes == 1 { -i16::from(tempo) } else { 0 };
        self.leads = Leads::of(self.side, tempo);
        self
    }

    /// The ground with the empty cells beside the farmers counted anew.
    #[inline(always)]
    fn beside_counted(mut self) -> Ground<S> {
        let [own, other] = [self.near_own, self.near_other].map(|near| count(near & self.empty));
        self.counts[feature::BESIDE] = own - other;
        self
    }

    /// The ground with a farmer of the side to move taken off it.
    #[inline(always)]
    pub(super) fn without(&self, state: &State<S>, farmer: Farmer) -> Ground<S> {
        let Farmer { cell, crop, .. } = farmer;
        let mut counts = self.counts;
        counts[feature::CENTRE] -= from_edge::<S>(cell);
        counts[feature::CROPS] -= i16::from(crop);
        Ground {
            counts,
            near_own: near(state, self.side, Some(cell)),
            empty: self.empty | S::bit(cell),
            empties: self.empties + 1,
            ..*self
        }
        .beside_counted()
    }

    /// The ground for a farmer of the side to move to be set down with this crop
    /// and so many cells filled by it and its seeds: all but where that is.
    #[inline(always)]
    pub(super) fn for_one_more(mut self, crop: u8, filled: u8) -> Ground<S> {
        self.counts[feature::CROPS] += i16::from(crop);
        self.counts[feature::SEEDS] += i16::from(filled) - 1;
        self.empties -= i16::from(filled);
        self
    }

    /// The number of empty cells.
    #[inline(always)]
    pub(super) const fn empties(&self) -> u16 {
        self.empties as u16
    }

    /// The counts of the position.
    #[inline(always)]
    pub(super) fn counts(&self, standing: Standing, mobility: Mobility) -> Counts {
        self.row([0, 0], standing, mobility)
    }

    /// The counts with the farmer [to come](Ground::for_one_more) on `cell` and
    /// that cell alone filled.
    #[inline(always)]
    pub(super) fn counts_with(&self, cell: Cell, standing: Standing, mobility: Mobility) -> Counts {
        let filled = S::bit(cell);
        let lost =
            i16::from(filled.meets(self.near_own)) - i16::from(filled.meets(self.near_other));
        self.counts_beside(cell, filled, lost, standing, mobility)
    }

    /// The same with several cells filled.
    #[inline(always)]
    pub(super) fn counts_with_sown(
        &self,
        cell: Cell,
        filled: S::Word,
        standing: Standing,
        mobility: Mobility,
    ) -> Counts {
        let lost = count(filled & self.near_own) - count(filled & self.near_other);
        self.counts_beside(cell, filled, lost, standing, mobility)
    }

    #[inline(always)]
    fn counts_beside(
        &self,
        cell: Cell,
        filled: S::Word,
        lost: i16,
        standing: Standing,
        mobility: Mobility,
    ) -> Counts {
        let new = S::near(cell) & self.empty & !(self.near_own | filled);
        let more = [count(new) - lost, from_edge::<S>(cell)];
        self.row(more, standing, mobility)
    }

    #[inline(always)]
    fn row(&self, more: [i16; 2], standing: Standing, mobility: Mobility) -> Counts {
        let told = [mobility.bits(), standing.worth.bits()];
        let margin = standing.margin().0 as i16;
        row(&self.counts, &self.leads, told, margin, more)
    }
}
