//! What the journals of a tournament say: every table, from them alone.
//!
//! [`merge`] joins the journals of shards, [`Report::of`] counts, and the text
//! form ([`std::fmt::Display`]) prints. Games come in the order of the
//! schedule, whoever played them and in whatever order they ended, so that the
//! report of N shards is that of one run. Times are shown only where a limit is
//! a time.

mod players;
mod table;
mod text;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::journal::{Contents, Header, Record};
use super::sequential::SequentialTest;
use super::statistics::bradley_terry::{self, Encounter};
use super::statistics::{Pentanomial, Ratings, Sprt, Strength, Verdict};
pub use players::{FirstFault, PlayerLine};

/// The tables of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was played.
    #[serde(skip)]
    pub header: Header,
    /// Games recorded.
    pub games: usize,
    /// Games of the whole schedule.
    pub scheduled: usize,
    /// One a player, in the order of the settings.
    pub players: Vec<PlayerLine>,
    /// One a pairing, in the order of the schedule.
    pub pairings: Vec<PairingLine>,
    /// The joint rating, for more than two players.
    pub ratings: Option<Vec<RatingLine>>,
    /// Whether the ratings needed help to be finite.
    pub ratings_with_prior: bool,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtLine>,
    /// Games that repeat an earlier one move by move, same players and colours.
    pub repeated_games: usize,
}

/// What two players' games say.
#[derive(Clone, Debug, Serialize)]
pub struct PairingLine {
    /// The first player's number.
    pub first: usize,
    /// The second player's number.
    pub second: usize,
    /// Games recorded.
    pub games: usize,
    /// Half points of the first player.
    pub half_points: usize,
    /// All complete pairs, by the first player's score.
    pub pairs: Pentanomial,
    /// The complete pairs that don't repeat an earlier one.
    pub different_pairs: Pentanomial,
    /// Elo of the first player above the second; `None` for too few pairs.
    #[serde(serialize_with = "strength_as_map")]
    pub strength: Option<Strength>,
}

/// A player's place in the joint rating.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RatingLine {
    /// The player's number.
    pub player: usize,
    /// Elo above the mean of all players.
    pub elo: f64,
    /// Half of the 95 % interval, from pairs; `None` for too few pairs.
    pub half_interval: Option<f64>,
}

/// The state of the sequential test.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SprtLine {
    /// The test.
    pub test: Sprt,
    /// Its log-likelihood ratio after the last pair that counts.
    pub log_likelihood_ratio: f64,
    /// The pairs that count: those before its decision, without gaps.
    pub pairs: usize,
    /// `H0`, `H1` or nothing yet.
    pub accepted: Option<&'static str>,
}

fn strength_as_map<S: serde::Serializer>(
    strength: &Option<Strength>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    strength
        .map(|s| {
            serde_json::json!({
                "elo": s.elo, "low": s.low, "high": s.high,
                "normalised": s.normalised, "superiority": s.superiority,
            })
        })
        .serialize(serializer)
}

/// Joins the journals of one tournament, in the order of its schedule.
///
/// # Errors
/// When they are of different tournaments.
pub fn merge(mut journals: Vec<Contents>) -> Result<Contents, String> {
    if journals.is_empty() {
        return Err("no journal".into());
    }
    let mut all = journals.remove(0);
    let mut seen: HashSet<usize> = all.records.iter().map(|record| record.game).collect();
    for (number, journal) in journals.into_iter().enumerate() {
        if journal.header.settings != all.header.settings {
            return Err(format!(
                "journal {} has other settings than the first: not the same tournament",
                number + 2
            ));
        }
        for (own, other) in all.header.players.iter().zip(&journal.header.players) {
            if own.sha256 != other.sha256 {
                all.notes.push(format!(
                    "journal {}: the program of '{}' is not that of the first journal",
                    number + 2,
                    other.name
                ));
            }
        }
        all.notes.extend(journal.notes);
        for record in journal.records {
            if seen.insert(record.game) {
                all.records.push(record);
            } else {
                all.notes.push(format!(
                    "journal {}: game {} again; the first one counts",
                    number + 2,
                    record.game
                ));
            }
        }
    }
    all.header.shard = None;
    all.records.sort_by_key(|record| record.game);
    Ok(all)
}

