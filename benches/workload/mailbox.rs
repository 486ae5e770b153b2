//! A pass of each operation by the reference, as its plain code would be used
//! without waste: buffers are reused where a caller could.

use super::{PERFT_DEPTH, PERFT_POSITIONS, PLAYOUTS, Workload};
use crate::reference::{Mailbox, random};
use agros::rules::BoardSize;
use std::hint::black_box;

pub(super) fn playout<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut moves = Vec::new();
    let mut made = 0;
    for _ in 0..PLAYOUTS {
        let mut position = work.mailbox_start.clone();
        made += u64::from(random::playout(&mut position, &mut moves, &mut work.rng));
        black_box(position.score());
    }
    made
}

pub(super) fn moves<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut moves = Vec::new();
    for position in &work.mailboxes {
        moves.clear();
        position.push_moves(&mut moves);
        black_box(&moves);
    }
    work.mailboxes.len() as u64
}

pub(super) fn list<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for position in &work.mailboxes {
        black_box(position.moves());
    }
    work.mailboxes.len() as u64
}

pub(super) fn mobility<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for position in &work.mailboxes {
        black_box([0, 1].map(|player| position.steps(player)));
    }
    work.mailboxes.len() as u64
}

pub(super) fn perft_made<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let positions = work.mailboxes.iter().step_by(16).take(PERFT_POSITIONS);
    positions
        .map(|position| sequences(position, PERFT_DEPTH))
        .sum()
}

fn sequences(position: &Mailbox, depth: u32) -> u64 {
    if depth == 0 {
        black_box(position);
        return 1;
    }
    let mut count = 0;
    for action in position.moves() {
        let mut child = position.clone();
        child.play(action);
        count += sequences(&child, depth - 1);
    }
    count
}

pub(super) fn perft<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let positions = work.mailboxes.iter().step_by(16).take(PERFT_POSITIONS);
    positions
        .map(|position| sequences_counted(position, PERFT_DEPTH))
        .sum()
}

fn sequences_counted(position: &Mailbox, depth: u32) -> u64 {
    let moves = position.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut count = 0;
    for action in moves {
        let mut child = position.clone();
        child.play(action);
        count += sequences_counted(&child, depth - 1);
    }
    count
}

pub(super) fn score<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    for position in &work.mailboxes {
        black_box(position.score());
    }
    work.mailboxes.len() as u64
}

pub(super) fn make<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut made = 0;
    for game in &work.games {
        let mut position = work.mailbox_start.clone();
        for &action in &game.actions {
            position.play(action);
            black_box(position.margin());
        }
        made += game.actions.len() as u64;
    }
    made
}

pub(super) fn scan<S: BoardSize>(work: &mut Workload<S>) -> u64 {
    let mut moves = Vec::new();
    let mut children = 0;
    for position in &work.mailboxes {
        moves.clear();
        position.push_moves(&mut moves);
        for &action in &moves {
            let mut child = position.clone();
            child.play(action);
            black_box((action, child.margin()));
        }
        children += moves.len() as u64;
    }
    children
}
