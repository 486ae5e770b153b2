//! The rules of Agros.
//!
//! In the order in which one builds on the other: sides and cells (`cell`),
//! [`geometry`] (a type for each board size) over [`word`] (bitboards), the compact
//! [`State`] with its moves, [`lines`] (which [`steps`] are legal, and
//! `outlook`, how many are after each move), [`fields`] (control, value, score:
//! `crops` are weighed against each other, [`regions`] keeps each `region`, and
//! `scan` tells of each child, by the `landing` of a farmer), and at the edge
//! [`Position`], a state of any size, with its text ([`notation`]) and lists of them
//! ([`listing`]). Nothing here knows of evaluation or search.

mod arch;
mod cell;
mod crops;
mod crossings;
pub mod fields;
pub mod geometry;
mod joints;
mod key;
mod landing;
mod legality;
pub mod lines;
pub mod listing;
mod mobility;
pub mod moves;
pub mod notation;
mod outlook;
mod pair;
mod perft;
mod places;
pub mod playout;
pub mod position;
mod region;
pub mod regions;
mod scan;
pub mod state;
pub mod steps;
mod straight;
mod subset_sums;
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod twins;
pub mod wide;
pub mod word;
pub mod worth;

pub use fields::{Field, HalfPoints, Score};
pub use geometry::{BoardSize, Cell, MAX_FARMERS, MAX_SIZE, MIN_SIZE, Side};
pub(crate) use key::mixed;
pub(crate) use landing::Farmer;
pub(crate) use mobility::Mobility;
pub use moves::{Move, MoveList};
pub use notation::ParsePositionError;
pub(crate) use outlook::Outlook;
pub use position::{AnyState, IllegalMove, Piece, Position, StartError};
pub use regions::Fields;
pub(crate) use scan::Visitor;
pub use state::State;
pub use steps::Steps;
pub use worth::{Standing, Worth};
