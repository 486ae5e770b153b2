//! One rating for many players, by maximum likelihood.
//!
//! In the model of Bradley and Terry (*Rank Analysis of Incomplete Block
//! Designs*, 1952) a player rated `r` scores `1 / (1 + 10^((q − r) / 400))` a
//! game against one rated `q`. The likelihood is concave; Newton's method finds
//! its only maximum, the mean rating held at zero. A finite maximum exists just
//! when every player can be reached from every other by a chain of scored
//! points (L. R. Ford, *Solution of a Ranking Problem from Binary Comparisons*,
//! 1957). Where that fails each player is given one drawn game against an
//! average opponent, and [`Ratings::with_prior`] says so.
//!
//! Two errors are offered: that of independent games (the inverse of Fisher's
//! information), and the one that a table of pairs should print, which takes
//! the observed spread of the pairs instead (the "sandwich" of H. White, 1980).

use super::elo::NORMALISED_ELO;

/// Elo for one unit of log odds: 400 / ln 10.
const ELO: f64 = NORMALISED_ELO / 2.0;

/// All trials between two players. A trial is what counts as independent: a
/// pair of games, or a single one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The number of one player.
    pub first: usize,
    /// The number of the other, different from `first`.
    pub second: usize,
    /// How many trials there were.
    pub trials: f64,
    /// The games of a trial: 2 for pairs.
    pub games: f64,
    /// Σ points of the first player over the trials.
    pub points: f64,
    /// Σ (points of the first player)² over the trials.
    pub squares: f64,
}

impl Encounter {
    /// The encounter of two players whose pairs are counted.
    #[must_use]
    pub fn of_pairs(first: usize, second: usize, counts: &super::Pentanomial) -> Encounter {
        let points = [0.0, 0.5, 1.0, 1.5, 2.0];
        let sum = |f: fn(f64) -> f64| {
            let terms = counts.0.iter().zip(points);
            terms.map(|(&n, p)| n as f64 * f(p)).sum()
        };
        Encounter {
            first,
            second,
            trials: counts.pairs() as f64,
            games: 2.0,
            points: sum(|p| p),
            squares: sum(|p| p * p),
        }
    }
}

/// The rating of one player, in Elo above the mean of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The rating.
    pub elo: f64,
    /// Its standard error, if all games were independent.
    pub error_of_games: f64,
    /// Its standard error from the spread of the trials.
    pub error_of_trials: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// One a player, in their order.
    pub ratings: Vec<Rating>,
    /// Whether a finite maximum had to be helped by a drawn game of each
    /// player against an average opponent.
    pub with_prior: bool,
}

/// Fits the ratings of `players` players. `None` without players or trials.
///
/// Encounters that name a player twice or one out of range are left out.
#[must_use]
pub fn fit(players: usize, encounters: &[Encounter]) -> Option<Ratings> {
    let usable =
        |e: &&Encounter| e.first != e.second && e.first.max(e.second) < players && e.trials > 0.0;
    let encounters: Vec<Encounter> = encounters.iter().filter(usable).copied().collect();
    if players == 0 || encounters.is_empty() {
        return None;
    }
    let with_prior = !all_connected(players, &encounters);
    let prior = if with_prior { 1.0 } else { 0.0 };
    let strengths = maximise(players, &encounters, prior)?;
    let spread = inverse(information(&strengths, &encounters, prior))?;
    // Holding the mean at zero adds 1/n to every entry of the information, and
    // so to its inverse, where the ratings that sum to zero have no part in it.
    let shift = if with_prior {
        0.0
    } else {
        1.0 / players as f64
    };
    let covariance: Vec<Vec<f64>> = spread
        .iter()
        .map(|row| row.iter().map(|v| v - shift).collect())
        .collect();
    let mean = strengths.iter().sum::<f64>() / players as f64;
    let ratings = (0..players).map(|i| Rating {
        elo: (strengths[i] - mean) * ELO,
        error_of_games: covariance[i][i].max(0.0).sqrt() * ELO,
        error_of_trials: trial_variance(i, &covariance, &strengths, &encounters).sqrt() * ELO,
    });
    Some(Ratings {
        ratings: ratings.collect(),
        with_prior,
    })
}

/// Σ over encounters of (effect of a surprise on rating i)² × observed spread.
fn trial_variance(i: usize, covariance: &[Vec<f64>], strengths: &[f64], all: &[Encounter]) -> f64 {
    let terms = all.iter().map(|e| {
        let effect = covariance[i][e.first] - covariance[i][e.second];
        let expected = e.games * chance(strengths[e.first] - strengths[e.second]);
        let spread = e.squares - 2.0 * expected * e.points + expected * expected * e.trials;
        effect * effect * spread.max(0.0)
    });
    terms.sum()
}

