//! The library against the reference on random positions of all sizes and
//! numbers of farmers: legal moves, score, fields (from scratch and followed
//! move by move), the position after every move and what the scan of all
//! children says of it.
//!
//! `AGROS_DIFF_PLIES` sets the number of positions (110 000 by default, half
//! of them from games, half scattered at random and played on from there).

use std::env;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use agros::on_size;
use agros::rules::{BoardSize, Cell, Fields, Move, Position, Side, Standing, State};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[path = "../bridge/mod.rs"]
pub mod bridge;
pub mod coverage;
mod playouts;
#[path = "../reference/mod.rs"]
pub mod reference;

use coverage::Coverage;
use reference::random::{Temper, pick, scattered};
use reference::{Action, Child, Mailbox};

/// All that can be compared in one position, and the position after each of
/// its moves.
fn compare(library: &Position, reference: &Mailbox, coverage: &mut Coverage) -> Vec<Action> {
    let mut moves = reference.moves();
    moves.sort_unstable();
    assert_eq!(bridge::actions(library), moves, "moves of {reference}");
    let score = library.score();
    let [light, dark] = reference.score();
    assert_eq!(
        [score.light.0, score.dark.0],
        [light, dark],
        "score of {reference}"
    );
    assert_eq!(library.margin().0, light - dark, "margin of {reference}");
    let fields = reference.fields();
    assert_eq!(bridge::fields(library), fields, "fields of {reference}");
    assert_eq!(library.is_over(), reference.is_over(), "{reference}");
    assert_eq!(library.is_placing(), reference.is_placing(), "{reference}");
    assert_eq!(
        library.perft(1),
        Some(moves.len() as u64),
        "perft of {reference}"
    );
    for &action in &moves {
        let mut expected = reference.clone();
        expected.play(action);
        let mut child = *library;
        let mv = bridge::library_move(action, reference.size);
        child
            .play(mv)
            .unwrap_or_else(|e| panic!("{mv} in {reference}: {e}"));
        assert_eq!(bridge::mailbox(&child), expected, "{mv} in {reference}");
    }
    coverage.note(reference, &moves, &fields);
    moves
}

/// The text of both is the same, and what it reads back is equal to what the
/// game led to, to the hash.
fn compare_text(library: &Position, reference: &Mailbox) {
    let text = reference.to_string();
    assert_eq!(library.to_string(), text);
    let read: Position = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(read, *library, "{text}");
    let hasher = BuildHasherDefault::<DefaultHasher>::new();
    assert_eq!(
        hasher.hash_one(read),
        hasher.hash_one(library),
        "hash of {text}"
    );
}

/// Moves that are mostly illegal, some off the board: both agree which.
fn compare_legality(library: &Position, reference: &Mailbox, moves: &[Action], rng: &mut impl Rng) {
    let mut any_cell = || {
        let (file, rank) = (rng.random_range(0..12), rng.random_range(0..12));
        Cell::new(file, rank).expect("a cell of the largest board")
    };
    let (from, to) = (any_cell(), any_cell());
    for mv in [Move::Pass, Move::Place(from), Move::Step { from, to }] {
        let size = library.size();
        let on_board = match mv {
            Move::Pass => true,
            Move::Place(at) => at.is_on(size),
            Move::Step { from, to } => from.is_on(size) && to.is_on(size),
        };
        let expected = on_board && moves.contains(&bridge::action(mv, size.into()));
        assert_eq!(library.is_legal(mv), expected, "{mv} in {reference}");
        let mut after = *library;
        assert_eq!(after.play(mv).is_ok(), expected, "{mv} in {reference}");
        assert!(expected || after == *library, "{mv} changed {reference}");
    }
}

/// Every size with every number of farmers that fits.
fn boards() -> Vec<(usize, usize)> {
    let with_farmers = |size| (1..=Mailbox::most_farmers(size)).map(move |farmers| (size, farmers));
    (3..=12).flat_map(with_farmers).collect()
}

/// Half of the positions that were asked for.
fn plies() -> u64 {
    let plies =
        env::var("AGROS_DIFF_PLIES").map(|n| n.parse().expect("AGROS_DIFF_PLIES: a number"));
    plies.unwrap_or(110_000) / 2
}

/// The two ways in which the library knows a position: as a user does, and as
/// the search does, whose fields follow every move.
#[derive(Clone)]
struct Library<S: BoardSize> {
    position: Position,
    state: State<S>,
    fields: Fields<S>,
}

impl<S: BoardSize> Library<S> {
    fn play(&mut self, mv: Move) {
        self.position.play(mv).expect("a legal move");
        self.fields.make(&self.state, mv);
        self.state.make(mv);
    }

