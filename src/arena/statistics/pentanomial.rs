//! The five possible scores of a pair of games, counted.

use serde::{Deserialize, Serialize};

/// How often one player scored 0, ½, 1, 1½ and 2 points in a pair of games.
///
/// ```
/// use agros::arena::statistics::Pentanomial;
/// let mut pairs = Pentanomial::default();
/// pairs.add(4); // won both games
/// pairs.add(2); // one win each, or two draws
/// assert_eq!(pairs.pairs(), 2);
/// assert_eq!(pairs.mean(), Some(0.75));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair, in which the player scored `half_points` (0 to 4;
    /// more counts as 4).
    pub fn add(&mut self, half_points: usize) {
        let class = &mut self.0[half_points.min(4)];
        *class = class.saturating_add(1);
    }

    /// The number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().fold(0, |sum, &n| sum.saturating_add(n))
    }

    /// The same pairs, seen by the opponent.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// The mean score a game, 0 to 1; `None` without pairs.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let pairs = self.pairs();
        (pairs > 0).then(|| self.moment(|score| score) / pairs as f64)
    }

    /// The variance of a pair's mean score (0 to ¼); `None` without pairs.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        Some(self.moment(|score| (score - mean) * (score - mean)) / self.pairs() as f64)
    }

    /// Whether all pairs ended alike, so that they tell nothing of the spread.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.0.iter().filter(|&&n| n > 0).count() <= 1
    }

    /// Σ count × `f`(score), the score running over 0, ¼, ½, ¾, 1.
    fn moment(&self, f: impl Fn(f64) -> f64) -> f64 {
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        self.0
            .iter()
            .zip(scores)
            .map(|(&count, score)| count as f64 * f(score))
            .sum()
    }
}
