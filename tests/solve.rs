//! Exact results: against known ones, a plain full search, and the proofs of
//! the tree search.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use agros::engine::{Engine, Limits, Options, Proven};
use agros::rules::{HalfPoints, Position, Side};
use agros::solver::{Budget, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn exact(position: &Position, hash_mib: usize) -> i32 {
    let budget = Budget {
        hash_mib,
        time: None,
    };
    let solution = solve(position, budget).unwrap();
    assert_eq!(solution.best.is_none(), position.is_over());
    if let Some(best) = solution.best {
        let mut child = *position;
        child.play(best).unwrap();
        let kept = solve(&child, budget).unwrap().margin;
        assert_eq!(
            kept, solution.margin,
            "{best} keeps the margin of {position}"
        );
    }
    solution.margin.0
}

#[test]
fn known_results() {
    let facts = include_str!("data/vectors/solved.txt");
    let mut count = 0;
    for line in facts
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let (position, margin) = line.split_once('|').unwrap();
        let position: Position = position.trim().parse().unwrap();
        assert_eq!(
            exact(&position, 64),
            margin.trim().parse::<i32>().unwrap(),
            "{position}"
        );
        count += 1;
    }
    assert!(count >= 17);
}

/// The margin by plain recursion over all positions.
fn plain(position: &Position, known: &mut HashMap<Position, i32>) -> i32 {
    if position.is_over() {
        return position.margin().0;
    }
    if let Some(&margin) = known.get(position) {
        return margin;
    }
    let values: Vec<i32> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut child = *position;
            child.play(mv).unwrap();
            plain(&child, known)
        })
        .collect();
    let best = match position.side() {
        Side::Light => values.into_iter().max(),
        Side::Dark => values.into_iter().min(),
    };
    known.insert(*position, best.unwrap());
    best.unwrap()
}

/// Late positions of random games: few empty cells, nobody has won yet.
fn late(size: u8, farmers: u8, most_empty: usize, seed: u64) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::start(size, farmers).unwrap();
    loop {
        let empty: usize = position
            .fields()
            .iter()
            .map(|field| field.cells.len())
            .sum();
        if !position.is_placing() && empty <= most_empty {
            return position;
        }
        let moves = position.legal_moves();
        // The pass comes last.
        let choices = if position.is_placing() {
            moves.len()
        } else {
            (moves.len() - 1).max(1)
        };
        position.play(moves[rng.random_range(0..choices)]).unwrap();
        if position.is_over() {
            return position;
        }
    }
}

#[test]
fn equals_a_plain_full_search() {
    for seed in 0..40 {
        let mut known = HashMap::new();
        for (size, farmers, empty) in [(3, 1, 5), (3, 2, 4), (4, 1, 4), (4, 2, 4)] {
            let position = late(size, farmers, empty, seed);
            assert_eq!(
                exact(&position, 1),
                plain(&position, &mut known),
                "{position}"
            );
        }
    }
}

/// `count` late positions: every proof of the tree search must hold the exact
/// margin.
fn hold_proofs_to_account(count: u64) {
    for seed in 0..count {
        let position = late(4 + (seed % 3) as u8, 1 + (seed % 2) as u8, 6, 1000 + seed);
        let margin = exact(&position, 16);
        let seen = if position.side() == Side::Light {
            margin
        } else {
            -margin
        };
        let options = Options {
            hash_mib: 2,
            threads: 1 + seed as usize % 2,
            ..Options::default()
        };
        let limits = Limits {
            keep_going: seed % 4 == 0,
            ..Limits::nodes(20 + 13 * (seed % 100))
        };
        let report =
            Engine::new(options).search(&position, &limits, &AtomicBool::new(false), &mut |_| ());
        match report.proven {
            Some(Proven::Exact(HalfPoints(proven))) => assert_eq!(proven, seen, "{position}"),
            Some(Proven::Draw) => assert_eq!(seen, 0, "{position}"),
            Some(Proven::Win(HalfPoints(least))) => assert!(seen >= least, "{position}"),
            Some(Proven::Loss(HalfPoints(least))) => assert!(-seen >= least, "{position}"),
            None => {}
        }
    }
}

#[test]
fn the_tree_search_never_contradicts() {
    hold_proofs_to_account(1000);
}

#[test]
fn time_runs_out() {
    let position = Position::start(8, 3).unwrap();
    let budget = Budget {
        hash_mib: 1,
        time: Some(Duration::from_millis(50)),
    };
    assert!(solve(&position, budget).is_err());
}
