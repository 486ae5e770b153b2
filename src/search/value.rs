//! What a result is worth to the search: mostly winning, a little the margin.

use super::{Bounds, Params, numeric::logistic};

/// Maps judgements and margins to values in -1..=1, the first player's view.
#[derive(Clone, Copy)]
pub(super) struct Utility {
    share: f32,
    scale: f32,
}

impl Utility {
    pub(super) fn new(params: &Params) -> Utility {
        Utility {
            share: params.margin_share,
            scale: params.margin_scale,
        }
    }

    fn mix(self, winning: f32, margin: f32) -> f32 {
        (1.0 - self.share) * winning + self.share * margin / (margin.abs() + self.scale)
    }

    /// The value of a judgement.
    pub(super) fn judged(self, logit: f32, margin: f32) -> f32 {
        self.mix(2.0 * logistic(logit) - 1.0, margin)
    }

    /// Makes values of log odds, by the margins that go with them.
    ///
    /// A function of its own so that the compiler makes vectors of them.
    #[inline(never)]
    pub(super) fn judge_all(self, logits: &mut [f32], margins: &[f32]) {
        for (logit, &margin) in logits.iter_mut().zip(margins) {
            *logit = self.judged(*logit, margin);
        }
    }

    /// The value of a final margin; it grows with the margin.
    pub(super) fn of_margin(self, margin: i16) -> f32 {
        self.mix(f32::from(margin.signum()), f32::from(margin))
    }

    /// A value corrected by what is proven.
    pub(super) fn clamp(self, value: f32, bounds: Bounds) -> f32 {
        if bounds.is_open() {
            return value;
        }
        value
            .max(self.of_margin(bounds.lo))
            .min(self.of_margin(bounds.hi))
    }

    /// The chance that the first player wins, from a value and the margin that
    /// goes with it (a draw counts half).
    pub(super) fn winrate(self, value: f32, margin: f32) -> f32 {
        let winning = (value - self.mix(0.0, margin)) / (1.0 - self.share);
        ((winning + 1.0) / 2.0).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_the_margin_and_stays_in_range() {
        let utility = Utility::new(&Params::default());
        let values: Vec<f32> = [i16::MIN, -900, -1, 0, 1, 2, 5000, i16::MAX]
            .map(|margin| utility.of_margin(margin))
            .to_vec();
        assert!(
            values.windows(2).all(|pair| pair[0] < pair[1]),
            "{values:?}"
        );
        assert!(values.iter().all(|value| value.abs() <= 1.0));
        assert_eq!(utility.of_margin(0), 0.0);
        assert_eq!(utility.winrate(utility.of_margin(7), 7.0), 1.0);
    }
}
