//! Where filling a cell can part a field, and into what.

use super::geometry::{BoardSize, Cell};
use super::word::Word;

/// By the [ring](Word::ring) of empties round a cell: where a cell of each run
/// lies, if there are two runs or more; zeros follow the last, and all are 0
/// where filling the cell parts nothing.
///
/// Going round a cell, a side neighbour that is empty while the corner or the
/// side neighbour after it is not ends a run of joined empties. A cell with at
/// most one such end can be filled without parting its field (Yokoi,
/// Toriwaki, Fukumura, An Analysis of Topological Properties of Digitized
/// Binary Pictures, 1975: the connectivity number).
static RUNS: [[i8; 4]; 256] = {
    /// The ring's bits from east on, against the clock.
    const ROUND: [u32; 8] = [4, 7, 6, 5, 3, 0, 1, 2];
    const SIDES: [i8; 4] = [1, 16, -1, -16];
    let mut table = [[0; 4]; 256];
    let mut ring = 0;
    while ring < 256 {
        let (mut runs, mut count) = ([0; 4], 0);
        let mut side = 0;
        while side < 4 {
            let corner = ROUND[2 * side + 1];
            let next = ROUND[(2 * side + 2) % 8];
            let goes_on = ring >> corner & ring >> next & 1 == 1;
            if ring >> ROUND[2 * side] & 1 == 1 && !goes_on {
                runs[count] = SIDES[side];
                count += 1;
            }
            side += 1;
        }
        if count >= 2 {
            table[ring] = runs;
        }
        ring += 1;
    }
    table
};

/// A cell of each run of `empty` round a cell, where there are two runs or
/// more; `None` where filling the cell parts no field.
#[inline(always)]
pub(super) fn runs_round<S: BoardSize>(empty: S::Word, at: Cell) -> Option<Seeds<S>> {
    let runs = RUNS[usize::from(empty.ring(at))];
    if runs == [0; 4] {
        return None;
    }
    let [first, second, third, fourth] = runs;
    let one = |pace| S::bit(at.along(pace, 1));
    let mut others = one(second);
    if third != 0 {
        others |= one(third);
        if fourth != 0 {
            others |= one(fourth);
        }
    }
    Some(Seeds {
        first: one(first),
        others,
        many: third != 0,
    })
}

/// Cells that between them lie in every part of a field.
#[derive(Clone, Copy)]
pub(super) struct Seeds<S: BoardSize> {
    /// One of them.
    first: S::Word,
    /// The rest, which may be none.
    others: S::Word,
    /// Whether the rest is more than one.
    many: bool,
}

impl<S: BoardSize> Seeds<S> {
    /// A few cells of `rest` such that every part of it next to `filled` has
    /// one: of the cells all round, those that have no other such cell to
    /// their left or below.
    #[inline(always)]
    pub(super) fn round(filled: S::Word, rest: S::Word) -> Self {
        let row = filled | S::beside_in_rank(filled);
        let ring = (row | row.north() | row.south()) & rest;
        Seeds::of(ring & !ring.east() & !ring.north())
    }

    #[inline(always)]
    fn of(seeds: S::Word) -> Self {
        let first = seeds.only_lowest();
        let others = seeds & !first;
        Seeds {
            first,
            others,
            many: !others.without_lowest().is_empty(),
        }
    }

    /// Calls `visit` with each part of `rest`, where every part has a seed, all
    /// its neighbours, and whether it is the last.
    #[inline(always)]
    pub(super) fn split(self, mut rest: S::Word, mut visit: impl FnMut(S::Word, S::Word, bool)) {
        let mut seeds = self;
        loop {
            let Part { cells, near, last } = seeds.part(rest);
            visit(cells, near, last);
            if last {
                return;
            }
            rest &= !cells;
            let left = (seeds.first | seeds.others) & rest;
            seeds = if seeds.many {
                Seeds::of(left)
            } else {
                Seeds {
                    first: left,
                    others: S::Word::EMPTY,
                    many: false,
                }
            };
        }
    }

    /// A part of `rest`, where every part has a seed.
    #[inline(always)]
    fn part(&self, rest: S::Word) -> Part<S::Word> {
        if self.others.is_empty() {
            return Part::all::<S>(rest);
        }
        match grow_apart::<S>(self.first, self.others, rest) {
            Growth::First(grown) => Part::one_of_more(grown),
            Growth::Others(grown) if !self.many => Part::one_of_more(grown),
            Growth::Others([others, _]) => Part {
                last: false,
                ..Part::all::<S>(rest & !others)
            },
            Growth::Meet(_) if !self.many => Part::all::<S>(rest),
            Growth::Meet(first) => reach::<S>(first, self.first | self.others, rest),
        }
    }
}

/// A part of a field.
struct Part<W> {
    cells: W,
    /// Their neighbours, and perhaps some of themselves.
    near: W,
    /// Whether there is no other part.
    last: bool,
}

impl<W> Part<W> {
    /// All that there is.
    #[inline(always)]
    fn all<S: BoardSize<Word = W>>(cells: W) -> Part<W>
    where
        W: Word,
    {
        Part {
            cells,
            near: S::neighbours(cells),
            last: true,
        }
    }

    /// A part beside others: its cells, and with its neighbours.
    #[inline(always)]
    fn one_of_more([cells, near]: [W; 2]) -> Part<W> {
        Part {
            cells,
            near,
            last: false,
        }
    }
}

/// How two sets grew apart.
enum Growth<W> {
    /// The first has stalled: all of it, and with its neighbours.
    First([W; 2]),
    /// The same of the second.
    Others([W; 2]),
    /// They meet: as far as the first came.
    Meet(W),
}

/// Grows two sets within `rest` until they meet or one stalls; the second may
/// have several seeds.
#[inline(always)]
fn grow_apart<S: BoardSize>(first: S::Word, others: S::Word, rest: S::Word) -> Growth<S::Word> {
    let (mut a, mut b) = (first, others);
    loop {
        let [grown, rimmed] = S::grown(a, rest);
        if a.covers(grown) {
            return Growth::First([a, rimmed]);
        }
        a = grown;
        let [grown, rimmed] = S::grown(b, rest);
        if b.covers(grown) {
            return Growth::Others([b, rimmed]);
        }
        b = grown;
        if a.meets(b) {
            return Growth::Meet(a);
        }
    }
}

/// The part of `rest` that `filled` is some of; all of it where every seed is
/// reached.
#[inline(always)]
fn reach<S: BoardSize>(mut filled: S::Word, seeds: S::Word, rest: S::Word) -> Part<S::Word> {
    loop {
        let [grown, near] = S::grown(filled, rest);
        if grown.covers(seeds) {
            return Part::all::<S>(rest);
        }
        if filled.covers(grown) {
            return Part::one_of_more([filled, near]);
        }
        filled = grown;
    }
}
