//! The arena: engines play each other under a referee who owns the rules.
pub mod statistics;
