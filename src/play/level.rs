//! How strong the engine plays against a person: by how long it thinks, and
//! at the lower levels by choosing among good moves rather than the best.

use super::thinker::{Budget, Thought, seen_by};
use crate::rules::{Move, Side};
use rand::{Rng, RngExt};
use std::time::Duration;

/// A strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// 1 is the weakest.
    pub number: u8,
    /// A word for it.
    pub name: &'static str,
    /// Simulations a move; `None` as many as the time allows.
    pub nodes: Option<u64>,
    /// A move that wins less often by this much is chosen `e` times more
    /// seldom; 0 plays the best move.
    pub temperature: f64,
}

/// All levels, the weakest first.
pub const LEVELS: [Level; 8] = [
    level(1, "first steps", Some(1), 0.30),
    level(2, "beginner", Some(2), 0.12),
    level(3, "casual", Some(8), 0.04),
    level(4, "club", Some(24), 0.02),
    level(5, "strong club", Some(80), 0.0),
    level(6, "expert", Some(400), 0.0),
    level(7, "master", Some(4000), 0.0),
    level(8, "full strength", None, 0.0),
];

const fn level(number: u8, name: &'static str, nodes: Option<u64>, temperature: f64) -> Level {
    Level {
        number,
        name,
        nodes,
        temperature,
    }
}

impl Level {
    /// The level of this number.
    #[must_use]
    pub fn of(number: u8) -> Option<Level> {
        LEVELS.into_iter().find(|level| level.number == number)
    }

    /// How long to think about a move when it may take this long.
    #[must_use]
    pub fn budget(&self, time: Duration) -> Budget {
        Budget {
            nodes: self.nodes,
            time: Some(time),
            keep_going: false,
            fresh: self.nodes.is_some(),
        }
    }

    /// The move that this level makes of a thought; `side` is to move.
    pub fn choose(&self, thought: &Thought, side: Side, rng: &mut impl Rng) -> Option<Move> {
        let best = thought.best()?;
        if self.temperature <= 0.0 {
            return Some(best);
        }
        let value = |i: usize| seen_by(side, thought.lines[i].winrate);
        let top = (0..thought.lines.len()).map(value).fold(0.0, f64::max);
        // libm's exponential is the same on every machine.
        let weights: Vec<f64> = (0..thought.lines.len())
            .map(|i| libm::exp((value(i) - top) / self.temperature))
            .collect();
        let total: f64 = weights.iter().sum();
        let mut left = rng.random::<f64>() * total;
        for (line, weight) in thought.lines.iter().zip(&weights) {
            left -= weight;
            if left < 0.0 {
                return Some(line.mv);
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Thinker;
    use super::super::thinker::Greedy;
    use super::*;
    use crate::rules::Position;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use std::collections::HashSet;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn lower_levels_vary_and_higher_ones_play_the_best_move() {
        let position: Position = "start:4:2".parse().unwrap();
        let budget = LEVELS[0].budget(Duration::from_secs(1));
        let thought = Greedy.think(&position, &budget, &AtomicBool::new(false), &mut |_| ());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let chosen = |level: Level, rng: &mut Xoshiro256PlusPlus| -> HashSet<Option<Move>> {
            (0..200)
                .map(|_| level.choose(&thought, Side::Light, rng))
                .collect()
        };
        assert!(chosen(LEVELS[0], &mut rng).len() > 3);
        assert_eq!(chosen(LEVELS[7], &mut rng), HashSet::from([thought.best()]));
    }

    #[test]
    fn a_finished_game_has_no_move_at_any_level() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for level in LEVELS {
            assert_eq!(
                level.choose(&Thought::default(), Side::Dark, &mut rng),
                None
            );
            assert_eq!(Level::of(level.number), Some(level));
        }
        assert_eq!(Level::of(0), None);
    }
}
