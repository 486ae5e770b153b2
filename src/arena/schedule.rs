//! Who plays whom, with which colours: a pure function of the settings.
//!
//! The unit is the [`Pair`]: one opening played twice, colours exchanged. In
//! each round every pairing of the format plays one pair, all with the
//! opening of that round.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which pairings a tournament has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two players.
    Match,
    /// Everyone against everyone.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::Match => "match",
            Format::RoundRobin => "round robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

/// Two games of the same opening and players, the colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its place in the schedule, from 0.
    pub index: usize,
    /// Its round, from 0, which is also the number of its opening.
    pub round: usize,
    /// The player who is Light in the first game.
    pub first: usize,
    /// The player who is Light in the second game.
    pub second: usize,
}

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its place in the schedule, from 0; game `g` belongs to pair `g / 2`.
    pub game: usize,
    /// Its round, from 0.
    pub round: usize,
    /// The player with the light pieces.
    pub light: usize,
    /// The player with the dark pieces.
    pub dark: usize,
}

impl Pair {
    /// The two games, in the order in which they are played.
    #[must_use]
    pub fn games(&self) -> [Fixture; 2] {
        let fixture = |offset, light, dark| Fixture {
            game: 2 * self.index + offset,
            round: self.round,
            light,
            dark,
        };
        [
            fixture(0, self.first, self.second),
            fixture(1, self.second, self.first),
        ]
    }
}

/// The pairings of a format among `players` players, each once.
#[must_use]
pub fn pairings(format: Format, players: usize) -> Vec<(usize, usize)> {
    match format {
        Format::Match if players < 2 => Vec::new(),
        Format::Match => vec![(0, 1)],
        Format::Gauntlet => (1..players).map(|other| (0, other)).collect(),
        Format::RoundRobin => (0..players)
            .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
            .collect(),
    }
}

/// The whole schedule: `rounds` times every pairing.
#[must_use]
pub fn pairs(format: Format, players: usize, rounds: usize) -> Vec<Pair> {
    let pairings = pairings(format, players);
    let all = (0..rounds).flat_map(|round| pairings.iter().map(move |pairing| (round, pairing)));
    all.enumerate()
        .map(|(index, (round, &(first, second)))| Pair {
            index,
            round,
            first,
            second,
        })
        .collect()
}

/// A fixed part of the schedule, so that several machines share the work:
/// shard K of N plays every N-th pair, beginning with the K-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// The most parts that a schedule can be cut into.
    pub const MOST: usize = 100_000;

    /// Whether the pair belongs to this part.
    #[must_use]
    pub const fn has(&self, pair: &Pair) -> bool {
        pair.index % self.of == self.number - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parsed = text.split_once('/').and_then(|(number, of)| {
            let shard = Shard {
                number: number.parse().ok()?,
                of: of.parse().ok()?,
            };
            let fits =
                (1..=Self::MOST).contains(&shard.of) && (1..=shard.of).contains(&shard.number);
            fits.then_some(shard)
        });
        parsed.ok_or_else(|| {
            format!(
                "'{text}' is not K/N with 1 ≤ K ≤ N ≤ {}, as in 2/8",
                Self::MOST
            )
        })
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};

    const FORMATS: [Format; 3] = [Format::Match, Format::RoundRobin, Format::Gauntlet];

    #[test]
    fn formats_have_the_pairings_that_their_names_promise() {
        assert_eq!(pairings(Format::Match, 2), [(0, 1)]);
        assert_eq!(pairings(Format::RoundRobin, 3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(pairings(Format::Gauntlet, 4), [(0, 1), (0, 2), (0, 3)]);
        assert!(pairings(Format::Match, 1).is_empty());
        assert!(pairings(Format::RoundRobin, 0).is_empty());
    }

    #[test]
    fn shards_are_read_and_refused() {
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for bad in [
            "", "0/3", "4/3", "1/0", "3", "a/b", "-1/2", "1/100001", "1/2/3",
        ] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn every_player_has_each_colour_equally_often(
            format in prop::sample::select(&FORMATS[..]), players in 2_usize..9, rounds in 0_usize..20,
        ) {
            let mut balance = vec![0_i32; players];
            for game in pairs(format, players, rounds).iter().flat_map(Pair::games) {
                prop_assert_ne!(game.light, game.dark);
                balance[game.light] += 1;
                balance[game.dark] -= 1;
            }
            prop_assert!(balance.iter().all(|&b| b == 0));
        }

        #[test]
        fn a_pairing_meets_once_a_round_and_never_replays_an_opening(
            format in prop::sample::select(&FORMATS[..]), players in 2_usize..9, rounds in 0_usize..20,
        ) {
            let mut rounds_of: HashMap<(usize, usize), HashSet<usize>> = HashMap::new();
            for (index, pair) in pairs(format, players, rounds).iter().enumerate() {
                prop_assert_eq!(pair.index, index);
                let [one, two] = pair.games();
                prop_assert_eq!((one.light, one.dark), (two.dark, two.light));
                prop_assert_eq!(one.round, two.round);
                prop_assert_eq!((one.game, two.game), (2 * index, 2 * index + 1));
                prop_assert!(rounds_of.entry((pair.first, pair.second)).or_default().insert(pair.round));
            }
            for played in rounds_of.values() {
                prop_assert_eq!(played.len(), rounds);
            }
        }

        #[test]
        fn shards_are_disjoint_and_complete(of in 1_usize..12, rounds in 0_usize..40, players in 2_usize..6) {
            let all = pairs(Format::RoundRobin, players, rounds);
            let shards: Vec<Shard> = (1..=of).map(|k| format!("{k}/{of}").parse().unwrap()).collect();
            for pair in &all {
                prop_assert_eq!(shards.iter().filter(|shard| shard.has(pair)).count(), 1);
            }
        }
    }
}
