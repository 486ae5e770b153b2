//! Whoever thinks about a position: the seam between a game with a person and
//! the engine.

use crate::rules::{HalfPoints, Move, Position, Side};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long to think; whatever comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// So many simulations.
    pub nodes: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
    /// Go on although the best move is certain, as an analysis does.
    pub keep_going: bool,
    /// Forget what earlier thinking found, so that the limit says how much is
    /// known.
    pub fresh: bool,
}

/// What is known for sure of how a move ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proven {
    /// Who wins; `None` of a draw.
    pub winner: Option<Side>,
    /// By so much.
    pub by: HalfPoints,
    /// Neither more nor less than that.
    pub exact: bool,
}

/// As in `Light wins by 4.5 or more`.
impl fmt::Display for Proven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            None => f.pad("draw"),
            Some(side) => {
                let more = if self.exact { "" } else { " or more" };
                f.pad(&format!("{side} wins by {}{more}", self.by))
            }
        }
    }
}

/// A move and what is thought of it, seen by Light.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The move.
    pub mv: Move,
    /// Simulations through it.
    pub visits: u64,
    /// The chance that Light wins, a draw counting half.
    pub winrate: f64,
    /// The expected final margin in points, Light minus Dark.
    pub margin: f64,
    /// What is proven.
    pub proven: Option<Proven>,
    /// The line thought best, this move first.
    pub pv: Vec<Move>,
}

/// What is thought of a position, seen by Light.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// The moves, the best first; empty when the game is over.
    pub lines: Vec<Line>,
    /// Simulations done.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// The chance that Light wins, a draw counting half.
    pub winrate: f64,
    /// The expected final margin in points, Light minus Dark.
    pub margin: f64,
    /// Why the thinking ended; `None` while it goes on.
    pub stop: Option<&'static str>,
}

impl Thought {
    /// The move to play; `None` when the game is over.
    #[must_use]
    pub fn best(&self) -> Option<Move> {
        self.lines.first().map(|line| line.mv)
    }
}

/// Thinks about positions, one after the other.
pub trait Thinker: Send {
    /// Thinks until the budget is spent or `stop` is set, and says from time
    /// to time how far it is. A game that isn't over gets at least one line.
    fn think(
        &mut self,
        position: &Position,
        budget: &Budget,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Thought),
    ) -> Thought;
}

/// The winrate as a side sees it.
#[must_use]
pub fn seen_by(side: Side, winrate: f64) -> f64 {
    match side {
        Side::Light => winrate,
        Side::Dark => 1.0 - winrate,
    }
}

/// A thinker for tests: looks one move ahead at the score, counts nodes as
/// time goes by, stops when told.
#[cfg(test)]
pub(crate) struct Greedy;

#[cfg(test)]
impl Thinker for Greedy {
    fn think(
        &mut self,
        position: &Position,
        budget: &Budget,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Thought),
    ) -> Thought {
        use std::sync::atomic::Ordering::Relaxed;
        let started = std::time::Instant::now();
        let mut thought = Thought {
            lines: greedy_lines(position),
            ..Thought::default()
        };
        if let Some(best) = thought.lines.first() {
            (thought.winrate, thought.margin) = (best.winrate, best.margin);
        }
        let enough = budget.nodes.unwrap_or(u64::MAX);
        while thought.nodes < enough
            && !stop.load(Relaxed)
            && budget.time.is_none_or(|time| started.elapsed() < time)
        {
            thought.nodes += 1;
            if budget.nodes.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if thought.nodes.is_multiple_of(20) {
                progress(&thought);
            }
        }
        thought.time = started.elapsed();
        thought.stop = Some(if stop.load(Relaxed) {
            "stopped"
        } else {
            "nodes"
        });
        thought
    }
}

#[cfg(test)]
fn greedy_lines(position: &Position) -> Vec<Line> {
    let side = position.side();
    let mut lines: Vec<Line> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let mut next = *position;
            next.play(mv).expect("a legal move");
            let margin = f64::from(next.margin().0) / 2.0;
            Line {
                mv,
                visits: 1,
                winrate: 1.0 / (1.0 + (-margin / 20.0).exp()),
                margin,
                proven: None,
                pv: vec![mv],
            }
        })
        .collect();
    lines.sort_by(|a, b| {
        seen_by(side, b.winrate)
            .total_cmp(&seen_by(side, a.winrate))
            .then(a.mv.cmp(&b.mv))
    });
    lines
}
