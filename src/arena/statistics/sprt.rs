//! A sequential test: stop a match as soon as it has decided a question.
//!
//! Wald's sequential probability ratio test (*Sequential Tests of Statistical
//! Hypotheses*, 1945) between two hypotheses on the normalised Elo of a match.
//! As the distribution of the five pair scores is unknown, the likelihood of
//! each hypothesis is that of the most likely distribution that satisfies it
//! (a *generalised* ratio), found by the iteration of M. Van den Bergh,
//! *Normalized Elo, practical considerations* (2021), section 4.1. It is the
//! model that the chess test site fishtest and the match runner fastchess use.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Pentanomial;
use super::elo::NORMALISED_ELO;

/// Larger hypotheses, in normalised Elo, are no question for a test.
const LARGEST_ELO: f64 = 300.0;

/// A sequential test of H0 "normalised Elo = elo0" against H1 "= elo1".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Questions", deny_unknown_fields)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The same fields before they are checked.
#[derive(Deserialize)]
struct Questions {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is more likely elo0.
    AcceptH0,
    /// The difference is more likely elo1.
    AcceptH1,
    /// More games are needed.
    Continue,
}

/// Why a test was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprtError(String);

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sprt: {}", self.0)
    }
}

impl std::error::Error for SprtError {}

impl Sprt {
    /// A test with error rates `alpha` (H1 accepted though H0 holds) and `beta`
    /// (the reverse).
    ///
    /// # Errors
    /// When elo0 ≥ elo1, one of them is beyond ±300, or a rate is outside
    /// 0.0001 to 0.4.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let rate = 0.0001..=0.4;
        if !(elo0.abs() <= LARGEST_ELO && elo1.abs() <= LARGEST_ELO) {
            return Err(SprtError(format!(
                "elo0={elo0} and elo1={elo1} must lie between -{LARGEST_ELO} and {LARGEST_ELO}"
            )));
        }
        if elo0 >= elo1 {
            return Err(SprtError(format!(
                "elo0={elo0} must be less than elo1={elo1}"
            )));
        }
        if !(rate.contains(&alpha) && rate.contains(&beta)) {
            return Err(SprtError(format!(
                "alpha={alpha} and beta={beta} must lie between 0.0001 and 0.4"
            )));
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        (
            libm::log(self.beta / (1.0 - self.alpha)),
            libm::log((1.0 - self.beta) / self.alpha),
        )
    }

    /// The log-likelihood ratio of H1 to H0 after these pairs.
    #[must_use]
    pub fn log_likelihood_ratio(&self, counts: &Pentanomial) -> f64 {
        if counts.pairs() == 0 {
            return 0.0;
        }
        let observed = Distribution::observed(counts);
        let t0 = self.elo0 / NORMALISED_ELO * core::f64::consts::SQRT_2;
        let t1 = self.elo1 / NORMALISED_ELO * core::f64::consts::SQRT_2;
        match (observed.constrained(t0), observed.constrained(t1)) {
            (Some(h0), Some(h1)) => {
                let jumps = observed
                    .chances
                    .iter()
                    .zip(h0.chances.iter().zip(h1.chances));
                let sum: f64 = jumps.map(|(p, (p0, p1))| p * libm::log(p1 / p0)).sum();
                observed.pairs * sum
            }
            _ => observed.approximate_ratio(t0, t1),
        }
    }

    /// Where the test stands after these pairs.
    #[must_use]
    pub fn verdict(&self, counts: &Pentanomial) -> Verdict {
        let ratio = self.log_likelihood_ratio(counts);
        let (low, high) = self.bounds();
        if ratio <= low {
            Verdict::AcceptH0
        } else if ratio >= high {
            Verdict::AcceptH1
        } else {
            Verdict::Continue
        }
    }
}

impl TryFrom<Questions> for Sprt {
    type Error = SprtError;

