//! Position strings and moves that must be refused, each with its message:
//! by the library, and by the commands with status 2, one line on stderr and
//! nothing on stdout.

use std::fs;
use std::path::Path;
use std::process::Output;

use agros::rules::Position;

pub mod binary;

use binary::{agros, text};

/// The lines of a data file: quoted strings and the message after them.
fn cases(name: &str) -> Vec<(Vec<String>, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let kept = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let case = |line: &str| {
        let (quoted, message) = line.split_once(" => ").expect("a message");
        let strings = serde_json::Deserializer::from_str(quoted).into_iter::<String>();
        let strings: Result<_, _> = strings.collect();
        (strings.expect("quoted strings"), message.to_string())
    };
    kept.map(case).collect()
}

/// The bad position strings and their messages.
fn bad_positions() -> Vec<(String, String)> {
    let cases = cases("bad_positions.txt");
    assert!(cases.len() >= 130, "{} cases", cases.len());
    cases
        .into_iter()
        .map(|(mut strings, message)| (strings.remove(0), message))
        .collect()
}

/// Compares all messages at once and shows the lines as they should be.
fn compare(name: &str, found: Vec<(String, String, String)>) {
    let wrong = found
        .into_iter()
        .filter(|(_, expected, found)| expected != found);
    let lines: Vec<String> = wrong
        .map(|(case, _, found)| format!("{case} => {found}"))
        .collect();
    assert!(
        lines.is_empty(),
        "{} others in {name}:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

/// Status 2, nothing on stdout, and one line on stderr, which is returned.
fn refusal(output: &Output, case: &str) -> String {
    assert_eq!(output.status.code(), Some(2), "{case}");
    assert_eq!(text(&output.stdout), "", "{case}");
    let message = text(&output.stderr)
        .strip_prefix("agros: ")
        .expect("agros: ...");
    let line = message.strip_suffix('\n').expect("a whole line");
    assert!(!line.contains(char::is_control), "{case}: {line:?}");
    line.to_string()
}

#[test]
fn each_bad_position_has_its_message() {
    let refuse = |(string, expected): (String, String)| {
        let found = match string.parse::<Position>() {
            Ok(position) => format!("accepted as {position}"),
            Err(error) => error.to_string(),
        };
        (serde_json::json!(string).to_string(), expected, found)
    };
    compare(
        "bad_positions.txt",
        bad_positions().into_iter().map(refuse).collect(),
    );
}

#[test]
fn commands_refuse_each_bad_position() {
    for (string, expected) in bad_positions() {
        // No argument can hold a zero byte.
        if string.contains('\0') {
            continue;
        }
        for args in [
            &["moves", &string][..],
            &["score", &string, "--json"],
            &["show", &string],
            &["perft", &string, "1"],
        ] {
            let output = agros(args, "");
            assert_eq!(refusal(&output, &format!("{args:?}")), expected, "{args:?}");
        }
    }
}

#[test]
fn a_batch_answers_error_for_each_bad_line_and_goes_on() {
    // A line can hold neither end of line nor, as one, the start of a batch.
    let cases: Vec<(String, String)> = bad_positions()
        .into_iter()
        .filter(|(string, _)| !string.contains('\n'))
        .collect();
    let mut input = String::new();
    let mut complaints = String::new();
    for (i, (string, message)) in cases.iter().enumerate() {
        input += &format!("{string}\nstart:4:1\n");
        complaints += &format!("agros: line {}: {message}\n", 2 * i + 1);
    }
    for (args, good) in [
        (&["score", "-"][..], "0 0"),
        (&["perft", "-", "2"], "240"),
        (
            &["moves", "-"],
            "a1 a2 a3 a4 b1 b2 b3 b4 c1 c2 c3 c4 d1 d2 d3 d4",
        ),
    ] {
        let output = agros(args, &input);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&output.stderr), complaints, "{args:?}");
        let expected = format!("error\n{good}\n").repeat(cases.len());
        assert_eq!(text(&output.stdout), expected, "{args:?}");
    }
}

#[test]
fn each_bad_list_of_moves_has_its_message() {
    let cases = cases("bad_moves.txt");
    assert!(cases.len() >= 50, "{} cases", cases.len());
    let refuse = |(strings, expected): (Vec<String>, String)| {
        let [position, moves] = &strings[..] else {
            panic!("{strings:?}")
        };
        let args = ["moves", position, "--moves", moves];
        let found = refusal(&agros(&args, ""), &format!("{args:?}"));
        let case = format!(
            "{} {}",
            serde_json::json!(position),
            serde_json::json!(moves)
        );
        (case, expected, found)
    };
    compare("bad_moves.txt", cases.into_iter().map(refuse).collect());
}

/// Usage errors are one line too.
#[test]
fn bad_usage_is_refused_in_one_line() {
    for args in [
        &["harvest"][..],
        &["moves"],
        &["moves", "start", "start"],
        &["moves", "start", "--jsno"],
        &["moves", "start", "--moves"],
        &["perft", "start"],
        &["perft", "start", "-1"],
        &["perft", "start", "two"],
        &["perft", "start", "99999999999999999999"],
        &["score", "--json"],
        &["show", "start", "--svg"],
    ] {
        refusal(&agros(args, ""), &format!("{args:?}"));
    }
}

/// Whatever a command reads, it reads no more than so much of it.
#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_refused() {
    let cases: [&[&str]; 4] = [
        &["bench", "--positions", "/dev/zero"],
        &["play", "--resume", "/dev/zero"],
        &["tournament", "random", "greedy", "--openings", "/dev/zero"],
        &["tournament", "random", "mcts:judgement=/dev/zero"],
    ];
    for args in cases {
        let told = refusal(&agros(args, ""), &args.join(" "));
        assert!(told.contains("/dev/zero: longer than 16 MiB"), "{told}");
    }
    // Of stdin, too.
    let args = ["bench", "--positions", "-"];
    let told = refusal(&agros(&args, &"start:4\n".repeat(3 << 20)), "stdin");
    assert!(told.contains("-: longer than 16 MiB"), "{told}");
}
