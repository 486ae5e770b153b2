//! A game with a person, in the terminal or in the browser.
//!
//! A [`Record`] is the game so far and its text; a [`Thinker`] is whoever
//! thinks about a position (the engine; in tests something simpler); a
//! [`Level`] turns what it thought into a move of a wanted strength.

mod engine;
pub mod level;
pub mod record;
pub mod thinker;

pub use level::{LEVELS, Level};
pub use record::{Record, RecordError};
pub use thinker::{Budget, Line, Proven, Thinker, Thought};
