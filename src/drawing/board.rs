//! The board as text: Unicode and colours on a terminal, ASCII elsewhere.

use super::Control;
use crate::rules::{Cell, Piece, Position, Side};
use std::io::{self, IsTerminal, Write};

/// How the board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Unicode and colours, for a terminal.
    Colour,
    /// ASCII alone.
    Plain,
}

impl Style {
    /// Colour on a terminal that can show it and whose user hasn't set
    /// `NO_COLOR`; plain otherwise.
    #[must_use]
    pub fn of_stdout() -> Style {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if wanted && !dumb && io::stdout().is_terminal() {
            Style::Colour
        } else {
            Style::Plain
        }
    }
}

/// Draws the board: empty cells as `+` where Light controls the field, `-`
/// where Dark does, `.` where nobody does. The marked cells, those of the
/// last move or of an answer to "where can it go?", are drawn in brackets.
///
/// # Errors
/// Those of `out`.
pub fn draw(
    position: &Position,
    marked: &[Cell],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let control = Control::of(&position.fields());
    let size = position.size();
    for rank in (0..size).rev() {
        let mut row = String::new();
        for cell in (0..size).filter_map(|file| Cell::new(file, rank)) {
            let text = cell_text(position.piece(cell), control.at(cell), style);
            let text = if marked.contains(&cell) {
                bracketed(&text)
            } else {
                text
            };
            match style {
                Style::Plain => row.push_str(&text),
                Style::Colour => {
                    let code = colours(position.piece(cell), control.at(cell));
                    row += &format!("\x1b[{code}m{text}\x1b[0m");
                }
            }
        }
        writeln!(out, "{:>2} {}", rank + 1, row.trim_end())?;
    }
    let files: String = (0..size)
        .map(|file| format!(" {} ", (b'a' + file) as char))
        .collect();
    writeln!(out, "   {}", files.trim_end())
}

/// The three columns of a cell.
fn cell_text(piece: Option<Piece>, controller: Option<Side>, style: Style) -> String {
    match (piece, style) {
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
    }
}

/// Puts brackets where a cell's text has blanks at its ends.
fn bracketed(text: &str) -> String {
    let inner = text.trim();
    match (text.starts_with(' '), text.ends_with(' ')) {
        (true, true) => format!("[{inner}]"),
        (false, true) => format!("{inner}]"),
        _ => text.to_owned(),
    }
}

/// Light and dark browns for the pieces, gold and blue tints for the fields.
fn colours(piece: Option<Piece>, controller: Option<Side>) -> String {
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
    format!("{colour};48;5;{background}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_marked_cells_stand_in_brackets() {
        let position: Position = "D1,x3/x1,l,L3,d/x2,D2,x1/L1,l,x2 L 2 0".parse().unwrap();
        let marked = ["a4", "c3", "b3", "a2"].map(|cell| cell.parse().unwrap());
        let mut out = Vec::new();
        draw(&position, &marked, Style::Plain, &mut out).unwrap();
        let expected =
            " 4 D1] +  +  +\n 3  - [l]L3] d\n 2 [-] - D2  -\n 1 L1  l  -  -\n    a  b  c  d\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
