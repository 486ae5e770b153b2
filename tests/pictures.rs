//! The SVG pictures against those in tests/pictures, each looked at by a
//! person when it was made. `AGROS_PICTURES=write cargo test --test pictures`
//! writes them anew after a wanted change.

use agros::drawing::svg;
use agros::rules::{Move, Position};
use std::fs;
use std::path::PathBuf;

fn check(name: &str, position: &str, last: Option<&str>) {
    let mut position: Position = position.parse().unwrap();
    let last: Option<Move> = last.map(|mv| mv.parse().unwrap());
    if let Some(mv) = last {
        position.play(mv).unwrap();
    }
    let picture = svg::draw(&position, last);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.svg"));
    if std::env::var("AGROS_PICTURES").is_ok_and(|v| v == "write") {
        fs::write(&path, &picture).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert!(kept == picture, "{} has changed", path.display());
}

#[test]
fn an_empty_board() {
    check("start-8", "start:8:3", None);
}

#[test]
fn a_placement() {
    check(
        "placement-8",
        "x8/x8/x3,D1,x4/x8/x4,L1,x3/x2,D1,x5/x8/x8 L 3 0",
        Some("f3"),
    );
}

#[test]
fn fields_towers_and_the_last_move() {
    check(
        "late-10",
        "x1,D1,x1,L7,x6/x10/x8,L3,x1/x10/x10/x2,d,d,d,d,d,x3/x3,L5,x1,D1,x3,D1/\
         x2,d,x2,d,x1,l,d,L2/d,D1,x1,L7,x1,d,l,d,d,x1/x2,d,x3,D2,x3 L 5 0",
        Some("j3h5"),
    );
}

#[test]
fn a_game_that_is_over_on_a_small_board() {
    check("over-4", "L4,x2,D3/x4/x1,l,x2/x4 L 1 2", None);
}
