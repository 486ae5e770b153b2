//! `agros bench`: how fast this machine searches and plays.

mod playouts;
mod suite;
mod threads;

use super::Outcome;
use clap::Subcommand;

/// Measure speed: a fixed suite of searches at one thread, with a signature
/// that is the same on every machine
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,

    #[command(flatten)]
    suite: suite::Args,
}

#[derive(Subcommand)]
enum What {
    /// Uniform random games from the empty board at one thread
    Playouts(playouts::Args),
    /// The search suite at one thread, two, and so on to all cores
    Threads(threads::Args),
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        match self.what {
            None => self.suite.run(),
            Some(What::Playouts(args)) => args.run(),
            Some(What::Threads(args)) => args.run(),
        }
    }
}
