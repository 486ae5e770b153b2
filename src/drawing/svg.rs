//! A position as an SVG picture, good enough for an article.
//!
//! Light and dark browns for the pieces; a farmer is a tower whose rim shows
//! its height and whose top shows its crop. Fields are tinted (gold Light's,
//! blue Dark's), outlined and, the blue ones, dotted, so that the picture
//! survives colour-blind eyes and a grey printer. Lengths are in user units;
//! a cell is [`CELL`] of them.

use super::{Control, words};
use crate::rules::{Cell, Field, Move, Piece, Position, Side};
use std::fmt::Write;

/// The side of a cell.
pub const CELL: i32 = 48;
/// The room for the coordinates at the left, and for a margin elsewhere.
const LEFT: i32 = 28;
const TOP: i32 = 12;
const BELOW: i32 = 58;

const INK: &str = "#2b2118";
const PAPER: &str = "#fffdf8";
const BARE: &str = "#f1ece2";

/// Fill, rim and text colours of a side's pieces.
const fn piece_colours(side: Side) -> (&'static str, &'static str, &'static str) {
    match side {
        Side::Light => ("#ecc68c", "#7a5222", "#2b1a06"),
        Side::Dark => ("#6f4321", "#2e1806", "#fff6e8"),
    }
}

/// The tint of a field and the colour of its outline.
const fn field_colours(controller: Option<Side>) -> (&'static str, &'static str) {
    match controller {
        Some(Side::Light) => ("#f8e3a6", "#b07d10"),
        Some(Side::Dark) => ("#bcd3ea", "#2f6194"),
        None => (BARE, "#b8ae9c"),
    }
}

/// Draws a position; `last` is the move that led to it, if it is to be marked.
///
/// ```
/// use agros::{drawing::svg, rules::Position};
///
/// let position: Position = "start:8:3".parse()?;
/// let picture = svg::draw(&position, None);
/// assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
/// # Ok::<(), agros::rules::ParsePositionError>(())
/// ```
#[must_use]
pub fn draw(position: &Position, last: Option<Move>) -> String {
    let fields = position.fields();
    let picture = Picture {
        position,
        size: i32::from(position.size()),
        control: Control::of(&fields),
        out: String::with_capacity(16 * 1024),
    };
    picture.finish(&fields, last)
}

struct Picture<'a> {
    position: &'a Position,
    size: i32,
    control: Control,
    out: String,
}

