//! The sequential test of a match, pair by pair in the order of the schedule.
//!
//! Games side by side end in any order. Were the test to count them as they
//! end, short games would come first, and a second run could decide otherwise.
//! So a pair counts when all pairs before it are complete.

use std::collections::{BTreeMap, HashSet};

use super::journal::Record;
use super::settings::Settings;
use super::statistics::{Pentanomial, Sprt, Verdict};

/// The test while games come in.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    sprt: Sprt,
    first: String,
    /// Fingerprint and half points of the first player, of games whose turn
    /// hasn't come.
    waiting: BTreeMap<usize, (u64, usize)>,
    seen: HashSet<u64>,
    pairs: usize,
    counts: Pentanomial,
    verdict: Verdict,
}

impl SequentialTest {
    /// The test that the settings ask for, if they do.
    #[must_use]
    pub fn new(settings: &Settings) -> Option<SequentialTest> {
        Some(SequentialTest {
            sprt: settings.sprt?,
            first: settings.names().into_iter().next()?,
            waiting: BTreeMap::new(),
            seen: HashSet::new(),
            pairs: 0,
            counts: Pentanomial::default(),
            verdict: Verdict::Continue,
        })
    }

    /// Hears of a game and goes on as far as the order allows. Once decided,
    /// the test stays as it is. A pair that repeats an earlier one move by move
    /// tells nothing new and isn't counted.
    pub fn add(&mut self, record: &Record) -> Verdict {
        let own = record.half_points_of(&self.first);
        self.waiting
            .insert(record.game, (record.fingerprint(), own));
        while self.verdict == Verdict::Continue {
            let games = [2 * self.pairs, 2 * self.pairs + 1];
            let [Some(&one), Some(&two)] = games.map(|game| self.waiting.get(&game)) else {
                break;
            };
            let new = [one, two].map(|(fingerprint, _)| self.seen.insert(fingerprint));
            if new.contains(&true) {
                self.counts.add(one.1 + two.1);
                self.verdict = self.sprt.verdict(&self.counts);
            }
            self.pairs += 1;
            for game in games {
                self.waiting.remove(&game);
            }
        }
        self.verdict
    }

    /// The test.
    #[must_use]
    pub const fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// Where it stands.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The pairs that have had their turn.
    #[must_use]
    pub const fn pairs(&self) -> usize {
        self.pairs
    }

    /// Its log-likelihood ratio.
    #[must_use]
    pub fn log_likelihood_ratio(&self) -> f64 {
        self.sprt.log_likelihood_ratio(&self.counts)
    }
}
