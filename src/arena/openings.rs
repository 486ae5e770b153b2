//! The positions from which games start.
//!
//! Openings are drawn without replacement: no two rounds share one, and random
//! placements differ even after turning or mirroring the board.

use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::files;
use crate::rules::{Cell, Move, Position, listing};

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// All farmers on random cells.
    Random,
    /// The empty board: the players place their own farmers.
    None,
    /// A file of position strings, one a line; `#` starts a comment.
    File(PathBuf),
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Openings::Random => f.write_str("random"),
            Openings::None => f.write_str("none"),
            Openings::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// So many placements in a row that were all drawn before, and the drawing
/// gives up: the board has hardly any other.
const MOST_REPEATS: usize = 10_000;

/// The openings of `rounds` rounds on a board of this kind.
///
/// # Errors
/// When the board or the file doesn't have so many, or the file can't be read.
pub fn draw(
    openings: &Openings,
    board: (u8, u8),
    rounds: usize,
    seed: u64,
) -> Result<Vec<Position>, String> {
    let (size, farmers) = board;
    let empty = Position::start(size, farmers).map_err(|error| error.to_string())?;
    match openings {
        Openings::None => Ok(vec![empty; rounds]),
        Openings::Random => random_placements(&empty, rounds, seed),
        Openings::File(path) => {
            let positions = files::read_text(path, files::LONGEST_TEXT)
                .map_err(|error| error.to_string())
                .and_then(|text| read(&text))
                .and_then(|positions| choose(positions, rounds, seed));
            positions.map_err(|error| format!("{}: {error}", path.display()))
        }
    }
}

/// Reads a [`listing`] of openings.
///
/// # Errors
/// For a line that is no position, a finished game or one given twice; the
/// message names the line.
fn read(text: &str) -> Result<Vec<Position>, String> {
    let mut seen = HashSet::new();
    let new = |(number, position): (usize, Position)| {
        if seen.insert(position.to_string()) {
            Ok(position)
        } else {
            Err(format!("line {number}: the same opening stands above"))
        }
    };
    listing::read(text)?.into_iter().map(new).collect()
}

fn choose(mut positions: Vec<Position>, rounds: usize, seed: u64) -> Result<Vec<Position>, String> {
    if positions.len() < rounds {
        return Err(format!(
            "{} openings are too few for {rounds} rounds without playing one twice",
            positions.len()
        ));
    }
    positions.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    positions.truncate(rounds);
    Ok(positions)
}

fn random_placements(empty: &Position, rounds: usize, seed: u64) -> Result<Vec<Position>, String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut repeats = 0;
    while found.len() < rounds {
        let (position, cells) = random_placement(*empty, &mut rng)?;
        if seen.insert(least_image(&cells, empty.size(), empty.farmers())) {
            found.push(position);
            repeats = 0;
        } else {
            repeats += 1;
        }
        if repeats > MOST_REPEATS {
            return Err(format!(
                "openings: only {} different placements found on this board, too few for {rounds} \
                 rounds without playing one twice",
                found.len()
            ));
        }
    }
    Ok(found)
}

fn random_placement(
    mut position: Position,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<(Position, Vec<(bool, Cell)>), String> {
    let mut cells = Vec::new();
    while position.is_placing() {
        let moves = position.legal_moves();
        let mv = moves[rng.random_range(0..moves.len())];
        if let Move::Place(cell) = mv {
            cells.push((position.side().index() == 0, cell));
        }
        position.play(mv).map_err(|error| error.to_string())?;
    }
    Ok((position, cells))
}

/// Names a placement up to the eight symmetries of the board: the least of
/// its images, as (light cells, dark cells) in order.
fn least_image(cells: &[(bool, Cell)], size: u8, farmers: u8) -> Vec<(bool, u8, u8)> {
    debug_assert_eq!(cells.len(), 2 * usize::from(farmers));
    let last = size - 1;
    let images = (0..8_u8).map(|symmetry| {
        let mut image: Vec<(bool, u8, u8)> = cells
            .iter()
            .map(|&(light, cell)| {
                let (mut x, mut y) = (cell.file(), cell.rank());
                if symmetry & 1 != 0 {
                    x = last - x;
                }
                if symmetry & 2 != 0 {
                    y = last - y;
                }
                if symmetry & 4 != 0 {
                    (x, y) = (y, x);
                }
                (light, x, y)
            })
            .collect();
        image.sort_unstable();
        image
    });
    images.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_openings_are_complete_different_and_repeatable() {
        for (size, farmers) in [(3, 1), (8, 3), (10, 5), (12, 7)] {
            let drawn = draw(&Openings::Random, (size, farmers), 10, 7).unwrap();
            let texts: HashSet<String> = drawn.iter().map(Position::to_string).collect();
            assert_eq!(texts.len(), 10);
            assert!(drawn.iter().all(|p| !p.is_placing() && !p.is_over()));
            assert_eq!(
                draw(&Openings::Random, (size, farmers), 10, 7).unwrap(),
                drawn
            );
            assert_ne!(
                draw(&Openings::Random, (size, farmers), 10, 8).unwrap(),
                drawn
            );
        }
    }

    /// Two farmers on 3×3: 9 × 8 = 72 placements; counted by hand through
    /// Burnside's lemma (72 + 4 axes × 3 × 2 fixed) / 8 = 12 up to symmetry.
    #[test]
    fn a_small_board_runs_out_of_openings() {
        assert_eq!(draw(&Openings::Random, (3, 1), 12, 1).unwrap().len(), 12);
        let error = draw(&Openings::Random, (3, 1), 13, 1).unwrap_err();
        assert!(error.contains("only 12 different placements"), "{error}");
    }

    #[test]
    fn more_rounds_begin_with_the_same_openings() {
        let few = draw(&Openings::Random, (10, 5), 5, 3).unwrap();
        let many = draw(&Openings::Random, (10, 5), 50, 3).unwrap();
        assert_eq!(few, many[..5]);
    }

    #[test]
    fn a_file_is_read_shuffled_and_not_used_up_twice() {
        let text = "# two openings\n\nx3/x3/L1,D1,x1 L 1 0\nx3/L1,D1,x1/x3 L 1 0 # the second\n";
        let read_back = read(text).unwrap();
        assert_eq!(read_back.len(), 2);
        assert_eq!(choose(read_back.clone(), 2, 1).unwrap().len(), 2);
        assert!(
            choose(read_back, 3, 1)
                .unwrap_err()
                .contains("too few for 3")
        );
        for (bad, reason) in [
            ("x3/x3/x3 L 1 0\nx9 L 1 0", "line 2"),
            ("x3/x3/L1,D1,x1 L 1 2", "line 1: the game is over"),
            ("x3/x3/x3 L 1 0\nx3/x3/x3 L 1 0", "line 2: the same opening"),
        ] {
            let error = read(bad).unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn an_impossible_board_is_refused() {
        assert!(draw(&Openings::None, (2, 1), 1, 1).is_err());
        assert!(draw(&Openings::Random, (3, 7), 1, 1).is_err());
    }
}
