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
        let up = |set: S::Word| set >> S::STRIDE;
        let down = |set: S::Word| set << S::STRIDE;
        let (e, w) = if S::PADDED {
            (empty >> 1, empty << 1)
        } else {
            (
                (empty & S::NOT_FIRST_FILE) >> 1,
                (empty & S::NOT_LAST_FILE) << 1,
            )
        };
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
        ((self.east & at) << 1)
            | ((self.west & at) >> 1)
            | ((self.north & at) << S::STRIDE)
            | ((self.south & at) >> S::STRIDE)
    }
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
/// seed: grown from two sides at once until they meet or one stalls.
#[inline(always)]
fn part<S: BoardSize>(rest: S::Word, seeds: S::Word) -> S::Word {
    let (mut a, mut b) = (seeds.only_lowest(), seeds.without_lowest());
    if b.is_empty() {
        return rest;
    }
    let two = b.without_lowest().is_empty();
    loop {
        let grown = (a | S::neighbours(a)) & rest;
        if grown == a {
            return a;
        }
        a = grown;
        if a.meets(b) {
            // Of two seeds, both are now in one part; of more, some are.
            return if two { rest } else { S::flood(a, rest) };
        }
        let grown = (b | S::neighbours(b)) & rest;
        if grown == b {
            return rest & !b;
        }
        b = grown;
        if a.meets(b) {
            return if two { rest } else { S::flood(a, rest) };
        }
    }
}
