//! How much stronger each playing level is than the one below it: pairs of
//! games from random placements, colours exchanged within a pair.
//!
//! `cargo run --release -p levels -- [START] [PAIRS] [MILLISECONDS]`; the last
//! is the time of a move at full strength.

use agros::arena::statistics::{Pentanomial, Strength};
use agros::engine::{Engine, Options};
use agros::play::{LEVELS, Level, Thinker};
use agros::rules::{Position, Side};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Random placements before the players take over.
const OPENING: usize = 3;

/// A level with an engine of its own.
struct Player {
    level: Level,
    engine: Engine,
}

impl Player {
    fn new(level: Level) -> Player {
        Player {
            level,
            engine: Engine::new(Options {
                hash_mib: 32,
                ..Options::default()
            }),
        }
    }
}

/// Plays a game; half points of the first player: 0, 1 or 2.
fn game(
    start: &Position,
    players: &mut [Player; 2],
    first: Side,
    time: Duration,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<usize, Box<dyn Error>> {
    let mut position = *start;
    let stop = AtomicBool::new(false);
    for player in players.iter_mut() {
        player.engine.clear();
    }
    while !position.is_over() {
        let side = position.side();
        let player = &mut players[usize::from(side != first)];
        let budget = player.level.budget(time);
        let thought = player.engine.think(&position, &budget, &stop, &mut |_| ());
        let mv = player.level.choose(&thought, side, rng);
        position.play(mv.ok_or("no move")?)?;
    }
    let light = match position.margin().0.signum() {
        1 => 2,
        0 => 1,
        _ => 0,
    };
    Ok(if first == Side::Light {
        light
    } else {
        2 - light
    })
}

fn opening(start: &Position, rng: &mut Xoshiro256PlusPlus) -> Result<Position, Box<dyn Error>> {
    let mut position = *start;
    for _ in 0..OPENING {
        let moves = position.legal_moves();
        position.play(moves[rng.random_range(0..moves.len())])?;
    }
    Ok(position)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let start: Position = args.next().unwrap_or("start:8:3".into()).parse()?;
    let pairs: u64 = args.next().unwrap_or("100".into()).parse()?;
    let time = Duration::from_millis(args.next().unwrap_or("300".into()).parse()?);
    for (weaker, stronger) in LEVELS.into_iter().zip(LEVELS.into_iter().skip(1)) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut players = [Player::new(stronger), Player::new(weaker)];
        let mut counts = Pentanomial::default();
        for _ in 0..pairs {
            let opening = opening(&start, &mut rng)?;
            let mut points = 0;
            for first in Side::BOTH {
                points += game(&opening, &mut players, first, time, &mut rng)?;
            }
            counts.add(points);
        }
        let elo = |elo: Option<f64>| elo.map_or("∞".into(), |elo| format!("{elo:+.0}"));
        if let Some(strength) = Strength::of(&counts) {
            println!(
                "level {} over level {}: {} Elo [{}, {}], score {:.3}, {pairs} pairs",
                stronger.number,
                weaker.number,
                elo(strength.elo),
                elo(strength.low),
                elo(strength.high),
                counts.mean().unwrap_or_default(),
            );
        }
    }
    Ok(())
}
