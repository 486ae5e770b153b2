//! When a search ends.

use std::time::{Duration, Instant};

/// A chess-like clock of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left for the rest of the game.
    pub remaining: Duration,
    /// Time won with each move.
    pub increment: Duration,
    /// Moves that this player may still have to make, an estimate.
    pub moves_to_go: u32,
}

/// What ends a search; whichever comes first. With none of them it runs until
/// it is told to stop or everything is proven.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// So many simulations.
    pub nodes: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
    /// As much as is wise on this clock.
    pub clock: Option<Clock>,
    /// Taken off every time limit for what happens outside of the search.
    pub overhead: Duration,
    /// Go on although the best move is certain (for analysis).
    pub keep_going: bool,
    /// How often to report progress.
    pub report_every: Option<Duration>,
}

impl Limits {
    /// A number of simulations.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// A time.
    pub fn time(time: Duration) -> Limits {
        Limits {
            time: Some(time),
            ..Limits::default()
        }
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum StopReason {
    /// The simulations asked for are done.
    Nodes = 1,
    /// The time is up.
    Time,
    /// Told to stop.
    Stopped,
    /// The margin is proven, or the best move is.
    Proven,
    /// There is one legal move.
    Forced,
    /// On a clock: more time would hardly change the move.
    Settled,
    /// The game is over.
    GameOver,
    /// The root has as many visits as can be counted, 2^32 - 1.
    Visits,
}

impl StopReason {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Nodes => "nodes",
            StopReason::Time => "time",
            StopReason::Stopped => "stopped",
            StopReason::Proven => "proven",
            StopReason::Forced => "forced",
            StopReason::Settled => "settled",
            StopReason::GameOver => "game over",
            StopReason::Visits => "visits",
        }
    }

    pub(super) fn from_code(code: u32) -> Option<StopReason> {
        use StopReason::*;
        let all = [
            Nodes, Time, Stopped, Proven, Forced, Settled, GameOver, Visits,
        ];
        all.into_iter().find(|&reason| reason as u32 == code)
    }
}

/// How sure the search is of its move, as far as the clock cares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Confidence {
    /// Share of all visits that the best move has.
    pub(super) share: f32,
    /// The best move by visits is also the best by value.
    pub(super) agrees: bool,
    /// The second most visited can't catch up before the soft limit.
    pub(super) out_of_reach: bool,
}

/// Watches the time of one search.
pub(super) struct Timer {
    start: Instant,
    last: Instant,
    longest_gap: Duration,
    soft: Option<Duration>,
    hard: Option<Duration>,
    is_clock: bool,
}

impl Timer {
    pub(super) fn new(limits: &Limits) -> Timer {
        let (mut soft, mut hard) = (None, limits.time);
        if let Some(clock) = limits.clock {
            let (wise, most) = share_of_clock(clock, limits.overhead);
            soft = Some(wise);
            hard = Some(hard.map_or(most, |time| time.min(most)));
        }
        let hard = hard.map(|time| time.saturating_sub(limits.overhead));
        let start = Instant::now();
        let is_clock = limits.clock.is_some();
        Timer {
            start,
            last: start,
            longest_gap: Duration::ZERO,
            soft,
            hard,
            is_clock,
        }
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Reads the clock; true when the hard limit would be passed before the
    /// next reading. The longest gap between readings so far, a tenth of the
    /// limit at most, is the measured overhead.
    pub(super) fn expired(&mut self) -> bool {
        let now = Instant::now();
        self.longest_gap = self.longest_gap.max(now - self.last);
        self.last = now;
        self.hard
            .is_some_and(|hard| now - self.start + self.longest_gap.min(hard / 10) >= hard)
    }

    /// Whether the soft limit asks for the search's confidence at all yet.
    pub(super) fn past(&self, share: f32) -> bool {
        self.is_clock
            && self
                .soft
                .is_some_and(|soft| self.last - self.start >= soft.mul_f32(share))
    }

    /// The share of the soft limit that is used up.
    pub(super) fn progress(&self) -> f32 {
        self.soft.map_or(0.0, |soft| {
            (self.last - self.start).as_secs_f32() / soft.as_secs_f32().max(1e-6)
        })
    }

    /// Whether to stop on the clock: a clear move needs less than the soft
    /// limit, an unstable one may take twice as much.
    pub(super) fn enough(&self, confidence: Confidence) -> bool {
        let wanted = match confidence {
            Confidence {
                out_of_reach: true,
                agrees: true,
                ..
            } => 0.25,
            Confidence { agrees: false, .. } => 2.0,
            Confidence { share, .. } if share < 0.3 => 1.4,
            Confidence { share, .. } if share > 0.8 => 0.6,
            _ => 1.0,
        };
        self.past(wanted)
    }
}

/// The time that a move should take, and the most that it may.
fn share_of_clock(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let remaining = clock.remaining.saturating_sub(overhead);
    let share = remaining / clock.moves_to_go.clamp(4, 200);
    let most = remaining.mul_f32(0.3).max(share);
    let wise = (share + clock.increment.mul_f32(0.75)).min(most);
    (wise, most.min(wise * 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_spent_at_once() {
        for remaining in [0, 1, 50, 1000, 600_000] {
            for increment in [0, 5, 10_000] {
                for moves_to_go in [0, 1, 30, 100_000] {
                    let clock = Clock {
                        remaining: Duration::from_millis(remaining),
                        increment: Duration::from_millis(increment),
                        moves_to_go,
                    };
                    let (wise, most) = share_of_clock(clock, Duration::from_millis(5));
                    assert!(wise <= most && most <= clock.remaining.mul_f32(0.31));
                }
            }
        }
    }

    #[test]
    fn codes_and_reasons_match() {
        assert_eq!(StopReason::from_code(0), None);
        assert_eq!(StopReason::from_code(StopReason::Visits as u32 + 1), None);
        for code in 1..=StopReason::Visits as u32 {
            assert_eq!(StopReason::from_code(code).unwrap() as u32, code);
        }
    }
}
