//! The position string: `BOARD SIDE FARMERS PASSES`, and `start:N:F`.

use super::geometry::{Cell, MAX_FARMERS, MAX_SIZE, MIN_SIZE, Side};
use super::moves::shorten;
use super::position::{Piece, Position, StartError};
use super::state::placement_side;
use crate::on_size;
use std::fmt;
use std::str::FromStr;

/// A position string that is refused: where it fails and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsePositionError {
    field: &'static str,
    /// The rank of the board that fails, from 1.
    rank: Option<usize>,
    /// In bytes from the start of the string.
    offset: usize,
    reason: String,
}

impl ParsePositionError {
    /// The byte offset in the string at which it fails.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

impl fmt::Display for ParsePositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field)?;
        if let Some(rank) = self.rank {
            write!(f, ", rank {rank}")?;
        }
        write!(f, ", offset {}: {}", self.offset, self.reason)
    }
}

impl std::error::Error for ParsePositionError {}

/// One field of the string, with its place in it.
#[derive(Clone, Copy)]
struct Part<'a> {
    name: &'static str,
    text: &'a str,
    offset: usize,
}

impl Part<'_> {
    /// Refuses a field that isn't there.
    fn present(self) -> Result<Self, ParsePositionError> {
        match self.text {
            "" => Err(self.error("missing: a position is BOARD SIDE FARMERS PASSES")),
            _ => Ok(self),
        }
    }

    fn error(&self, reason: impl Into<String>) -> ParsePositionError {
        ParsePositionError {
            field: self.name,
            rank: None,
            offset: self.offset,
            reason: reason.into(),
        }
    }
}

const NAMES: [&str; 4] = ["board", "side", "farmers", "passes"];

/// Splits at white space into the four fields; the last ones may be missing.
fn split(text: &str) -> Result<[Part<'_>; 4], ParsePositionError> {
    let mut parts = NAMES.map(|name| Part {
        name,
        text: "",
        offset: text.trim_end().len(),
    });
    for (i, word) in text.split_whitespace().enumerate() {
        // `word` is a slice of `text`, so the difference is its place in it.
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let Some(part) = parts.get_mut(i) else {
            return Err(ParsePositionError {
                field: "end",
                rank: None,
                offset,
                reason: format!("{:?} after the four fields", shorten(word)),
            });
        };
        (part.text, part.offset) = (word, offset);
    }
    Ok(parts)
}

/// A whole number without sign or leading zeros; `None` where it is none.
/// What doesn't fit comes back as the largest number.
fn number(text: &str) -> Option<u32> {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    plain.then(|| text.parse().unwrap_or(u32::MAX))
}

/// What stands where on the board, with its offset in the string.
struct Placed {
    cell: Cell,
    piece: Piece,
    offset: usize,
}

/// Reads the rows of the board.
struct BoardReader<'a> {
    part: Part<'a>,
    size: usize,
    placed: Vec<Placed>,
}