/// Whether points flow from every player to every other (Ford's condition).
fn all_connected(players: usize, encounters: &[Encounter]) -> bool {
    let reaches_all = |forwards: bool| {
        let mut reached = vec![false; players];
        reached[0] = true;
        let mut open = vec![0];
        while let Some(player) = open.pop() {
            for e in encounters {
                let won = e.points > 0.0;
                let lost = e.points < e.games * e.trials;
                let (to_second, to_first) = if forwards { (won, lost) } else { (lost, won) };
                for (from, to, flows) in [
                    (e.first, e.second, to_second),
                    (e.second, e.first, to_first),
                ] {
                    if from == player && flows && !reached[to] {
                        reached[to] = true;
                        open.push(to);
                    }
                }
            }
        }
        reached.into_iter().all(|r| r)
    };
    reaches_all(true) && reaches_all(false)
}

/// Newton's method with halved steps while the likelihood does not rise.
fn maximise(players: usize, encounters: &[Encounter], prior: f64) -> Option<Vec<f64>> {
    let mut strengths = vec![0.0; players];
    let mut best = log_likelihood(&strengths, encounters, prior);
    for _ in 0..200 {
        let gradient = gradient(&strengths, encounters, prior);
        let inverse = inverse(information(&strengths, encounters, prior))?;
        let step: Vec<f64> = inverse
            .iter()
            .map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum())
            .collect();
        let mut scale = 1.0;
        let mut moved = 0.0;
        for _ in 0..60 {
            let next: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(r, s)| r + scale * s)
                .collect();
            let likelihood = log_likelihood(&next, encounters, prior);
            if likelihood >= best {
                moved = step.iter().fold(0.0, |m, s| f64::max(m, (scale * s).abs()));
                (strengths, best) = (next, likelihood);
                break;
            }
            scale *= 0.5;
        }
        if moved < 1e-10 {
            break;
        }
    }
    strengths.iter().all(|r| r.is_finite()).then_some(strengths)
}

fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-difference))
}

/// ln of [`chance`], without overflow.
fn log_chance(difference: f64) -> f64 {
    if difference < 0.0 {
        difference - libm::log1p(libm::exp(difference))
    } else {
        -libm::log1p(libm::exp(-difference))
    }
}

fn log_likelihood(strengths: &[f64], encounters: &[Encounter], prior: f64) -> f64 {
    let played = encounters.iter().map(|e| {
        let difference = strengths[e.first] - strengths[e.second];
        let lost = e.games * e.trials - e.points;
        e.points * log_chance(difference) + lost * log_chance(-difference)
    });
    let imagined = strengths
        .iter()
        .map(|&r| 0.5 * prior * (log_chance(r) + log_chance(-r)));
    played.sum::<f64>() + imagined.sum::<f64>()
}

fn gradient(strengths: &[f64], encounters: &[Encounter], prior: f64) -> Vec<f64> {
    let mut gradient: Vec<f64> = strengths
        .iter()
        .map(|&r| prior * (0.5 - chance(r)))
        .collect();
    for e in encounters {
        let expected = chance(strengths[e.first] - strengths[e.second]);
        let surplus = e.points - e.games * e.trials * expected;
        gradient[e.first] += surplus;
        gradient[e.second] -= surplus;
    }
    gradient
}

/// Minus the second derivatives of the log likelihood; without a prior plus 1/n
/// everywhere, which holds the mean at zero and makes the matrix invertible.
fn information(strengths: &[f64], encounters: &[Encounter], prior: f64) -> Vec<Vec<f64>> {
    let n = strengths.len();
    let held = if prior > 0.0 { 0.0 } else { 1.0 / n as f64 };
    let mut matrix = vec![vec![held; n]; n];
    for (i, &r) in strengths.iter().enumerate() {
        matrix[i][i] += prior * chance(r) * chance(-r);
    }
    for e in encounters {
        let difference = strengths[e.first] - strengths[e.second];
        let weight = e.games * e.trials * chance(difference) * chance(-difference);
        matrix[e.first][e.first] += weight;
        matrix[e.second][e.second] += weight;
        matrix[e.first][e.second] -= weight;
        matrix[e.second][e.first] -= weight;
    }
    matrix
}

