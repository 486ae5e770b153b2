//! Perft: the number of move sequences, the usual check of a generator.

use super::geometry::BoardSize;
use super::lines::Lines;
use super::state::State;
use super::word::Word;

/// The number of move sequences of length `depth`; `None` beyond 64 bits.
///
/// The last ply is counted without making its moves.
pub(super) fn perft<S: BoardSize>(state: &State<S>, depth: u32) -> Option<u64> {
    walk(state, &state.lines(), depth)
}

/// [`perft`] of a position whose lines are known.
fn walk<S: BoardSize>(state: &State<S>, lines: &Lines<S>, depth: u32) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if state.is_over() {
        return Some(0);
    }
    if state.is_placing() {
        return place(state, lines, depth);
    }
    let steps = state.steps(lines, state.side());
    if depth == 1 {
        return Some(u64::from(steps.count()) + 1);
    }
    let mut child = *state;
    child.pass();
    let mut total = walk(&child, lines, depth - 1);
    steps.each(|bit| {
        let (mut child, mut after) = (*state, *lines);
        child.make_bit(bit, &mut after);
        total = add(total, walk(&child, &after, depth - 1));
    });
    total
}

fn place<S: BoardSize>(state: &State<S>, lines: &Lines<S>, depth: u32) -> Option<u64> {
    let empty = state.empty_cells();
    if depth == 1 {
        return Some(u64::from(empty.count()));
    }
    let mut total = Some(0);
    empty.each(|index| {
        let (mut child, mut after) = (*state, *lines);
        after.flip(S::cell(index), state.side());
        child.place(S::cell(index));
        total = add(total, walk(&child, &after, depth - 1));
    });
    total
}

fn add(total: Option<u64>, more: Option<u64>) -> Option<u64> {
    total?.checked_add(more?)
}
