//! `agros bench playouts`: uniform random games, as many as time allows.

use crate::commands::{Failure, Outcome};
use crate::on_size;
use crate::rules::{BoardSize, Position, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Games between two looks at the clock: well under a millisecond.
const GAMES_AT_ONCE: u32 = 16;

/// Play random games from the empty board, at one thread
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Cells along a side of the board
    #[arg(long, value_name = "N", default_value_t = 10)]
    size: u8,

    /// Farmers a player; the usual number of the size if not given
    #[arg(long, value_name = "F")]
    farmers: Option<u8>,

    /// Seconds to play for, up to 3600
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    seconds: Duration,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Reads a number of seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if number > 0.0 && number <= 3600.0 {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("not more than 0 and at most 3600 seconds".to_string())
    }
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let farmers = self
            .farmers
            .unwrap_or_else(|| Position::usual_farmers(self.size));
        let start = Position::start(self.size, farmers)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let speed = on_size!(start.state(), state => games(state, self.seconds)).speed();
        let mut out = io::stdout().lock();
        if self.json {
            let line = serde_json::to_string(&speed).map_err(io::Error::other)?;
            writeln!(out, "{line}")?;
        } else {
            speed.write_text(&mut out)?;
        }
        Ok(out.flush()?)
    }
}

/// Games played, and what they add up to.
#[derive(Default)]
struct Games {
    games: u64,
    moves: u64,
    /// Light's final scores, in half points.
    light: u64,
    time: Duration,
}

/// Plays until the time is over, and at least a few games.
fn games<S: BoardSize>(start: &State<S>, limit: Duration) -> Games {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut played = Games::default();
    let began = Instant::now();
    loop {
        for _ in 0..GAMES_AT_ONCE {
            let playout = start.playout(&mut rng);
            played.games += 1;
            played.moves += u64::from(playout.moves);
            played.light += u64::from(playout.score.light.0.unsigned_abs());
        }
        played.time = began.elapsed();
        if played.time >= limit {
            return played;
        }
    }
}

/// What a run tells; lengths in moves, placements and passes included.
#[derive(Serialize)]
struct Speed {
    games_per_s: f64,
    moves_per_s: f64,
    mean_length: f64,
    /// Light's mean final score, in points.
    mean_light: f64,
    #[serde(skip)]
    games: u64,
    #[serde(skip)]
    time: Duration,
}

impl Games {
    fn speed(&self) -> Speed {
        let games = self.games as f64;
        // A clock that stands still must not make infinities.
        let seconds = self.time.as_secs_f64().max(1e-9);
        Speed {
            games_per_s: games / seconds,
            moves_per_s: self.moves as f64 / seconds,
            mean_length: self.moves as f64 / games,
            mean_light: self.light as f64 / 2.0 / games,
            games: self.games,
            time: self.time,
        }
    }
}

impl Speed {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let seconds = self.time.as_secs_f64();
        writeln!(out, "games        {} in {seconds:.2} s", self.games)?;
        writeln!(out, "games/s      {:.0}", self.games_per_s)?;
        writeln!(out, "moves/s      {:.0}", self.moves_per_s)?;
        writeln!(out, "mean length  {:.2}", self.mean_length)?;
        writeln!(out, "mean Light   {:.2}", self.mean_light)
    }
}
