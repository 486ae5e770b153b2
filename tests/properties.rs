//! What the rules promise of every position, whatever the library makes of
//! it: symmetry, the exchange of colours, text, the end of the game. The
//! judgement promises the first two as well.

use agros::evaluation::{Judge, Judgement};
use agros::on_size;
use agros::rules::{BoardSize, Move, Position, State};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::FileFailurePersistence;

pub mod bridge;
pub mod reference;

use reference::images::{SYMMETRIES, turn};
use reference::{Action, Field, Mailbox};

/// A game of any size and number of farmers: the positions that a list of
/// choices leads to. One choice in 32 is a pass where the rules allow it, the
/// others are spread over all moves.
fn game() -> impl Strategy<Value = Vec<(Position, Option<Move>)>> {
    let boards = (3..=12usize).prop_flat_map(|size| (Just(size), 1..=Mailbox::most_farmers(size)));
    (boards, vec(any::<u16>(), 0..160)).prop_map(|((size, farmers), choices)| {
        let mut position = Position::start(size as u8, farmers as u8).expect("a board that fits");
        let mut game = Vec::new();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = match choice {
                0..2048 if !position.is_placing() => Move::Pass,
                _ => moves[usize::from(choice) % moves.len()],
            };
            game.push((position, Some(mv)));
            position.play(mv).expect("a legal move");
        }
        game.push((position, None));
        game
    })
}

/// A position of such a game.
fn position() -> impl Strategy<Value = Position> {
    (game(), any::<Index>()).prop_map(|(game, at)| at.get(&game).0)
}

fn turn_action(action: Action, size: usize, symmetry: usize) -> Action {
    match action {
        Action::Pass => Action::Pass,
        Action::Place(at) => Action::Place(turn(at, size, symmetry)),
        Action::Step { from, to } => Action::Step {
            from: turn(from, size, symmetry),
            to: turn(to, size, symmetry),
        },
    }
}

/// The library's position turned by a symmetry.
fn turned(position: &Position, symmetry: usize) -> Position {
    let after = bridge::mailbox(position).turned(symmetry);
    after.to_string().parse().expect("a turned position")
}

/// The library's position with the colours exchanged.
fn exchanged(position: &Position) -> Position {
    let after = bridge::mailbox(position).exchanged();
    after.to_string().parse().expect("an exchanged position")
}

/// All fields, sorted, so that they can be compared after a symmetry.
fn sorted_fields(position: &Position, map: impl Fn(Field) -> Field) -> Vec<Field> {
    let mut fields: Vec<Field> = bridge::fields(position).into_iter().map(map).collect();
    for field in &mut fields {
        field.cells.sort_unstable();
    }
    fields.sort_unstable();
    fields
}

/// No game has more moves than this. Sowing only ever fills cells, at least
/// one each; harvests make crops grow by one and no crop exceeds the size,
/// so there are no more of them than the crops at the end and the seeds sown.
/// Between two of these at most one pass, and two at the end.
fn longest_game(size: usize, farmers: usize) -> usize {
    let sown = size * size - 2 * farmers;
    let grown = 2 * farmers * (size - 1) + sown;
    2 * farmers + 2 * (sown + grown) + 2
}

