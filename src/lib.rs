//! An engine for the board game Agros.
//!
//! The folders stand in the order in which data flows through them; a lower
//! one never imports a higher one:
//!
//! - [`rules`]: geometry, state, moves, fields, notation
//! - [`evaluation`]: who will win a position, and by how much
//! - [`search`]: a parallel Monte Carlo tree search that knows no Agros
//! - [`engine`]: Agros plugged into the search
//! - [`arena`]: games between engines, and what they say about strength
//! - [`commands`]: the command line, one file a command

#![deny(unsafe_code)]

pub mod arena;
pub mod commands;
pub mod engine;
pub mod evaluation;
pub mod rules;
pub mod search;
