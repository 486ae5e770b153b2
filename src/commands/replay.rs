//! `agros replay`: plays game records under the rules, move by move.

use super::{Failure, Outcome, complain};
use crate::arena::record;
use crate::files;
use std::io::{self, Write};
use std::path::PathBuf;

/// Check game records move by move
///
/// Every move must be legal, and the score, the result and the end must be
/// what the rules say.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A file of records, as `agros export` writes them; - reads stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let place = |reason: String| Failure::Usage(format!("{}: {reason}", self.file.display()));
        let text = files::read_text_or_stdin(&self.file, files::LONGEST_RECORD)
            .map_err(|error| place(error.to_string()))?;
        let games = record::read(&text).map_err(|error| place(error.to_string()))?;
        let (mut moves, mut bad) = (0, 0);
        for (number, game) in games.iter().enumerate() {
            match record::check(game) {
                Ok(count) => moves += count,
                Err(reason) => {
                    bad += 1;
                    complain(&format!(
                        "game {} (line {}): {reason}",
                        number + 1,
                        game.line
                    ));
                }
            }
        }
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "{} games, {moves} moves: {bad} games with errors",
            games.len()
        )?;
        if bad > 0 {
            return Err(Failure::Work(format!("{bad} games break the rules")));
        }
        Ok(())
    }
}
