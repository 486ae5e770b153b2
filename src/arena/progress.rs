//! How far a tournament is, on stderr: a bar on a terminal, else plain lines.

use std::collections::HashMap;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::journal::Record;
use super::sequential::SequentialTest;
use super::settings::Settings;
use super::statistics::{Pentanomial, Strength};
use super::tournament::Listener;

/// Plain lines come no more often than this.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how far a tournament is.
pub struct Progress {
    bar: Option<ProgressBar>,
    first: String,
    is_match: bool,
    test: Option<SequentialTest>,
    /// Won, drawn, lost by the first player.
    results: [usize; 3],
    pairs: Pentanomial,
    /// Half points of the first player in games whose other half is missing.
    half_pairs: HashMap<usize, usize>,
    games: usize,
    resumed: usize,
    scheduled: usize,
    start: Instant,
    last_line: Instant,
}

impl Progress {
    /// Begins; `played` are the games of an earlier run, `scheduled` is how
    /// many there will be with them.
    #[must_use]
    pub fn new(settings: &Settings, played: &[Record], scheduled: usize) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target(Some(scheduled as u64), ProgressDrawTarget::stderr())
                .with_style(style)
        });
        let mut progress = Progress {
            bar,
            first: settings.names().into_iter().next().unwrap_or_default(),
            is_match: settings.players.len() == 2,
            test: SequentialTest::new(settings),
            results: [0; 3],
            pairs: Pentanomial::default(),
            half_pairs: HashMap::new(),
            games: 0,
            resumed: played.len(),
            scheduled,
            start: Instant::now(),
            last_line: Instant::now(),
        };
        for record in played {
            progress.count(record);
        }
        progress
    }

    fn count(&mut self, record: &Record) {
        self.games += 1;
        if let Some(test) = &mut self.test {
            test.add(record);
        }
        if record.light != self.first && record.dark != self.first {
            return;
        }
        let own = record.half_points_of(&self.first);
        self.results[2 - own.min(2)] += 1;
        match self.half_pairs.remove(&record.pair) {
            Some(other) => self.pairs.add(own + other),
            None => {
                self.half_pairs.insert(record.pair, own);
            }
        }
    }

    /// Score and Elo so far, speed, time left.
    fn message(&self) -> String {
        let [won, drawn, lost] = self.results;
        let mut text = format!("{}: +{won} ={drawn} -{lost}", self.first);
        if self.is_match
            && let Some(Strength {
                elo: Some(elo),
                low: Some(low),
                high: Some(high),
                ..
            }) = Strength::of(&self.pairs)
        {
            text += &format!(", Elo {elo:+.0} [{low:+.0}, {high:+.0}]");
        }
        if let Some(test) = &self.test {
            text += &format!(", LLR {:.2}", test.log_likelihood_ratio());
        }
        let minutes = self.start.elapsed().as_secs_f64() / 60.0;
        let fresh = (self.games - self.resumed) as f64;
        if fresh > 0.0 && minutes > 0.0 {
            let rate = fresh / minutes;
            let left = self.scheduled.saturating_sub(self.games) as f64 / rate * 60.0;
            text += &format!(", {rate:.0} games/min, {} left", clock(left));
        }
        text
    }

    /// Ends the display; what is to be told now is the report.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn line(&self) {
        let message = self.message();
        let line = format!("{}/{} games, {message}", self.games, self.scheduled);
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Hours, minutes and seconds; at most 99 hours.
fn clock(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 99.0 * 3600.0) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

impl Listener for Progress {
    fn game_over(&mut self, record: &Record) {
        self.count(record);
        if let Some(bar) = &self.bar {
            bar.set_position(self.games as u64);
            bar.set_message(self.message());
        }
    }

    fn tick(&mut self) {
        if self.bar.is_none() && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            self.line();
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_left_are_bounded() {
        for (seconds, text) in [
            (0.0, "0:00"),
            (59.9, "0:59"),
            (3661.0, "1:01:01"),
            (f64::INFINITY, "99:00:00"),
            (f64::NAN, "0:00"),
        ] {
            assert_eq!(super::clock(seconds), text);
        }
    }
}
