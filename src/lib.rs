//! An engine for the board game Agros.
//!
//! The folders stand in the order in which data flows through them; a lower
//! one never imports a higher one:
//!
//! - [`rules`]: geometry, state, moves, fields, notation
//! - [`search`]: a parallel Monte Carlo tree search that knows no Agros
//! - [`drawing`]: positions as text and as pictures
//! - [`arena`]: games between engines, and what they say about strength
//! - [`play`]: games with a person
//! - `serve`: the board in the browser (feature `serve`, on by default)
//! - [`commands`]: the command line, one file a command

pub mod arena;
pub mod commands;
pub mod drawing;
pub mod play;
pub mod rules;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
