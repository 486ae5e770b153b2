//! `agros solve`: the exact margin under best play.

use super::input::{Answer, PositionArgs};
use super::{Failure, Outcome};
use crate::arena::parse_duration;
use crate::rules::{Move, Position};
use crate::solver::{Budget, Solution, solve};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Solve a position: the exact margin under best play, Light minus Dark, and a
/// best move
///
/// It looks at everything that matters: for small boards and late positions.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Give up after this long, as in 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,

    /// Memory for the table of positions, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let budget = Budget {
            hash_mib: self.hash as usize,
            time: self.time,
        };
        self.position
            .answer(|position| Solved::of(position, budget))
    }
}

#[derive(Serialize)]
struct Solved {
    margin: f64,
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
    #[serde(skip)]
    text: String,
}

impl Solved {
    fn of(position: &Position, budget: Budget) -> Result<Solved, Failure> {
        let Solution {
            margin,
            best,
            nodes,
        } = solve(position, budget).map_err(|unsolved| Failure::Work(unsolved.to_string()))?;
        let mv = best.map_or_else(|| "none".to_owned(), |mv: Move| mv.to_string());
        Ok(Solved {
            margin: f64::from(margin.0) / 2.0,
            text: format!("{margin} {mv}"),
            mv,
            nodes,
        })
    }
}

impl Answer for Solved {
    fn write_text(&self, out: &mut dyn Write, _batch: bool) -> io::Result<()> {
        writeln!(out, "{}", self.text)
    }
}
