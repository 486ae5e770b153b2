//! `agros bench`: how fast this machine searches and plays.

mod playouts;

use super::Outcome;
use clap::Subcommand;

/// Measure speed
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Uniform random games from the empty board at one thread
    Playouts(playouts::Args),
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        match self.what {
            What::Playouts(args) => args.run(),
        }
    }
}
