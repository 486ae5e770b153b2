//! Position strings and moves that must be refused, each with its message.

use std::fs;
use std::path::Path;

use agros::rules::{Move, Position};

/// The lines of a data file, without comments and empty ones.
fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let kept = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    kept.map(str::to_string).collect()
}

#[test]
fn each_bad_position_has_its_message() {
    let mut wrong = Vec::new();
    let lines = lines("bad_positions.txt");
    assert!(lines.len() >= 100, "{} lines", lines.len());
    for line in lines {
        let (quoted, expected) = line.split_once(" => ").expect("a string and its message");
        let text: String = serde_json::from_str(quoted).expect("a quoted string");
        let found = match text.parse::<Position>() {
            Ok(position) => format!("accepted as {position}"),
            Err(error) => error.to_string(),
        };
        assert!(!found.contains(['\n', '\r']), "not one line: {found:?}");
        if found != expected {
            wrong.push(format!("{quoted} => {found}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} others:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
