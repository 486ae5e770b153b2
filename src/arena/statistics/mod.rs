//! From counted results to strength: Elo with an interval, a sequential test, a joint rating.
//!
//! The unit of observation is the *pair*: one opening played twice with the
//! colours exchanged. The two games of a pair share their opening and so are
//! not independent; the pairs are. Everything here therefore starts from the
//! five counts of a [`Pentanomial`], and no function returns NaN or infinity:
//! what can't be estimated is `None`.
//!
//! | module | question | source |
//! |---|---|---|
//! | [`elo`] | how much stronger? | Elo (1978); pairs: Van den Bergh, *Normalized Elo* (2020) |
//! | [`sprt`] | stronger than so much, yes or no? | Wald (1945); Van den Bergh, *Normalized Elo, practical* (2021) |
//! | [`bradley_terry`] | who stands where among many? | Bradley and Terry (1952); Ford (1957); White (1980) |
//!
//! The transcendental functions come from the crate `libm`, so that a report
//! reads the same, byte for byte, on every machine.

pub mod bradley_terry;
pub mod elo;
mod pentanomial;
pub mod sprt;

pub use bradley_terry::{Encounter, Rating, Ratings};
pub use elo::Strength;
pub use pentanomial::Pentanomial;
pub use sprt::{Sprt, SprtError, Verdict};

/// Below this number of different pairs no interval is printed: the normal
/// approximation behind it would promise more than it can hold.
pub const FEWEST_PAIRS: u64 = 10;

/// The distribution function of the standard normal distribution.
#[must_use]
pub fn normal_distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::normal_distribution;

    /// Abramowitz and Stegun (1964), table 26.1.
    #[test]
    fn the_normal_distribution_agrees_with_the_printed_table() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (1.96, 0.975_002_104_851_780),
            (3.0, 0.998_650_101_968_370),
        ] {
            assert!((normal_distribution(x) - p).abs() < 1e-14);
            assert!((normal_distribution(-x) - (1.0 - p)).abs() < 1e-14);
        }
    }
}
