//! What every command with a search takes: its limit, threads, memory, seed.

use super::Failure;
use crate::arena::parse_duration;
use crate::engine::{Engine, Limits, Options, Params};
use clap::Args;
use std::num::NonZeroU64;
use std::time::Duration;

/// How long a search goes on if nothing is said.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// The limit and the setting of a search.
#[derive(Args)]
pub(crate) struct SearchArgs {
    /// Think this long, as in 1s or 500ms [default: 1s, unless --nodes is given]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,

    /// Do this many simulations
    #[arg(long, value_name = "N")]
    nodes: Option<NonZeroU64>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// How an engine is set up.
#[derive(Args)]
pub(crate) struct EngineArgs {
    /// Search with this many threads [default: the cores available]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Memory for the search tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    /// Tells searches of the same position apart
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Set a parameter of the search
    #[arg(long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
}

impl EngineArgs {
    /// The options asked for.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let mut params = Params::default();
        for pair in &self.params {
            params
                .set_pair(pair)
                .map_err(|e| Failure::Usage(format!("--param {pair}: {e}")))?;
        }
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(256));
        Ok(Options {
            threads: self.threads.map_or(cores, usize::from),
            hash_mib: self.hash as usize,
            seed: self.seed,
            params,
            ..Options::default()
        })
    }
}

impl SearchArgs {
    /// An engine set up as asked.
    pub(crate) fn engine(&self) -> Result<Engine, Failure> {
        Ok(Engine::new(Options {
            // Each position is searched for itself, so that its answer does
            // not depend on those before it.
            reuse: false,
            ..self.engine.options()?
        }))
    }

    /// The limits asked for.
    pub(crate) fn limits(&self) -> Limits {
        let nodes = self.nodes.map(NonZeroU64::get);
        Limits {
            nodes,
            time: self.time.or(nodes.is_none().then_some(USUAL_TIME)),
            ..Limits::default()
        }
    }
}
