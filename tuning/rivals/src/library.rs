//! Crate `minimax`: its iterative alpha-beta on the present margin, and its
//! rollout tree search. It takes players to alternate, which they do in the
//! moving stage; matches against it start there.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::marker::PhantomData;
use std::time::Duration;

use agros::rules::{BoardSize, Move, Side, State};
use minimax::{
    Evaluation, Evaluator, Game, IterativeOptions, IterativeSearch, MCTSOptions,
    MonteCarloTreeSearch, Strategy, Winner,
};

struct Agros<S>(PhantomData<S>);

/// The margin for the side to move, in half points.
fn margin<S: BoardSize>(state: &State<S>) -> i32 {
    let margin = state.standing().margin().0;
    if state.side() == Side::Light {
        margin
    } else {
        -margin
    }
}

impl<S: BoardSize> Game for Agros<S> {
    type S = State<S>;
    type M = Move;

    fn generate_moves(state: &State<S>, moves: &mut Vec<Move>) -> Option<Winner> {
        if let Some(winner) = Self::get_winner(state) {
            return Some(winner);
        }
        state.each_legal_move(|mv| moves.push(mv));
        None
    }

    fn apply(state: &mut State<S>, mv: Move) -> Option<State<S>> {
        let mut next = *state;
        next.make(mv);
        Some(next)
    }

    fn get_winner(state: &State<S>) -> Option<Winner> {
        state.is_over().then(|| match margin(state) {
            0 => Winner::Draw,
            1.. => Winner::PlayerToMove,
            _ => Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(state: &State<S>) -> u64 {
        let mut hasher = DefaultHasher::new();
        state.hash(&mut hasher);
        hasher.finish()
    }
}

#[derive(Clone)]
struct PresentMargin<S>(PhantomData<S>);

impl<S: BoardSize> Evaluator for PresentMargin<S> {
    type G = Agros<S>;

    fn evaluate(&self, state: &State<S>) -> Evaluation {
        margin(state) as Evaluation
    }
}

/// Iterative alpha-beta on the present margin.
pub(crate) fn alpha_beta<S: BoardSize>(state: &State<S>, time: Duration) -> Option<Move> {
    let options = IterativeOptions::new().with_table_byte_size(64 << 20);
    let mut search = IterativeSearch::new(PresentMargin::<S>(PhantomData), options);
    search.set_timeout(time);
    Strategy::<Agros<S>>::choose_move(&mut search, state)
}

/// Tree search with rollouts to the end, one thread.
pub(crate) fn rollouts<S: BoardSize>(state: &State<S>, time: Duration) -> Option<Move> {
    let options = MCTSOptions::default()
        .with_num_threads(1)
        .with_max_rollout_depth(400);
    let mut search = MonteCarloTreeSearch::<Agros<S>>::new(options);
    search.set_timeout(time);
    search.choose_move(state)
}
