//! `agros bestmove`: the move to play.

use super::input::{Answer, PositionArgs};
use super::searching::SearchArgs;
use super::{Failure, Outcome, complain};
use crate::drawing::words::side_name;
use crate::engine::{Engine, Limits, Proven, Report};
use crate::rules::{Move, Position};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::atomic::AtomicBool;

/// Find the best move; "none" when the game is over
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    #[command(flatten)]
    search: SearchArgs,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let mut engine = self.search.engine()?;
        let limits = self.search.limits();
        let quiet = self.position.is_batch() || self.position.json;
        self.position.answer(|position| {
            let report = search(&mut engine, position, &limits);
            if !quiet {
                summarise(&report)?;
            }
            Ok(BestMove::of(&report))
        })
    }
}

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> Report {
    engine.search(position, limits, &AtomicBool::new(false), &mut |_| ())
}

/// Tells people, on stderr, what the search thinks of its move.
fn summarise(report: &Report) -> Result<(), Failure> {
    let Some(best) = report.best() else {
        complain("the game is over");
        return Ok(());
    };
    let proven = report.proven.map(|p| format!(", proven {p}"));
    let line: Vec<String> = report.pv().iter().take(8).map(Move::to_string).collect();
    writeln!(
        io::stderr(),
        "{best} for {}: wins {:.1} %, margin {:+.1}{}; {} nodes in {} ms ({}); line {}",
        report.perspective,
        100.0 * report.winrate,
        report.margin,
        proven.unwrap_or_default(),
        report.nodes,
        report.time.as_millis(),
        report.stop.map_or("unfinished", |stop| stop.name()),
        line.join(" "),
    )?;
    Ok(())
}

/// A best move, from the view of the side to move.
#[derive(Serialize)]
struct BestMove {
    #[serde(rename = "move")]
    mv: String,
    /// The chance to win, a draw counting half.
    winrate: f64,
    /// The expected final margin in points.
    margin: f64,
    perspective: &'static str,
    nodes: u64,
    time_ms: u64,
    /// `win`, `draw` or `loss` where the result is proven.
    proven: Option<&'static str>,
    stop: Option<&'static str>,
    seed: u64,
    pv: Vec<String>,
}

impl BestMove {
    fn of(report: &Report) -> BestMove {
        BestMove {
            mv: report
                .best()
                .map_or_else(|| "none".to_owned(), |mv| mv.to_string()),
            winrate: round(report.winrate, 4),
            margin: round(report.margin, 2),
            perspective: side_name(report.perspective),
            nodes: report.nodes,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            proven: report.proven.map(Proven::result),
            stop: report.stop.map(|stop| stop.name()),
            seed: report.seed,
            pv: report.pv().iter().map(Move::to_string).collect(),
        }
    }
}

/// A number with so many decimals.
fn round(value: f32, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (f64::from(value) * scale).round() / scale
}

impl Answer for BestMove {
    fn write_text(&self, out: &mut dyn Write, _batch: bool) -> io::Result<()> {
        writeln!(out, "{}", self.mv)
    }
}
