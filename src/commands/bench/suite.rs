//! The suite: fixed positions, fixed numbers of simulations, one thread.

use crate::commands::{Failure, Outcome};
use crate::engine::{Engine, Limits, Options, Report};
use crate::files;
use crate::rules::{Position, listing};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Positions of all stages: placement, opening, middle and end, three sizes.
const SUITE: [&str; 8] = [
    "start:8",
    "start:10",
    "start:12",
    "x10/x3,L1,x2,D1,x3/x10/x3,D1,x6/x6,L1,x3/x1,D1,x4,L1,x3/x3,L1,x6/x5,D1,x4/x2,L1,x5,D1,x1/x10 L 5 0",
    "x10/x3,L3,x2,D2,x3/x1,l,x2,d,x5/x2,L2,x3,D4,x3/x5,L1,x4/x1,D1,x8/x3,l,x2,D2,x3/x2,L4,x4,D1,x2/x6,L1,x3/x10 L 5 0",
    "x1,l,x2,d,x3,D2,x1/x3,L3,x2,d,x3/x1,l,l,l,d,d,x1,D5,x2/x2,L2,l,x2,D1,x3/x2,l,x2,L1,x1,d,x2/x1,D1,x1,d,x3,l,x2/x3,l,d,x1,d,D3,x2/x2,L4,x2,l,x1,d,l,x1/x1,d,x4,L1,x1,l,x1/x3,l,x2,d,x3 D 5 0",
    "x8/x2,L2,x5/x5,D3,x2/x1,l,x3,d,x2/x3,D1,x4/x2,L3,x2,l,x2/x6,D2,x1/x1,L1,x6 D 3 0",
    "x12/x2,L2,x6,D1,x2/x5,D3,x6/x1,l,x8,d,x1/x3,L1,x4,L2,x3/x2,D1,x9/x6,d,l,x4/x4,L3,x3,D2,x3/x1,D1,x6,L1,x3/x3,l,x2,D1,x5/x2,L1,x6,D2,x2/x6,L1,x5 L 7 0",
];

/// The arguments of `agros bench` itself.
#[derive(clap::Args)]
#[group(skip)]
pub(crate) struct Args {
    /// Simulations for each of the positions
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Search the positions of a file instead of the suite, one a line; # starts
    /// a comment, - reads stdin
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// Memory for the search tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let positions = match &self.positions {
            Some(file) => read(file)?,
            None => suite()?,
        };
        let result = run(&positions, self.nodes, 1, self.hash as usize);
        let mut out = io::stdout().lock();
        let (nodes, rate) = (result.nodes, result.rate());
        let signature = format!("{:016x}", result.signature);
        if self.json {
            let line = serde_json::json!({
                "nodes": nodes,
                "nodes_per_s": rate.round(),
                "time_ms": result.time.as_millis() as u64,
                "signature": signature,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "nodes     {nodes}")?;
            writeln!(out, "nodes/s   {rate:.0}")?;
            writeln!(out, "signature {signature}")?;
        }
        Ok(())
    }
}

/// What the suite came to.
pub(super) struct Total {
    /// Simulations done.
    pub(super) nodes: u64,
    /// The time of all searches.
    pub(super) time: Duration,
    /// A hash of all that was found.
    pub(super) signature: u64,
}

impl Total {
    /// Simulations a second.
    pub(super) fn rate(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-6)
    }
}

/// The suite's positions.
pub(super) fn suite() -> Result<Vec<Position>, Failure> {
    let read = |text: &str| {
        text.parse()
            .map_err(|error| Failure::Work(format!("{text}: {error}")))
    };
    SUITE.into_iter().map(read).collect()
}

/// The positions of a file, or of stdin where the path is `-`.
fn read(file: &Path) -> Result<Vec<Position>, Failure> {
    let positions = files::read_text_or_stdin(file, files::LONGEST_TEXT)
        .map_err(|error| error.to_string())
        .and_then(|text| listing::read(&text));
    match positions {
        Err(reason) => Err(Failure::Usage(format!("{}: {reason}", file.display()))),
        Ok(none) if none.is_empty() => {
            let reason = format!("{}: no position", file.display());
            Err(Failure::Usage(reason))
        }
        Ok(some) => Ok(some.into_iter().map(|(_, position)| position).collect()),
    }
}

/// Searches all positions anew with so many simulations each, twice: the first
/// search takes its memory from the system, which an engine does but once a game
/// and which says more about the system than about the search.
pub(super) fn run(positions: &[Position], nodes: u64, threads: usize, hash_mib: usize) -> Total {
    let mut total = Total {
        nodes: 0,
        time: Duration::ZERO,
        signature: 0xcbf2_9ce4_8422_2325,
    };
    for position in positions {
        let options = Options {
            threads,
            hash_mib,
            ..Options::default()
        };
        let limits = Limits {
            keep_going: true,
            ..Limits::nodes(nodes)
        };
        let stop = AtomicBool::new(false);
        let mut engine = Engine::new(options);
        engine.search(position, &limits, &stop, &mut |_| ());
        engine.clear();
        let report = engine.search(position, &limits, &stop, &mut |_| ());
        total.nodes += report.nodes;
        total.time += report.time;
        total.signature = sign(total.signature, &report);
    }
    total
}

/// Mixes a report into a hash (FNV-1a): moves, visits and values of all lines.
fn sign(hash: u64, report: &Report) -> u64 {
    report.lines.iter().fold(hash, |hash, line| {
        let text = format!("{} {} {:08x}", line.mv, line.visits, line.winrate.to_bits());
        text.bytes().fold(hash, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_positions_and_the_signature_repeats() {
        let positions = suite().unwrap_or_else(|_| panic!("a position of the suite"));
        assert!(positions.iter().all(|position| !position.is_over()));
        let [first, second] = [(); 2].map(|()| run(&positions, 50, 1, 4));
        assert_eq!((first.nodes, first.signature), (400, second.signature));
    }
}
