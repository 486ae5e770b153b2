//! Known positions with their legal moves, scores, perft counts and exact
//! values: the library and the reference must both agree with every line.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

pub mod binary;
pub mod reference;

use agros::rules::{HalfPoints, Position};
use reference::Mailbox;

/// The lines of one file of vectors, without its comments.
fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/vectors")
        .join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let kept = text.lines().filter(|line| !line.starts_with('#'));
    kept.map(str::to_string).collect()
}

/// The columns of a line.
fn columns(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

/// Every file of positions, and how many lines it has at least.
const POSITIONS: [(&str, usize); 10] = [
    ("played-10x5.txt", 253),
    ("played-12x7.txt", 184),
    ("played-8x3.txt", 149),
    ("random-10x3.txt", 132),
    ("random-10x5.txt", 285),
    ("random-12x3.txt", 200),
    ("random-12x7.txt", 224),
    ("random-8x3.txt", 185),
    ("random-8x7.txt", 114),
    ("random-small.txt", 268),
];

#[test]
fn reference_agrees_with_positions() {
    for (name, expected) in POSITIONS {
        let lines = lines(name);
        assert_eq!(lines.len(), expected, "{name}");
        for line in lines {
            let [text, moves, score] = columns(&line)[..] else {
                panic!("{name}: {line}")
            };
            let position = Mailbox::parse(text);
            let [light, dark] = position.score();
            assert_eq!(position.to_string(), text);
            assert_eq!(position.sorted_moves(), moves, "{text}");
            assert_eq!(format!("{light} {dark}"), score, "{text}");
        }
    }
}

#[test]
fn reference_agrees_with_perft() {
    for line in lines("perft.txt") {
        let [text, counts] = columns(&line)[..] else {
            panic!("{line}")
        };
        let position = Mailbox::parse(text);
        for (depth, count) in (1..).zip(counts.split(' ')) {
            assert_eq!(
                position.perft(depth).to_string(),
                count,
                "{text}, depth {depth}"
            );
        }
    }
}

/// What a user gets, all lines in one batch a command.
#[test]
fn commands_agree_with_positions() {
    let (mut input, mut moves, mut scores) = (String::new(), String::new(), String::new());
    let half = |half: &str| {
        let half: i32 = half.parse().expect("a doubled score");
        let fraction = if half % 2 == 0 { "" } else { ".5" };
        format!("{}{fraction}", half / 2)
    };
    for line in POSITIONS.iter().flat_map(|(name, _)| lines(name)) {
        let [text, sorted, score] = columns(&line)[..] else {
            panic!("{line}")
        };
        let (light, dark) = score.split_once(' ').expect("two scores");
        input += &format!("{text}\n");
        moves += &format!("{sorted}\n");
        scores += &format!("{} {}\n", half(light), half(dark));
    }
    for (command, expected) in [("moves", moves), ("score", scores)] {
        let output = binary::agros(&[command, "-"], &input);
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(binary::text(&output.stderr), "");
        let found = binary::text(&output.stdout);
        for ((line, found), expected) in input.lines().zip(found.lines()).zip(expected.lines()) {
            assert_eq!(found, expected, "{command} of {line}");
        }
        assert_eq!(found.len(), expected.len());
    }
}

fn read(text: &str) -> Position {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn library_agrees_with_positions() {
    for (name, _) in POSITIONS {
        for line in lines(name) {
            let [text, moves, score] = columns(&line)[..] else {
                panic!("{name}: {line}")
            };
            let position = read(text);
            let mut names: Vec<String> = position
                .legal_moves()
                .iter()
                .map(ToString::to_string)
                .collect();
            names.sort_unstable();
            let (light, dark) = (position.score().light, position.score().dark);
            assert_eq!(position.to_string(), text);
            assert_eq!(names.join(" "), moves, "{text}");
            assert_eq!(format!("{} {}", light.0, dark.0), score, "{text}");
            assert_eq!(position.margin(), HalfPoints(light.0 - dark.0), "{text}");
        }
    }
}

#[test]
fn library_agrees_with_perft() {
    for line in lines("perft.txt") {
        let [text, counts] = columns(&line)[..] else {
            panic!("{line}")
        };
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let count = count.parse().expect("a number");
            assert_eq!(
                read(text).perft(depth),
                Some(count),
                "{text}, depth {depth}"
            );
        }
    }
}

/// The most positions that the plain search below keeps in mind.
const KNOWN: usize = 50_000;

/// The margin under best play in half points, or `None` beyond `KNOWN`
/// positions. The graph of positions has no cycles once the pass counter is
/// part of them.
fn solve(position: &Mailbox, known: &mut HashMap<Mailbox, i32>) -> Option<i32> {
    if position.is_over() {
        return Some(position.margin());
    }
    if let Some(&margin) = known.get(position) {
        return Some(margin);
    }
    if known.len() >= KNOWN {
        return None;
    }
    let margins = position.moves().into_iter().map(|action| {
        let mut child = position.clone();
        child.play(action);
        solve(&child, known)
    });
    let margins: Option<Vec<i32>> = margins.collect();
    let margins = margins?.into_iter();
    let margin = match position.side {
        0 => margins.max(),
        _ => margins.min(),
    };
    known.insert(position.clone(), margin?);
    margin
}

/// Those lines that the plain search can solve: 10 of 17.
#[test]
fn reference_agrees_with_solved() {
    let mut solved = 0;
    for line in lines("solved.txt") {
        let [text, margin] = columns(&line)[..] else {
            panic!("{line}")
        };
        if let Some(found) = solve(&Mailbox::parse(text), &mut HashMap::new()) {
            assert_eq!(found.to_string(), margin, "{text}");
            solved += 1;
        }
    }
    assert_eq!(solved, 10);
}
