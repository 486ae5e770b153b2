//! A parallel Monte Carlo tree search that knows no Agros.
//!
//! A game ([`Game`]) and a judge of its states ([`Evaluator`]) go in, a
//! [`Report`] on the best moves comes out. Instead of playing games to the end
//! at random, each simulation judges all children of one new node at once; the
//! judgements are the children's first values and, by a softmax, their priors.
//!
//! From the bottom up: [`game`](Game) and [`Bounds`] say what a game is and
//! what can be proven of its margin, [`Children`] how its moves are told; `numeric` and
//! `value` turn judgements into values; `tree` holds all nodes in one slab of `slot`s
//! without locks, each a `head` and an `edge` for every move, of which a `link` tells what
//! lies behind it; `known` finds the nodes of a state met again, and `recycle` makes room;
//! `expansion` opens nodes, their moves in the `order` of their priors; `selection` chooses
//! the `best` of them; `worker` runs simulations, whose `backup` tells what they found out;
//! where there are several threads, they have `shared` what they search and each keeps a
//! `ledger`; [`Searcher`] runs the workers within the [`Limits`].
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use agros::search::*;
//!
//! /// Take one to three from a heap; who takes the last wins by one.
//! #[derive(Clone, PartialEq)]
//! struct Nim { heap: u16, actor: Actor }
//!
//! impl Game for Nim {
//!     type Move = u16;
//!     fn actor(&self) -> Actor { self.actor }
//!     fn outcome(&self) -> Option<i16> {
//!         (self.heap == 0).then_some(if self.actor == Actor::First { -1 } else { 1 })
//!     }
//!     fn play(&mut self, mv: u16) {
//!         self.heap -= mv;
//!         self.actor = if self.actor == Actor::First { Actor::Second } else { Actor::First };
//!     }
//!     fn key(&self) -> u64 { u64::from(self.heap) << 1 | (self.actor == Actor::First) as u64 }
//!     fn pack(mv: u16) -> u16 { mv }
//!     fn unpack(&self, bits: u16) -> u16 { bits }
//! }
//!
//! struct Ignorant;
//! impl Evaluator<Nim> for Ignorant {
//!     fn judge(&self, state: &Nim, children: &mut Children<Nim>) {
//!         for take in 1..=state.heap.min(3) {
//!             let mut next = state.clone();
//!             next.play(take);
//!             let bounds = next.outcome().map_or(Bounds::OPEN, Bounds::exact);
//!             children.push(Child::unjudged(take, bounds));
//!         }
//!     }
//! }
//!
//! let root = Nim { heap: 11, actor: Actor::First };
//! let mut searcher = Searcher::new(Settings::default());
//! let stop = AtomicBool::new(false);
//! let report = searcher.search(&root, &Ignorant, &Limits::nodes(10_000), &stop, &mut |_| ());
//! assert_eq!(report.best(), Some(3), "leave a multiple of four");
//! assert_eq!(report.stop, Some(StopReason::Proven));
//! ```

mod apart;
mod backup;
mod best;
mod bounds;
mod children;
mod edge;
mod expansion;
mod game;
mod head;
mod known;
mod ledger;
mod limits;
mod link;
pub mod numeric;
mod order;
mod params;
mod recycle;
mod rendezvous;
mod report;
mod searcher;
mod selection;
mod shared;
mod slot;
mod tree;
mod value;
mod worker;

pub use bounds::Bounds;
pub use children::{Child, Children};
pub use game::{Actor, Evaluator, Game};
pub use limits::{Clock, Limits, StopReason};
pub use params::{Param, ParamError, Params};
pub use report::{Line, Report};
pub use searcher::{Searcher, Settings};