impl BoardReader<'_> {
    fn error(&self, rank: usize, offset: usize, reason: impl Into<String>) -> ParsePositionError {
        ParsePositionError {
            rank: Some(rank + 1),
            offset,
            ..self.part.error(reason)
        }
    }

    /// Reads the whole board; its size is its number of rows.
    fn read(part: Part<'_>) -> Result<BoardReader<'_>, ParsePositionError> {
        let size = part.text.split('/').count();
        if !(usize::from(MIN_SIZE)..=usize::from(MAX_SIZE)).contains(&size) {
            let rows = format!("but a board has {MIN_SIZE} to {MAX_SIZE}, split by /");
            return Err(part.error(match size {
                1 => format!("1 row, {rows} (or start, start:SIZE, start:SIZE:FARMERS)"),
                _ => format!("{size} rows, {rows}"),
            }));
        }
        let mut reader = BoardReader {
            part,
            size,
            placed: Vec::new(),
        };
        let mut offset = part.offset;
        for (i, row) in part.text.split('/').enumerate() {
            reader.read_row(row, size - 1 - i, offset)?;
            offset += row.len() + 1;
        }
        Ok(reader)
    }

    fn read_row(&mut self, row: &str, rank: usize, start: usize) -> Result<(), ParsePositionError> {
        let mut offset = start;
        let mut file = 0;
        for token in row.split(',') {
            let width = self.read_token(token, file, rank, offset)?;
            file += width;
            if file > self.size {
                let reason = format!(
                    "the row is longer than {} cells, the number of rows",
                    self.size
                );
                return Err(self.error(rank, offset, reason));
            }
            offset += token.len() + 1;
        }
        if file < self.size {
            let reason = format!(
                "the row has {file} {}, not {}, the number of rows",
                if file == 1 { "cell" } else { "cells" },
                self.size
            );
            return Err(self.error(rank, start, reason));
        }
        Ok(())
    }

    /// Reads one token and returns the number of cells it covers.
    fn read_token(
        &mut self,
        token: &str,
        file: usize,
        rank: usize,
        offset: usize,
    ) -> Result<usize, ParsePositionError> {
        let mut chars = token.chars();
        let head = chars.next();
        let rest = chars.as_str();
        let piece = match head {
            Some('x') => return self.read_run(rest, rank, offset),
            Some('l') if rest.is_empty() => Piece::Seed(Side::Light),
            Some('d') if rest.is_empty() => Piece::Seed(Side::Dark),
            Some('L') => Piece::Farmer(Side::Light, self.read_crop(rest, rank, offset)?),
            Some('D') => Piece::Farmer(Side::Dark, self.read_crop(rest, rank, offset)?),
            None => return Err(self.error(rank, offset, "a cell is missing")),
            Some(_) => {
                let reason = format!(
                    "{:?} is not xK, a farmer (L4, D4) or a seed (l, d)",
                    shorten(token)
                );
                return Err(self.error(rank, offset, reason));
            }
        };
        if let Some(cell) = Cell::new(file as u8, rank as u8).filter(|_| file < self.size) {
            self.placed.push(Placed {
                cell,
                piece,
                offset,
            });
        }
        Ok(1)
    }

    fn read_run(
        &self,
        count: &str,
        rank: usize,
        offset: usize,
    ) -> Result<usize, ParsePositionError> {
        match number(count) {
            _ if count.is_empty() => Ok(1),
            Some(0) => Err(self.error(rank, offset, "x0: a run has at least one cell")),
            // A longer run than any board is too long all the same.
            Some(count) => Ok(count.min(1000) as usize),
            None => {
                let reason = format!("{:?} is not a number of cells", shorten(count));
                Err(self.error(rank, offset, reason))
            }
        }
    }

    fn read_crop(&self, crop: &str, rank: usize, offset: usize) -> Result<u8, ParsePositionError> {
        let reason = match number(crop) {
            Some(0) => "crop 0: a farmer's crop is at least 1".into(),
            Some(value) if value as usize > self.size => {
                format!(
                    "crop {} is greater than the size {}",
                    shorten(crop),
                    self.size
                )
            }
            Some(value) => return Ok(value as u8),
            None if crop.is_empty() => "a farmer without a crop".into(),
            None => format!("{:?} is not a crop", shorten(crop)),
        };
        Err(self.error(rank, offset, reason))
    }

    fn farmers(&self, side: Side) -> u32 {
        self.placed
            .iter()
            .filter(|p| matches!(p.piece, Piece::Farmer(s, _) if s == side))
            .count() as u32
    }

    /// Checks what a board may hold while farmers are being placed.
    fn check_placement(&self, light: u32, dark: u32, all: u32) -> Result<(), ParsePositionError> {
        let missing = match all - light - dark {
            1 => "1 farmer is still to be placed".into(),
            n => format!("{n} farmers are still to be placed"),
        };
        for placed in &self.placed {
            let reason = match placed.piece {
                Piece::Farmer(_, 1) => continue,
                Piece::Farmer(_, crop) => {
                    format!("crop {crop} in the placement stage ({missing})")
                }
                Piece::Seed(_) => format!("a seed in the placement stage ({missing})"),
            };
            return Err(self.error(placed.cell.rank().into(), placed.offset, reason));
        }
        let total = light + dark;
        let due = (0..total)
            .filter(|&t| placement_side(t as u8) == Side::Light)
            .count() as u32;
        if light != due {
            return Err(self.part.error(format!(
                "{light} Light and {dark} Dark farmers, where the placement order \
                 (L, DD, LL, ...) has {due} and {}",
                total - due
            )));
        }
        Ok(())
    }
}

fn read_side(part: Part<'_>) -> Result<Side, ParsePositionError> {
    match part.text {
        "L" => Ok(Side::Light),
        "D" => Ok(Side::Dark),
        text => Err(part.error(format!("{:?} is not L or D", shorten(text)))),
    }
}

fn read_farmers(part: Part<'_>, size: usize) -> Result<u8, ParsePositionError> {
    let farmers = number(part.text)
        .ok_or_else(|| part.error(format!("{:?} is not a number", shorten(part.text))))?;
    if !(1..=u32::from(MAX_FARMERS)).contains(&farmers) {
        return Err(part.error(format!("{} is not 1 to {MAX_FARMERS}", shorten(part.text))));
    }
    // Position::start alone knows which numbers fit the board.
    match Position::start(size as u8, farmers as u8) {
        Ok(_) => Ok(farmers as u8),
        Err(error) => Err(part.error(error.to_string())),
    }
}

