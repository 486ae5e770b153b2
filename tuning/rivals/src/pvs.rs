//! A good alpha-beta with the engine's own judgement: iterative deepening,
//! principal variation search, transposition table, moves ordered by the
//! judgements of the children (one scan a node) with killers and history, and
//! late move reductions. No null move: passing is a real move here.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::time::{Duration, Instant};

use agros::evaluation::{Judge, Judgement};
use agros::rules::{BoardSize, Move, Side, State};

/// Values are thousandths of log odds; results stand beyond all judgements.
const WON: i32 = 1_000_000;
const INFINITE: i32 = 2_000_000;
const MAX_DEPTH: usize = 64;
/// Entries of the transposition table.
const TABLE: usize = 1 << 20;

#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(23) ^ u64::from_le_bytes(word))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    depth: i8,
    /// -1 no more than `value`, 1 no less, 0 exact.
    kind: i8,
    value: i32,
    best: Option<Move>,
}

impl Entry {
    const EMPTY: Entry = Entry {
        key: 0,
        depth: -1,
        kind: 0,
        value: 0,
        best: None,
    };
}

/// What is known of states, kept from move to move as the engine keeps its tree.
pub(crate) struct Memory {
    table: Vec<Entry>,
    /// The size and the farmers of the board that it is about.
    board: (u8, u8),
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            table: vec![Entry::EMPTY; TABLE],
            board: (0, 0),
        }
    }
}

impl Memory {
    /// Forgets everything where the board is another.
    fn be_about(&mut self, board: (u8, u8)) {
        if self.board != board {
            self.table.fill(Entry::EMPTY);
            self.board = board;
        }
    }
}

struct Search<'m> {
    judge: Judge,
    table: &'m mut [Entry],
    history: HashMap<Move, i32, BuildHasherDefault<Mixer>>,
    killers: [[Option<Move>; 2]; MAX_DEPTH + 1],
    nodes: u64,
    deadline: Instant,
    expired: bool,
}

struct Child {
    mv: Move,
    /// The judgement for the side that moves here.
    judged: i32,
    order: i32,
}

/// The best move after so much time.
pub(crate) fn choose<S: BoardSize>(
    state: &State<S>,
    time: Duration,
    memory: &mut Memory,
) -> Option<Move> {
    memory.be_about((S::SIZE, state.farmers()));
    let mut search = Search {
        judge: Judge::new::<S>(state.farmers(), &Judgement::Fitted),
        table: &mut memory.table,
        history: HashMap::default(),
        killers: [[None; 2]; MAX_DEPTH + 1],
        nodes: 0,
        deadline: Instant::now() + time.saturating_sub(Duration::from_millis(1)),
        expired: false,
    };
    let mut best = None;
    for depth in 1..MAX_DEPTH {
        let (value, mv) = search.root(state, depth);
        // What an unfinished iteration has shown counts: its first move was the best.
        best = mv.or(best);
        if search.expired {
            break;
        }
        if value.abs() >= WON - 10_000 && depth > 8 {
            break;
        }
    }
    best
}

fn key<S: BoardSize>(state: &State<S>) -> u64 {
    let mut mixer = Mixer::default();
    state.hash(&mut mixer);
    mixer.finish() | 1
}

