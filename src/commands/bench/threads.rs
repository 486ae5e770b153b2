//! `agros bench threads`: what more threads are worth.

use super::suite;
use crate::commands::Outcome;
use std::io::{self, Write};

/// Measure the search suite at one thread, two, and so on to all cores
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Simulations for each of the eight positions
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Memory for the search tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Up to so many threads [default: the cores available]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(256));
        let most = self.threads.map_or(cores, usize::from);
        let mut out = io::stdout().lock();
        if !self.json {
            writeln!(out, "threads    nodes/s  speed-up")?;
        }
        let positions = suite::suite()?;
        let mut single = 0.0;
        for threads in 1..=most {
            let rate = suite::run(&positions, self.nodes, threads, self.hash as usize).rate();
            if threads == 1 {
                single = rate;
            }
            let gain = rate / single;
            if self.json {
                let line = serde_json::json!({
                    "threads": threads,
                    "nodes_per_s": rate.round(),
                    "speed_up": (gain * 100.0).round() / 100.0,
                });
                writeln!(out, "{line}")?;
            } else {
                writeln!(out, "{threads:7}  {rate:9.0}  {gain:8.2}")?;
            }
            out.flush()?;
        }
        Ok(())
    }
}