impl Report {
    /// Counts the games of a tournament.
    #[must_use]
    pub fn of(header: &Header, records: &[Record]) -> Report {
        let mut records: Vec<&Record> = records.iter().collect();
        records.sort_by_key(|record| record.game);
        let repeated = repeated_games(&records);
        let pairings = pairings(header, &records, &repeated);
        let ratings = ratings(header, &pairings);
        let enough = |player: usize| {
            let own = pairings
                .iter()
                .filter(|line| line.first == player || line.second == player);
            own.map(|line| line.different_pairs.pairs()).sum::<u64>()
                >= super::statistics::FEWEST_PAIRS
        };
        Report {
            games: records.len(),
            scheduled: 2 * header.settings.schedule().len(),
            players: players::lines(header, &records),
            ratings_with_prior: ratings.as_ref().is_some_and(|r| r.with_prior),
            ratings: ratings.map(|ratings| {
                let lines = ratings.ratings.iter().enumerate().map(|(player, rating)| {
                    let half = super::statistics::elo::QUANTILE * rating.error_of_trials;
                    RatingLine {
                        player,
                        elo: rating.elo,
                        half_interval: enough(player).then_some(half),
                    }
                });
                lines.collect()
            }),
            sprt: sequential_test(header, &records),
            repeated_games: repeated.len(),
            pairings,
            header: header.clone(),
        }
    }

    /// Whether anything but the rules ended a game.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        self.players
            .iter()
            .any(|line| line.faults.iter().any(|&n| n > 0))
    }
}

/// The games that repeat an earlier one move by move, with the same players
/// and colours.
fn repeated_games(records: &[&Record]) -> HashSet<usize> {
    let mut seen = HashSet::new();
    let repeated = records
        .iter()
        .filter(|record| !seen.insert(record.fingerprint()));
    repeated.map(|record| record.game).collect()
}

fn pairings(header: &Header, records: &[&Record], repeated: &HashSet<usize>) -> Vec<PairingLine> {
    let settings = &header.settings;
    let names = settings.names();
    let by_game: HashMap<usize, &Record> = records.iter().map(|r| (r.game, *r)).collect();
    let pairings = super::schedule::pairings(settings.format, names.len());
    let mut lines: Vec<PairingLine> = pairings
        .iter()
        .map(|&(first, second)| PairingLine {
            first,
            second,
            games: 0,
            half_points: 0,
            pairs: Pentanomial::default(),
            different_pairs: Pentanomial::default(),
            strength: None,
        })
        .collect();
    for pair in settings.schedule() {
        let line = &mut lines[pair.index % pairings.len()];
        let games = pair.games().map(|fixture| by_game.get(&fixture.game));
        let mut sum = 0;
        for record in games.iter().flatten() {
            let own = record.half_points_of(&names[pair.first]);
            line.games += 1;
            line.half_points += own;
            sum += own;
        }
        if let [Some(one), Some(two)] = games {
            line.pairs.add(sum);
            if !(repeated.contains(&one.game) && repeated.contains(&two.game)) {
                line.different_pairs.add(sum);
            }
        }
    }
    for line in &mut lines {
        line.strength = Strength::of(&line.different_pairs);
    }
    lines
}

fn ratings(header: &Header, pairings: &[PairingLine]) -> Option<Ratings> {
    let players = header.settings.players.len();
    if players < 3 {
        return None;
    }
    let encounters: Vec<Encounter> = pairings
        .iter()
        .map(|line| Encounter::of_pairs(line.first, line.second, &line.different_pairs))
        .collect();
    bradley_terry::fit(players, &encounters)
}

fn sequential_test(header: &Header, records: &[&Record]) -> Option<SprtLine> {
    let mut test = SequentialTest::new(&header.settings)?;
    for record in records {
        test.add(record);
    }
    Some(SprtLine {
        test: test.sprt(),
        log_likelihood_ratio: test.log_likelihood_ratio(),
        pairs: test.pairs(),
        accepted: match test.verdict() {
            Verdict::AcceptH0 => Some("H0"),
            Verdict::AcceptH1 => Some("H1"),
            Verdict::Continue => None,
        },
    })
}