    fn try_from(questions: Questions) -> Result<Sprt, SprtError> {
        Sprt::new(
            questions.elo0,
            questions.elo1,
            questions.alpha,
            questions.beta,
        )
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "elo0={} elo1={} alpha={} beta={}",
            self.elo0, self.elo1, self.alpha, self.beta
        )
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0 elo1=20 [alpha=0.05] [beta=0.05]`, split by spaces or
    /// commas, in any order.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, None, None);
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        for word in words {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| SprtError(format!("'{word}' is not NAME=NUMBER")))?;
            let slot = match name {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                _ => {
                    return Err(SprtError(format!(
                        "unknown name '{name}' (known: elo0, elo1, alpha, beta)"
                    )));
                }
            };
            let number: f64 = value
                .parse()
                .map_err(|_| SprtError(format!("{name}: '{value}' is not a number")))?;
            if slot.replace(number).is_some() {
                return Err(SprtError(format!("{name} is given twice")));
            }
        }
        let missing = |name| SprtError(format!("{name} is missing (as in elo0=0 elo1=20)"));
        Sprt::new(
            elo0.ok_or_else(|| missing("elo0"))?,
            elo1.ok_or_else(|| missing("elo1"))?,
            alpha.unwrap_or(0.05),
            beta.unwrap_or(0.05),
        )
    }
}

/// The scores of a pair, ascending.
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// A distribution over the five scores of a pair.
#[derive(Clone, Copy)]
struct Distribution {
    pairs: f64,
    chances: [f64; 5],
}

impl Distribution {
    /// The observed frequencies; a score never seen counts a thousandth, so
    /// that no likelihood is zero.
    fn observed(counts: &Pentanomial) -> Distribution {
        let counts = counts.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let pairs: f64 = counts.iter().sum();
        Distribution {
            pairs,
            chances: counts.map(|n| n / pairs),
        }
    }

    fn mean_and_variance(&self) -> (f64, f64) {
        let weighted = SCORES.iter().zip(self.chances);
        let mean: f64 = weighted.clone().map(|(a, p)| a * p).sum();
        let variance = weighted.map(|(a, p)| (a - mean) * (a - mean) * p).sum();
        (mean, variance)
    }

    /// The most likely distribution, given these observations, whose advantage
    /// `(mean − ½) / σ` is `t`; `None` where the iteration leaves its domain.
    fn constrained(&self, t: f64) -> Option<Distribution> {
        let mut found = Distribution {
            chances: [0.2; 5],
            ..*self
        };
        for _ in 0..100 {
            let (mean, variance) = found.mean_and_variance();
            let sigma = variance.sqrt();
            let excess = SCORES.map(|a| {
                let z = (mean - a) / sigma;
                a - 0.5 - t * sigma * (1.0 + z * z) / 2.0
            });
            let x = self.multiplier(&excess)?;
            let mut next = found;
            for (i, chance) in next.chances.iter_mut().enumerate() {
                *chance = self.chances[i] / (1.0 + x * excess[i]);
            }
            let moved = (0..5).map(|i| (next.chances[i] - found.chances[i]).abs());
            let settled = moved.fold(0.0, f64::max) < 1e-9;
            found = next;
            if settled {
                break;
            }
        }
        let (mean, variance) = found.mean_and_variance();
        let reached = (mean - 0.5) / variance.sqrt();
        ((reached - t).abs() < 1e-5).then_some(found)
    }

    /// Solves Σ pᵢ eᵢ / (1 + x eᵢ) = 0, which falls in x between its poles, by
    /// halving the interval; `None` unless the excesses have both signs.
    fn multiplier(&self, excess: &[f64; 5]) -> Option<f64> {
        let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
        let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        for _ in 0..200 {
            let x = 0.5 * (low + high);
            let terms = self.chances.iter().zip(excess);
            let sum: f64 = terms.map(|(p, e)| p * e / (1.0 + x * e)).sum();
            if sum > 0.0 {
                low = x;
            } else {
                high = x;
            }
        }
        Some(0.5 * (low + high))
    }

    /// The closed form of section 4.2 of the same paper.
    fn approximate_ratio(&self, t0: f64, t1: f64) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        let t = (mean - 0.5) / variance.sqrt();
        let (d0, d1) = ((t - t0) * (t - t0), (t - t1) * (t - t1));
        0.5 * self.pairs * libm::log((1.0 + d0) / (1.0 + d1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Worked values of the match runner fastchess: two of its `sprt_test.cpp`,
    /// one of 6,804 games and one of 20 that its users published.
    #[test]
    fn ratios_agree_with_the_published_ones() {
        let cases = [
            ([365, 16618, 36229, 16974, 390], 0.0, 2.0, 2.25),
            ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
            ([352, 579, 1264, 743, 464], 9.0, 16.0, 4.60),
            ([0, 0, 1, 8, 1], 0.0, 50.0, 1.24),
        ];
        for (counts, elo0, elo1, ratio) in cases {
            let test = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
            let found = test.log_likelihood_ratio(&Pentanomial(counts));
            assert!((found - ratio).abs() < 0.012, "{found} for {ratio}");
        }
    }

    /// Wald's bounds for 5 % and 5 %: ± ln 19.
    #[test]
    fn bounds_are_walds() {
        let (low, high) = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap().bounds();
        assert!((high - 2.944_438_979).abs() < 1e-9);
        assert!((low + high).abs() < 1e-12);
    }

    #[test]
    fn settings_are_read_in_any_order_and_refused_with_a_reason() {
        let read = |text: &str| text.parse::<Sprt>().map_err(|e| e.to_string());
        assert_eq!(
            read("elo1=20 elo0=0"),
            read("elo0=0,elo1=20,beta=0.05,alpha=0.05")
        );
        for (text, reason) in [
            ("elo0=0", "elo1 is missing"),
            ("elo0=5 elo1=5", "must be less than"),
            ("elo0=0 elo1=x", "'x' is not a number"),
            ("elo0=0 elo1=NaN", "must lie between"),
            ("elo0=0 elo1=inf", "must lie between"),
            ("elo0=0 elo0=1 elo1=2", "given twice"),
            ("elo0=0 elo1=5 alpha=0", "alpha=0 and"),
            ("elo0=0 elo1=5 gamma=1", "unknown name 'gamma'"),
            ("elo0", "not NAME=NUMBER"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn ratios_are_finite_and_turn_round_with_the_players(
            counts in proptest::array::uniform5(prop_oneof![Just(0), 0_u64..5, 0_u64..100_000]),
            elo in 0.5_f64..300.0,
        ) {
            let counts = Pentanomial(counts);
            let test = Sprt::new(-elo, elo, 0.05, 0.05).unwrap();
            let ratio = test.log_likelihood_ratio(&counts);
            prop_assert!(ratio.is_finite());
            let back = test.log_likelihood_ratio(&counts.exchanged());
            prop_assert!((ratio + back).abs() <= 1e-4 * (1.0 + ratio.abs()), "{} {}", ratio, back);
        }
    }
}
