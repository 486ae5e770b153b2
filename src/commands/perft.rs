//! `agros perft`: the number of move sequences of a length.

use super::input::{Answer, PositionArgs};
use super::{Failure, Outcome};
use crate::rules::Position;
use serde::Serialize;
use std::io::{self, Write};

/// Count the move sequences of a length
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// Moves in a sequence
    #[arg(value_name = "DEPTH")]
    depth: u32,

    /// Count by first move too
    #[arg(long)]
    divide: bool,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        self.position
            .answer(|position| Perft::of(position, self.depth, self.divide))
    }
}

#[derive(Serialize)]
struct Perft {
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Share>>,
}

#[derive(Serialize)]
struct Share {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

impl Perft {
    fn of(position: &Position, depth: u32, divide: bool) -> Result<Perft, Failure> {
        let too_many = || Failure::Work(format!("perft {depth}: the number does not fit 64 bits"));
        if !divide || depth == 0 {
            let nodes = position.perft(depth).ok_or_else(too_many)?;
            return Ok(Perft {
                depth,
                nodes,
                divide: divide.then(Vec::new),
            });
        }
        let mut shares = Vec::new();
        let mut nodes = 0u64;
        for mv in position.legal_moves() {
            let mut child = *position;
            child.play(mv).map_err(|e| Failure::Work(e.to_string()))?;
            let share = child.perft(depth - 1).ok_or_else(too_many)?;
            nodes = nodes.checked_add(share).ok_or_else(too_many)?;
            shares.push(Share {
                mv: mv.to_string(),
                nodes: share,
            });
        }
        shares.sort_unstable_by(|a, b| a.mv.cmp(&b.mv));
        Ok(Perft {
            depth,
            nodes,
            divide: Some(shares),
        })
    }
}

impl Answer for Perft {
    fn write_text(&self, out: &mut dyn Write, batch: bool) -> io::Result<()> {
        let end = if batch { ' ' } else { '\n' };
        for share in self.divide.iter().flatten() {
            write!(out, "{} {}{end}", share.mv, share.nodes)?;
        }
        writeln!(out, "{}", self.nodes)
    }
}
