//! The arena: engines play each other under a referee who owns the rules.
//!
//! In the order in which a tournament runs: [`settings`] say what is to be
//! played, from them alone follow the [`schedule`] and the [`openings`];
//! [`players`] sit down, the [`referee`] plays one game after the other with
//! its [`limit`] and clocks, [`tournament`] runs games side by side and writes
//! the [`journal`]; the [`report`] reads journals and asks [`statistics`] and
//! the [`sequential`] test what they mean; [`record`] makes them readable.
//!
//! Everything that a report says comes from journals, so that a tournament can
//! be stopped, resumed, cut into shards and joined again.

pub mod identity;
pub mod journal;
pub mod limit;
pub mod openings;
pub mod players;
pub mod progress;
pub mod record;
pub mod referee;
pub mod report;
pub mod schedule;
pub mod sequential;
pub mod settings;
pub mod statistics;
pub mod tournament;

pub use limit::{Limit, parse_duration};