// Writing into a String can't fail, so the results of write! are dropped.
impl Picture<'_> {
    fn finish(mut self, fields: &[Field], last: Option<Move>) -> String {
        self.head();
        self.cells();
        for field in fields {
            self.outline(field);
        }
        self.mark(last);
        for cell in self.board() {
            match self.position.piece(cell) {
                Some(Piece::Farmer(side, crop)) => self.farmer(cell, side, crop),
                Some(Piece::Seed(side)) => self.seed(cell, side),
                None => {}
            }
        }
        for field in fields.iter().filter(|field| field.value > 0) {
            self.value(field);
        }
        self.coordinates();
        self.caption();
        self.out.push_str("</svg>\n");
        self.out
    }

    fn board(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.position.size();
        (0..size).flat_map(move |rank| (0..size).filter_map(move |file| Cell::new(file, rank)))
    }

    /// The upper left corner of a cell.
    fn corner(&self, cell: Cell) -> (i32, i32) {
        (
            LEFT + i32::from(cell.file()) * CELL,
            TOP + (self.size - 1 - i32::from(cell.rank())) * CELL,
        )
    }

    fn centre(&self, cell: Cell) -> (i32, i32) {
        let (x, y) = self.corner(cell);
        (x + CELL / 2, y + CELL / 2)
    }

    fn head(&mut self) {
        let side = self.size * CELL;
        let (width, height) = (LEFT + side + TOP, TOP + side + BELOW);
        let turn = words::turn(self.position);
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" \
             font-family=\"system-ui, 'DejaVu Sans', Helvetica, Arial, sans-serif\">\n\
             <title>Agros: {turn}</title>\n<desc>{}</desc>\n\
             <defs><pattern id=\"dots\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
             <circle cx=\"2\" cy=\"2\" r=\"1\" fill=\"#2f6194\" opacity=\".45\"/></pattern></defs>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>\n",
            self.position
        );
    }

    fn cells(&mut self) {
        for cell in self.board() {
            let (x, y) = self.corner(cell);
            let empty = self.position.piece(cell).is_none();
            let owner = if empty { self.control.at(cell) } else { None };
            let (tint, _) = field_colours(owner);
            let tint = if empty { tint } else { "#ddd3c2" };
            let _ = writeln!(
                self.out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{tint}\" \
                 stroke=\"#fff\" stroke-width=\"1\"/>"
            );
            if owner == Some(Side::Dark) {
                let _ = writeln!(
                    self.out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" \
                     fill=\"url(#dots)\"/>"
                );
            }
        }
    }

    /// Draws the border of a field: the sides where a cell of it meets one
    /// that isn't.
    fn outline(&mut self, field: &Field) {
        let (_, colour) = field_colours(field.controller);
        let inside = |file: i32, rank: i32| {
            field
                .cells
                .iter()
                .any(|c| i32::from(c.file()) == file && i32::from(c.rank()) == rank)
        };
        let mut path = String::new();
        for &cell in &field.cells {
            let (x, y) = self.corner(cell);
            let (file, rank) = (i32::from(cell.file()), i32::from(cell.rank()));
            // A little inside, so that two fields that touch at a corner or
            // across a piece keep their own lines.
            let (x1, y1, x2, y2) = (x + 1, y + 1, x + CELL - 1, y + CELL - 1);
            if !inside(file, rank + 1) {
                let _ = write!(path, "M{x1} {y1}H{x2}");
            }
            if !inside(file, rank - 1) {
                let _ = write!(path, "M{x1} {y2}H{x2}");
            }
            if !inside(file - 1, rank) {
                let _ = write!(path, "M{x1} {y1}V{y2}");
            }
            if !inside(file + 1, rank) {
                let _ = write!(path, "M{x2} {y1}V{y2}");
            }
        }
        let _ = writeln!(
            self.out,
            "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"2\" \
             stroke-linecap=\"square\" fill=\"none\"/>"
        );
    }

    /// Marks the last move: a dashed square where it began, a full one where
    /// it ended, a line between.
    fn mark(&mut self, last: Option<Move>) {
        let (from, to) = match last {
            Some(Move::Place(cell)) => (None, cell),
            Some(Move::Step { from, to }) => (Some(from), to),
            Some(Move::Pass) | None => return,
        };
        let size = self.position.size();
        if !to.is_on(size) || from.is_some_and(|from| !from.is_on(size)) {
            return;
        }
        if let Some(from) = from {
            let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
            let _ = writeln!(
                self.out,
                "<path d=\"M{x1} {y1}L{x2} {y2}\" stroke=\"{INK}\" stroke-width=\"3\" \
                 stroke-dasharray=\"2 6\" stroke-linecap=\"round\" opacity=\".7\"/>"
            );
            self.square(from, " stroke-dasharray=\"6 4\"");
        }
        self.square(to, "");
    }

    fn square(&mut self, cell: Cell, extra: &str) {
        let (x, y) = self.corner(cell);
        let _ = writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"none\" \
             stroke=\"{INK}\" stroke-width=\"2.5\"{extra}/>",
            x + 3,
            y + 3,
            CELL - 6,
            CELL - 6
        );
    }

    /// A tower: one disc a piece, as far as the cell has room, and the crop.
    fn farmer(&mut self, cell: Cell, side: Side, crop: u8) {
        let (fill, rim, text) = piece_colours(side);
        let (x, y) = self.centre(cell);
        let layers = i32::from(crop.min(6)) - 1;
        let base = y + layers;
        for layer in 0..=layers {
            let _ = writeln!(
                self.out,
                "<circle cx=\"{x}\" cy=\"{}\" r=\"16\" fill=\"{fill}\" stroke=\"{rim}\" \
                 stroke-width=\"1.5\"/>",
                base - 2 * layer
            );
        }
        let _ = writeln!(
            self.out,
            "<text x=\"{x}\" y=\"{}\" font-size=\"19\" font-weight=\"700\" \
             text-anchor=\"middle\" fill=\"{text}\">{crop}</text>",
            base - 2 * layers + 7
        );
    }

    fn seed(&mut self, cell: Cell, side: Side) {
        let (fill, rim, _) = piece_colours(side);
        let (x, y) = self.centre(cell);
        let _ = writeln!(
            self.out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"{fill}\" stroke=\"{rim}\" \
             stroke-width=\"1.5\"/>"
        );
    }

    /// Writes what a field is worth into its roomiest cell.
    fn value(&mut self, field: &Field) {
        let (_, colour) = field_colours(field.controller);
        let (x, y) = self.centre(label_cell(field));
        let width = if field.value < 100 { 30 } else { 38 };
        let _ = writeln!(
            self.out,
            "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"22\" rx=\"11\" fill=\"{PAPER}\" \
             stroke=\"{colour}\" stroke-width=\"1.5\"/>\n\
             <text x=\"{x}\" y=\"{}\" font-size=\"14\" font-weight=\"600\" \
             text-anchor=\"middle\" fill=\"{INK}\">{}</text>",
            x - width / 2,
            y - 11,
            y + 5,
            field.value
        );
    }

    fn coordinates(&mut self) {
        for i in 0..self.size {
            let (x, y) = (LEFT + i * CELL + CELL / 2, TOP + self.size * CELL + 18);
            let file = (b'a' + i as u8) as char;
            let _ = writeln!(
                self.out,
                "<text x=\"{x}\" y=\"{y}\" font-size=\"14\" text-anchor=\"middle\" \
                 fill=\"#5d5145\">{file}</text>\n\
                 <text x=\"{}\" y=\"{}\" font-size=\"14\" text-anchor=\"end\" \
                 fill=\"#5d5145\">{}</text>",
                LEFT - 8,
                TOP + (self.size - 1 - i) * CELL + CELL / 2 + 5,
                i + 1
            );
        }
    }

    fn caption(&mut self) {
        let score = self.position.score();
        let y = TOP + self.size * CELL + 44;
        let mut x = LEFT + 8;
        for (side, points) in [(Side::Light, score.light), (Side::Dark, score.dark)] {
            let (fill, rim, _) = piece_colours(side);
            let text = format!("{side} {}", points.to_string().replace(".5", "½"));
            let _ = writeln!(
                self.out,
                "<circle cx=\"{x}\" cy=\"{}\" r=\"7\" fill=\"{fill}\" stroke=\"{rim}\" \
                 stroke-width=\"1.5\"/>\n\
                 <text x=\"{}\" y=\"{y}\" font-size=\"15\" fill=\"{INK}\">{text}</text>",
                y - 5,
                x + 13
            );
            x += 40 + 9 * text.chars().count() as i32;
        }
        // A board of three cells has no room for a sentence beside the score.
        if self.size >= 8 {
            let _ = writeln!(
                self.out,
                "<text x=\"{}\" y=\"{y}\" font-size=\"15\" text-anchor=\"end\" \
                 fill=\"{INK}\">{}</text>",
                LEFT + self.size * CELL,
                words::turn(self.position)
            );
        }
    }
}

/// The cell of a field that is farthest from its border, the one nearest the
/// field's middle among equals: where a label disturbs least.
pub(crate) fn label_cell(field: &Field) -> Cell {
    let count = field.cells.len() as i32;
    let sum = |f: fn(&Cell) -> u8| field.cells.iter().map(|c| i32::from(f(c))).sum::<i32>();
    let (files, ranks) = (sum(|c| c.file()), sum(|c| c.rank()));
    let key = |cell: &Cell| {
        let off = |at: u8, total: i32| (count * i32::from(at) - total).abs();
        let distance = off(cell.file(), files) + off(cell.rank(), ranks);
        (room(field, *cell), std::cmp::Reverse(distance))
    };
    // A field has at least one cell.
    field
        .cells
        .iter()
        .copied()
        .max_by_key(key)
        .unwrap_or(field.cells[0])
}

/// How many of the eight cells around belong to the field too.
fn room(field: &Field, cell: Cell) -> usize {
    field
        .cells
        .iter()
        .filter(|c| c.file().abs_diff(cell.file()) <= 1 && c.rank().abs_diff(cell.rank()) <= 1)
        .count()
}
