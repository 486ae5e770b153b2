//! The simple players of this program: `random` and `greedy`.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::rollouts::random_move;
use super::{Answer, Fault, Player, Turn};
use crate::rules::{Move, Position};

/// Plays uniformly at random; passes only where nothing else is legal.
pub(super) struct Random {
    rng: Xoshiro256PlusPlus,
}

impl Default for Random {
    fn default() -> Self {
        Random {
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }
}

impl Player for Random {
    fn new_game(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Fault> {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let start = Instant::now();
        let mv = random_move(turn.position, &mut self.rng);
        Ok(Answer {
            text: mv.to_string(),
            taken: start.elapsed(),
            nodes: None,
        })
    }
}

/// Takes a move with the best immediate score, one of equals by chance.
pub(super) struct Greedy {
    rng: Xoshiro256PlusPlus,
}

impl Default for Greedy {
    fn default() -> Self {
        Greedy {
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }
}

impl Player for Greedy {
    fn new_game(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Fault> {
        self.rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let start = Instant::now();
        let best = best_moves(turn.position);
        let text = match best.len() {
            0 => "none".into(),
            count => best[self.rng.random_range(0..count)].to_string(),
        };
        Ok(Answer {
            text,
            taken: start.elapsed(),
            nodes: None,
        })
    }
}

/// The moves after which the side to move is ahead the most.
fn best_moves(position: &Position) -> Vec<Move> {
    let sign = if position.side().index() == 0 { 1 } else { -1 };
    let mut best = Vec::new();
    let mut best_margin = i32::MIN;
    for &mv in &position.legal_moves() {
        let mut after = *position;
        if after.play(mv).is_err() {
            continue;
        }
        let margin = sign * after.margin().0;
        if margin > best_margin {
            best_margin = margin;
            best.clear();
        }
        if margin == best_margin {
            best.push(mv);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::best_moves;
    use crate::rules::Position;

    /// Counted by hand on 3×3: Light's harvest to b3 or a2 leaves fewer cells
    /// but doubles their worth.
    #[test]
    fn the_greedy_player_sees_the_best_score() {
        let position: Position = "x3/x3/L1,x1,D1 L 1 0".parse().unwrap();
        let best = best_moves(&position);
        for &mv in &position.legal_moves() {
            let mut after = position;
            after.play(mv).unwrap();
            let mut chosen = position;
            chosen.play(best[0]).unwrap();
            assert!(after.margin() <= chosen.margin());
        }
    }
}
