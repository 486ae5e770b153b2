//! Games of the engine against itself.
//!
//! A line of the file is `START | MOVES | MARGIN | VALUES`: the position that
//! the game started from, its moves, the final margin in half points (Light
//! minus Dark), and for each move the search's chance that Light wins, in
//! thousandths (`-` for moves made at random).

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use agros::engine::{Engine, Judgement, Limits, Options};
use agros::rules::{Move, Position, Side};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::output;

/// What games to play.
#[derive(clap::Args, Clone)]
pub(crate) struct Settings {
    /// Cells along a side of the board
    #[arg(long, default_value_t = 10)]
    size: u8,
    /// Farmers a side
    #[arg(long, default_value_t = 5)]
    farmers: u8,
    /// Games to play
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Simulations a move
    #[arg(long, default_value_t = 200)]
    nodes: u64,
    /// Decides what is done at random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to which games are appended
    #[arg(long)]
    pub(crate) output: PathBuf,
    /// A file of weights to play with instead of the embedded ones
    #[arg(long)]
    weights: Option<PathBuf>,
    /// A parameter of the search, NAME=VALUE
    #[arg(long)]
    param: Vec<String>,
}

/// A game as read from a file.
pub(crate) struct Game {
    pub(crate) start: Position,
    pub(crate) moves: Vec<Move>,
    /// Light's final margin in half points.
    pub(crate) margin: i32,
    /// The search's chance that Light wins before each move, if there was one.
    pub(crate) values: Vec<Option<f32>>,
}

/// Plays games and appends each to the file as soon as it ends.
pub(crate) fn play(settings: &Settings) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", settings.output.display());
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&settings.output)
        .map_err(failed)?;
    let start = Position::start(settings.size, settings.farmers).map_err(|e| e.to_string())?;
    let mut plies = 0;
    for number in 0..settings.games {
        let seed = settings
            .seed
            .wrapping_mul(1_000_003)
            .wrapping_add(u64::from(number));
        let line = one_game(settings, start, seed, &mut plies)?;
        file.write_all(line.as_bytes()).map_err(failed)?;
        if (number + 1).is_multiple_of(100) {
            eprintln!(
                "{} games, {} plies a game",
                number + 1,
                plies / (number + 1)
            );
        }
    }
    Ok(())
}

fn one_game(
    settings: &Settings,
    start: Position,
    seed: u64,
    plies: &mut u32,
) -> Result<String, String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut options = Options {
        hash_mib: 16,
        seed,
        ..Options::default()
    };
    options
        .params
        .set("jitter", "0.2")
        .map_err(|e| e.to_string())?;
    for pair in &settings.param {
        options.params.set_pair(pair).map_err(|e| e.to_string())?;
    }
    if let Some(path) = &settings.weights {
        options.judgement = Judgement::Trial(output::read(path)?);
    }
    let mut engine = Engine::new(options);
    let stop = AtomicBool::new(false);
    let (mut position, mut moves, mut values) = (start, Vec::new(), Vec::new());
    // Half of the games place all farmers at random, the others only the first
    // few; then some more moves are random with a falling chance.
    let placements = 2 * u32::from(settings.farmers);
    let random = if rng.next_u32().is_multiple_of(2) {
        placements
    } else {
        rng.next_u32() % 4
    };
    while !position.is_over() {
        let legal = position.legal_moves();
        let ply = moves.len() as u32;
        let chance = if ply < random {
            100
        } else {
            20u32.saturating_sub(ply / 3)
        };
        let mv = if rng.next_u32() % 100 < chance {
            values.push("-".to_owned());
            // A pass at random would end many games at once.
            let choices = (legal.len() - usize::from(legal.contains(&Move::Pass))).max(1);
            legal[rng.next_u32() as usize % choices]
        } else {
            let report = engine.search(
                &position,
                &Limits::nodes(settings.nodes),
                &stop,
                &mut |_| (),
            );
            let light = match report.perspective {
                Side::Light => report.winrate,
                Side::Dark => 1.0 - report.winrate,
            };
            values.push(format!("{:.0}", light * 1000.0));
            report.best().ok_or("the engine has no move")?
        };
        position.play(mv).map_err(|e| e.to_string())?;
        moves.push(mv.to_string());
    }
    *plies += moves.len() as u32;
    Ok(format!(
        "{start} | {} | {} | {}\n",
        moves.join(" "),
        position.margin().0,
        values.join(" ")
    ))
}

impl Game {
    /// Calls `visit` with the ply, the position, the move and the chance that
    /// Light wins, of every move that was searched for.
    pub(crate) fn each_searched(
        &self,
        mut visit: impl FnMut(usize, &Position, Move, f32),
    ) -> Result<(), String> {
        let mut position = self.start;
        for (ply, &mv) in self.moves.iter().enumerate() {
            if let Some(Some(value)) = self.values.get(ply) {
                visit(ply, &position, mv, *value);
            }
            position.play(mv).map_err(|e| format!("{position}: {e}"))?;
        }
        Ok(())
    }
}

/// Reads a file of games.
pub(crate) fn read(path: &Path) -> Result<Vec<Game>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let file = std::fs::File::open(path).map_err(failed)?;
    let mut games = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let line = line.map_err(failed)?;
        let game = parse(&line)
            .ok_or_else(|| format!("{}, line {}: not a game", path.display(), number + 1))?;
        games.push(game);
    }
    Ok(games)
}

fn parse(line: &str) -> Option<Game> {
    let mut parts = line.split('|').map(str::trim);
    let start = parts.next()?.parse().ok()?;
    let moves = parts
        .next()?
        .split_whitespace()
        .map(|m| m.parse().ok())
        .collect::<Option<_>>()?;
    let margin = parts.next()?.parse().ok()?;
    let value = |text: &str| {
        text.parse::<f32>()
            .ok()
            .map(|thousandths| thousandths / 1000.0)
    };
    let values = parts.next()?.split_whitespace().map(value).collect();
    Some(Game {
        start,
        moves,
        margin,
        values,
    })
}
