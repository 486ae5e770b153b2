//! Agros plugged into the search.
//!
//! [`game`] makes a [`State`](crate::rules::State) a game and the judgement an
//! evaluator; [`Engine`] chooses the board size at run time, once a search, and
//! tells results from the view of the side to move ([`report`]).

mod game;
mod report;
mod searcher;

pub use report::{Line, Proven, Report};
pub use searcher::{Engine, Options};

pub use crate::evaluation::Judgement;
pub use crate::search::{Clock, Limits, ParamError, Params, StopReason};
