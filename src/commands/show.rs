//! `agros show`: the board, its fields and the score.

use super::Outcome;
use super::input::{Answer, PositionArgs};
use super::score::{JsonField, points, side_name};
use crate::rules::{Cell, Field, Piece, Position, Side};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// Draw the board, its fields with controller and value, and the score
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
}

impl Args {
    pub(crate) fn run(self) -> Outcome {
        let style = Style::of_stdout();
        self.position.answer(|position| {
            Ok(Shown {
                position: position.to_string(),
                size: position.size(),
                farmers: position.farmers(),
                side: side_name(position.side()),
                stage: stage(position),
                passes: position.passes(),
                light: points(position.score().light),
                dark: points(position.score().dark),
                fields: position.fields().into_iter().map(Into::into).collect(),
                shown: *position,
                style,
            })
        })
    }
}

/// How the board is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Unicode and colours, for a terminal.
    Colour,
    /// ASCII alone.
    Plain,
}

impl Style {
    fn of_stdout() -> Style {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if wanted && !dumb && io::stdout().is_terminal() {
            Style::Colour
        } else {
            Style::Plain
        }
    }
}

fn stage(position: &Position) -> &'static str {
    if position.is_over() {
        "over"
    } else if position.is_placing() {
        "placement"
    } else {
        "moving"
    }
}

#[derive(Serialize)]
struct Shown {
    position: String,
    size: u8,
    farmers: u8,
    side: &'static str,
    stage: &'static str,
    passes: u8,
    light: f64,
    dark: f64,
    fields: Vec<JsonField>,
    #[serde(skip)]
    shown: Position,
    #[serde(skip)]
    style: Style,
}

impl Answer for Shown {
    fn write_text(&self, out: &mut dyn Write, batch: bool) -> io::Result<()> {
        if batch {
            // A board takes many lines; a batch has one for each position.
            let line = serde_json::to_string(self).map_err(io::Error::other)?;
            return writeln!(out, "{line}");
        }
        let fields = self.shown.fields();
        draw_board(&self.shown, &fields, self.style, out)?;
        writeln!(out, "\n{}", turn(&self.shown))?;
        list_fields(&fields, out)?;
        let score = self.shown.score();
        writeln!(out, "score: Light {}, Dark {}", score.light, score.dark)?;
        writeln!(out, "{}", self.position)
    }
}

/// Whose turn it is, in words.
fn turn(position: &Position) -> String {
    let side = position.side();
    match stage(position) {
        "over" => {
            let margin = position.margin().0;
            match margin.signum() {
                1 => "The game is over: Light wins.".into(),
                -1 => "The game is over: Dark wins.".into(),
                _ => "The game is over: a draw.".into(),
            }
        }
        "placement" => format!("{side} to place a farmer."),
        _ if position.passes() == 1 => format!("{side} to move; {} has passed.", side.other()),
        _ => format!("{side} to move."),
    }
}

/// Draws the board: empty cells as `+` where Light controls the field, `-`
/// where Dark does, `.` where nobody does.
fn draw_board(
    position: &Position,
    fields: &[Field],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let size = position.size();
    for rank in (0..size).rev() {
        let mut row = Vec::new();
        for cell in (0..size).filter_map(|file| Cell::new(file, rank)) {
            let controller = fields
                .iter()
                .find(|field| field.cells.contains(&cell))
                .and_then(|field| field.controller);
            draw_cell(position.piece(cell), controller, style, &mut row)?;
        }
        let row = String::from_utf8_lossy(&row);
        writeln!(out, "{:>2} {}", rank + 1, row.trim_end())?;
    }
    let files: String = (0..size)
        .map(|file| format!(" {} ", (b'a' + file) as char))
        .collect();
    writeln!(out, "   {}", files.trim_end())
}

/// Draws three columns for a cell.
fn draw_cell(
    piece: Option<Piece>,
    controller: Option<Side>,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = match (piece, style) {
        (Some(Piece::Farmer(side, crop)), _) => format!("{}{crop:<2}", side.letter()),
        (Some(Piece::Seed(side)), Style::Plain) => {
            format!(" {} ", side.letter().to_ascii_lowercase())
        }
        (Some(Piece::Seed(_)), Style::Colour) => " ● ".into(),
        (None, Style::Plain) => match controller {
            Some(Side::Light) => " + ".into(),
            Some(Side::Dark) => " - ".into(),
            None => " . ".into(),
        },
        (None, Style::Colour) => " · ".into(),
    };
    if style == Style::Plain {
        return write!(out, "{text}");
    }
    // Light and dark browns for the pieces, gold and blue tints for fields.
    let background = match (piece, controller) {
        (Some(_), _) => 236,
        (None, Some(Side::Light)) => 58,
        (None, Some(Side::Dark)) => 24,
        (None, None) => 238,
    };
    let colour = match piece {
        Some(Piece::Farmer(side, _) | Piece::Seed(side)) => match side {
            Side::Light => "1;38;5;222",
            Side::Dark => "1;38;5;137",
        },
        None => "38;5;250",
    };
    write!(out, "\x1b[{colour};48;5;{background}m{text}\x1b[0m")
}

/// Lists the fields that farmers touch, the most valuable first.
fn list_fields(fields: &[Field], out: &mut dyn Write) -> io::Result<()> {
    let mut touched: Vec<&Field> = fields
        .iter()
        .filter(|f| f.crops.iter().any(|crops| !crops.is_empty()))
        .collect();
    touched.sort_by_key(|field| std::cmp::Reverse(field.value));
    for field in &touched {
        let list = |crops: &[u8]| {
            if crops.is_empty() {
                "none".to_owned()
            } else {
                let crops: Vec<String> = crops.iter().map(ToString::to_string).collect();
                crops.join(" ")
            }
        };
        let verdict = match field.controller {
            Some(side) => format!("{side}'s, worth {}", field.value),
            None => "nobody's".into(),
        };
        let cells = field.cells.len();
        writeln!(
            out,
            "field at {:<3} {cells:>3} {}  Light {}, Dark {}: {verdict}",
            field.cells[0].to_string(),
            if cells == 1 { "cell, " } else { "cells," },
            list(&field.crops[0]),
            list(&field.crops[1]),
        )?;
    }
    let lonely = fields.len() - touched.len();
    if lonely > 0 {
        let s = if lonely == 1 { "" } else { "s" };
        writeln!(out, "{lonely} field{s} without a farmer beside")?;
    }
    Ok(())
}
