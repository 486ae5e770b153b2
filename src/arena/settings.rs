//! All that decides which games a tournament plays.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limit::Limit;
use super::openings::Openings;
use super::players::spec::{Spec, unique_names};
use super::schedule::{Format, Pair, pairs};
use super::statistics::Sprt;
use crate::rules::Position;

/// The most players of a tournament.
pub const MOST_PLAYERS: usize = 64;
/// The most pairs of games of a tournament.
pub const MOST_PAIRS: usize = 1_000_000;

/// The settings of a tournament, as its journal keeps them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Which pairings there are.
    pub format: Format,
    /// The players' specifications.
    pub players: Vec<String>,
    /// Rounds: pairs of games for each pairing.
    pub rounds: usize,
    /// Cells along a side of the board.
    pub size: u8,
    /// Farmers a side.
    pub farmers: u8,
    /// Where games start.
    pub openings: Openings,
    /// SHA-256 of the openings file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings_sha256: Option<String>,
    /// Decides the openings and what players do by chance.
    pub seed: u64,
    /// How long a player may think, unless it has a limit of its own.
    pub limit: Limit,
    /// What a move may take longer than allowed before it loses, milliseconds.
    pub margin_ms: u64,
    /// How much longer than allowed to wait for an answer, milliseconds.
    pub watchdog_ms: u64,
    /// Threads a player.
    pub threads: usize,
    /// Memory a player, MiB.
    pub hash: usize,
    /// Stops a match of two as soon as it is decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

impl Settings {
    /// Checks what the types alone don't.
    ///
    /// # Errors
    /// With a reason, for settings that no tournament can have.
    pub fn check(&self) -> Result<(), String> {
        let specs = self.specs()?;
        let players = specs.len();
        match self.format {
            Format::Match if players != 2 => {
                return Err(format!("a match has two players, not {players}"));
            }
            _ if players < 2 => return Err("a tournament needs two players".into()),
            _ if players > MOST_PLAYERS => {
                return Err(format!("{players} players are more than {MOST_PLAYERS}"));
            }
            _ => {}
        }
        let pairings = super::schedule::pairings(self.format, players).len();
        match pairings.checked_mul(self.rounds) {
            Some(count) if (1..=MOST_PAIRS).contains(&count) => {}
            _ => {
                return Err(format!(
                    "{} rounds of {pairings} pairings are not 1 to {MOST_PAIRS} pairs",
                    self.rounds
                ));
            }
        }
        if self.sprt.is_some() && players != 2 {
            return Err("sprt: only for a match of two players".into());
        }
        Position::start(self.size, self.farmers).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The players' specifications, read.
    ///
    /// # Errors
    /// When one can't be read.
    pub fn specs(&self) -> Result<Vec<Spec>, String> {
        self.players.iter().map(|text| text.parse()).collect()
    }

    /// The players' names, all different; none where [`check`](Self::check)
    /// fails.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        unique_names(&self.specs().unwrap_or_default())
    }

    /// The whole schedule.
    #[must_use]
    pub fn schedule(&self) -> Vec<Pair> {
        pairs(self.format, self.players.len(), self.rounds)
    }

    /// The limit of a player.
    #[must_use]
    pub fn limit_of(&self, spec: &Spec) -> Limit {
        spec.limit.unwrap_or(self.limit)
    }

    /// What a move may take longer than allowed before it loses.
    #[must_use]
    pub const fn margin(&self) -> Duration {
        Duration::from_millis(self.margin_ms)
    }

    /// How much longer than allowed to wait for an answer.
    #[must_use]
    pub const fn watchdog(&self) -> Duration {
        Duration::from_millis(self.watchdog_ms)
    }
}

/// What a player's chance begins with in a game: a number that depends on the
/// tournament, the round and both names, but not on colours or on the order of
/// the players. So a match with its players exchanged has the same games.
#[must_use]
pub fn seed_of_player(tournament: u64, round: usize, player: &str, opponent: &str) -> u64 {
    let mut hash = mix(mix(tournament).wrapping_add(round as u64));
    for text in [player, "\n", opponent] {
        for byte in text.bytes() {
            // FNV-1a, 64 bits (Fowler, Noll and Vo).
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    mix(hash)
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
const fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn seeds_differ_by_round_player_and_opponent() {
        let mut seeds = HashSet::new();
        for tournament in 0..4 {
            for round in 0..50 {
                for (player, opponent) in [("a", "b"), ("b", "a"), ("ab", ""), ("a", "c")] {
                    seeds.insert(seed_of_player(tournament, round, player, opponent));
                }
            }
        }
        assert_eq!(seeds.len(), 4 * 50 * 4);
    }
}
