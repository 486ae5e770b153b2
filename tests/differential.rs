//! The library against the reference on random positions of all sizes and
//! numbers of farmers: legal moves, score, fields (from scratch and followed
//! move by move), the position after every move and what the scan of all
//! children says of it.
//!
//! `AGROS_DIFF_PLIES` sets the number of positions (110 000 by default, half
//! of them from games, half scattered at random and played on from there).

use std::collections::HashMap;
use std::env;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use agros::on_size;
use agros::rules::{BoardSize, Cell, Fields, Move, Position, Side, Standing, State};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub mod bridge;
pub mod reference;

use reference::random::{Temper, scattered};
use reference::{Action, Child, Kind, Mailbox, Square};

/// How often each kind of thing was met, so that a run that misses some of
/// them fails instead of proving nothing.
#[derive(Debug, Default)]
struct Coverage {
    positions: u64,
    games: u64,
    children: u64,
    placements: u64,
    harvests: u64,
    sowings: u64,
    passes: u64,
    /// Harvests over at least one own piece.
    jumps: u64,
    /// Positions after both passed.
    finished: u64,
    /// Positions with nothing but the pass to play.
    stuck: u64,
    /// Moving-stage positions with at most an eighth of the cells empty.
    crowded: u64,
    /// Positions without any empty cell.
    full: u64,
    /// Farmers as tall as the board is wide.
    tallest: u64,
    /// Fields between equal lists of crops.
    balanced: u64,
    /// Fields that no farmer touches.
    untouched: u64,
    /// Fields whose control the second or a later crop decides.
    close: u64,
    /// Positions for each size.
    sizes: [u64; 13],
}

impl Coverage {
    fn note(&mut self, position: &Mailbox, moves: &[Action], fields: &[reference::Field]) {
        self.positions += 1;
        self.sizes[position.size] += 1;
        self.finished += u64::from(position.is_over());
        self.stuck += u64::from(moves == [Action::Pass]);
        let squares = &position.squares[..position.area()];
        let empty = squares.iter().filter(|&&s| s == Square::Empty).count();
        self.crowded += u64::from(!position.is_placing() && 8 * empty <= squares.len());
        self.full += u64::from(empty == 0);
        let tallest =
            |s: &&Square| matches!(s, Square::Farmer(_, c) if usize::from(*c) == position.size);
        self.tallest += squares.iter().filter(tallest).count() as u64;
        for field in fields {
            let [light, dark] = &field.crops;
            self.untouched += u64::from(light.is_empty() && dark.is_empty());
            self.balanced += u64::from(light == dark && !light.is_empty());
            self.close += u64::from(light != dark && light.first() == dark.first());
        }
        for &action in moves {
            self.children += 1;
            match action {
                Action::Pass => self.passes += 1,
                Action::Place(_) => self.placements += 1,
                Action::Step { from, to } => match position.kind(from, to) {
                    Kind::Sow => self.sowings += 1,
                    Kind::Harvest => {
                        self.harvests += 1;
                        self.jumps += u64::from(jumps(position, from, to));
                    }
                },
            }
        }
    }

    /// Fails where something was never met; games from the empty board must
    /// show placements, the others full boards.
    fn check(&self, from_the_start: bool) {
        println!("{self:?}");
        let mut met = vec![
            ("harvests", self.harvests),
            ("sowings", self.sowings),
            ("passes", self.passes),
            ("jumps", self.jumps),
            ("finished", self.finished),
            ("stuck", self.stuck),
            ("crowded", self.crowded),
            ("tallest", self.tallest),
            ("balanced", self.balanced),
            ("untouched", self.untouched),
            ("close", self.close),
        ];
        met.push(match from_the_start {
            true => ("placements", self.placements),
            false => ("full", self.full),
        });
        for (what, count) in met {
            assert!(count > 0, "no {what} in {} positions", self.positions);
        }
        for size in 3..=12 {
            let count = self.sizes[size];
            assert!(100 * count > self.positions, "size {size}: {count}");
        }
    }
}

/// Whether some piece stands between two squares of one line.
fn jumps(position: &Mailbox, from: usize, to: usize) -> bool {
    let size = position.size as i32;
    let (file, rank) = (
        to as i32 % size - from as i32 % size,
        to as i32 / size - from as i32 / size,
    );
    let direction = (file.signum(), rank.signum());
    let mut at = from;
    loop {
        at = position.beside(at, direction).expect("on the board");
        if at == to {
            return false;
        }
        if position.squares[at] != Square::Empty {
            return true;
        }
    }
}

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

/// Two plies deeper than the rest, on the fast path that counts moves.
#[test]
fn perft_of_random_positions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for (size, farmers) in boards() {
        let mut position = scattered(size, farmers, &mut rng);
        position.passes = 0;
        let library: Position = position.to_string().parse().expect("a position");
        assert_eq!(library.perft(3), Some(position.perft(3)), "{position}");
    }
}

/// Every move of the library's random games is legal, a pass only where
/// nothing else is, and they end where the reference does.
#[test]
fn playouts_are_legal_games() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    for round in 0..10 {
        for (size, farmers) in boards() {
            let mut reference = match round % 2 {
                0 => Mailbox::start(size, farmers),
                _ => scattered(size, farmers, &mut rng),
            };
            let position: Position = reference.to_string().parse().expect("a position");
            let mut game = Vec::new();
            let played = on_size!(*position.state(), state => {
                state.playout_seen(&mut rng, |mv| game.push(mv))
            });
            assert_eq!(played.moves as usize, game.len());
            for mv in game {
                let action = bridge::action(mv, size);
                let moves = reference.moves();
                assert!(moves.contains(&action), "{mv} in {reference}");
                assert!(mv != Move::Pass || moves.len() == 1, "pass in {reference}");
                reference.play(action);
            }
            assert!(reference.is_over(), "{reference}");
            let (light, dark) = (played.score.light.0, played.score.dark.0);
            assert_eq!([light, dark], reference.score(), "{reference}");
        }
    }
}

/// Each of the moves but the pass comes first about equally often.
#[test]
fn playouts_are_uniform() {
    const ROUNDS: u32 = 100_000;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    for text in [
        "x3/x3/x3 L 1 0",
        "x12/x12/x12/x12/x12/x12/x12/x12/x12/x12/x12/x12 L 7 0",
        "L3,x3/x1,l,x1,d/x2,D2,x1/D1,x2,L2 L 2 0",
        "x5,L6/x1,L5,x4/x6/x2,D1,x3/x3,D3,x2/x6 L 2 0",
    ] {
        let position: Position = text.parse().expect("a position");
        let mut counts = HashMap::new();
        for _ in 0..ROUNDS {
            let mut first = None;
            on_size!(*position.state(), state => {
                state.playout_seen(&mut rng, |mv| first = first.or(Some(mv)))
            });
            *counts.entry(first).or_insert(0u32) += 1;
        }
        let moves = position.legal_moves();
        let choices = moves.iter().filter(|&&mv| mv != Move::Pass).count();
        assert_eq!(counts.len(), choices, "{text}");
        let share = f64::from(ROUNDS) / choices as f64;
        for (mv, count) in counts {
            // Six standard deviations: once in a billion by chance.
            let off = (f64::from(count) - share).abs() / share.sqrt();
            assert!(off < 6.0, "{mv:?}: {count}, not {share:.0}, of {text}");
        }
    }
}
