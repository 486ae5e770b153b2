//! How long a player may think, and the clocks that the referee keeps.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest time that a limit can name: a week.
const LONGEST: Duration = Duration::from_secs(7 * 24 * 3600);

/// The limit of a game.
///
/// ```
/// use agros::arena::Limit;
/// let limit: Limit = "clock=1m+500ms".parse()?;
/// assert_eq!(limit.to_string(), "clock=1m+500ms");
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Limit {
    /// So many simulations a move.
    Nodes(u64),
    /// So much time a move.
    Time(Duration),
    /// A clock for the whole game.
    Clock {
        /// The time at the start.
        base: Duration,
        /// What each move adds to it.
        increment: Duration,
    },
}

impl Limit {
    /// Whether the referee measures time under this limit.
    #[must_use]
    pub const fn is_timed(&self) -> bool {
        !matches!(self, Limit::Nodes(_))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::Time(time) => write!(f, "time={}", Span(time)),
            Limit::Clock { base, increment } => {
                write!(f, "clock={}+{}", Span(base), Span(increment))
            }
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    /// Reads `nodes=N`, `time=100ms` or `clock=1m+500ms`.
    fn from_str(text: &str) -> Result<Limit, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| format!("'{text}' is not a limit (nodes=N, time=T or clock=T+T)"))?;
        match name {
            "nodes" => match value.parse() {
                Ok(nodes) if nodes > 0 => Ok(Limit::Nodes(nodes)),
                _ => Err(format!("nodes: '{value}' is not a positive number")),
            },
            "time" => match parse_duration(value)? {
                Duration::ZERO => Err(format!("'{value}' leaves no time to move")),
                time => Ok(Limit::Time(time)),
            },
            "clock" => parse_clock(value),
            _ => Err(format!(
                "'{name}' is not a limit (nodes=N, time=T or clock=T+T)"
            )),
        }
    }
}

/// Reads `BASE+INCREMENT` or `BASE` alone, as in `1m+500ms`.
///
/// # Errors
/// When a part is no time, or both are 0.
pub fn parse_clock(text: &str) -> Result<Limit, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0ms"));
    let (base, increment) = (parse_duration(base)?, parse_duration(increment)?);
    if base.is_zero() {
        return Err(format!("clock: '{text}' leaves no time to move"));
    }
    Ok(Limit::Clock { base, increment })
}

/// Reads a time: a number and `ms`, `s`, `m` or `h`.
///
/// # Errors
/// When it is no such thing, negative or longer than a week.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text
        .find(|c: char| c.is_ascii_alphabetic())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let unit = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("'{text}' is not a time such as 500ms, 1s, 2m")),
    };
    let plain = number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number: f64 = match number.parse() {
        Ok(number) if plain => number,
        _ => return Err(format!("'{text}' is not a time such as 500ms, 1s, 2m")),
    };
    let seconds = number * unit;
    if seconds > LONGEST.as_secs_f64() {
        return Err(format!("'{text}' is longer than a week"));
    }
    // To the microsecond, so that the text form loses nothing.
    Ok(Duration::from_micros((seconds * 1e6).round() as u64))
}

/// A time as [`parse_duration`] reads it, in the largest unit that fits.
#[derive(Clone, Copy, Debug)]
pub struct Span(pub Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        for (unit, size) in [("h", 3_600_000_000), ("m", 60_000_000), ("s", 1_000_000)] {
            if micros > 0 && micros.is_multiple_of(size) {
                return write!(f, "{}{unit}", micros / size);
            }
        }
        if micros.is_multiple_of(1000) {
            write!(f, "{}ms", micros / 1000)
        } else {
            write!(f, "{}.{:03}ms", micros / 1000, micros % 1000)
        }
    }
}

impl TryFrom<String> for Limit {
    type Error = String;

    fn try_from(text: String) -> Result<Limit, String> {
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> String {
        limit.to_string()
    }
}

/// The clock of one player in one game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limit: Limit,
    remaining: Duration,
}

impl Clock {
    /// The clock at the start of a game.
    #[must_use]
    pub const fn new(limit: Limit) -> Clock {
        let remaining = match limit {
            Limit::Nodes(_) => Duration::ZERO,
            Limit::Time(time) => time,
            Limit::Clock { base, .. } => base,
        };
        Clock { limit, remaining }
    }

    /// The limit that it keeps.
    #[must_use]
    pub const fn limit(&self) -> Limit {
        self.limit
    }

    /// The time left; 0 where time doesn't count.
    #[must_use]
    pub const fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The time that the next move may take; `None` where time doesn't count.
    #[must_use]
    pub fn allowed(&self) -> Option<Duration> {
        self.limit.is_timed().then_some(self.remaining)
    }

    /// Takes the time of a move off the clock and returns by how much it was
    /// too long.
    pub fn spend(&mut self, taken: Duration) -> Duration {
        let over = self
            .allowed()
            .map_or(Duration::ZERO, |allowed| taken.saturating_sub(allowed));
        if let Limit::Clock { increment, .. } = self.limit {
            self.remaining = self.remaining.saturating_sub(taken) + increment;
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_are_read_and_refused() {
        let ms = Duration::from_millis;
        for (text, time) in [
            ("500ms", ms(500)),
            ("1s", ms(1000)),
            ("0.5s", ms(500)),
            ("2m", ms(120_000)),
            ("1.5ms", Duration::from_micros(1500)),
            ("0s", ms(0)),
        ] {
            assert_eq!(parse_duration(text), Ok(time), "{text}");
        }
        for bad in [
            "", "s", "1", "1 s", "-1s", "1e3s", "infs", "NaNs", "999h", "1..2s", "5sec", "é", "1é",
        ] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_are_read_and_refused() {
        for text in ["nodes=1", "time=100ms", "clock=1m+500ms", "clock=100ms+0ms"] {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        assert_eq!(
            "clock=2s".parse::<Limit>().unwrap().to_string(),
            "clock=2s+0ms"
        );
        for bad in [
            "",
            "nodes",
            "nodes=0",
            "nodes=-1",
            "time=0s",
            "clock=0s+1s",
            "x=1",
        ] {
            assert!(bad.parse::<Limit>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_clock_counts_down_and_tells_what_was_too_long() {
        let ms = Duration::from_millis;
        let mut clock = Clock::new("clock=100ms+5ms".parse().unwrap());
        assert_eq!(clock.spend(ms(40)), ms(0));
        assert_eq!(clock.remaining(), ms(65));
        assert_eq!(clock.spend(ms(70)), ms(5));
        assert_eq!(clock.remaining(), ms(5));
        let mut clock = Clock::new("time=20ms".parse().unwrap());
        assert_eq!(clock.spend(ms(21)), ms(1));
        assert_eq!(clock.allowed(), Some(ms(20)));
        assert_eq!(Clock::new(Limit::Nodes(5)).allowed(), None);
    }

    proptest! {
        #[test]
        fn times_survive_their_text_form(micros in 0_u64..600_000_000_000) {
            let time = Duration::from_micros(micros);
            prop_assert_eq!(parse_duration(&Span(time).to_string()), Ok(time));
        }

        #[test]
        fn no_text_makes_a_limit_panic(text in "(nodes|time|clock)=[0-9.+a-zé-]{0,12}") {
            let _ = text.parse::<Limit>();
        }
    }
}
