//! The fields kept move by move, the scan of all children and the counts of
//! steps equal what is computed from scratch, at every ply of random games.

use agros::on_size;
use agros::rules::{BoardSize, Fields, Position, Side, State};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Plays one random game and checks every ply; returns the plies.
fn check_game<S: BoardSize>(mut state: State<S>, rng: &mut SplitMix64) -> u64 {
    let mut fields = Fields::of(&state);
    let mut plies = 0;
    while !state.is_over() {
        assert_eq!(fields.standing(), state.standing(), "{state:?}");
        let moves = state.legal_moves();
        let lines = state.lines();
        let steps = state.steps(&lines, state.side());
        let mut seen = 0;
        fields.scan(&state, steps, |mv, standing| {
            assert_eq!(mv, moves[seen], "{state:?}");
            seen += 1;
            let mut child = state;
            child.make(mv);
            assert_eq!(standing, child.standing(), "{mv} in {state:?}");
        });
        assert_eq!(seen, moves.len());
        if !state.is_placing() {
            assert_eq!(steps.count() as usize + 1, moves.len());
            assert_eq!(steps.harvests() + steps.sowings(), steps.count());
        }
        // A pass only now and then, so that games grow old.
        let all = moves.len() as u64;
        let choices = if all > 1 && !state.is_placing() && !rng.next_u64().is_multiple_of(50) {
            all - 1
        } else {
            all
        };
        let mv = moves[(rng.next_u64() % choices) as usize];
        fields.make(&state, mv);
        state.make(mv);
        plies += 1;
    }
    assert_eq!(fields.standing(), state.standing());
    let score = state.score();
    assert_eq!(state.standing().margin(), score.margin());
    let sum = |side: Side| state.standing().worth.points(side) as i32;
    assert_eq!(score.light.0 / 2, sum(Side::Light));
    assert_eq!(score.dark.0 / 2, sum(Side::Dark));
    plies
}

#[test]
fn fields_and_scans_equal_those_from_scratch() {
    let mut rng = SplitMix64::seed_from_u64(7);
    for size in 3..=12 {
        for farmers in 1..=7 {
            let Ok(start) = Position::start(size, farmers) else {
                continue;
            };
            let mut plies = 0;
            while plies < 1000 {
                plies += on_size!(*start.state(), s => check_game(s, &mut rng));
            }
        }
    }
}
