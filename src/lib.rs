//! An engine for the board game Agros.
//!
//! The folders stand in the order in which data flows through them; a lower
//! one never imports a higher one:
//!
//! - [`rules`]: geometry, state, moves, fields, notation
//! - [`search`]: a parallel Monte Carlo tree search that knows no Agros
//! - [`commands`]: the command line, one file a command

#![deny(unsafe_code)]

pub mod commands;
pub mod rules;
pub mod search;
