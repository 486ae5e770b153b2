//! The library's uniform random games.

use std::collections::HashMap;

use agros::on_size;
use agros::rules::{Move, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::reference::Mailbox;
use crate::reference::random::scattered;
use crate::{boards, bridge};

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