impl Search<'_> {
    fn root<S: BoardSize>(&mut self, state: &State<S>, depth: usize) -> (i32, Option<Move>) {
        let best = self.table[key(state) as usize % TABLE].best;
        let (mut alpha, mut best_move) = (-INFINITE, None);
        for (n, child) in self.children(state, best, 0).into_iter().enumerate() {
            let value = self.child(state, &child, depth, 0, alpha, INFINITE, n);
            // At depth 1 nothing is searched and every move has its value.
            if self.expired && depth > 1 {
                return (alpha, best_move);
            }
            if value > alpha {
                (alpha, best_move) = (value, Some(child.mv));
            }
        }
        self.put(key(state), depth, 0, alpha, best_move);
        (alpha, best_move)
    }

    fn children<S: BoardSize>(
        &mut self,
        state: &State<S>,
        best: Option<Move>,
        ply: usize,
    ) -> Vec<Child> {
        let sign = if state.side() == Side::Light { 1 } else { -1 };
        let killers = self.killers[ply.min(MAX_DEPTH)];
        let mut children = Vec::with_capacity(48);
        let history = &self.history;
        self.judge.each_child(state, |mv, judged| {
            let value = if mv == Move::Pass && state.may_end() {
                sign * (judged.margin.signum() * WON + judged.margin)
            } else {
                sign * (judged.logit * 1000.0) as i32
            };
            let bonus = if Some(mv) == best {
                INFINITE
            } else if killers.contains(&Some(mv)) {
                150
            } else {
                history.get(&mv).map_or(0, |&h| h.min(4000) / 40)
            };
            children.push(Child {
                mv,
                judged: value,
                order: value + bonus,
            });
        });
        children.sort_by_key(|child| -child.order);
        self.nodes += 1;
        if self.nodes.is_multiple_of(64) && Instant::now() >= self.deadline {
            self.expired = true;
        }
        children
    }

    /// The value of a move for who makes it, searched `depth` plies deep.
    #[allow(clippy::too_many_arguments)]
    fn child<S: BoardSize>(
        &mut self,
        state: &State<S>,
        child: &Child,
        depth: usize,
        ply: usize,
        alpha: i32,
        beta: i32,
        number: usize,
    ) -> i32 {
        let mut next = *state;
        next.make(child.mv);
        if depth <= 1 || next.is_over() {
            return child.judged;
        }
        let again = next.side() == state.side();
        let mut within = |depth: usize, alpha: i32, beta: i32| {
            if again {
                self.value(&next, depth, ply + 1, alpha, beta)
            } else {
                -self.value(&next, depth, ply + 1, -beta, -alpha)
            }
        };
        if number == 0 {
            return within(depth - 1, alpha, beta);
        }
        let reduction = match (depth, number) {
            (3.., 12..) => 2,
            (3.., 4..) => 1,
            _ => 0,
        };
        let mut value = within(depth - 1 - reduction.min(depth - 2), alpha, alpha + 1);
        if value > alpha && reduction > 0 {
            value = within(depth - 1, alpha, alpha + 1);
        }
        if value > alpha && value < beta {
            value = within(depth - 1, alpha, beta);
        }
        value
    }

    fn value<S: BoardSize>(
        &mut self,
        state: &State<S>,
        depth: usize,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let key = key(state);
        let entry = self.table[key as usize % TABLE];
        let mut known = None;
        if entry.key == key {
            known = entry.best;
            let cuts = entry.kind == 0
                || (entry.kind > 0 && entry.value >= beta)
                || (entry.kind < 0 && entry.value <= alpha);
            if entry.depth as usize >= depth && cuts {
                return entry.value;
            }
        }
        let (mut best, mut best_move, mut low) = (-INFINITE, None, alpha);
        for (n, child) in self.children(state, known, ply).into_iter().enumerate() {
            let value = self.child(state, &child, depth, ply, low, beta, n);
            if self.expired {
                return best.max(value);
            }
            if value > best {
                (best, best_move) = (value, Some(child.mv));
            }
            low = low.max(best);
            if best >= beta {
                self.remember(child.mv, depth, ply);
                break;
            }
        }
        let kind = if best >= beta {
            1
        } else if best <= alpha {
            -1
        } else {
            0
        };
        self.put(key, depth, kind, best, best_move);
        best
    }

    fn remember(&mut self, mv: Move, depth: usize, ply: usize) {
        *self.history.entry(mv).or_default() += (depth * depth) as i32;
        let killers = &mut self.killers[ply.min(MAX_DEPTH)];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }

    fn put(&mut self, key: u64, depth: usize, kind: i8, value: i32, best: Option<Move>) {
        let depth = depth as i8;
        self.table[key as usize % TABLE] = Entry {
            key,
            depth,
            kind,
            value,
            best,
        };
    }
}
