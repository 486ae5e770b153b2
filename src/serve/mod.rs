//! The board in the browser: a small server for a page and a JSON API.
//!
//! The page ([`assets`], in the binary itself) knows no rules: legal moves,
//! fields and scores come from here ([`views`]), and so does what the engine
//! thinks, streamed while it thinks ([`thinking`]). [`api`] is the table of
//! routes; [`guard`] refuses foreign hosts and origins; [`connections`] serves
//! each connection within bounds of time and memory.
//!
//! Everything a stranger could make grow has a bound: connections, the time
//! to send a request, its size, the number of searches, their time and memory,
//! and the time that a reader may stall.

mod api;
mod assets;
mod connections;
mod guard;
mod thinking;
mod views;

use crate::play::Thinker;
use guard::Hosts;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use thinking::Searches;
use tokio::net::TcpListener;

/// Makes a thinker for each of the searches that may run at once.
pub type MakeThinker = Box<dyn Fn() -> Box<dyn Thinker> + Send + Sync>;

/// How a server is set up.
pub struct Settings {
    /// The address to listen on; port 0 takes a free one.
    pub address: SocketAddr,
    /// Names, beside the address itself, under which browsers may come.
    pub hosts: Vec<String>,
    /// Searches that may run at once.
    pub searches: usize,
    /// The longest a search may take.
    pub longest: Duration,
    /// Makes the thinkers.
    pub thinker: MakeThinker,
}

/// What every request can reach.
pub(crate) struct App {
    hosts: Hosts,
    searches: Searches,
}

/// Serves until the process ends. `ready` learns the address listened on.
///
/// # Errors
/// Where the address can't be listened on.
pub fn run(settings: Settings, ready: impl FnOnce(SocketAddr)) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(settings.searches + 4)
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let app = App::new(settings, address);
        ready(address);
        connections::serve(listener, api::routes(Arc::new(app))).await
    })
}

impl App {
    fn new(settings: Settings, address: SocketAddr) -> App {
        App {
            hosts: Hosts::new(address, settings.hosts),
            searches: Searches::new(settings.searches, settings.longest, settings.thinker),
        }
    }
}
