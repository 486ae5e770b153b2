//! `agros bench playouts`: its figures agree with each other and with the
//! rules, and what it can't do it refuses.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

pub mod binary;
pub mod reference;
use binary::{agros, text};
use reference::{Mailbox, random::playout};

#[test]
fn playouts_tell_what_they_measured() {
    let output = agros(&["bench", "playouts", "--seconds", "0.2", "--json"], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let line: Value = serde_json::from_str(text(&output.stdout)).expect("JSON");
    let number = |name: &str| line[name].as_f64().expect(name);
    let (games, moves) = (number("games_per_s"), number("moves_per_s"));
    assert!(games > 0.0);
    let ratio = moves / games / number("mean_length");
    assert!((ratio - 1.0).abs() < 0.01, "{line}");
    // The reference's games, far fewer, have the same means.
    let (length, light) = reference_means(1000);
    assert!(
        (number("mean_length") / length - 1.0).abs() < 0.05,
        "{line} {length}"
    );
    assert!(
        (number("mean_light") / light - 1.0).abs() < 0.25,
        "{line} {light}"
    );
    assert_eq!(line.as_object().map(|o| o.len()), Some(4));
}

/// The mean length of so many random games on 10×10 with 5 farmers, and
/// Light's mean score.
fn reference_means(games: u32) -> (f64, f64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut moves, mut light) = (0, 0);
    for _ in 0..games {
        let mut position = Mailbox::start(10, 5);
        moves += playout(&mut position, &mut Vec::new(), &mut rng);
        light += position.score()[0];
    }
    let games = f64::from(games);
    (f64::from(moves) / games, f64::from(light) / 2.0 / games)
}

#[test]
fn playouts_take_every_board() {
    for (size, farmers) in [("3", "1"), ("8", "3"), ("12", "7"), ("4", "7")] {
        let args = ["bench", "playouts", "--size", size, "--farmers", farmers];
        let output = agros(&[&args[..], &["--seconds", "0.01"]].concat(), "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let lines: Vec<&str> = text(&output.stdout).lines().collect();
        assert_eq!(lines.len(), 4, "{lines:?}");
        for (line, name) in lines
            .iter()
            .zip(["games/s", "moves/s", "mean length", "mean Light"])
        {
            let number = line.split_whitespace().last().map(str::parse::<f64>);
            assert!(
                line.starts_with(name) && matches!(number, Some(Ok(_))),
                "{line}"
            );
        }
    }
}

#[test]
fn playouts_refuse_what_is_no_board_or_time() {
    for bad in [
        ["--size", "13"],
        ["--size", "300"],
        ["--farmers", "0"],
        ["--farmers", "8"],
        ["--seconds", "0"],
        ["--seconds", "-1"],
        ["--seconds", "NaN"],
        ["--seconds", "inf"],
        ["--seconds", "1e9"],
        ["--seconds", "x"],
    ] {
        let output = agros(&[&["bench", "playouts"][..], &bad].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{bad:?}");
        assert!(output.stdout.is_empty(), "{bad:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1, "{bad:?}");
    }
}

#[test]
fn positions_of_a_file_are_searched_and_bad_ones_named() {
    let bench = |positions: &str| {
        let args = ["bench", "--nodes", "30", "--hash", "1", "--positions", "-"];
        agros(&args, positions)
    };
    let good = bench("# a comment\n\nstart:4\r\nx4/x4/x2,L2,x1/x1,D4,x2 L 1 0\n");
    assert!(good.status.success(), "{}", text(&good.stderr));
    let lines: Vec<&str> = text(&good.stdout).lines().collect();
    assert_eq!(lines[0], "nodes     60");
    // The suite has another signature.
    let suite = agros(&["bench", "--nodes", "30", "--hash", "1"], "");
    assert_ne!(
        lines[2],
        text(&suite.stdout).lines().nth(2).expect("three lines")
    );
    for (positions, reason) in [
        ("", "-: no position"),
        ("# only\n", "-: no position"),
        ("start:4\nstart:2\n", "-: line 2: "),
        (
            "x4/x4/x2,L2,x1/x1,D4,x2 L 1 2\n",
            "-: line 1: the game is over",
        ),
    ] {
        let bad = bench(positions);
        assert_eq!(bad.status.code(), Some(2), "{positions}");
        assert!(
            bad.stdout.is_empty() && text(&bad.stderr).contains(reason),
            "{}",
            text(&bad.stderr)
        );
    }
    let none = agros(&["bench", "--positions", "/nowhere/at/all"], "");
    assert_eq!(none.status.code(), Some(2));
    assert!(text(&none.stderr).contains("/nowhere/at/all"));
}
