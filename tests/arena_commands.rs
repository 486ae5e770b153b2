//! The commands of the arena as a user runs them: killed, interrupted, spread
//! by GNU parallel, misused.
#![cfg(unix)]

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const AGROS: &str = env!("CARGO_BIN_EXE_agros");

fn agros(directory: &Path, arguments: &[&str]) -> Output {
    let command = Command::new(AGROS)
        .args(arguments)
        .current_dir(directory)
        .output();
    command.unwrap()
}

fn start(directory: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(AGROS);
    command.args(arguments).current_dir(directory);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain until {what}");
        sleep(Duration::from_millis(5));
    }
}

fn lines(file: &Path) -> usize {
    std::fs::read_to_string(file).map_or(0, |text| text.lines().count())
}

/// The arguments of a tournament of greedy and rollouts, long enough to be
/// broken off.
fn tournament<'a>(journal: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "tournament",
        "greedy",
        "rollouts:nodes=300",
        "--games",
        "40",
        "--size",
        "6",
        "--nodes",
        "1",
        "--concurrency",
        "2",
        "--seed",
        "3",
        "--journal",
        journal,
    ];
    arguments.extend(more);
    arguments
}

#[test]
fn killed_without_warning_it_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let whole = agros(directory, &tournament("whole", &[]));
    assert!(whole.status.success(), "{}", stderr(&whole));
    let mut broken = start(directory, &tournament("broken", &[]));
    wait_until("some games are over", || {
        lines(&directory.join("broken")) > 8
    });
    broken.kill().unwrap();
    broken.wait().unwrap();
    let before = lines(&directory.join("broken"));
    assert!(before < 41, "it was over before it was killed");
    let resumed = agros(directory, &["tournament", "--resume", "broken"]);
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert_eq!(lines(&directory.join("broken")), 41);
    assert_eq!(stdout(&resumed), stdout(&whole));
    let export = |journal: &str| stdout(&agros(directory, &["export", journal]));
    assert_eq!(export("broken"), export("whole"));
}

