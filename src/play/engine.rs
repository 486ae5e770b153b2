//! The engine as a thinker: its reports are the side to move's view, a game
//! with a person keeps to Light's.

use super::thinker::{Budget, Line, Proven, Thinker, Thought, seen_by};
use crate::engine::{self, Engine, Limits, Report, StopReason};
use crate::rules::{HalfPoints, Position, Side};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How often a person is told how the thinking goes.
const NEWS: Duration = Duration::from_millis(100);

impl Thinker for Engine {
    fn think(
        &mut self,
        position: &Position,
        budget: &Budget,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Thought),
    ) -> Thought {
        if budget.fresh {
            self.clear();
        }
        let limits = Limits {
            nodes: budget.nodes,
            time: budget.time,
            keep_going: budget.keep_going,
            report_every: Some(NEWS),
            ..Limits::default()
        };
        let mut tell = |report: &Report| progress(&thought(report));
        thought(&self.search(position, &limits, stop, &mut tell))
    }
}

fn thought(report: &Report) -> Thought {
    let side = report.perspective;
    Thought {
        lines: report
            .lines
            .iter()
            .map(|line| light_view(line, side))
            .collect(),
        nodes: report.nodes,
        time: report.time,
        winrate: seen_by(side, report.winrate.into()),
        margin: margin(side, report.margin),
        stop: report.stop.map(StopReason::name),
    }
}

fn light_view(line: &engine::Line, side: Side) -> Line {
    Line {
        mv: line.mv,
        visits: line.visits.into(),
        winrate: seen_by(side, line.winrate.into()),
        margin: margin(side, line.margin),
        proven: line.proven.map(|proven| light_proof(proven, side)),
        pv: line.pv.clone(),
    }
}

fn margin(side: Side, margin: f32) -> f64 {
    match side {
        Side::Light => margin.into(),
        // Taking it from 0 makes no negative zero.
        Side::Dark => 0.0 - f64::from(margin),
    }
}

fn light_proof(proven: engine::Proven, side: Side) -> Proven {
    let of = |wins: bool, by: HalfPoints, exact: bool| Proven {
        winner: Some(if wins { side } else { side.other() }),
        by,
        exact,
    };
    match proven {
        engine::Proven::Win(by) => of(true, by, false),
        engine::Proven::Loss(by) => of(false, by, false),
        engine::Proven::Exact(by) => of(by.0 > 0, HalfPoints(by.0.abs()), true),
        engine::Proven::Draw => Proven {
            winner: None,
            by: HalfPoints(0),
            exact: true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;

    #[test]
    fn what_is_thought_of_a_won_game_is_light_s_view_whoever_moves() {
        // The richest field is Light's, and nobody can change that.
        for side in ["L", "D"] {
            let position: Position = format!("x1,L3,d/x1,l,d/x1,l,D1 {side} 1 1")
                .parse()
                .unwrap();
            let mut engine = Engine::new(Options {
                hash_mib: 1,
                ..Options::default()
            });
            let budget = Budget {
                nodes: Some(2000),
                ..Budget::default()
            };
            let thought = engine.think(&position, &budget, &AtomicBool::new(false), &mut |_| ());
            assert!(thought.winrate > 0.9 && thought.margin > 0.0, "{thought:?}");
            let proven = thought.lines[0].proven.unwrap();
            assert_eq!(proven.winner, Some(Side::Light));
            assert!(proven.to_string().starts_with("Light wins by "));
        }
    }
}
