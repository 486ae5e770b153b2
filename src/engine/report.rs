//! What the engine tells: everything from the view of the side to move.

use std::fmt;
use std::time::Duration;

use crate::rules::{HalfPoints, Move, Side};
use crate::search::{self, Actor, Bounds, StopReason};

/// What is proven of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proven {
    /// The side to move wins, by this margin at least.
    Win(HalfPoints),
    /// The game ends in a draw.
    Draw,
    /// The side to move loses, by this margin at least.
    Loss(HalfPoints),
    /// The margin under best play, exactly; positive if the side to move wins.
    Exact(HalfPoints),
}

impl Proven {
    fn of(bounds: Bounds) -> Option<Proven> {
        match (i32::from(bounds.lo), i32::from(bounds.hi)) {
            (0, 0) => Some(Proven::Draw),
            (lo, hi) if lo == hi => Some(Proven::Exact(HalfPoints(lo))),
            (lo, _) if lo > 0 => Some(Proven::Win(HalfPoints(lo))),
            (_, hi) if hi < 0 => Some(Proven::Loss(HalfPoints(-hi))),
            _ => None,
        }
    }

    /// `win`, `draw` or `loss`.
    #[must_use]
    pub fn result(self) -> &'static str {
        match self {
            Proven::Win(_) => "win",
            Proven::Draw => "draw",
            Proven::Loss(_) => "loss",
            Proven::Exact(margin) if margin.0 > 0 => "win",
            Proven::Exact(_) => "loss",
        }
    }
}

/// As in `win by 4.5`, `loss by 3 or more`, `draw`.
impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Proven::Draw => "draw".to_owned(),
            Proven::Win(margin) => format!("win by {margin} or more"),
            Proven::Loss(margin) => format!("loss by {margin} or more"),
            Proven::Exact(margin) => format!("{} by {}", self.result(), HalfPoints(margin.0.abs())),
        };
        f.pad(&text)
    }
}

/// One move and what the engine thinks of it, from the view of the side to
/// move.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Simulations through it.
    pub visits: u32,
    /// The chance to win, a draw counting half.
    pub winrate: f32,
    /// The expected final margin in points.
    pub margin: f32,
    /// What is proven of the result after this move.
    pub proven: Option<Proven>,
    /// The line thought best, this move first.
    pub pv: Vec<Move>,
}

/// The result of a search, from the view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The side to move.
    pub perspective: Side,
    /// All moves, the best first; empty when the game is over.
    pub lines: Vec<Line>,
    /// Simulations of this search.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The chance to win, a draw counting half.
    pub winrate: f32,
    /// The expected final margin in points.
    pub margin: f32,
    /// What is proven of the result.
    pub proven: Option<Proven>,
    /// Why the search ended; `None` while it goes on.
    pub stop: Option<StopReason>,
    /// The seed in force.
    pub seed: u64,
    /// How full the tree's memory is, in thousandths.
    pub hashfull: u32,
}

impl Report {
    pub(super) fn new(report: search::Report<Move>, perspective: Side, seed: u64) -> Report {
        let actor = match perspective {
            Side::Light => Actor::First,
            Side::Dark => Actor::Second,
        };
        let rate = |rate: f32| {
            if actor == Actor::First {
                rate
            } else {
                1.0 - rate
            }
        };
        // Adding 0 turns a negative zero into a plain one.
        let points = |half_points: f32| actor.sign() * half_points / 2.0 + 0.0;
        let line = |line: search::Line<Move>| Line {
            mv: line.mv,
            visits: line.visits,
            winrate: rate(line.winrate),
            margin: points(line.margin),
            proven: Proven::of(line.bounds.seen_by(actor)),
            pv: line.pv,
        };
        Report {
            perspective,
            nodes: report.nodes,
            time: report.time,
            winrate: rate(report.winrate),
            margin: points(report.margin),
            proven: Proven::of(report.bounds.seen_by(actor)),
            stop: report.stop,
            seed,
            hashfull: report.hashfull,
            lines: report.lines.into_iter().map(line).collect(),
        }
    }

    /// The move to play; `None` when the game is over.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }

    /// The line thought best.
    #[must_use]
    pub fn pv(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// Simulations a second, 0 where no time has passed.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        let done = u128::from(self.nodes) * 1_000_000;
        done.checked_div(self.time.as_micros()).unwrap_or(0) as u64
    }
}
