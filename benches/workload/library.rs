//! A pass of each operation by the library.

use super::{PERFT_DEPTH, PERFT_POSITIONS, PLAYOUTS, Workload};
use agros::rules::{BoardSize, Fields, Side, State};
use std::hint::black_box;

pub(super) fn playout<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let (start, rng) = (work.start, &mut work.rng);
    (0..PLAYOUTS)
        .map(|_| u64::from(black_box(start.playout(rng)).moves))
        .sum()
}

pub(super) fn moves<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for (state, lines) in work.states.iter().zip(&work.lines) {
        black_box(state.steps(lines, state.side()));
    }
    work.states.len() as u64
}

pub(super) fn list<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for state in &work.states {
        black_box(state.legal_moves());
    }
    work.states.len() as u64
}

pub(super) fn mobility<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for (state, lines) in work.states.iter().zip(&work.lines) {
        black_box(Side::BOTH.map(|side| {
            let steps = state.steps(lines, side);
            (steps.harvests(), steps.sowings())
        }));
    }
    work.states.len() as u64
}

pub(super) fn perft_made<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let states = work.states.iter().step_by(16).take(PERFT_POSITIONS);
    states.map(|state| sequences(state, PERFT_DEPTH)).sum()
}

fn sequences<S: BoardSize>(state: &State<S>, depth: u32) -> u64 {
    if depth == 0 {
        // Without this the last move wouldn't be made.
        black_box(state);
        return 1;
    }
    let mut count = 0;
    state.each_legal_move(|mv| {
        let mut child = *state;
        child.make(mv);
        count += sequences(&child, depth - 1);
    });
    count
}

pub(super) fn perft<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let positions = work.positions.iter().step_by(16).take(PERFT_POSITIONS);
    positions
        .filter_map(|position| position.perft(PERFT_DEPTH))
        .sum()
}

pub(super) fn score<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for state in &work.states {
        black_box(state.score());
    }
    work.states.len() as u64
}

pub(super) fn make<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut made = 0;
    let mut fields = Fields::none();
    for game in &work.games {
        let mut state = work.start;
        fields.reset(&state);
        for &mv in &game.moves {
            fields.make(&state, mv);
            state.make(mv);
            black_box(fields.standing().margin());
        }
        made += game.moves.len() as u64;
    }
    made
}

pub(super) fn scan<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut children = 0;
    let mut fields = Fields::none();
    for (state, lines) in work.states.iter().zip(&work.lines) {
        let steps = state.steps(lines, state.side());
        fields.reset(state);
        fields.scan(state, steps, |mv, standing| {
            black_box((mv, standing));
            children += 1;
        });
    }
    children
}

pub(super) fn lines<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for state in &work.states {
        black_box(&state.lines());
    }
    work.states.len() as u64
}

pub(super) fn fields<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut fields = Fields::none();
    for state in &work.states {
        fields.reset(state);
        black_box(&fields);
    }
    work.states.len() as u64
}
