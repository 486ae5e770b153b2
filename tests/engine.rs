//! The engine on positions of every size.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use agros::engine::{Clock, Engine, Judgement, Limits, Options, Proven, Report, StopReason};
use agros::rules::{Move, Position, Side};

fn search(engine: &mut Engine, position: &Position, limits: &Limits) -> Report {
    engine.search(position, limits, &AtomicBool::new(false), &mut |_| ())
}

fn small() -> Options {
    Options {
        hash_mib: 4,
        ..Options::default()
    }
}

#[test]
fn plays_whole_games_on_every_size() {
    for size in 3..=12 {
        for threads in [1, 2] {
            let farmers = Position::usual_farmers(size);
            let mut position = Position::start(size, farmers).unwrap();
            let mut engine = Engine::new(Options { threads, ..small() });
            while !position.is_over() {
                let report = search(&mut engine, &position, &Limits::nodes(30));
                assert_eq!(report.perspective, position.side());
                assert_eq!(report.lines.len(), position.legal_moves().len());
                assert!((0.0..=1.0).contains(&report.winrate) && report.margin.is_finite());
                for line in &report.lines {
                    let mut end = position;
                    line.pv.iter().for_each(|&mv| end.play(mv).unwrap());
                }
                position.play(report.best().unwrap()).unwrap();
            }
            let report = search(&mut engine, &position, &Limits::nodes(30));
            assert_eq!(
                (report.best(), report.stop),
                (None, Some(StopReason::GameOver))
            );
        }
    }
}

#[test]
fn proven_ends_of_games_still_have_moves_when_memory_is_short() {
    for seed in 0..6 {
        let mut position = Position::start(4, 1).unwrap();
        let mut engine = Engine::new(Options {
            hash_mib: 1,
            seed,
            ..Options::default()
        });
        while !position.is_over() {
            let limits = Limits {
                keep_going: seed % 2 == 0,
                ..Limits::nodes(6000)
            };
            let report = search(&mut engine, &position, &limits);
            position
                .play(report.best().expect("a move"))
                .expect("a legal one");
        }
    }
}

#[test]
fn after_a_pass_the_side_ahead_has_won() {
    // Dark has passed; Light is ahead and need only pass too.
    let position: Position = "x3/L2,x1,l/x2,D1 L 1 1".parse().unwrap();
    assert!(position.margin().0 > 0);
    let report = search(&mut Engine::new(small()), &position, &Limits::nodes(2000));
    assert!(
        matches!(report.proven, Some(Proven::Win(_) | Proven::Exact(_))),
        "{report:?}"
    );
    assert_eq!(report.winrate, 1.0);
}

#[test]
fn one_thread_with_a_seed_repeats_itself() {
    let position: Position = "start".parse().unwrap();
    let run = || search(&mut Engine::new(small()), &position, &Limits::nodes(500)).lines;
    assert_eq!(run(), run());
}

#[test]
fn a_search_is_taken_up_where_the_last_one_ended() {
    let mut position: Position = "start:8".parse().unwrap();
    let mut engine = Engine::new(Options {
        hash_mib: 64,
        ..Options::default()
    });
    let first = search(&mut engine, &position, &Limits::nodes(3000));
    position.play(first.best().unwrap()).unwrap();
    let second = search(&mut engine, &position, &Limits::nodes(1));
    let visits: u32 = second.lines.iter().map(|line| line.visits).sum();
    assert!(visits + 1 >= first.lines[0].visits, "{visits}");
    // Another board starts anew.
    let other: Position = "start:9".parse().unwrap();
    assert_eq!(search(&mut engine, &other, &Limits::nodes(10)).nodes, 10);
}

#[test]
fn clocks_are_kept() {
    let position: Position = "start:12".parse().unwrap();
    let clock = Clock {
        remaining: Duration::from_millis(1000),
        increment: Duration::from_millis(10),
        moves_to_go: 0,
    };
    let start = Instant::now();
    let limits = Limits {
        clock: Some(clock),
        ..Limits::default()
    };
    search(&mut Engine::new(small()), &position, &limits);
    assert!(start.elapsed() < Duration::from_millis(400));
}

#[test]
fn the_present_margin_can_be_the_judge() {
    let position: Position = "x8/x8/x3,D1,x4/x8/x4,L1,x3/x2,D1,x5/x8/x5,L1,x2 L 3 0"
        .parse()
        .unwrap();
    let options = Options {
        judgement: Judgement::PresentMargin,
        ..small()
    };
    let report = search(&mut Engine::new(options), &position, &Limits::nodes(100));
    assert!(matches!(report.best(), Some(Move::Place(_))));
    assert_eq!(report.perspective, Side::Light);
}