#[test]
fn interrupted_it_reports_and_leaves_no_engine_behind() {
    for signal in [Signal::INT, Signal::TERM] {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let engine = format!(
            "cmd:\"sh -c 'echo $$ >> pids; sleep 1000 & echo $! >> pids; exec {AGROS} ugi --threads 1'\",name=other"
        );
        let arguments = [
            "tournament",
            &engine,
            "greedy",
            "--games",
            "1000",
            "--time",
            "40ms",
            "--margin",
            "10s",
            "--concurrency",
            "2",
            "--journal",
            "journal",
        ];
        let child = start(directory, &arguments);
        wait_until("both engines run", || lines(&directory.join("pids")) >= 4);
        sleep(Duration::from_millis(300));
        let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
        let told = Instant::now();
        kill_process(pid, signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(
            told.elapsed() < Duration::from_secs(5),
            "{:?}",
            told.elapsed()
        );
        assert_eq!(output.status.code(), Some(1));
        assert!(
            stdout(&output).contains("of 1000 games"),
            "{}",
            stdout(&output)
        );
        assert!(stderr(&output).contains("--resume journal goes on"));
        for pid in std::fs::read_to_string(directory.join("pids"))
            .unwrap()
            .lines()
        {
            let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
            wait_until("the engine is gone", || test_kill_process(pid).is_err());
        }
    }
}

#[test]
fn an_external_engine_is_played_and_the_report_says_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let engine = format!("cmd:\"{AGROS} ugi\",name=external,threads=1,hash=8");
    let arguments = [
        "tournament",
        "mcts:name=own",
        &engine,
        "--games",
        "4",
        "--size",
        "6",
        "--nodes",
        "30",
        "--journal",
        "journal",
    ];
    let played = agros(directory, &arguments);
    assert!(played.status.success(), "{}", stderr(&played));
    assert!(stdout(&played).contains("endings: all games by the rules"));
    let report = agros(directory, &["report", "journal"]);
    assert_eq!(stdout(&report), stdout(&played));
    let journal = std::fs::read_to_string(directory.join("journal")).unwrap();
    let header: serde_json::Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    assert_eq!(header["players"][1]["name"], "external");
    assert_eq!(header["players"][1]["sha256"].as_str().unwrap().len(), 64);
    let json = agros(directory, &["report", "journal", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["games"], 4);
    let export = agros(directory, &["export", "journal"]);
    std::fs::write(directory.join("games"), &export.stdout).unwrap();
    let replay = agros(directory, &["replay", "games"]);
    assert!(replay.status.success());
    assert!(stdout(&replay).starts_with("4 games, "));
    std::fs::write(
        directory.join("games"),
        stdout(&export).replace("1.", "1.a1a1x"),
    )
    .unwrap();
    let replay = agros(directory, &["replay", "games"]);
    assert_eq!(replay.status.code(), Some(1));
    assert!(
        stderr(&replay).contains("move 1, 'a1a1x"),
        "{}",
        stderr(&replay)
    );
}

#[test]
fn gnu_parallel_plays_shards_that_join_to_the_whole() {
    if Command::new("parallel").arg("--version").output().is_err() {
        eprintln!("GNU parallel is not installed: nothing tested");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let whole = agros(directory, &tournament("whole", &[]));
    let status = Command::new("parallel")
        .args(["-j", "2", AGROS])
        .args(tournament("shard-{}.jsonl", &["--shard", "{}/3"]))
        .args([":::", "1", "2", "3"])
        .current_dir(directory)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let shards = ["report", "shard-1.jsonl", "shard-2.jsonl", "shard-3.jsonl"];
    let joined = agros(directory, &shards);
    assert_eq!(stdout(&joined), stdout(&whole));
    assert!(stdout(&joined).contains("40 of 40 games"));
}

#[test]
fn bad_usage_is_one_line_on_stderr_and_status_2() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    std::fs::write(directory.join("there"), "x\n").unwrap();
    std::fs::write(directory.join("few"), "x3/x3/L1,D1,x1 L 1 0\n").unwrap();
    let cases: [(&[&str], &str); 21] = [
        (&["tournament"], "PLAYER"),
        (&["tournament", "mcts"], "two players"),
        (&["tournament", "mcts", "nobody"], "no such player 'nobody'"),
        (
            &["tournament", "mcts", "cmd:./nothing"],
            "no program './nothing'",
        ),
        (&["tournament", "mcts:x=1", "random"], "no parameter \"x\""),
        (
            &["tournament", "random", "greedy", "--games", "3"],
            "not an even number",
        ),
        (
            &["tournament", "random", "greedy", "--games", "0"],
            "not an even number",
        ),
        (
            &["tournament", "random", "greedy", "--size", "13"],
            "size 13",
        ),
        (
            &[
                "tournament",
                "random",
                "greedy",
                "--size",
                "3",
                "--games",
                "100",
            ],
            "only 12 different",
        ),
        (
            &["tournament", "random", "greedy", "--time", "1"],
            "--time: '1' is not a time",
        ),
        (
            &["tournament", "random", "greedy", "--clock", "0s"],
            "leaves no time",
        ),
        (
            &[
                "tournament",
                "random",
                "greedy",
                "--nodes",
                "5",
                "--time",
                "1s",
            ],
            "cannot be used with",
        ),
        (
            &[
                "tournament",
                "random",
                "greedy",
                "--sprt",
                "elo0=5",
                "elo1=1",
            ],
            "must be less",
        ),
        (
            &["tournament", "random", "greedy", "--shard", "3/2"],
            "--shard: '3/2'",
        ),
        (
            &["tournament", "random", "greedy", "--journal", "there"],
            "--resume continues it",
        ),
        (
            &[
                "tournament",
                "random",
                "greedy",
                "--openings",
                "few",
                "--games",
                "4",
            ],
            "too few for 2",
        ),
        (
            &[
                "tournament",
                "random",
                "greedy",
                "greedy",
                "--format",
                "match",
            ],
            "has two players",
        ),
        (&["tournament", "--resume", "there"], "line 1:"),
        (&["report", "nothing"], "nothing: No such file"),
        (&["export", "there"], "there: line 1"),
        (&["replay", "there"], "there: line 1: 'x'"),
    ];
    for (arguments, reason) in cases {
        let output = agros(directory, arguments);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
        assert!(told.contains(reason), "{arguments:?}: {told}");
    }
    // Nothing was created on the way.
    assert_eq!(std::fs::read_dir(directory).unwrap().count(), 2);
}

#[test]
fn a_crowd_is_warned_of_and_players_may_follow_the_test() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = [
        "tournament",
        "--sprt",
        "elo0=0",
        "elo1=50",
        "random",
        "greedy",
        "--games",
        "2",
        "--size",
        "3",
        "--nodes",
        "1",
        "--concurrency",
        "999",
    ];
    let output = agros(directory.path(), &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("warning: 999 games"),
        "{}",
        stderr(&output)
    );
    assert!(stdout(&output).contains("SPRT, normalised Elo"));
    // The journal got a name of its own.
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// The arena's sessions in README.md, which need a folder of their own: `text`
/// blocks whose lines after `$ ` are commands and the others what they print.
#[test]
fn the_sessions_of_the_readme_are_true() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let programs = Path::new(AGROS).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let blocks = readme.split("```text\n$ ").skip(1);
    let mut sessions = 0;
    for block in blocks.filter_map(|rest| rest.split("```").next()) {
        for session in block.split("\n$ ") {
            let (command, expected) = session.split_once('\n').unwrap();
            if !command.contains("games.jsonl") && !command.contains("agros ugi") {
                continue;
            }
            let output = Command::new("sh")
                .args(["-c", command])
                .env("PATH", &path)
                .current_dir(directory.path())
                .output()
                .unwrap();
            assert_eq!(
                stdout(&output).trim_end(),
                expected.trim_end(),
                "$ {command}"
            );
            sessions += 1;
        }
    }
    assert!(sessions >= 5, "{sessions}");
}