/// The inverse by Gauss–Jordan elimination; `None` for a singular matrix.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| if i == j { 1.0 } else { 0.0 }));
    }
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        let lead = matrix[column][column];
        if !lead.is_finite() || lead.abs() < 1e-300 {
            return None;
        }
        for value in &mut matrix[column] {
            *value /= lead;
        }
        let lead_row = matrix[column].clone();
        for (i, row) in matrix.iter_mut().enumerate() {
            let factor = row[column];
            if i != column && factor != 0.0 {
                for (value, lead) in row.iter_mut().zip(&lead_row) {
                    *value -= factor * lead;
                }
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{Pentanomial, Strength};
    use proptest::prelude::*;

    fn single_games(first: usize, second: usize, won: f64, lost: f64) -> Encounter {
        Encounter {
            first,
            second,
            trials: won + lost,
            games: 1.0,
            points: won,
            squares: won,
        }
    }

    /// Citations among Biometrika, Communications in Statistics, JASA and JRSS-B
    /// (Stigler 1994), fitted in Agresti, *Categorical Data Analysis* (2002), and
    /// in D. Firth, *Bradley–Terry Models in R* (2005): log odds against
    /// Biometrika −2.949, −0.480, 0.269.
    #[test]
    fn ratings_agree_with_the_published_fit() {
        let cited = [
            single_games(0, 1, 730.0, 33.0),
            single_games(0, 2, 498.0, 320.0),
            single_games(0, 3, 221.0, 284.0),
            single_games(1, 2, 68.0, 813.0),
            single_games(1, 3, 17.0, 276.0),
            single_games(2, 3, 142.0, 325.0),
        ];
        let found = fit(4, &cited).unwrap();
        assert!(!found.with_prior);
        for (i, expected) in [(1, -2.949_07), (2, -0.479_57), (3, 0.268_95)] {
            let difference = (found.ratings[i].elo - found.ratings[0].elo) / ELO;
            assert!((difference - expected).abs() < 1e-4, "{difference}");
        }
    }

    /// Against one opponent the model has a closed form: the error of the
    /// difference is 1 / √(n p (1 − p)), that of each rating half of it.
    #[test]
    fn two_players_have_the_closed_form() {
        let found = fit(2, &[single_games(0, 1, 75.0, 25.0)]).unwrap();
        let error = ELO / (100.0_f64 * 0.75 * 0.25).sqrt() / 2.0;
        assert!((found.ratings[0].elo - 190.848_5 / 2.0).abs() < 1e-3);
        assert!((found.ratings[0].error_of_games - error).abs() < 1e-6);
        assert!((found.ratings[0].error_of_trials - error).abs() < 1e-6);
    }

    #[test]
    fn a_match_of_pairs_has_the_elo_and_the_error_of_the_match() {
        let counts = Pentanomial([34, 54, 63, 64, 75]);
        let found = fit(2, &[Encounter::of_pairs(0, 1, &counts)]).unwrap();
        let strength = Strength::of(&counts).unwrap();
        let difference = found.ratings[0].elo - found.ratings[1].elo;
        assert!((difference - strength.elo.unwrap()).abs() < 1e-6);
        let half = 1.96 * 2.0 * found.ratings[0].error_of_trials;
        assert!((half - 27.65).abs() < 0.3, "{half}");
    }

    #[test]
    fn a_player_who_won_everything_still_has_a_finite_rating() {
        let sweep = Pentanomial([0, 0, 0, 0, 50]);
        let even = Pentanomial([10, 10, 10, 10, 10]);
        let found = fit(
            4,
            &[
                Encounter::of_pairs(0, 1, &sweep),
                Encounter::of_pairs(1, 2, &even),
            ],
        )
        .unwrap();
        assert!(found.with_prior);
        assert!(found.ratings[0].elo > found.ratings[1].elo + 300.0);
        assert!(found.ratings.iter().all(|r| r.elo.is_finite()));
    }

    #[test]
    fn nothing_played_gives_no_ratings() {
        assert_eq!(fit(0, &[]), None);
        assert_eq!(fit(3, &[]), None);
        assert_eq!(fit(2, &[single_games(0, 5, 1.0, 1.0)]), None);
    }

    proptest! {
        #[test]
        fn ratings_are_finite_and_sum_to_zero(
            counts in proptest::collection::vec(
                proptest::array::uniform5(prop_oneof![Just(0), 0_u64..4, 0_u64..10_000]), 6),
        ) {
            let pairings = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            let encounters: Vec<Encounter> = pairings.iter().zip(&counts)
                .map(|(&(a, b), &c)| Encounter::of_pairs(a, b, &Pentanomial(c)))
                .collect();
            if let Some(found) = fit(4, &encounters) {
                let sum: f64 = found.ratings.iter().map(|r| r.elo).sum();
                prop_assert!(sum.abs() < 1e-6);
                for rating in &found.ratings {
                    prop_assert!(rating.elo.is_finite());
                    prop_assert!(rating.error_of_games.is_finite());
                    prop_assert!(rating.error_of_trials.is_finite());
                }
            } else {
                prop_assert!(encounters.iter().all(|e| e.trials == 0.0));
            }
        }
    }
}
