//! Fits the engine's judgement to its own games: `play` writes games, `fit`
//! reads them and writes the weights, `generation` does both. See
//! `EXPERIMENTS.md` for what came of it.

mod fit;
mod games;
mod linear;
mod output;
mod policy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Fits the judgement of the Agros engine to its own games")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games of the engine against itself and append them to a file
    Play(games::Settings),
    /// Fit the weights to games and write them as a Rust table
    Fit(fit::Settings),
    /// Play, then fit to these games and earlier ones
    Generation {
        #[command(flatten)]
        play: games::Settings,
        /// Where the fitted table goes, if not to the engine's for these farmers
        #[arg(long)]
        table: Option<PathBuf>,
        /// Earlier games to fit to as well
        #[arg(long)]
        earlier: Vec<PathBuf>,
    },
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Play(settings) => games::play(&settings),
        Command::Fit(settings) => fit::run(&settings),
        Command::Generation {
            play,
            table,
            mut earlier,
        } => games::play(&play).and_then(|()| {
            earlier.push(play.output.clone());
            fit::run(&fit::Settings::new(earlier, table))
        }),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("agros-tuning: {message}");
            ExitCode::FAILURE
        }
    }
}
