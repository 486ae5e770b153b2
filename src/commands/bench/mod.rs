//! `agros bench`: how fast this machine is with what the engine is made of.

mod playouts;

use super::Outcome;
use clap::Subcommand;

/// Measure speed
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Playouts(playouts::Args),
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        match self.what {
            What::Playouts(args) => args.run(),
        }
    }
}
