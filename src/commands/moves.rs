//! `agros moves`: the legal moves, sorted as text.

use super::Outcome;
use super::input::{Answer, PositionArgs};
use crate::rules::Position;
use serde::Serialize;
use std::io::{self, Write};

/// List the legal moves, sorted as text
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        self.position.answer(|position| Ok(Moves::of(position)))
    }
}

#[derive(Serialize)]
struct Moves {
    moves: Vec<String>,
}

impl Moves {
    fn of(position: &Position) -> Moves {
        let mut moves: Vec<String> = position
            .legal_moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        moves.sort_unstable();
        Moves { moves }
    }
}

impl Answer for Moves {
    fn write_text(&self, out: &mut dyn Write, batch: bool) -> io::Result<()> {
        if batch {
            return writeln!(out, "{}", self.moves.join(" "));
        }
        self.moves.iter().try_for_each(|mv| writeln!(out, "{mv}"))
    }
}
