//! Runs one hot operation of the rules core a number of times, for a tool
//! that counts instructions.
//!
//! `counts OPERATION ROUNDS` prints the number of operations done. Two runs
//! with different rounds give the instructions of one operation without the
//! start-up: their difference over the difference of the operations.

use agros::on_size;
use agros::rules::{BoardSize, Fields, Position, State};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::hint::black_box;

/// Positions of good and of random games of 10×10 with 5 farmers.
const GAMES: [&str; 2] = [
    include_str!("../../../tests/data/vectors/played-10x5.txt"),
    include_str!("../../../tests/data/vectors/random-10x5.txt"),
];

fn main() {
    let mut args = std::env::args().skip(1);
    let operation = args.next().unwrap_or_default();
    let rounds: u32 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    match count(&operation, rounds) {
        Some(done) => println!("{done}"),
        None => {
            eprintln!("counts: no operation {operation:?}");
            std::process::exit(2);
        }
    }
}

/// Replays a random game many times, asking for the score after each move.
fn replay<S: BoardSize>(start: &State<S>, seed: u32) -> u64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed.into());
    let mut state = *start;
    let mut moves = Vec::new();
    while !state.is_over() {
        let legal = state.legal_moves();
        // The last one is the pass, for when there is nothing else.
        let choices = if state.is_placing() {
            legal.len()
        } else {
            (legal.len() - 1).max(1)
        };
        moves.push(legal[(rng.next_u64() % choices as u64) as usize]);
        state.make(moves[moves.len() - 1]);
    }
    for _ in 0..200 {
        let (mut state, mut fields) = (*start, Fields::of(start));
        for &mv in &moves {
            fields.make(&state, mv);
            state.make(mv);
            black_box(fields.standing());
        }
    }
    200 * moves.len() as u64
}

/// Positions of the moving stage with 40 to 75 % of the cells empty.
fn mid_game() -> Vec<Position> {
    GAMES
        .iter()
        .flat_map(|games| games.lines())
        .filter_map(|line| line.split(" | ").next()?.parse::<Position>().ok())
        .filter(|position| !position.is_over() && !position.is_placing())
        .filter(|position| {
            let cells = u32::from(position.size()).pow(2);
            let empty: usize = position.fields().iter().map(|f| f.cells.len()).sum();
            (40..=75).contains(&(100 * empty as u32 / cells))
        })
        .collect()
}

fn count(operation: &str, rounds: u32) -> Option<u64> {
    if operation == "playout" {
        let start = Position::start(10, 5).ok()?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        return Some(on_size!(start.state(), s => {
            (0..rounds).map(|_| u64::from(s.playout(&mut rng).moves)).sum()
        }));
    }
    if operation == "make" {
        let start = Position::start(10, 5).ok()?;
        return Some(
            (0..rounds)
                .map(|seed| on_size!(start.state(), s => replay(s, seed)))
                .sum(),
        );
    }
    let positions = mid_game();
    let mut done = 0;
    for _ in 0..rounds {
        for position in &positions {
            done += on_size!(position.state(), s => once(s, operation)?);
        }
    }
    Some(done)
}

fn once<S: BoardSize>(state: &State<S>, operation: &str) -> Option<u64> {
    match operation {
        "none" => {}
        "lines" => {
            black_box(state.lines());
        }
        "moves" => {
            let lines = state.lines();
            for _ in 0..64 {
                black_box(state.steps(black_box(&lines), state.side()));
            }
            return Some(64);
        }
        "score" => {
            for _ in 0..64 {
                black_box(black_box(state).score());
            }
            return Some(64);
        }
        "fields" => {
            let mut fields = Fields::of(state);
            for _ in 0..63 {
                fields.reset(black_box(state));
                black_box(&fields);
            }
            return Some(64);
        }
        "scan" => {
            let lines = state.lines();
            let steps = state.steps(&lines, state.side());
            let mut n = 0;
            let mut fields = Fields::of(state);
            for _ in 0..8 {
                fields.reset(black_box(state));
                fields.scan(state, steps, |mv, standing| {
                    black_box((mv, standing));
                    n += 1;
                });
            }
            return Some(n);
        }
        _ => return None,
    }
    Some(1)
}
