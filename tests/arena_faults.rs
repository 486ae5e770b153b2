//! Scripted engines that misbehave, each ending its games as it should.
//!
//! This test binary itself is the engine: started with `MOCK` in its
//! environment, the "test" `mock_engine` speaks UGI instead of testing.
#![cfg(unix)]

use agros::arena::journal::{Ending, FORMAT, Header, Journal, Record, read};
use agros::arena::report::Report;
use agros::arena::settings::Settings;
use agros::arena::tournament::{Close, Listener, Tournament};
use agros::rules::{Move, Position};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The engine; a test that passes at once unless it is called as one.
#[test]
fn mock_engine() {
    let Ok(script) = std::env::var("MOCK") else {
        return;
    };
    if script == "dies-at-start" {
        eprintln!("no licence found");
        exit(3);
    }
    let mut position = Position::start(5, 2).unwrap();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ugi"] => say("id name mock\noption name Seed type spin default 0\nugiok"),
            ["isready"] if script == "never-ready" => {}
            ["isready"] => say("readyok"),
            ["position", "fen", rest @ ..] => position = replay(rest),
            ["go", ..] => go(&script, &position),
            ["quit"] if script == "ignores-quit" => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            ["quit"] => exit(0),
            _ => {}
        }
    }
    exit(0);
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

fn replay(words: &[&str]) -> Position {
    let mut position: Position = words[..4].join(" ").parse().unwrap();
    for mv in words.iter().skip(5) {
        position.play(mv.parse().unwrap()).unwrap();
    }
    position
}

/// The first legal move that is no pass.
fn any_move(position: &Position) -> Move {
    let moves = position.legal_moves();
    let other = moves.iter().find(|&&mv| mv != Move::Pass);
    *other.unwrap_or(&Move::Pass)
}

fn go(script: &str, position: &Position) {
    match script {
        "crashes-on-go" => {
            eprintln!("thread 'main' panicked at engine.rs:7:1:\nout of luck\n");
            eprintln!("note: run with `RUST_BACKTRACE=1` to see where");
            exit(101);
        }
        "never-answers" => return,
        "floods" => loop {
            let chunk = vec![b'x'; 1 << 16];
            if io::stdout().lock().write_all(&chunk).is_err() {
                exit(0);
            }
        },
        "floods-lines" => loop {
            say("info string still thinking");
        },
        "illegal" => return say("bestmove a1a1"),
        "nonsense" => return say("bestmove \u{1b}[31mresign"),
        "no-move" => return say("bestmove"),
        "wrong-side" => {
            let mut other = *position;
            if other.play(Move::Pass).is_ok() && !other.is_over() {
                return say(&format!("bestmove {}", any_move(&other)));
            }
        }
        "slow" => std::thread::sleep(Duration::from_millis(150)),
        "noisy" => {
            for _ in 0..3000 {
                say("info depth 1 nodes 7 string nodes 9");
            }
            eprintln!("{}", "complaint ".repeat(20_000));
        }
        _ => {}
    }
    say(&format!(
        "info nodes 42\nbestmove {} ponder a1",
        any_move(position)
    ));
}

/// A player of this binary with a script.
fn mock(script: &str) -> String {
    let exe = std::env::current_exe().unwrap();
    let exe = exe.display();
    format!("cmd:\"env MOCK={script} '{exe}' --exact mock_engine --nocapture\",name={script}")
}

struct Quiet;

impl Listener for Quiet {
    fn game_over(&mut self, _: &Record) {}
}

/// Plays two games of `script` against the greedy player.
fn two_games(script: &str, limit: &str) -> (Vec<Record>, Report) {
    let settings: Settings = serde_json::from_value(serde_json::json!({
        "format": "match", "players": [mock(script), "greedy"], "rounds": 1,
        "size": 5, "farmers": 2, "openings": "random", "seed": 5,
        "limit": limit, "margin_ms": 20, "watchdog_ms": 700,
        "threads": 1, "hash": 1,
    }))
    .unwrap();
    let tournament = Tournament::new(settings.clone(), None).unwrap();
    let header = Header {
        agros_journal: FORMAT,
        version: String::new(),
        players: Vec::new(),
        settings,
        shard: None,
    };
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("journal");
    let mut journal = Journal::create(&path, &header).unwrap();
    let stop = AtomicBool::new(false);
    let close = tournament.run(&mut journal, &[], 1, &stop, &mut Quiet);
    assert_eq!(close, Ok(Close::Complete));
    let contents = read(&path).unwrap();
    let report = Report::of(&contents.header, &contents.records);
    (contents.records, report)
}

