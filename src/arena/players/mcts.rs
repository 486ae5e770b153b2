//! The engine as a player.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Answer, Defaults, Fault, Player, Spec, Turn};
use crate::arena::Limit;
use crate::engine::{Clock, Engine, Judgement, Limits, Options};
use crate::evaluation::weights;
use crate::files;

/// What passes between the search's own clock and the referee's.
const OVERHEAD: Duration = Duration::from_millis(1);

/// The player.
pub(super) struct Mcts {
    engine: Engine,
}

impl Mcts {
    /// Reads `judgement=margin` (or a file of weights), `reuse=0` and the
    /// tunable numbers of the search.
    pub(super) fn new(spec: &Spec, defaults: &Defaults) -> Result<Mcts, String> {
        let mut options = Options {
            threads: spec.threads.unwrap_or(defaults.threads),
            hash_mib: spec.hash.unwrap_or(defaults.hash),
            ..Options::default()
        };
        for (name, value) in &spec.options {
            let refuse = |reason: String| format!("player '{}': {reason}", spec.label());
            match (name.as_str(), value.as_str()) {
                ("judgement", "fitted") => options.judgement = Judgement::Fitted,
                ("judgement", "margin") => options.judgement = Judgement::PresentMargin,
                ("judgement", file) => {
                    let table = files::read_text(file.as_ref(), files::LONGEST_TEXT)
                        .map_err(|error| error.to_string())
                        .and_then(|text| weights::read(&text));
                    let table = table.map_err(|error| {
                        refuse(format!(
                            "judgement: {file}: {error} (known: fitted, margin, a file of weights)"
                        ))
                    })?;
                    options.judgement = Judgement::Trial(table);
                }
                ("reuse", "0" | "1") => options.reuse = value == "1",
                ("reuse", _) => return Err(refuse(format!("reuse: '{value}' is not 0 or 1"))),
                _ => options
                    .params
                    .set(name, value)
                    .map_err(|error| refuse(error.to_string()))?,
            }
        }
        Ok(Mcts {
            engine: Engine::new(options),
        })
    }
}

impl Player for Mcts {
    fn new_game(&mut self, seed: u64, _: &AtomicBool) -> Result<(), Fault> {
        let options = Options {
            seed,
            ..self.engine.options().clone()
        };
        self.engine.set_options(options);
        self.engine.clear();
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let start = Instant::now();
        let limits = limits(turn);
        // A fault of the engine loses this game; the others go on.
        let search = AssertUnwindSafe(|| {
            self.engine
                .search(turn.position, &limits, turn.abandoned, &mut |_| ())
        });
        let report = catch_unwind(search).map_err(|_| {
            self.engine = Engine::new(self.engine.options().clone());
            Fault::Crash("the search panicked".into())
        })?;
        let taken = start.elapsed();
        if turn.abandoned.load(Ordering::Relaxed) {
            return Err(Fault::Abandoned);
        }
        if taken >= turn.patience {
            return Err(Fault::Stall("no answer".into()));
        }
        Ok(Answer {
            text: report.best().map_or("none".into(), |mv| mv.to_string()),
            taken,
            nodes: Some(report.nodes),
        })
    }
}

/// The turn's limit in the search's terms; the watchdog's is always set.
fn limits(turn: &Turn<'_>) -> Limits {
    let clock = turn.clock();
    let mut limits = Limits {
        time: Some(turn.patience),
        overhead: OVERHEAD,
        ..Limits::default()
    };
    match clock.limit() {
        Limit::Nodes(nodes) => limits.nodes = Some(nodes),
        Limit::Time(time) => limits.time = Some(time),
        Limit::Clock { increment, .. } => {
            limits.clock = Some(Clock {
                remaining: clock.remaining(),
                increment,
                moves_to_go: 0,
            });
        }
    }
    limits
}
