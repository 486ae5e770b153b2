//! The line of each player: results, faults, times.

use serde::Serialize;

use crate::arena::journal::{Ending, Header, Record, Result as GameResult};
use crate::arena::limit::Clock;
use crate::rules::Side;

/// A game lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct FirstFault {
    /// Its place in the schedule, from 0.
    pub game: usize,
    /// What exactly went wrong.
    pub detail: String,
}

/// What a player's games say.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PlayerLine {
    /// The name.
    pub name: String,
    /// Games recorded.
    pub games: usize,
    /// Won, drawn, lost.
    pub results: [usize; 3],
    /// Games with the light pieces, with the dark ones.
    pub games_by_colour: [usize; 2],
    /// Half points with the light pieces, with the dark ones.
    pub half_points_by_colour: [usize; 2],
    /// Games that ended by the rules.
    pub scored_games: usize,
    /// Σ own points minus the opponent's, over those games.
    pub margin_sum: f64,
    /// Games lost by its own fault: time, illegal move, crash, stall.
    pub faults: [usize; 4],
    /// The first of those games, and what exactly went wrong.
    pub first_fault: Option<FirstFault>,
    /// Whether its limit is a time.
    pub is_timed: bool,
    /// Moves timed.
    pub timed_moves: usize,
    /// Σ microseconds of those moves.
    pub time_us: u64,
    /// The longest move, microseconds.
    pub longest_us: u64,
    /// By how much a move was longest over its limit, microseconds.
    pub worst_overrun_us: u64,
    /// Σ simulations where told, and Σ microseconds of those moves.
    pub nodes: (u64, u64),
}

impl PlayerLine {
    /// Half points of all games.
    #[must_use]
    pub fn half_points(&self) -> usize {
        self.half_points_by_colour.iter().sum()
    }

    /// The mean of own points minus the opponent's.
    #[must_use]
    pub fn mean_margin(&self) -> Option<f64> {
        (self.scored_games > 0).then(|| self.margin_sum / self.scored_games as f64)
    }
}

/// One line a player.
pub(super) fn lines(header: &Header, records: &[&Record]) -> Vec<PlayerLine> {
    let settings = &header.settings;
    let limits: Vec<_> = settings
        .specs()
        .unwrap_or_default()
        .iter()
        .map(|spec| settings.limit_of(spec))
        .collect();
    let mut lines: Vec<PlayerLine> = settings
        .names()
        .into_iter()
        .zip(&limits)
        .map(|(name, limit)| PlayerLine {
            name,
            is_timed: limit.is_timed(),
            ..PlayerLine::default()
        })
        .collect();
    for record in records {
        let sides = record.sides();
        for (colour, name) in [&record.light, &record.dark].into_iter().enumerate() {
            if let Some(player) = lines.iter().position(|line| line.name == *name) {
                count_result(&mut lines[player], record, colour);
                let line = &mut lines[player];
                if line.is_timed {
                    let clock = Clock::new(limits[player]);
                    count_times(line, record, &sides, Side::BOTH[colour], clock);
                }
            }
        }
    }
    lines
}

fn count_result(line: &mut PlayerLine, record: &Record, colour: usize) {
    let light = record.result.light_half_points();
    let own = if colour == 0 { light } else { 2 - light };
    line.games += 1;
    line.results[2 - own] += 1;
    line.games_by_colour[colour] += 1;
    line.half_points_by_colour[colour] += own;
    if let Some(margin) = record.margin() {
        line.scored_games += 1;
        line.margin_sum += if colour == 0 { margin } else { -margin };
    }
    let loser = usize::from(record.result == GameResult::Light);
    if record.ending != Ending::Rules && loser == colour {
        let fault = Ending::ALL.iter().position(|&e| e == record.ending);
        line.faults[fault.unwrap_or(1).saturating_sub(1)] += 1;
        if line.first_fault.is_none() {
            line.first_fault = Some(FirstFault {
                game: record.game,
                detail: record.detail.clone().unwrap_or_default(),
            });
        }
    }
}

/// Replays the player's clock over its moves.
fn count_times(
    line: &mut PlayerLine,
    record: &Record,
    sides: &[Side],
    side: Side,
    mut clock: Clock,
) {
    for (ply, &micros) in record.time_us.iter().enumerate() {
        if sides.get(ply) != Some(&side) {
            continue;
        }
        let over = clock.spend(std::time::Duration::from_micros(micros));
        let over = u64::try_from(over.as_micros()).unwrap_or(u64::MAX);
        line.timed_moves += 1;
        line.time_us = line.time_us.saturating_add(micros);
        line.longest_us = line.longest_us.max(micros);
        line.worst_overrun_us = line.worst_overrun_us.max(over);
        if let Some(&Some(nodes)) = record.nodes.get(ply) {
            line.nodes.0 = line.nodes.0.saturating_add(nodes);
            line.nodes.1 = line.nodes.1.saturating_add(micros);
        }
    }
}
