//! `agros bench playouts`: uniform random games.

use crate::commands::{Failure, Outcome};
use crate::on_size;
use crate::rules::Position;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Games between two looks at the clock.
const INTERVAL: u64 = 64;

/// Play uniform random games from the empty board at one thread; a pass only
/// where nothing else is legal
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Cells along a side of the board
    #[arg(long, value_name = "N", default_value_t = 10)]
    size: u8,

    /// Farmers a side [default: the usual number of the size]
    #[arg(long, value_name = "F")]
    farmers: Option<u8>,

    /// Play for so many seconds
    #[arg(long, value_name = "S", default_value_t = 3.0)]
    seconds: f64,

    /// Decides the games
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let farmers = self.farmers.unwrap_or(Position::usual_farmers(self.size));
        let position =
            Position::start(self.size, farmers).map_err(|e| Failure::Usage(e.to_string()))?;
        let limit = Duration::try_from_secs_f64(self.seconds)
            .ok()
            .filter(|time| (0.001..=86_400.0).contains(&time.as_secs_f64()))
            .ok_or_else(|| Failure::Usage("--seconds is not 0.001 to 86400".into()))?;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let (mut games, mut moves, mut light) = (0u64, 0u64, 0i64);
        let start = Instant::now();
        let time = on_size!(position.state(), state => loop {
            for _ in 0..INTERVAL {
                let game = state.playout(&mut rng);
                moves += u64::from(game.moves);
                light += i64::from(game.score.light.0);
            }
            games += INTERVAL;
            let time = start.elapsed();
            if time >= limit {
                break time.as_secs_f64();
            }
        });
        let mut out = io::stdout().lock();
        let per_second = [games as f64 / time, moves as f64 / time];
        let means = [
            moves as f64 / games as f64,
            light as f64 / 2.0 / games as f64,
        ];
        let [length, score] = means.map(|mean| (mean * 1000.0).round() / 1000.0);
        if self.json {
            let line = serde_json::json!({
                "games_per_s": per_second[0].round(),
                "moves_per_s": per_second[1].round(),
                "mean_length": length,
                "mean_light": score,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "games/s          {:.0}", per_second[0])?;
            writeln!(out, "moves/s          {:.0}", per_second[1])?;
            writeln!(out, "mean length      {length}")?;
            writeln!(out, "mean Light score {score}")?;
        }
        Ok(())
    }
}
