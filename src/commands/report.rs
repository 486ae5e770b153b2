//! `agros report`: every table of a tournament, from its journals.

use super::{Failure, Outcome, complain};
use crate::arena::journal;
use crate::arena::report::{Report, merge};
use std::path::PathBuf;

/// Print the tables of a tournament from its journals
///
/// The journals of shards together give the report of the whole tournament.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Journals of one tournament
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let journals: Result<Vec<_>, String> =
            self.files.iter().map(|path| journal::read(path)).collect();
        let all = journals.and_then(merge).map_err(Failure::Usage)?;
        for note in &all.notes {
            complain(note);
        }
        super::tournament::print(&Report::of(&all.header, &all.records), self.json)
    }
}