/// Every move with the log odds, the expected margin and the likelihood that
/// the judgement gives it, sorted by move.
fn judged(position: &Position) -> Vec<(Action, [f32; 3])> {
    fn of<S: BoardSize>(state: &State<S>) -> Vec<(Action, [f32; 3])> {
        let judge = Judge::new::<S>(state.farmers(), &Judgement::Fitted);
        let mut judged = Vec::new();
        judge.each_child(state, |mv, child| {
            let action = bridge::action(mv, S::SIZE.into());
            judged.push((action, [child.logit, child.expected, child.policy]));
        });
        judged.sort_unstable_by_key(|&(action, _)| action);
        judged
    }
    on_size!(position.state(), state => of(state))
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn symmetries_turn_moves_and_fields_and_keep_scores(position in position()) {
        let size = usize::from(position.size());
        for symmetry in 1..SYMMETRIES {
            let other = turned(&position, symmetry);
            let turn_all = |a: Vec<Action>| a.into_iter().map(|a| turn_action(a, size, symmetry));
            let mut expected: Vec<Action> = turn_all(bridge::actions(&position)).collect();
            expected.sort_unstable();
            prop_assert_eq!(bridge::actions(&other), expected);
            prop_assert_eq!(other.score(), position.score());
            let turn_field = |field: Field| Field {
                cells: field.cells.iter().map(|&at| turn(at, size, symmetry)).collect(),
                crops: field.crops,
            };
            let fields = sorted_fields(&other, |field| field);
            prop_assert_eq!(fields, sorted_fields(&position, turn_field));
        }
    }

    #[test]
    fn a_move_and_a_symmetry_may_change_places(
        position in position(), symmetry in 1..SYMMETRIES, choice: Index,
    ) {
        let moves = position.legal_moves();
        prop_assume!(!moves.is_empty());
        let size = usize::from(position.size());
        let mv = moves[choice.index(moves.len())];
        let mut moved_first = position;
        moved_first.play(mv).expect("a legal move");
        let mut turned_first = turned(&position, symmetry);
        let action = turn_action(bridge::action(mv, size), size, symmetry);
        turned_first.play(bridge::library_move(action, size)).expect("a turned move");
        prop_assert_eq!(turned(&moved_first, symmetry), turned_first);
    }

    #[test]
    fn the_exchange_of_colours_keeps_moves_and_swaps_scores(position in position()) {
        prop_assume!(!position.is_placing());
        let other = exchanged(&position);
        prop_assert_eq!(bridge::actions(&other), bridge::actions(&position));
        prop_assert_eq!(other.score().light, position.score().dark);
        prop_assert_eq!(other.score().dark, position.score().light);
        prop_assert_eq!(other.margin().0, -position.margin().0);
        let swap = |field: Field| {
            let [light, dark] = field.crops;
            Field { cells: field.cells, crops: [dark, light] }
        };
        prop_assert_eq!(sorted_fields(&other, |field| field), sorted_fields(&position, swap));
    }

    #[test]
    fn judgements_turn_with_the_board_and_change_sign_with_the_colours(
        position in position(), symmetry in 1..SYMMETRIES,
    ) {
        prop_assume!(!position.is_over());
        let size = usize::from(position.size());
        let all = judged(&position);
        let turned_actions = all.iter().map(|&(a, j)| (turn_action(a, size, symmetry), j));
        let mut expected: Vec<_> = turned_actions.collect();
        expected.sort_unstable_by_key(|&(action, _)| action);
        prop_assert_eq!(judged(&turned(&position, symmetry)), expected);
        if !position.is_placing() {
            let negative: Vec<_> = all.iter().map(|&(a, j)| (a, j.map(|x| -x))).collect();
            prop_assert_eq!(judged(&exchanged(&position)), negative);
        }
    }

    #[test]
    fn what_is_printed_reads_back(position in position()) {
        let text = position.to_string();
        let read: Position = text.parse().expect("a printed position");
        prop_assert_eq!(read, position);
        prop_assert_eq!(read.to_string(), text);
        for mv in position.legal_moves() {
            prop_assert_eq!(mv.to_string().parse(), Ok(mv));
            prop_assert_eq!(mv.to_string().to_uppercase().parse(), Ok(mv));
        }
    }

    #[test]
    fn other_forms_of_a_position_read_the_same(position in position()) {
        let text = position.to_string();
        let mut loose = String::from("\t ");
        for c in text.chars() {
            match c {
                ' ' => loose.push_str(" \t "),
                c => loose.push(c),
            }
        }
        loose.push_str(" \r\n");
        prop_assert_eq!(loose.parse(), Ok(position));
        let mut single = text.clone();
        for run in (1..=12).rev() {
            single = single.replace(&format!("x{run}"), &vec!["x"; run].join(","));
        }
        prop_assert_eq!(single.parse(), Ok(position));
    }

    #[test]
    fn passes_count_the_passes_in_a_row(game in game()) {
        let mut passes = 0;
        for (position, mv) in game {
            prop_assert_eq!(position.passes(), passes);
            prop_assert_eq!(position.is_over(), passes == 2);
            prop_assert_eq!(position.legal_moves().is_empty(), passes == 2);
            prop_assert_eq!(position.legal_moves().contains(&Move::Pass),
                passes < 2 && !position.is_placing());
            passes = if mv == Some(Move::Pass) { passes + 1 } else { 0 };
        }
    }

    #[test]
    fn every_game_ends(position in position(), choices in vec(any::<u16>(), 1..50)) {
        let bound = longest_game(position.size().into(), position.farmers().into());
        let mut position = position;
        let mut played = 0;
        for choice in choices.iter().cycle() {
            // The pass last, and only where nothing else is legal.
            let mut moves = position.legal_moves();
            moves.sort_unstable_by_key(|&mv| mv == Move::Pass);
            let Some(others) = moves.len().checked_sub(1) else { break };
            let mv = moves[usize::from(*choice) % others.max(1)];
            position.play(mv).expect("a legal move");
            played += 1;
            prop_assert!(played <= bound, "{} moves", played);
        }
        prop_assert!(position.is_over());
    }
}
