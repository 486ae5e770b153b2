//! `agros play` in a terminal of its own, as a person meets it, and with its
//! input from a pipe.
#![cfg(unix)]

use agros::play::Record;
use rexpect::session::{PtySession, spawn_command};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agros"));
    command
        .current_dir(folder)
        .args(["play", "--threads", "1", "--hash", "8"]);
    command.args(args).env("TERM", "dumb").env("NO_COLOR", "1");
    command
}

fn play(folder: &TempDir, args: &[&str]) -> PtySession {
    spawn_command(command(folder.path(), args), Some(20_000)).unwrap()
}

/// Types a line and waits for what should come of it.
fn say(terminal: &mut PtySession, line: &str, answer: &str) {
    terminal.send_line(line).unwrap();
    terminal
        .exp_string(answer)
        .unwrap_or_else(|e| panic!("{line}: {e}"));
}

fn record(folder: &TempDir, name: &str) -> Record {
    fs::read_to_string(folder.path().join(name))
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn a_person_plays_a_game_to_its_end() {
    let folder = TempDir::new().unwrap();
    let mut terminal = play(&folder, &["start:4:1", "--level", "1"]);
    terminal.exp_string("You play Light").unwrap();
    say(&mut terminal, "help", "a harvest or a sowing");
    say(&mut terminal, "nonsense", "neither a move");
    say(&mut terminal, "moves c3f6 x", "neither a move");
    say(&mut terminal, "z9", "neither a move");
    say(&mut terminal, "pass", "pass is not legal: nobody may pass");
    say(&mut terminal, "moves", "a1 a2 a3 a4 b1");
    say(&mut terminal, "hint", "expected margin");
    say(&mut terminal, "b2", "The engine plays");
    terminal.exp_string("Light, move 3>").unwrap();
    say(&mut terminal, "b2c4", "not a straight line");
    say(&mut terminal, "moves b2", "harvest, crop 2");
    say(&mut terminal, "fields", "cells,  Light");
    say(&mut terminal, "score", "Score: Light");
    say(&mut terminal, "undo", "Light, move 1>");
    say(&mut terminal, "undo", "no move to take back");
    say(&mut terminal, "level 9", "The level is 1 to 8");
    say(&mut terminal, "level 8", "full strength");
    say(&mut terminal, "time 50ms", "50ms a move at most");
    say(&mut terminal, "B2", "Light, move 3>");
    // The engine goes on for as long as it gains by it, then passes too.
    for _ in 0..40 {
        terminal.send_line("pass").unwrap();
        let (_, found) = terminal
            .exp_regex("The game is over: (Light wins|Dark wins|a draw)|Light, move [0-9]+>")
            .unwrap();
        if found.contains("over") {
            break;
        }
    }
    say(&mut terminal, "quit", "agros play --resume agros-game.txt");
    terminal.exp_eof().unwrap();
    let record = record(&folder, "agros-game.txt");
    assert!(record.position().is_over());
}

#[test]
fn ctrl_c_leaves_the_game_kept_and_it_can_be_gone_on_with() {
    let folder = TempDir::new().unwrap();
    let mut terminal = play(&folder, &["start:8:3", "--side", "both"]);
    terminal.exp_string("Light, move 1>").unwrap();
    say(&mut terminal, "e4", "Dark, move 2>");
    say(&mut terminal, "d6", "Dark, move 3>");
    terminal.send_control('c').unwrap();
    terminal
        .exp_string("The game is in agros-game.txt")
        .unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(record(&folder, "agros-game.txt").moves().len(), 2);

    // The same on a terminal on which lines can be edited.
    let args = ["--resume", "agros-game.txt", "--side", "both"];
    let mut edited = command(folder.path(), &args);
    edited.env("TERM", "xterm");
    let mut terminal = spawn_command(edited, Some(20_000)).unwrap();
    terminal.exp_string("Dark, move 3>").unwrap();
    terminal.send_control('c').unwrap();
    terminal
        .exp_string("The game is in agros-game.txt")
        .unwrap();
    terminal.exp_eof().unwrap();

    let mut terminal = play(&folder, &args);
    terminal.exp_string("Dark, move 3>").unwrap();
    say(&mut terminal, "c2", "Light, move 4>");
    say(&mut terminal, "save other.txt", "Saved to other.txt");
    say(&mut terminal, "save other.txt", "exists");
    say(&mut terminal, "resign", "Light resigns: Dark wins");
    say(&mut terminal, "c3", "undo takes the resignation back");
    terminal.send_control('d').unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(record(&folder, "agros-game.txt").moves().len(), 3);
    assert_eq!(record(&folder, "other.txt").moves().len(), 3);

    // A new game doesn't touch the old one.
    let mut terminal = play(&folder, &["start:4:1", "--side", "both"]);
    say(&mut terminal, "a1", "Dark, move 2>");
    say(&mut terminal, "new 99", "99");
    say(&mut terminal, "new 4 2", "The game is in agros-game-2.txt");
    terminal.exp_string("Light, move 1>").unwrap();
    say(&mut terminal, "side nobody", "light, dark, both or neither");
    say(&mut terminal, "side LIGHT", "You play Light");
    say(&mut terminal, "a1", "The engine plays");
    terminal.exp_string("Light, move 4>").unwrap();
    say(&mut terminal, "quit", "The game is in agros-game-3.txt");
    terminal.exp_eof().unwrap();
    assert_eq!(record(&folder, "agros-game-2.txt").moves().len(), 1);
    assert_eq!(record(&folder, "agros-game-3.txt").moves().len(), 3);
    assert_eq!(record(&folder, "agros-game.txt").moves().len(), 3);
}

#[test]
fn ctrl_c_while_the_engine_thinks_leaves_the_game_kept() {
    let folder = TempDir::new().unwrap();
    let args = ["start:10:5", "--level", "8", "--time", "1h"];
    let mut terminal = play(&folder, &args);
    terminal.exp_string("Light, move 1>").unwrap();
    say(&mut terminal, "e5", "Dark to place a farmer.");
    std::thread::sleep(std::time::Duration::from_millis(300));
    terminal.send_control('c').unwrap();
    terminal
        .exp_string("The game is in agros-game.txt")
        .unwrap();
    terminal.exp_eof().unwrap();
    assert_eq!(record(&folder, "agros-game.txt").moves().len(), 1);
}

#[test]
fn the_engine_can_play_itself_and_dark_can_be_the_person() {
    let folder = TempDir::new().unwrap();
    let mut terminal = play(&folder, &["start:4:1", "--side", "neither", "--level", "4"]);
    terminal.exp_string("The game is over").unwrap();
    say(&mut terminal, "hint", "The game is over.");
    say(&mut terminal, "quit", "agros-game.txt");
    let mut terminal = play(&folder, &["start:4:1", "--side", "dark", "--level", "1"]);
    terminal.exp_string("The engine plays").unwrap();
    terminal.exp_string("Dark, move 2>").unwrap();
}

#[test]
fn a_pipe_is_answered_too_and_bad_usage_refused() {
    let folder = TempDir::new().unwrap();
    let mut child = command(folder.path(), &["start:4:1", "--side", "both"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input
        .write_all(b"a1\n\xff\xfe\nd4\n\x00\x1b[A\nscore\n")
        .unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Score: Light"), "{text}");
    assert_eq!(record(&folder, "agros-game.txt").moves().len(), 2);

    fs::write(folder.path().join("bad.txt"), "start:4:1\na1 a1").unwrap();
    for (args, reason) in [
        (&["start:99"][..], "99"),
        (&["--level", "9"], "9"),
        (&["--save", "bad.txt"], "bad.txt exists"),
        (&["--resume", "none.txt"], "none.txt"),
        (
            &["--resume", "bad.txt"],
            "line 2, move 2: a1: a1 is occupied",
        ),
    ] {
        let output = command(folder.path(), args)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(
            error.contains(reason) && error.lines().count() == 1,
            "{error}"
        );
    }
}
