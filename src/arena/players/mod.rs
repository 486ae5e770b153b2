//! Those who play: the [`Player`] trait, the built-in players and programs.
//!
//! A [`Spec`] says who is meant; [`start`] makes a [`Player`] of it. A player
//! is asked for one move at a time and says it as text: what it means and
//! whether it is legal is the referee's to judge.

mod built_in;
mod external;
mod mcts;
mod process;
mod rollouts;
pub mod spec;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::limit::Clock;
use crate::rules::{Move, Position};
pub use spec::{Kind, Spec};

/// What a player is asked: a move in this position.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The position at the start of the game.
    pub opening: &'a Position,
    /// The moves since.
    pub moves: &'a [Move],
    /// The position now.
    pub position: &'a Position,
    /// The clocks of Light and Dark.
    pub clocks: [Clock; 2],
    /// When the watchdog gives up waiting.
    pub patience: Duration,
    /// Set when the game is abandoned.
    pub abandoned: &'a AtomicBool,
}

impl Turn<'_> {
    /// The clock of the side to move.
    #[must_use]
    pub fn clock(&self) -> Clock {
        self.clocks[self.position.side().index()]
    }
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move as the player said it.
    pub text: String,
    /// The time from question to answer.
    pub taken: Duration,
    /// Simulations, if the player tells.
    pub nodes: Option<u64>,
}

/// Why a player gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, or never began to work.
    Crash(String),
    /// It said nothing in time.
    Stall(String),
    /// Nobody waits for it any more: the tournament was stopped.
    Abandoned,
}

/// A player in a game.
pub trait Player: Send {
    /// Prepares for a game; `seed` decides what it does by chance.
    ///
    /// # Errors
    /// When it can't play.
    fn new_game(&mut self, seed: u64, abandoned: &AtomicBool) -> Result<(), Fault>;

    /// Chooses a move.
    ///
    /// # Errors
    /// When there is no answer.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault>;
}

/// What all players of a tournament share unless their specification says
/// otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Threads a player.
    pub threads: usize,
    /// Memory a player, MiB.
    pub hash: usize,
    /// How long a program may take to start or to get ready.
    pub patience: Duration,
}

/// Makes the player. Programs are started when their first game begins.
///
/// # Errors
/// When a tunable number of `mcts` is unknown or out of range.
pub fn start(spec: &Spec, defaults: &Defaults) -> Result<Box<dyn Player>, String> {
    Ok(match &spec.kind {
        Kind::Random => Box::new(built_in::Random::default()),
        Kind::Greedy => Box::new(built_in::Greedy::default()),
        Kind::Rollouts => Box::new(rollouts::Rollouts::default()),
        Kind::Mcts => Box::new(mcts::Mcts::new(spec, defaults)?),

        Kind::Command(words) => Box::new(external::External::new(words, spec, defaults)),
    })
}
