//! What is measured: the hot operations of the rules core, each done by the
//! library and by the slow reference of the tests on the same positions.
//!
//! The criterion benches and `tuning/counts` share it, so that times and
//! instruction counts are of the same work. Whoever includes it has
//! `tests/reference` and `tests/bridge` as `reference` and `bridge` beside it.

mod library;
mod mailbox;

use crate::bridge;
use crate::reference::images::SYMMETRIES;
use crate::reference::{Action, Mailbox};
use agros::on_size;
use agros::rules::lines::Lines;
use agros::rules::{BoardSize, Move, Position, State};
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::any::Any;

/// Real and random games by size: positions of every stage, one a line.
const GAMES: [(u8, u8, [&str; 2]); 3] = [
    (
        8,
        3,
        [
            include_str!("../../tests/data/vectors/played-8x3.txt"),
            include_str!("../../tests/data/vectors/random-8x3.txt"),
        ],
    ),
    (
        10,
        5,
        [
            include_str!("../../tests/data/vectors/played-10x5.txt"),
            include_str!("../../tests/data/vectors/random-10x5.txt"),
        ],
    ),
    (
        12,
        7,
        [
            include_str!("../../tests/data/vectors/played-12x7.txt"),
            include_str!("../../tests/data/vectors/random-12x7.txt"),
        ],
    ),
];

/// Mid-game positions that one pass goes over, images not counted.
const POSITIONS: usize = 64;
/// Of those, positions that perft starts from.
const PERFT_POSITIONS: usize = 4;
/// Plies of perft.
const PERFT_DEPTH: u32 = 3;
/// Random games of one pass.
const PLAYOUTS: usize = 32;
/// Games that one pass replays, asking for the score after each move.
const REPLAYS: u64 = 16;

/// One operation: its name, and how each side does a pass of it. A pass
/// returns the number of operations that it did.
pub(crate) struct Operation<S: BoardSize> {
    /// What is counted is in the comments of [`operations`].
    pub(crate) name: &'static str,
    /// A pass by the library.
    pub(crate) library: fn(&mut Workload<S>) -> u64,
    /// A pass by the reference; it has no twin of what is only kept for speed.
    pub(crate) mailbox: Option<fn(&mut Workload<S>) -> u64>,
}

/// Everything measured, in the order in which the documents list it.
pub(crate) fn operations<S: BoardSize>() -> Vec<Operation<S>> {
    let operation = |name, library, mailbox| Operation {
        name,
        library,
        mailbox: Some(mailbox),
    };
    let own = |name, library| Operation {
        name,
        library,
        mailbox: None,
    };
    vec![
        // One move of a uniform random game from the empty board.
        operation("playout", library::playout, mailbox::playout),
        // The legal steps of the side to move; the library has its lines.
        operation("moves", library::moves, mailbox::moves),
        // The list of legal moves, made from nothing but the position.
        operation("list", library::list, mailbox::list),
        // Harvests and sowings of both sides counted, lines kept.
        operation("mobility", library::mobility, mailbox::mobility),
        // One sequence of perft, every move of it made.
        operation("perft-made", library::perft_made, mailbox::perft_made),
        // One sequence of perft, the last move counted and not made.
        operation("perft", library::perft, mailbox::perft),
        // The score of a position from scratch.
        operation("score", library::score, mailbox::score),
        // One move of a whole game, and the score after it.
        operation("make", library::make, mailbox::make),
        // The score of one child, every child of a position being asked for;
        // the library tells reach and control too.
        operation("scan", library::scan, mailbox::scan),
        // The lines of a position, and its fields, made from scratch.
        own("lines", library::lines),
        own("fields", library::fields),
    ]
}

/// A random game, as either side has its moves.
struct Game {
    moves: Vec<Move>,
    actions: Vec<Action>,
}

/// The positions and games of one size, as each side needs them.
pub(crate) struct Workload<S: BoardSize> {
    start: State<S>,
    /// Mid-game positions: moving stage, 40 to 75 % of the cells empty.
    positions: Vec<Position>,
    /// The same.
    states: Vec<State<S>>,
    /// Their lines.
    lines: Vec<Lines<S>>,
    /// The same positions.
    mailboxes: Vec<Mailbox>,
    games: Vec<Game>,
    mailbox_start: Mailbox,
    rng: Xoshiro256PlusPlus,
}

impl<S: BoardSize> Workload<S> {
    /// The work of this board size; there is some for sizes 8, 10 and 12.
    ///
    /// With `images` each position comes in all sixteen, in no order. That is
    /// for taking times: a processor soon knows the branches of a few
    /// positions by heart, and a search never sees one again.
    pub(crate) fn new(images: bool) -> Option<Workload<S>> {
        let (size, farmers, files) = GAMES.into_iter().find(|games| games.0 == S::SIZE)?;
        let start = Position::start(size, farmers).ok()?;
        let all = mid_game(files);
        let positions = all.iter().step_by(all.len() / POSITIONS).copied();
        let mut positions: Vec<Position> = positions.take(POSITIONS).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        if images {
            positions = positions.iter().flat_map(images_of).collect();
            positions.shuffle(&mut rng);
        }
        let states: Vec<State<S>> = positions.iter().filter_map(state).collect();
        Some(Workload {
            start: state(&start)?,
            lines: states.iter().map(State::lines).collect(),
            mailboxes: positions.iter().map(bridge::mailbox).collect(),
            games: (0..REPLAYS).map(|seed| game(start, seed)).collect(),
            mailbox_start: bridge::mailbox(&start),
            states,
            positions,
            rng,
        })
    }
}

/// A position turned in every way, in its colours and in exchanged ones.
fn images_of(position: &Position) -> Vec<Position> {
    let seen = bridge::mailbox(position);
    let all = (0..SYMMETRIES).map(|symmetry| seen.turned(symmetry));
    let all = all.flat_map(|turned| [turned.exchanged(), turned]);
    let read = |image: Mailbox| image.to_string().parse().expect("an image of a position");
    all.map(read).collect()
}

/// The state of a position of this size.
fn state<S: BoardSize>(position: &Position) -> Option<State<S>> {
    on_size!(position.state(), s => (s as &dyn Any).downcast_ref().copied())
}

/// Positions of the moving stage with 40 to 75 % of the cells empty.
fn mid_game(files: [&str; 2]) -> Vec<Position> {
    files
        .iter()
        .flat_map(|file| file.lines())
        .filter_map(|line| line.split(" | ").next()?.parse::<Position>().ok())
        .filter(|position| !position.is_over() && !position.is_placing())
        .filter(|position| {
            let cells = usize::from(position.size()).pow(2);
            let empty: usize = position.fields().iter().map(|f| f.cells.len()).sum();
            (40..=75).contains(&(100 * empty / cells))
        })
        .collect()
}

/// A uniform random game, a pass only where nothing else is legal.
fn game(mut position: Position, seed: u64) -> Game {
    let size = position.size().into();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut moves = Vec::new();
    loop {
        let legal = position.legal_moves();
        // The pass is the last of the list.
        let choices = match legal.last() {
            None => break,
            Some(Move::Pass) => (legal.len() - 1).max(1),
            Some(_) => legal.len(),
        };
        let mv = legal[(rng.next_u64() % choices as u64) as usize];
        position.play(mv).expect("a move of the list is legal");
        moves.push(mv);
    }
    let actions = moves.iter().map(|&mv| bridge::action(mv, size)).collect();
    Game { moves, actions }
}
