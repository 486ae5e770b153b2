//! A million position strings and a million lists of moves, most of them
//! damaged: nothing panics, every error is one line that points into the
//! string, and what is accepted is what the reference accepts.

use std::fs;
use std::path::Path;

use agros::rules::{Move, Position};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub mod bridge;
pub mod reference;

use reference::Mailbox;
use reference::random::pick;

const ROUNDS: u32 = 1_000_000;

/// What is put into strings; numbers and letters of the formats above all.
const SCRAPS: [&str; 44] = [
    "x",
    "l",
    "d",
    "L",
    "D",
    "x1",
    "L1",
    "D1",
    "L2",
    "D12",
    "L13",
    "0",
    "1",
    "2",
    "3",
    "7",
    "8",
    "9",
    "10",
    "12",
    "13",
    "255",
    "256",
    "99999999999999999999",
    ",",
    "/",
    " ",
    "  ",
    "\t",
    "\n",
    "\0",
    "-",
    ":",
    "start",
    "start:",
    "a",
    "e5",
    "c3f6",
    "pass",
    "PASS",
    "é",
    "🌾",
    "\u{2028}",
    "%s",
];

/// The position strings of the vectors.
fn positions() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/vectors");
    let mut texts = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder of vectors") {
        let text = fs::read_to_string(entry.expect("a file").path()).expect("a text");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        texts.extend(lines.filter_map(|line| Some(line.split_once(" |")?.0.to_string())));
    }
    // The order of a folder differs between machines.
    texts.sort_unstable();
    for size in 2..=13 {
        texts.push(format!("start:{size}"));
        texts.extend((0..=8).map(|farmers| format!("start:{size}:{farmers}")));
    }
    texts
}

/// A random place between two characters.
fn place(text: &str, rng: &mut impl Rng) -> usize {
    let mut at = rng.random_range(0..=text.len() as u32) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Damages a string once: takes a piece out, puts a scrap or a piece of
/// itself in, replaces a piece by a scrap, or cuts the end off.
fn damage(text: &mut String, rng: &mut impl Rng) {
    let start = place(text, rng);
    let mut end = text.len().min(start + rng.random_range(0..4u32) as usize);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    match rng.random_range(0..9u32) {
        0 | 1 => text.replace_range(start..end, ""),
        2 | 3 => text.insert_str(start, pick(&SCRAPS, rng)),
        4..=6 => text.replace_range(start..end, pick(&SCRAPS, rng)),
        7 => {
            let piece = text[start..end].to_string();
            let at = place(text, rng);
            text.insert_str(at, &piece);
        }
        _ => text.truncate(start),
    }
}

#[test]
fn damaged_positions_are_refused_or_right() {
    let texts = positions();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let mut text = texts[rng.random_range(0..texts.len() as u32) as usize].clone();
        for _ in 0..rng.random_range(1..4u32) {
            damage(&mut text, &mut rng);
        }
        let expected = Mailbox::read_spec(&text);
        match text.parse::<Position>() {
            Ok(position) => {
                let expected = expected.unwrap_or_else(|| panic!("accepted: {text:?}"));
                assert_eq!(bridge::mailbox(&position), expected, "{text:?}");
                assert_eq!(
                    position.perft(1),
                    Some(expected.moves().len() as u64),
                    "{text:?}"
                );
                assert_eq!(position.margin().0, expected.margin(), "{text:?}");
                accepted += 1;
            }
            Err(error) => {
                assert_eq!(expected, None, "{text:?}: {error}");
                assert!(error.offset() <= text.len(), "{text:?}: {error}");
                let message = error.to_string();
                let control = message.contains(char::is_control);
                assert!(!control && message.len() < 300, "{text:?}: {message:?}");
                refused += 1;
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > ROUNDS / 100 && refused > ROUNDS / 2);
}

/// Plays the moves of a list until one can't be read or isn't legal.
fn play(position: &mut Position, list: &str) -> (usize, Option<String>) {
    for (played, text) in list.split_whitespace().enumerate() {
        let error = match text.parse::<Move>() {
            Ok(mv) => position.play(mv).err().map(|e| e.to_string()),
            Err(error) => Some(error.to_string()),
        };
        if error.is_some() {
            return (played, error);
        }
    }
    (list.split_whitespace().count(), None)
}

#[test]
fn damaged_lists_of_moves_stop_at_the_first_bad_one() {
    let texts = positions();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let (mut whole, mut stopped) = (0, 0);
    for round in 0..ROUNDS {
        let text = &texts[rng.random_range(0..texts.len() as u32) as usize];
        let Some(mut expected) = Mailbox::read_spec(text) else {
            continue;
        };
        let mut position: Position = text.parse().expect("a position");
        // A list of up to five legal moves, damaged.
        let mut list = String::new();
        let mut ahead = position;
        for _ in 0..rng.random_range(1..6u32) {
            let moves = ahead.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = pick(&moves, &mut rng);
            ahead.play(mv).expect("a legal move");
            list = format!("{list} {mv}");
        }
        for _ in 0..rng.random_range(0..3u32) {
            damage(&mut list, &mut rng);
        }
        let (played, error) = play(&mut position, &list);
        match error {
            None => whole += 1,
            Some(error) => {
                let control = error.contains(char::is_control);
                assert!(!control && error.len() < 300, "{text} {list:?}: {error:?}");
                stopped += 1;
            }
        }
        // The plain reference, every fourth time for its slowness.
        if round % 4 == 0 {
            let mut legal = 0;
            for name in list.split_whitespace() {
                match expected.read_action(name) {
                    Some(action) if expected.moves().contains(&action) => expected.play(action),
                    _ => break,
                }
                legal += 1;
            }
            assert_eq!(played, legal, "{text} {list:?}");
            assert_eq!(bridge::mailbox(&position), expected, "{text} {list:?}");
        }
    }
    println!("{whole} whole, {stopped} stopped");
    assert!(whole > ROUNDS / 10 && stopped > ROUNDS / 10);
}