/// Both games are lost by the script in the way named.
fn assert_fault(script: &str, limit: &str, ending: Ending, detail: &str) {
    let start = Instant::now();
    let (records, report) = two_games(script, limit);
    assert_eq!(records.len(), 2, "{script}: the match goes on");
    for record in &records {
        assert_eq!(record.ending, ending, "{script}: {record:?}");
        assert_eq!(record.half_points_of(script), 0, "{script}: {record:?}");
        let told = record.detail.as_deref().unwrap();
        assert!(told.contains(detail), "{script}: {told}");
        assert_eq!(record.points, None);
    }
    let place = Ending::ALL.iter().position(|&e| e == ending).unwrap() - 1;
    let mut faults = [0; 4];
    faults[place] = 2;
    assert_eq!(report.players[0].faults, faults, "{script}");
    assert_eq!(report.players[1].faults, [0; 4], "{script}");
    let report = report.to_string();
    assert!(report.contains("games lost by"));
    let first = format!(
        "{script}, game 0: {}",
        records[0].detail.as_deref().unwrap()
    );
    assert!(report.contains(&first), "{report}");
    assert!(
        start.elapsed() < Duration::from_secs(15),
        "{script} held us up"
    );
}

#[test]
fn a_sound_engine_plays_to_the_end_and_its_nodes_are_recorded() {
    let (records, report) = two_games("sound", "nodes=5");
    assert!(records.iter().all(|record| record.ending == Ending::Rules));
    assert!(
        records
            .iter()
            .all(|record| record.nodes.contains(&Some(42)))
    );
    assert!(!report.has_faults());
}

#[test]
fn noise_on_stdout_and_stderr_does_no_harm() {
    let (records, _) = two_games("noisy", "nodes=5");
    assert!(records.iter().all(|record| record.ending == Ending::Rules));
}

#[test]
fn an_engine_that_ignores_quit_is_ended() {
    let (records, _) = two_games("ignores-quit", "nodes=5");
    assert!(records.iter().all(|record| record.ending == Ending::Rules));
}

#[test]
fn an_engine_that_dies_at_its_start_loses_by_crash() {
    assert_fault(
        "dies-at-start",
        "nodes=5",
        Ending::Crash,
        "no licence found",
    );
}

#[test]
fn an_engine_that_crashes_loses_by_crash() {
    assert_fault(
        "crashes-on-go",
        "nodes=5",
        Ending::Crash,
        "exit status: 101; its last words: thread 'main' panicked at engine.rs:7:1: | out of luck | ",
    );
}

#[test]
fn an_engine_that_never_answers_loses_by_stall_without_a_clock_too() {
    assert_fault("never-answers", "nodes=5", Ending::Stall, "no answer");
    assert_fault("never-answers", "time=20ms", Ending::Stall, "no answer");
}

#[test]
fn an_engine_that_is_never_ready_loses_by_stall() {
    assert_fault(
        "never-ready",
        "nodes=5",
        Ending::Stall,
        "before the game: no answer",
    );
}

#[test]
fn an_engine_that_floods_loses_by_stall() {
    assert_fault(
        "floods",
        "nodes=5",
        Ending::Stall,
        "without the end of a line",
    );
    assert_fault("floods-lines", "nodes=5", Ending::Stall, "no answer");
}

#[test]
fn an_engine_with_illegal_answers_loses_by_them() {
    assert_fault("illegal", "nodes=5", Ending::Illegal, "'a1a1'");
    assert_fault("nonsense", "nodes=5", Ending::Illegal, "'[31mresign'");
    assert_fault("no-move", "nodes=5", Ending::Illegal, "''");
    assert_fault("wrong-side", "nodes=5", Ending::Illegal, "");
}

#[test]
fn an_engine_that_is_slow_loses_by_time_and_only_under_a_clock() {
    assert_fault("slow", "time=50ms", Ending::Time, "over the limit");
    assert_fault("slow", "clock=60ms+1ms", Ending::Time, "over the limit");
}
