//! An engine for the board game Agros.
//!
//! The folders stand in the order in which data flows through them; a lower
//! one never imports a higher one:
//!
//! - [`rules`]: geometry, state, moves, fields, notation
//! - [`evaluation`]: who will win a position, and by how much
//! - [`search`]: a parallel Monte Carlo tree search that knows no Agros
//! - [`solver`]: exact results of small and late positions
//! - [`engine`]: Agros plugged into the search
//! - [`drawing`]: positions as text and as pictures
//! - [`arena`]: games between engines, and what they say about strength
//! - [`protocol`]: the engine protocol UGI
//! - [`play`]: games with a person
//! - `serve`: the board in the browser (feature `serve`, on by default)
//! - [`commands`]: the command line, one file a command
//!
//! Where files are read and written, `files` sees to their bounds and their safety.

#![deny(unsafe_code)]

pub mod arena;
pub mod commands;
pub mod drawing;
pub mod engine;
pub mod evaluation;
mod files;
pub mod play;
pub mod protocol;
pub mod rules;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod solver;
