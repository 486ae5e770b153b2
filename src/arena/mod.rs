//! The arena: engines play each other under a referee who owns the rules.
pub mod limit;
pub mod openings;
pub mod schedule;
pub mod statistics;
pub use limit::Limit;