fn read_passes(part: Part<'_>) -> Result<u8, ParsePositionError> {
    match part.text {
        "0" => Ok(0),
        "1" => Ok(1),
        "2" => Ok(2),
        text => Err(part.error(format!("{:?} is not 0, 1 or 2", shorten(text)))),
    }
}

/// Reads a position string, `start`, `start:N` or `start:N:F`.
impl FromStr for Position {
    type Err = ParsePositionError;

    fn from_str(text: &str) -> Result<Position, ParsePositionError> {
        let word = text.trim();
        if word == "start" || word.starts_with("start:") {
            let offset = text.len() - text.trim_start().len();
            return read_start(word, offset);
        }
        let [board, side, farmers, passes] = split(text)?;
        let reader = BoardReader::read(board.present()?)?;
        let to_move = read_side(side.present()?)?;
        let count = read_farmers(farmers.present()?, reader.size)?;
        let passed = read_passes(passes.present()?)?;
        let [light, dark] = Side::BOTH.map(|s| reader.farmers(s));
        for (side, on_board) in [(Side::Light, light), (Side::Dark, dark)] {
            if on_board > u32::from(count) {
                return Err(board.error(format!(
                    "{on_board} {side} farmers, but each player has {count}"
                )));
            }
        }
        if light + dark < 2 * u32::from(count) {
            reader.check_placement(light, dark, 2 * u32::from(count))?;
            let due = placement_side((light + dark) as u8);
            if to_move != due {
                return Err(side.error(format!("it is {due}'s turn to place a farmer")));
            }
            if passed != 0 {
                return Err(passes.error("nobody passes in the placement stage"));
            }
        }
        let mut position =
            Position::start(reader.size as u8, count).map_err(|e| farmers.error(e.to_string()))?;
        on_size!(position.state_mut(), state => {
            for placed in &reader.placed {
                match placed.piece {
                    Piece::Farmer(side, crop) => state.put_farmer(placed.cell, side, crop),
                    Piece::Seed(side) => state.put_seed(placed.cell, side),
                }
            }
            state.set_turn(to_move, passed);
        });
        Ok(position)
    }
}

/// Reads `start`, `start:N` or `start:N:F`.
fn read_start(word: &str, offset: usize) -> Result<Position, ParsePositionError> {
    let error = |at: usize, reason: String| ParsePositionError {
        field: "start",
        rank: None,
        offset: offset + at,
        reason,
    };
    let mut fields = word.split(':').skip(1);
    let mut at = "start:".len();
    let mut next_number = |usual: u32| match fields.next() {
        None => Ok((usual, at)),
        Some(text) => {
            let here = at;
            at += text.len() + 1;
            match number(text) {
                Some(u32::MAX) => Err(error(here, format!("{} is too large", shorten(text)))),
                Some(number) => Ok((number, here)),
                None => Err(error(here, format!("{:?} is not a number", shorten(text)))),
            }
        }
    };
    let (size, size_at) = next_number(10)?;
    let usual = Position::usual_farmers(size.min(255) as u8);
    let (farmers, farmers_at) = next_number(usual.into())?;
    if let Some(extra) = fields.next() {
        return Err(error(
            at,
            format!("{:?} after start:SIZE:FARMERS", shorten(extra)),
        ));
    }
    // Numbers that don't fit a byte are out of range all the same.
    Position::start(size.min(255) as u8, farmers.min(255) as u8).map_err(|e| match e {
        StartError::Size(_) => error(size_at, StartError::Size(size).to_string()),
        StartError::Farmers(_) => error(farmers_at, StartError::Farmers(farmers).to_string()),
        StartError::TooManyFarmers { .. } => error(farmers_at, e.to_string()),
    })
}

/// Prints the canonical position string.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut board = String::new();
        for rank in (0..self.size()).rev() {
            let mut run = 0;
            let mut tokens = Vec::new();
            for cell in (0..self.size()).filter_map(|file| Cell::new(file, rank)) {
                let Some(piece) = self.piece(cell) else {
                    run += 1;
                    continue;
                };
                if run > 0 {
                    tokens.push(format!("x{run}"));
                    run = 0;
                }
                tokens.push(match piece {
                    Piece::Farmer(side, crop) => format!("{}{crop}", side.letter()),
                    Piece::Seed(side) => side.letter().to_ascii_lowercase().to_string(),
                });
            }
            if run > 0 {
                tokens.push(format!("x{run}"));
            }
            if !board.is_empty() {
                board.push('/');
            }
            board += &tokens.join(",");
        }
        let (side, farmers, passes) = (self.side().letter(), self.farmers(), self.passes());
        f.pad(&format!("{board} {side} {farmers} {passes}"))
    }
}
