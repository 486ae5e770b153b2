//! UGI, the protocol by which other programs use the engine.
//!
//! [`options`] is the one table of what can be set, [`order`] reads a line,
//! [`server`] answers it. The server reads from any `BufRead` and writes to any
//! `Write`; nothing here knows of stdin, so that tests drive it in memory.

pub mod options;
pub mod order;
pub mod server;

pub use options::Settings;
pub use server::serve;
