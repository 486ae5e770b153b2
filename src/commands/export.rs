//! `agros export`: the games of a journal as readable records.

use super::{Failure, Outcome, complain};
use crate::arena::{journal, record};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Write the games of a journal as readable records
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A journal
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let mut contents = journal::read(&self.file).map_err(Failure::Usage)?;
        for note in &contents.notes {
            complain(note);
        }
        contents.records.sort_by_key(|record| record.game);
        let mut out = BufWriter::new(io::stdout().lock());
        for record in &contents.records {
            out.write_all(record::write(&contents.header, record).as_bytes())?;
        }
        Ok(out.flush()?)
    }
}
