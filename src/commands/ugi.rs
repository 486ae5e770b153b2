//! `agros ugi`: the engine protocol on stdin and stdout.

use super::{Failure, Outcome};
use crate::protocol::{Settings, options, serve};
use std::io::{self, BufReader};
use std::num::NonZero;

/// Speak the engine protocol UGI on stdin and stdout
#[derive(clap::Args)]
#[command(after_help = options::help())]
pub(crate) struct Args {
    /// Worker threads (the cores available if not given)
    #[arg(long, value_name = "T")]
    threads: Option<usize>,

    /// Memory for the search
    #[arg(long, value_name = "MIB")]
    hash: Option<usize>,

    /// Tells games between equal players apart
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let mut settings = Settings::default();
        let threads = self.threads.unwrap_or(cores.min(256)).to_string();
        let given = [
            ("Threads", Some(threads)),
            ("Hash", self.hash.map(|hash| hash.to_string())),
            ("Seed", self.seed.map(|seed| seed.to_string())),
        ];
        for (name, value) in given {
            let set = value.map_or(Ok(()), |value| options::set(&mut settings, name, &value));
            set.map_err(|error| Failure::Usage(format!("--{}", error.to_lowercase())))?;
        }
        serve(BufReader::new(io::stdin()), io::stdout(), settings).map_err(Failure::Io)
    }
}