    /// The fields that followed the moves, those from scratch and those of
    /// the reference are the same.
    fn compare_fields(&self, reference: &Mailbox) {
        let scratch = Fields::of(&self.state);
        let standing = self.fields.standing();
        assert_eq!(standing, scratch.standing(), "{reference}");
        assert_eq!(standing, self.state.standing(), "{reference}");
        let lead = [standing.lead.max(0), (-standing.lead).max(0)];
        let points = Side::BOTH.map(|side| 2 * standing.worth.points(side) as i32);
        let score = [points[0] + lead[0], points[1] + lead[1]];
        assert_eq!(score, reference.score(), "{reference}");
        let touched = |field: &reference::Field| field.crops.iter().any(|crops| !crops.is_empty());
        let expected: Vec<_> = reference.fields().into_iter().filter(touched).collect();
        let size = reference.size;
        let followed = bridge::reference_fields(self.fields.touched(), size);
        assert_eq!(followed, expected, "fields followed to {reference}");
        let counted = bridge::reference_fields(scratch.touched(), size);
        assert_eq!(counted, expected, "fields of {reference}");
    }

    /// The scan of all children is in the order of the moves, and each child
    /// is what the reference makes of it, as is a child followed by itself.
    fn compare_children(&self, reference: &Mailbox) {
        let mut expected = reference.children();
        expected.sort_unstable();
        let steps = self.state.steps(&self.state.lines(), self.state.side());
        let mut children = Vec::new();
        let mut order = self.state.legal_moves().into_iter();
        self.fields.scan(&self.state, steps, |mv, standing| {
            assert_eq!(Some(mv), order.next(), "order in {reference}");
            let mut followed = self.clone();
            followed.play(mv);
            assert_eq!(followed.fields.standing(), standing, "{mv} in {reference}");
            children.push(child(mv, standing, &followed.state));
        });
        assert_eq!(order.next(), None, "a move left out in {reference}");
        children.sort_unstable();
        assert_eq!(children, expected, "children of {reference}");
    }
}

/// A child as the reference describes it.
fn child<S: BoardSize>(mv: Move, standing: Standing, state: &State<S>) -> Child {
    let lines = state.lines();
    let steps = Side::BOTH.map(|side| state.steps(&lines, side));
    let worth = standing.worth;
    Child {
        action: bridge::action(mv, S::SIZE.into()),
        margin: standing.margin().0,
        reach: Side::BOTH.map(|side| worth.reach(side) as usize),
        controlled: Side::BOTH.map(|side| worth.control(side) as usize),
        harvests: steps.map(|steps| steps.harvests() as usize),
        sowings: steps.map(|steps| steps.sowings() as usize),
    }
}

/// Plays on from a position to the end of the game, comparing at every ply.
fn play_out(reference: Mailbox, rng: &mut impl Rng, coverage: &mut Coverage) {
    let position: Position = reference.to_string().parse().expect("a position");
    on_size!(*position.state(), state => {
        let fields = Fields::of(&state);
        let library = Library { position, state, fields };
        play_out_on(library, reference, rng, coverage);
    });
}

fn play_out_on<S: BoardSize>(
    mut library: Library<S>,
    mut reference: Mailbox,
    rng: &mut impl Rng,
    coverage: &mut Coverage,
) {
    let temper = Temper::random(rng);
    loop {
        let moves = compare(&library.position, &reference, coverage);
        compare_text(&library.position, &reference);
        compare_legality(&library.position, &reference, &moves, rng);
        library.compare_fields(&reference);
        library.compare_children(&reference);
        if moves.is_empty() {
            break;
        }
        let action = temper.choose(&reference, &moves, rng);
        reference.play(action);
        library.play(bridge::library_move(action, reference.size));
    }
    coverage.games += 1;
}

#[test]
fn games_from_the_empty_board() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut coverage = Coverage::default();
    for (size, farmers) in boards().into_iter().cycle() {
        play_out(Mailbox::start(size, farmers), &mut rng, &mut coverage);
        if coverage.positions >= plies() {
            break;
        }
    }
    coverage.check(true);
}

#[test]
fn games_from_scattered_positions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut coverage = Coverage::default();
    for (size, farmers) in boards().into_iter().cycle() {
        play_out(scattered(size, farmers, &mut rng), &mut rng, &mut coverage);
        if coverage.positions >= plies() {
            break;
        }
    }
    coverage.check(false);
}

/// Three plies deep, on the fast path that counts moves: from scattered
/// positions and across the end of the placement stage.
#[test]
fn perft_of_random_positions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for (size, farmers) in boards() {
        let mut moving = scattered(size, farmers, &mut rng);
        moving.passes = 0;
        let mut placing = Mailbox::start(size, farmers);
        while placing.placed + 1 < 2 * farmers {
            placing.play(pick(&placing.moves(), &mut rng));
        }
        for position in [moving, placing] {
            let library: Position = position.to_string().parse().expect("a position");
            let count = position.perft(3);
            assert_eq!(library.perft(3), Some(count), "{position}");
        }
    }
}
