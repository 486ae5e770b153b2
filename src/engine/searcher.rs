//! The engine: a searcher for whatever board the position has.

use std::sync::atomic::AtomicBool;

use super::report::Report;
use crate::evaluation::{Judge, Judgement};
use crate::on_size;
use crate::rules::{AnyState, BoardSize, Move, Position, State};
use crate::search::{self, Limits, Params, Searcher, Settings};

/// How an engine is set up.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Worker threads, 1 to 256.
    pub threads: usize,
    /// Memory for the search in MiB, 1 to 65536.
    pub hash_mib: usize,
    /// Tells games between equal players apart.
    pub seed: u64,
    /// Keep what is still of use from one move of a game to the next.
    pub reuse: bool,
    /// The tunable numbers of the search.
    pub params: Params,
    /// The judgement.
    pub judgement: Judgement,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            threads: 1,
            hash_mib: 256,
            seed: 0,
            reuse: true,
            params: Params::default(),
            judgement: Judgement::Fitted,
        }
    }
}

/// The engine. It keeps its tree from search to search.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use agros::engine::{Engine, Limits, Options};
/// use agros::rules::Position;
///
/// let position: Position = "start:4".parse()?;
/// let mut engine = Engine::new(Options { hash_mib: 16, ..Options::default() });
/// let stop = AtomicBool::new(false);
/// let report = engine.search(&position, &Limits::nodes(100), &stop, &mut |_| ());
/// assert!(position.is_legal(report.best().unwrap()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    options: Options,
    inner: Option<Box<dyn SizedEngine>>,
}

impl Engine {
    /// An engine; memory is taken at the first search.
    #[must_use]
    pub fn new(options: Options) -> Engine {
        Engine {
            options,
            inner: None,
        }
    }

    /// The options in force.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes the options; the tree is forgotten if they differ.
    pub fn set_options(&mut self, options: Options) {
        if options != self.options {
            self.options = options;
            self.inner = None;
        }
    }

    /// Forgets the tree, as before a new game.
    pub fn clear(&mut self) {
        if let Some(inner) = &mut self.inner {
            inner.clear();
        }
    }

    /// Searches a position until a limit is reached or `stop` is set; at least
    /// one simulation is done. `progress` is called as often as the limits ask.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Report),
    ) -> Report {
        let seed = self.options.seed;
        let side = position.side();
        let mut tell = |report| progress(&Report::new(report, side, seed));
        let inner = match &mut self.inner {
            Some(inner) if inner.fits(position) => inner,
            inner => inner.insert(sized_engine(position, &self.options)),
        };
        let report = inner.search(position.state(), limits, stop, &mut tell);
        Report::new(report, side, seed)
    }
}

/// An engine for one board size and number of farmers.
trait SizedEngine: Send {
    fn fits(&self, position: &Position) -> bool;
    fn clear(&mut self);
    fn search(
        &mut self,
        state: &AnyState,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(search::Report<Move>),
    ) -> search::Report<Move>;
}

struct Sized<S: BoardSize> {
    farmers: u8,
    judge: Judge,
    searcher: Searcher<State<S>>,
    /// Picks this size's state out of the ten.
    state_of: fn(&AnyState) -> Option<&State<S>>,
}

/// The one place where the board size is chosen at run time.
fn sized_engine(position: &Position, options: &Options) -> Box<dyn SizedEngine> {
    macro_rules! by_size {
        ($($name:ident)*) => {
            match position.state() {
                $(AnyState::$name(state) => Box::new(Sized::new(state, options, |any| match any {
                    AnyState::$name(state) => Some(state),
                    _ => None,
                })),)*
            }
        };
    }
    by_size!(S3 S4 S5 S6 S7 S8 S9 S10 S11 S12)
}

impl<S: BoardSize> Sized<S> {
    fn new(
        state: &State<S>,
        options: &Options,
        state_of: fn(&AnyState) -> Option<&State<S>>,
    ) -> Sized<S> {
        let farmers = state.farmers();
        Sized {
            farmers,
            judge: Judge::new::<S>(farmers, &options.judgement),
            searcher: Searcher::new(Settings {
                threads: options.threads,
                hash_mib: options.hash_mib,
                seed: options.seed,
                reuse: options.reuse,
                params: options.params.clone(),
            }),
            state_of,
        }
    }
}

impl<S: BoardSize> SizedEngine for Sized<S> {
    fn fits(&self, position: &Position) -> bool {
        position.size() == S::SIZE && position.farmers() == self.farmers
    }

    fn clear(&mut self) {
        self.searcher.clear();
    }

    fn search(
        &mut self,
        state: &AnyState,
        limits: &Limits,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(search::Report<Move>),
    ) -> search::Report<Move> {
        match (self.state_of)(state) {
            Some(state) => {
                let mut limits = limits.clone();
                if let Some(clock) = &mut limits.clock
                    && clock.moves_to_go == 0
                {
                    clock.moves_to_go = moves_to_go(state);
                }
                self.searcher
                    .search(state, &self.judge, &limits, stop, progress)
            }
            // `fits` is asked before, so that another size never comes here.
            None => on_size!(state, s => search::Report::finished(s.score().margin().0 as i16)),
        }
    }
}

/// Moves that the side to move may still have to make. Good games of 10×10
/// last about 140 plies: a bit more than one move a side for two empty cells,
/// as harvests fill nothing.
fn moves_to_go<S: BoardSize>(state: &State<S>) -> u32 {
    use crate::rules::word::Word;
    8 + state.empty_cells().count() * 11 / 20
}
