//! Where filling a cell can part a field, and into what.

use super::geometry::BoardSize;
use super::word::Word;

/// For every cell of a board, where the ring of its eight neighbours breaks.
///
/// Going round a cell, a side neighbour that is empty while the corner or the
/// side neighbour after it is not ends a run of joined empties. A cell with at
/// most one such break can be filled without parting its field (Yokoi,
/// Toriwaki, Fukumura, An Analysis of Topological Properties of Digitized
/// Binary Pictures, 1975: the connectivity number).
#[derive(Clone, Copy)]
pub(super) struct Joints<S: BoardSize> {
    east: S::Word,
    north: S::Word,
    west: S::Word,
    south: S::Word,
    /// The cells with two breaks or more.
    pub(super) any: S::Word,
}

impl<S: BoardSize> Joints<S> {
    /// The joints of a board with these cells empty.
    #[inline(always)]
    pub(super) fn of(empty: S::Word) -> Self {
        let up = |set: S::Word| set.south();
        let down = |set: S::Word| set.north();
        let (e, w) = (empty.west(), empty.east());
        let (n, s) = (up(empty), down(empty));
        let east = e & !(up(e) & n);
        let north = n & !(up(w) & w);
        let west = w & !(down(w) & s);
        let south = s & !(down(e) & e);
        let any = (east & north) | (west & south) | ((east | north) & (west | south));
        Joints {
            east,
            north,
            west,
            south,
            any,
        }
    }

    /// One cell of each run of the ring round a cell.
    #[inline(always)]
    pub(super) fn runs(&self, at: S::Word) -> S::Word {
        (self.east & at).east()
            | (self.west & at).west()
            | (self.north & at).north()
            | (self.south & at).south()
    }
}

/// A few cells of `rest` such that every part of it next to `filled` has one:
/// of the cells all round, those that have no other such cell to their left
/// or below.
#[inline(always)]
pub(super) fn seeds_round<S: BoardSize>(filled: S::Word, rest: S::Word) -> S::Word {
    let row = filled | S::beside_in_rank(filled);
    let ring = (row | row.north() | row.south()) & rest;
    ring & !ring.east() & !ring.north()
}

/// Calls `visit` with each part of `rest`, where every part has a seed.
#[inline(always)]
pub(super) fn split<S: BoardSize>(
    mut rest: S::Word,
    mut seeds: S::Word,
    mut visit: impl FnMut(S::Word),
) {
    while !seeds.is_empty() {
        let part = part::<S>(rest, seeds);
        rest &= !part;
        seeds &= !part;
        visit(part);
    }
}

/// The part of `rest` that one of the seeds is in, where every part has a
/// seed.
#[inline(always)]
fn part<S: BoardSize>(rest: S::Word, seeds: S::Word) -> S::Word {
    let (first, others) = (seeds.only_lowest(), seeds.without_lowest());
    if others.is_empty() {
        return rest;
    }
    match S::grow_apart(first, others, rest) {
        Some(part) => part,
        None if others.without_lowest().is_empty() => rest,
        None => reach::<S>(first, seeds, rest),
    }
}

/// The part of `rest` round `first`; all of it where every seed is reached.
#[inline(always)]
fn reach<S: BoardSize>(first: S::Word, seeds: S::Word, rest: S::Word) -> S::Word {
    let mut filled = first;
    loop {
        let once = (filled | S::neighbours(filled)) & rest;
        let twice = (once | S::neighbours(once)) & rest;
        if (seeds & !twice).is_empty() {
            return rest;
        }
        if twice == once {
            return once;
        }
        filled = twice;
    }
}
