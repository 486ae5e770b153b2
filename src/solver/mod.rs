//! Exact results by exhaustive search.
//!
//! A principal variation search over the whole rest of the game, with a
//! transposition table in which a position shares its entry with its mirror
//! images and, in the moving stage, with the same position under exchanged
//! colours (`symmetry`). Nothing is cut but what can't matter, so that the
//! margin is exact. It is for small boards and late positions; its results hold
//! the tree search's proofs to account.

mod search;
mod symmetry;
mod table;

use std::fmt;
use std::time::Duration;

use crate::on_size;
use crate::rules::{HalfPoints, Move, Position};

/// What a solution may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Memory for the transposition table in MiB.
    pub hash_mib: usize,
    /// Time, if it matters.
    pub time: Option<Duration>,
}

/// A solved position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The margin under best play, Light minus Dark.
    pub margin: HalfPoints,
    /// A move that keeps it; `None` when the game is over.
    pub best: Option<Move>,
    /// Positions looked at.
    pub nodes: u64,
}

/// The budget was too small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsolved {
    /// Positions looked at.
    pub nodes: u64,
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not solved in time, after {} positions", self.nodes)
    }
}

impl std::error::Error for Unsolved {}

/// Solves a position.
///
/// ```
/// use agros::solver::{Budget, solve};
///
/// let position = "x3/L2,x1,l/x2,D1 L 1 1".parse().unwrap();
/// let solution = solve(&position, Budget { hash_mib: 1, time: None }).unwrap();
/// assert_eq!(solution.margin.to_string(), "12.5");
/// ```
///
/// # Errors
/// Where the time runs out first. Memory never does: a table that is too small
/// forgets and takes longer.
pub fn solve(position: &Position, budget: Budget) -> Result<Solution, Unsolved> {
    on_size!(position.state(), state => search::solve(state, budget))
}
