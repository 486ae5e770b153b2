//! The Elo difference that a match shows, with its 95 % interval.
//!
//! A mean score `s` a game stands for `400 log10(s / (1 − s))` Elo (Elo, *The
//! Rating of Chessplayers*, 1978). The interval takes the variance from the
//! pairs, is symmetric in the score, and is then carried over to Elo. The
//! normalised Elo divides the advantage by the spread of one game instead:
//! `(s − ½) / σ × 800 / ln 10`, `σ² = 2 × variance of a pair` (M. Van den
//! Bergh, *Normalized Elo*, 2020); it is the unit of the [sequential
//! test](super::sprt).

use super::{FEWEST_PAIRS, Pentanomial, normal_distribution};

/// The 97.5 % quantile of the normal distribution.
pub const QUANTILE: f64 = 1.959_963_984_540_054;

/// Normalised Elo for one standard deviation of advantage a game: 800 / ln 10.
pub const NORMALISED_ELO: f64 = 347.435_585_522_601_46;

/// What a number of pairs says about the strength of a player against another.
/// Elo throughout; `None` stands for a value that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The pairs it rests on.
    pub pairs: u64,
    /// The most likely difference; `None` when all points went to one side.
    pub elo: Option<f64>,
    /// The lower end of the 95 % interval; `None` where it has none.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval; `None` where it has none.
    pub high: Option<f64>,
    /// The difference in normalised Elo; `None` when all pairs ended alike.
    pub normalised: Option<f64>,
    /// Likelihood of superiority, 0 to 1: the chance that the player is the
    /// stronger one.
    pub superiority: f64,
}

impl Strength {
    /// Estimates the strength, or `None` below [`FEWEST_PAIRS`].
    ///
    /// When all N pairs ended alike there is no spread to measure. Any other
    /// outcome then has, with 95 % confidence, a chance of at most
    /// `1 − 0.05^(1/N)` (Clopper and Pearson, 1934), which bounds the score on
    /// both sides; the superiority is that of a sign test.
    #[must_use]
    pub fn of(counts: &Pentanomial) -> Option<Strength> {
        let pairs = counts.pairs();
        if pairs < FEWEST_PAIRS {
            return None;
        }
        let (mean, variance) = (counts.mean()?, counts.variance()?);
        if counts.is_uniform() {
            return Some(Self::without_spread(pairs, mean));
        }
        let error = (variance / pairs as f64).sqrt();
        Some(Strength {
            pairs,
            elo: elo_of_score(mean),
            low: elo_of_score(mean - QUANTILE * error),
            high: elo_of_score(mean + QUANTILE * error),
            normalised: Some((mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED_ELO),
            superiority: normal_distribution((mean - 0.5) / error),
        })
    }

    fn without_spread(pairs: u64, mean: f64) -> Strength {
        let other = 1.0 - libm::pow(0.05, 1.0 / pairs as f64);
        let surprise = libm::pow(0.5, pairs as f64 + 1.0);
        Strength {
            pairs,
            elo: elo_of_score(mean),
            low: elo_of_score(mean * (1.0 - other)),
            high: elo_of_score(mean + (1.0 - mean) * other),
            normalised: None,
            superiority: if mean > 0.5 {
                1.0 - surprise
            } else if mean < 0.5 {
                surprise
            } else {
                0.5
            },
        }
    }
}

/// The Elo difference for a mean score, or `None` unless 0 < score < 1.
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * libm::log10(score / (1.0 - score)))
}

/// The mean score a game that an Elo difference promises.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(left: f64, right: f64, tolerance: f64) -> bool {
        (left - right).abs() < tolerance
    }

    /// The table of FIDE, *Handbook B.02*, 8.1: 76 % for 200 points, 92 % for 400
    /// by the logistic curve (0.9091).
    #[test]
    fn scores_and_elo_are_each_others_inverse() {
        assert!(close(score_of_elo(200.0), 0.7597, 1e-4));
        assert!(close(score_of_elo(400.0), 10.0 / 11.0, 1e-12));
        assert!(close(elo_of_score(0.75).unwrap(), 190.848_5, 1e-4));
    }

    /// The worked values of the match runner fastchess (its `elo_test.cpp`:
    /// counts, normalised Elo, Elo, half the interval, superiority), and the
    /// published output of three matches that it ran.
    #[test]
    fn pairs_give_the_published_elo() {
        let cases = [
            ([34, 54, 63, 64, 75], 57.94, 55.58, 27.65, 1.0),
            ([332, 433, 498, 333, 334], -9.17, -8.64, 10.33, 0.0505),
            ([7895, 8757, 5685, 568, 9999], -19.01, -21.04, 2.95, 0.0),
            ([1, 10, 78, 48, 13], 132.30, 72.85, 22.33, 1.0),
            ([352, 579, 1264, 743, 464], 24.25, 19.83, 6.77, 1.0),
            ([0, 0, 1, 8, 1], 549.34, 190.85, 65.54, 1.0),
        ];
        for (counts, normalised, elo, half, superiority) in cases {
            let found = Strength::of(&Pentanomial(counts)).unwrap();
            let width = found.high.unwrap() - found.low.unwrap();
            assert!(close(found.normalised.unwrap(), normalised, 0.006));
            assert!(close(found.elo.unwrap(), elo, 0.006));
            assert!(close(width / 2.0, half, 0.006));
            assert!(close(found.superiority, superiority, 0.000_06));
        }
    }

    #[test]
    fn few_pairs_give_no_estimate() {
        assert_eq!(Strength::of(&Pentanomial([0, 3, 3, 3, 0])), None);
        assert!(Strength::of(&Pentanomial([0, 3, 4, 3, 0])).is_some());
    }

    /// "Rule of three": 0 of 60 events bound their chance by 4.87 %.
    #[test]
    fn a_clean_sweep_has_a_lower_bound_only() {
        let found = Strength::of(&Pentanomial([0, 0, 0, 0, 60])).unwrap();
        assert_eq!((found.elo, found.high), (None, None));
        let bound = score_of_elo(found.low.unwrap());
        assert!(close(bound, 1.0 - 0.0487, 1e-4));
        assert!(found.superiority > 0.999_999);
    }

    #[test]
    fn pairs_that_all_end_level_bound_elo_on_both_sides() {
        let found = Strength::of(&Pentanomial([0, 0, 20, 0, 0])).unwrap();
        assert_eq!(found.elo, Some(0.0));
        assert!(close(found.low.unwrap(), -found.high.unwrap(), 1e-9));
        assert!(found.high.unwrap() > 40.0);
        assert_eq!(found.superiority, 0.5);
    }

    proptest! {
        #[test]
        fn estimates_are_finite_and_turn_round_with_the_players(
            counts in proptest::array::uniform5(prop_oneof![Just(0), 0_u64..5, 0_u64..1_000_000])
        ) {
            let counts = Pentanomial(counts);
            if let Some(found) = Strength::of(&counts) {
                for value in [found.elo, found.low, found.high, found.normalised].into_iter().flatten() {
                    prop_assert!(value.is_finite());
                }
                prop_assert!((0.0..=1.0).contains(&found.superiority));
                let other = Strength::of(&counts.exchanged()).unwrap();
                prop_assert_eq!(found.elo.is_some(), other.elo.is_some());
                if let (Some(one), Some(two)) = (found.elo, other.elo) {
                    prop_assert!((one + two).abs() < 1e-6);
                }
            }
        }
    }
}
