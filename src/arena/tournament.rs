//! Plays what is left of a schedule, games side by side.
//!
//! Worker threads take one pair after the other and send each finished game to
//! the thread that called [`Tournament::run`], which alone writes the journal. So every
//! game is in the journal as soon as it is over, and a journal is all that is
//! needed to go on.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use super::journal::{Journal, Record};
use super::limit::Clock;
use super::players::{self, Defaults, Player, Spec};
use super::referee::{self, Terms};
use super::schedule::{Fixture, Pair, Shard};
use super::sequential::SequentialTest;
use super::settings::{Settings, seed_of_player};
use super::statistics::Verdict;
use crate::rules::Position;

/// How often the caller's thread looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// A tournament that is ready to be played.
#[derive(Debug)]
pub struct Tournament {
    settings: Settings,
    specs: Vec<Spec>,
    names: Vec<String>,
    openings: Vec<Position>,
    shard: Option<Shard>,
}

/// Why a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// Every game has been played.
    Complete,
    /// The sequential test is decided.
    Decided(Verdict),
    /// It was told to stop.
    Stopped,
}

/// Hears of the games as they are recorded.
pub trait Listener {
    /// A game has been written to the journal.
    fn game_over(&mut self, record: &Record);
    /// Called several times a second.
    fn tick(&mut self) {}
}

impl Tournament {
    /// Prepares a tournament: reads the players, draws the openings.
    ///
    /// # Errors
    /// When the settings are none that can be played.
    pub fn new(settings: Settings, shard: Option<Shard>) -> Result<Tournament, String> {
        settings.check()?;
        if settings.sprt.is_some() && shard.is_some() {
            return Err("sprt: a shard can't know when the whole match is decided".into());
        }
        let specs = settings.specs()?;
        let board = (settings.size, settings.farmers);
        let openings =
            super::openings::draw(&settings.openings, board, settings.rounds, settings.seed)?;
        let tournament = Tournament {
            names: settings.names(),
            specs,
            openings,
            settings,
            shard,
        };
        for spec in &tournament.specs {
            players::start(spec, &tournament.defaults())?;
        }
        Ok(tournament)
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The pairs that this shard plays, in order.
    #[must_use]
    pub fn pairs(&self) -> Vec<Pair> {
        let mut pairs = self.settings.schedule();
        if let Some(shard) = self.shard {
            pairs.retain(|pair| shard.has(pair));
        }
        pairs
    }

    fn defaults(&self) -> Defaults {
        Defaults {
            threads: self.settings.threads,
            hash: self.settings.hash,
            patience: self.settings.watchdog(),
        }
    }

    /// Plays all games that `played` doesn't have yet, `concurrency` at a time,
    /// until all are played, the sequential test is decided or `stop` is set.
    /// Games in progress at that moment are abandoned.
    ///
    /// # Errors
    /// When the journal can't be written.
    pub fn run(
        &self,
        journal: &mut Journal,
        played: &[Record],
        concurrency: usize,
        stop: &AtomicBool,
        listener: &mut dyn Listener,
    ) -> Result<Close, String> {
        let done: HashSet<usize> = played.iter().map(|record| record.game).collect();
        let mut open = self.pairs();
        open.retain(|pair| pair.games().iter().any(|game| !done.contains(&game.game)));
        let games = open.iter().flat_map(Pair::games);
        let mut left = games.filter(|game| !done.contains(&game.game)).count();
        let mut test = SequentialTest::new(&self.settings);
        let mut verdict = Verdict::Continue;
        for record in played {
            verdict = test.as_mut().map_or(verdict, |test| test.add(record));
        }
        if verdict != Verdict::Continue {
            return Ok(Close::Decided(verdict));
        }
        let abandoned = AtomicBool::new(false);
        let next = AtomicUsize::new(0);
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..concurrency.min(open.len()) {
                let worker = Worker {
                    tournament: self,
                    seats: HashMap::new(),
                    abandoned: &abandoned,
                    sender: sender.clone(),
                };
                let (open, next, done) = (&open, &next, &done);
                scope.spawn(move || worker.run(open, next, done));
            }
            drop(sender);
            let result = loop {
                match finished.recv_timeout(GLANCE) {
                    Ok(record) => {
                        if let Err(error) = journal.append(&record) {
                            break Err(error);
                        }
                        left -= 1;
                        listener.game_over(&record);
                        verdict = test.as_mut().map_or(verdict, |test| test.add(&record));
                        if verdict != Verdict::Continue {
                            break Ok(Close::Decided(verdict));
                        }
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) if left == 0 => {
                        break Ok(Close::Complete);
                    }
                    Err(RecvTimeoutError::Disconnected) => {
                        break Err(format!("{left} games couldn't be played"));
                    }
                }
                listener.tick();
                if stop.load(Ordering::Relaxed) {
                    break Ok(Close::Stopped);
                }
            };
            abandoned.store(true, Ordering::Relaxed);
            result
        })
        .and_then(|close| journal.sync().map(|()| close))
    }
}

/// One thread that plays pairs.
struct Worker<'a> {
    tournament: &'a Tournament,
    /// The players of the present pair, by number.
    seats: HashMap<usize, Box<dyn Player>>,
    abandoned: &'a AtomicBool,
    sender: Sender<Record>,
}

impl Worker<'_> {
    fn run(mut self, open: &[Pair], next: &AtomicUsize, done: &HashSet<usize>) {
        while let Some(pair) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            for fixture in pair.games() {
                if self.abandoned.load(Ordering::Relaxed) {
                    return;
                }
                if done.contains(&fixture.game) {
                    continue;
                }
                let Some(record) = self.play(&fixture) else {
                    return;
                };
                if self.sender.send(record).is_err() {
                    return;
                }
            }
        }
    }

    fn play(&mut self, fixture: &Fixture) -> Option<Record> {
        let tournament = self.tournament;
        let settings = &tournament.settings;
        let opening = tournament.openings.get(fixture.round)?;
        let names = [fixture.light, fixture.dark].map(|player| tournament.names[player].as_str());
        let seed =
            |own: &str, other: &str| seed_of_player(settings.seed, fixture.round, own, other);
        let clock = |player: usize| Clock::new(settings.limit_of(&tournament.specs[player]));
        let terms = Terms {
            opening,
            clocks: [clock(fixture.light), clock(fixture.dark)],
            margin: settings.margin(),
            watchdog: settings.watchdog(),
            seeds: [seed(names[0], names[1]), seed(names[1], names[0])],
            abandoned: self.abandoned,
        };
        let [mut light, mut dark] = [self.seat(fixture.light)?, self.seat(fixture.dark)?];
        // Whoever isn't needed now makes room.
        self.seats.clear();
        let game = referee::play(&terms, [light.as_mut(), dark.as_mut()])?;
        self.seats.insert(fixture.light, light);
        self.seats.insert(fixture.dark, dark);
        Some(Record {
            game: fixture.game,
            pair: fixture.game / 2,
            round: fixture.round,
            light: names[0].to_owned(),
            dark: names[1].to_owned(),
            opening: opening.to_string(),
            moves: game
                .moves
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" "),
            time_us: game.time_us,
            nodes: game.nodes,
            result: game.result,
            points: game.points,
            ending: game.ending,
            detail: game.detail,
        })
    }

    fn seat(&mut self, player: usize) -> Option<Box<dyn Player>> {
        self.seats.remove(&player).or_else(|| {
            let spec = &self.tournament.specs[player];
            players::start(spec, &self.tournament.defaults()).ok()
        })
    }
}
