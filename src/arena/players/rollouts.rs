//! Flat Monte Carlo: random games from each legal move, no tree.
//!
//! Which move the next game tries is decided by the upper confidence bound
//! UCB1 (Auer, Cesa-Bianchi and Fischer, 2002). Its square roots and logarithm
//! come from `libm`, so that a seed gives the same game on every machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Answer, Fault, Player, Turn};
use crate::arena::Limit;
use crate::rules::{Move, Position};

/// Games when the limit is no number: never more than this.
const MOST_GAMES: u64 = 100_000_000;

/// Share of the remaining clock for one move.
const CLOCK_SHARE: u32 = 40;

/// The player.
pub(super) struct Rollouts {
    rng: Xoshiro256PlusPlus,
}

impl Default for Rollouts {
    fn default() -> Self {
        Rollouts {
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }
}

/// One legal move and the random games after it.
struct Arm {
    mv: Move,
    games: u64,
    /// Points of the side to move: 2 a win, 1 a draw.
    half_points: u64,
}

impl Arm {
    fn mean(&self) -> f64 {
        self.half_points as f64 / (2 * self.games.max(1)) as f64
    }

    fn bound(&self, log_all: f64) -> f64 {
        self.mean() + libm::sqrt(2.0 * log_all / self.games.max(1) as f64)
    }
}

impl Player for Rollouts {
    fn new_game(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Fault> {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let start = Instant::now();
        let (games, time) = budget(turn);
        let mut arms: Vec<Arm> = turn
            .position
            .legal_moves()
            .iter()
            .map(|&mv| Arm {
                mv,
                games: 0,
                half_points: 0,
            })
            .collect();
        let mut played = 0;
        while played < games && arms.len() > 1 {
            if turn.abandoned.load(Ordering::Relaxed) {
                return Err(Fault::Abandoned);
            }
            if played > 0 && start.elapsed() >= time {
                break;
            }
            self.play_one(turn.position, &mut arms, played);
            played += 1;
        }
        let best = arms
            .iter()
            .max_by(|a, b| a.games.cmp(&b.games).then(a.mean().total_cmp(&b.mean())));
        Ok(Answer {
            text: best.map_or("none".into(), |arm| arm.mv.to_string()),
            taken: start.elapsed(),
            nodes: Some(played),
        })
    }
}

impl Rollouts {
    fn play_one(&mut self, position: &Position, arms: &mut [Arm], played: u64) {
        let log_all = libm::log(played.max(1) as f64);
        let next = match arms.iter().position(|arm| arm.games == 0) {
            Some(untried) => untried,
            None => (0..arms.len())
                .max_by(|&a, &b| arms[a].bound(log_all).total_cmp(&arms[b].bound(log_all)))
                .unwrap_or(0),
        };
        let arm = &mut arms[next];
        let mut end = *position;
        if end.play(arm.mv).is_err() {
            return;
        }
        self.finish(&mut end);
        let sign = if position.side().index() == 0 { 1 } else { -1 };
        arm.games += 1;
        arm.half_points += (1 + (sign * end.margin().0).signum()) as u64;
    }

    /// Plays at random to the end, passing only where nothing else is legal.
    fn finish(&mut self, position: &mut Position) {
        while !position.is_over() {
            let mv = random_move(position, &mut self.rng);
            if position.play(mv).is_err() {
                return;
            }
        }
    }
}

/// A uniformly random move; a pass only where nothing else is legal.
pub(super) fn random_move(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Move {
    let moves = position.legal_moves();
    let others = moves.iter().filter(|&&mv| mv != Move::Pass);
    match others.clone().count() {
        0 => Move::Pass,
        count => {
            let chosen = rng.random_range(0..count);
            others.copied().nth(chosen).unwrap_or(Move::Pass)
        }
    }
}

/// How many games and how much time the turn allows.
fn budget(turn: &Turn<'_>) -> (u64, Duration) {
    let clock = turn.clock();
    // A random game takes well under a millisecond.
    let reserve = Duration::from_millis(2);
    match clock.limit() {
        Limit::Nodes(nodes) => (nodes, turn.patience),
        Limit::Time(time) => (MOST_GAMES, time.saturating_sub(reserve)),
        Limit::Clock { increment, .. } => {
            let share = clock.remaining() / CLOCK_SHARE + increment / 2;
            let most = clock.remaining().saturating_sub(reserve) / 2;
            (MOST_GAMES, share.min(most))
        }
    }
}
