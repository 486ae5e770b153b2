//! Principal variation search to the end of the game. Margins are seen by the
//! side to move, in half points.

use std::time::Instant;

use smallvec::SmallVec;

use super::symmetry::Keys;
use super::table::Table;
use super::{Budget, Solution, Unsolved};
use crate::rules::{BoardSize, Fields, HalfPoints, Move, Side, State};

/// Nodes between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1 << 12;
/// No margin is as great: 144 cells of crop 12, twice, and the half point.
const INFINITE: i16 = 4000;

struct Search<S: BoardSize> {
    keys: Keys<S>,
    table: Table,
    nodes: u64,
    deadline: Option<Instant>,
    expired: bool,
}

/// Moves with the margin after them, to be tried from the best one on.
type Ordered = SmallVec<[(i16, Move); 48]>;

pub(super) fn solve<S: BoardSize>(state: &State<S>, budget: Budget) -> Result<Solution, Unsolved> {
    let solution = |margin: i16, best, nodes| {
        let light = if state.side() == Side::Light {
            margin
        } else {
            -margin
        };
        Ok(Solution {
            margin: HalfPoints(light.into()),
            best,
            nodes,
        })
    };
    if state.is_over() {
        return solution(seen_margin(state), None, 0);
    }
    let mut search = Search {
        keys: Keys::new(),
        table: Table::new(budget.hash_mib),
        nodes: 0,
        deadline: budget
            .time
            .and_then(|time| Instant::now().checked_add(time)),
        expired: false,
    };
    let (mut best, mut best_move) = (-INFINITE, None);
    for (_, mv) in search.ordered(state) {
        let value = search.child(state, mv, best, INFINITE, best_move.is_none());
        if search.expired {
            return Err(Unsolved {
                nodes: search.nodes,
            });
        }
        if best_move.is_none() || value > best {
            (best, best_move) = (value, Some(mv));
        }
    }
    solution(best, best_move, search.nodes)
}

/// The margin as things stand, seen by the side to move.
fn seen_margin<S: BoardSize>(state: &State<S>) -> i16 {
    let margin = state.standing().margin().0 as i16;
    if state.side() == Side::Light {
        margin
    } else {
        -margin
    }
}

impl<S: BoardSize> Search<S> {
    /// All moves, the best present margin first.
    fn ordered(&self, state: &State<S>) -> Ordered {
        let light = state.side() == Side::Light;
        let steps = state.steps(&state.lines(), state.side());
        let mut moves = Ordered::new();
        let mut fields = Fields::none();
        fields.reset(state);
        fields.scan(state, steps, |mv, standing| {
            let margin = standing.margin().0 as i16;
            moves.push((if light { margin } else { -margin }, mv));
        });
        moves.sort_by_key(|&(margin, _)| -margin);
        moves
    }

    /// The value of a move, seen by who makes it: exact within the window, else
    /// a bound beyond it. The same side may be to move again.
    fn child(&mut self, state: &State<S>, mv: Move, alpha: i16, beta: i16, first: bool) -> i16 {
        let mut child = *state;
        child.make(mv);
        let again = child.side() == state.side();
        let mut within = |alpha: i16, beta: i16| {
            if again {
                self.value(&child, alpha, beta)
            } else {
                -self.value(&child, -beta, -alpha)
            }
        };
        if first || beta - alpha <= 1 {
            return within(alpha, beta);
        }
        // Most moves are no better than the first: a window of width one shows
        // it cheaply (Marsland and Campbell 1982).
        let value = within(alpha, alpha + 1);
        if value > alpha && value < beta {
            within(alpha, beta)
        } else {
            value
        }
    }

    fn value(&mut self, state: &State<S>, mut alpha: i16, mut beta: i16) -> i16 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            self.expired |= self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline);
        }
        if self.expired {
            return 0;
        }
        if state.is_over() {
            return seen_margin(state);
        }
        let key = self.keys.key(state);
        let (mut lo, mut hi) = (-INFINITE, INFINITE);
        if let Some(entry) = self.table.get(key) {
            (lo, hi) = (entry.lo, entry.hi);
            if lo >= beta || lo == hi {
                return lo;
            }
            if hi <= alpha {
                return hi;
            }
            (alpha, beta) = (alpha.max(lo), beta.min(hi));
        }
        let before = self.nodes;
        let best = self.best_value(state, alpha, beta);
        if self.expired {
            return 0;
        }
        if best < beta {
            hi = hi.min(best);
        }
        if best > alpha {
            lo = lo.max(best);
        }
        self.table.put(key, lo, hi, self.nodes - before);
        best
    }

    fn best_value(&mut self, state: &State<S>, alpha: i16, beta: i16) -> i16 {
        let mut best = -INFINITE;
        if state.passes() == 1 {
            // Passing ends the game.
            best = seen_margin(state);
            if best >= beta {
                return best;
            }
        }
        let mut first = true;
        for (_, mv) in self.ordered(state) {
            if mv == Move::Pass && state.passes() == 1 {
                continue;
            }
            let value = self.child(state, mv, alpha.max(best), beta, first);
            first = false;
            best = best.max(value);
            if best >= beta || self.expired {
                break;
            }
        }
        best
    }
}
