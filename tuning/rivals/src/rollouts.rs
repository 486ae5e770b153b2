//! Crate `treant`: tree search with a uniform random game at each new node.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use agros::rules::{BoardSize, Move, Side, State};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

#[derive(Clone)]
struct Board<S: BoardSize>(State<S>);

impl<S: BoardSize> GameState for Board<S> {
    type Move = Move;
    type Player = Side;
    type MoveList = Vec<Move>;

    fn current_player(&self) -> Side {
        self.0.side()
    }

    fn available_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.0.each_legal_move(|mv| moves.push(mv));
        moves
    }

    fn make_move(&mut self, mv: &Move) {
        self.0.make(*mv);
    }
}

struct Rollouts<S>(AtomicU64, PhantomData<S>);

impl<S: BoardSize> Evaluator<Spec<S>> for Rollouts<S> {
    /// Light's result of a random game: 100, 0 or -100.
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        board: &Board<S>,
        moves: &Vec<Move>,
        _: Option<SearchHandle<Spec<S>>>,
    ) -> (Vec<()>, i64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.0.fetch_add(1, Relaxed));
        let margin = board.0.playout(&mut rng).score.margin().0;
        (vec![(); moves.len()], i64::from(margin.signum()) * 100)
    }

    fn evaluate_existing_state(&self, _: &Board<S>, value: &i64, _: SearchHandle<Spec<S>>) -> i64 {
        *value
    }

    fn interpret_evaluation_for_player(&self, value: &i64, player: &Side) -> i64 {
        if *player == Side::Light {
            *value
        } else {
            -*value
        }
    }
}

struct Spec<S>(PhantomData<S>);

impl<S: BoardSize> MCTS for Spec<S> {
    type State = Board<S>;
    type Eval = Rollouts<S>;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = UCTPolicy;
    type TranspositionTable = ();
}

pub(crate) fn choose<S: BoardSize>(state: &State<S>, time: Duration) -> Option<Move> {
    let deadline = Instant::now() + time;
    let mut search = MCTSManager::new(
        Board(*state),
        Spec(PhantomData),
        Rollouts(AtomicU64::new(1), PhantomData),
        UCTPolicy::new(100.0),
        (),
    );
    search.playout_until(|| Instant::now() >= deadline);
    search.best_move()
}
