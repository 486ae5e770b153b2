//! `agros analyze`: the table in a pipe, JSON, and live on a terminal.
#![cfg(unix)]

use rexpect::session::spawn_command;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const POSITION: &str = "x4/x1,d,D2,x1/l,d,L1,x1/x2,l,x1 L 1 0";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agros"));
    command.args(["analyze", "--threads", "1", "--hash", "4"]);
    command.args(args);
    command
}

fn run(args: &[&str]) -> (String, Output) {
    let output = command(args).output().unwrap();
    (String::from_utf8(output.stdout.clone()).unwrap(), output)
}

#[test]
fn a_table_says_whose_view_it_is_and_ranks_the_moves() {
    let (text, output) = run(&[POSITION, "--nodes", "2000", "--multipv", "3"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("Light's view: wins "), "{text}");
    let head: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(
        head,
        ["move", "visits", "win", "%", "margin", "proven", "line"]
    );
    assert_eq!(lines.len(), 5);
    let (again, _) = run(&[POSITION, "--nodes", "2000", "--multipv", "3"]);
    assert_eq!(text, again, "the same search says the same");
}

#[test]
fn json_is_one_object_a_line_and_a_batch_one_line_a_position() {
    let (text, _) = run(&[POSITION, "--nodes", "500", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["perspective"], "light");
    let best = &value["lines"][0];
    assert_eq!(best["move"], best["pv"][0]);
    assert!((0.0..=1.0).contains(&best["winrate"].as_f64().unwrap()));
    for json in [true, false] {
        let mut batch = command(&["-", "--nodes", "50"]);
        if json {
            batch.arg("--json");
        }
        let mut child = batch
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = format!("{POSITION}\nnonsense\nx4/x1,d,D2,x1/l,d,L1,x1/x2,l,x1 L 1 2\n");
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[1].contains("error"));
        assert!(json || lines[2] == "none");
    }
}

#[test]
fn a_finished_game_has_no_moves_to_rank() {
    let (text, output) = run(&["x4/x1,d,D2,x1/l,d,L1,x1/x2,l,x1 L 1 2"]);
    assert!(output.status.success());
    assert!(text.contains("there is no move"), "{text}");
}

#[test]
fn a_terminal_sees_it_deepen_and_ctrl_c_ends_it_with_what_is_known() {
    let mut live = command(&["start:10:5", "--time", "1h"]);
    live.env("TERM", "xterm").env("NO_COLOR", "1");
    let mut terminal = spawn_command(live, Some(20_000)).unwrap();
    // A picture, and another drawn over it.
    terminal.exp_string("Light to place a farmer.").unwrap();
    terminal.exp_regex("\u{1b}\\[[0-9]+A").unwrap();
    terminal.exp_string("Light's view: wins ").unwrap();
    terminal.send_control('c').unwrap();
    terminal.exp_eof().unwrap();
    let status = terminal.process.wait().unwrap();
    assert!(format!("{status:?}").contains(", 0"), "{status:?}");
}
