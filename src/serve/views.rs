//! Positions as the page and other users of the API see them.

use crate::drawing::svg::label_cell;
use crate::drawing::words::{self, points, side_name};
use crate::play::{Line, Record, Thought};
use crate::rules::{Cell, Field, Move, Piece, Position};
use serde::Serialize;

/// All that a board shows of a position.
#[derive(Serialize)]
pub(super) struct View {
    position: String,
    size: u8,
    farmers: u8,
    side: &'static str,
    stage: &'static str,
    passes: u8,
    /// Whose turn it is, or who has won, in words.
    turn: String,
    light: f64,
    dark: f64,
    pieces: Vec<PieceView>,
    fields: Vec<FieldView>,
    legal: Vec<MoveView>,
}

#[derive(Serialize)]
struct PieceView {
    cell: String,
    side: &'static str,
    /// The crop of a farmer; 0 of a seed.
    crop: u8,
}

#[derive(Serialize)]
struct FieldView {
    cells: Vec<String>,
    light: Vec<u8>,
    dark: Vec<u8>,
    controller: Option<&'static str>,
    value: u32,
    why: String,
    /// The cell where the value is best written.
    label: String,
}

/// A move and what it does.
#[derive(Serialize)]
struct MoveView {
    #[serde(rename = "move")]
    mv: String,
    /// place, harvest, sow or pass
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    /// Where a sowing leaves seeds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seeds: Vec<String>,
    /// The crop of the farmer afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    crop: Option<u8>,
}

impl View {
    pub(super) fn of(position: &Position) -> View {
        let score = position.score();
        View {
            position: position.to_string(),
            size: position.size(),
            farmers: position.farmers(),
            side: side_name(position.side()),
            stage: words::stage(position),
            passes: position.passes(),
            turn: words::turn(position),
            light: points(score.light),
            dark: points(score.dark),
            pieces: board(position)
                .filter_map(|cell| piece(position, cell))
                .collect(),
            fields: position.fields().into_iter().map(FieldView::of).collect(),
            legal: legal(position),
        }
    }
}

fn board(position: &Position) -> impl Iterator<Item = Cell> + use<> {
    let size = position.size();
    (0..size).flat_map(move |rank| (0..size).filter_map(move |file| Cell::new(file, rank)))
}

fn piece(position: &Position, cell: Cell) -> Option<PieceView> {
    let (side, crop) = match position.piece(cell)? {
        Piece::Farmer(side, crop) => (side, crop),
        Piece::Seed(side) => (side, 0),
    };
    Some(PieceView {
        cell: cell.to_string(),
        side: side_name(side),
        crop,
    })
}

impl FieldView {
    fn of(field: Field) -> FieldView {
        let why = words::why(&field);
        let label = label_cell(&field).to_string();
        let [light, dark] = field.crops;
        FieldView {
            cells: field.cells.iter().map(ToString::to_string).collect(),
            light,
            dark,
            controller: field.controller.map(side_name),
            value: field.value,
            why,
            label,
        }
    }
}

fn legal(position: &Position) -> Vec<MoveView> {
    let mut moves: Vec<MoveView> = position
        .legal_moves()
        .into_iter()
        .map(|mv| move_view(position, mv))
        .collect();
    moves.sort_by(|a, b| a.mv.cmp(&b.mv));
    moves
}

fn move_view(position: &Position, mv: Move) -> MoveView {
    let mut view = MoveView {
        mv: mv.to_string(),
        kind: "pass",
        from: None,
        to: None,
        seeds: Vec::new(),
        crop: None,
    };
    match mv {
        Move::Pass => {}
        Move::Place(cell) => {
            view.kind = "place";
            view.to = Some(cell.to_string());
            view.crop = Some(1);
        }
        Move::Step { from, to } => {
            let crop = match position.piece(from) {
                Some(Piece::Farmer(_, crop)) => crop,
                _ => 0,
            };
            let path = path(from, to);
            // The distance tells a harvest from a sowing.
            if path.len() == usize::from(crop) {
                view.kind = "harvest";
                view.crop = Some(crop + 1);
            } else {
                view.kind = "sow";
                view.crop = Some(1);
                view.seeds = path.iter().map(ToString::to_string).collect();
            }
            view.from = Some(from.to_string());
            view.to = Some(to.to_string());
        }
    }
    view
}

/// The cells from one on the way to another, the last one left out.
fn path(from: Cell, to: Cell) -> Vec<Cell> {
    let steps = from
        .file()
        .abs_diff(to.file())
        .max(from.rank().abs_diff(to.rank()));
    let toward = |a: u8, b: u8, k: u8| {
        if b > a {
            a + k
        } else if b < a {
            a - k
        } else {
            a
        }
    };
    (0..steps)
        .filter_map(|k| {
            Cell::new(
                toward(from.file(), to.file(), k),
                toward(from.rank(), to.rank(), k),
            )
        })
        .collect()
}

/// A game, with the score at each of its positions.
#[derive(Serialize)]
pub(super) struct GameView {
    start: String,
    moves: Vec<String>,
    text: String,
    light: Vec<f64>,
    dark: Vec<f64>,
}

impl GameView {
    pub(super) fn of(record: &Record) -> GameView {
        let scores = || record.positions().iter().map(Position::score);
        GameView {
            start: record.start().to_string(),
            moves: record.moves().iter().map(ToString::to_string).collect(),
            text: record.to_string(),
            light: scores().map(|score| points(score.light)).collect(),
            dark: scores().map(|score| points(score.dark)).collect(),
        }
    }
}

/// What the engine thinks; all numbers are Light's view.
#[derive(Serialize)]
pub(super) struct ThoughtView {
    perspective: &'static str,
    nodes: u64,
    time_ms: u64,
    winrate: f64,
    margin: f64,
    stop: Option<&'static str>,
    lines: Vec<LineView>,
    /// The move that the level asked for plays, at the end of its thought.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub(super) choice: Option<String>,
}

#[derive(Serialize)]
struct LineView {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    winrate: f64,
    margin: f64,
    proven: Option<ProvenView>,
    pv: Vec<String>,
}

/// Who wins for sure, and by how much at least.
#[derive(Serialize)]
struct ProvenView {
    winner: Option<&'static str>,
    by: f64,
    exact: bool,
}

impl ThoughtView {
    /// The best lines of a thought.
    pub(super) fn of(thought: &Thought, lines: usize) -> ThoughtView {
        ThoughtView {
            perspective: "light",
            nodes: thought.nodes,
            time_ms: u64::try_from(thought.time.as_millis()).unwrap_or(u64::MAX),
            winrate: round(thought.winrate, 1e4),
            margin: round(thought.margin, 1e2),
            stop: thought.stop,
            lines: thought
                .lines
                .iter()
                .enumerate()
                // A move that was never tried says nothing.
                .filter(|(i, line)| *i == 0 || line.visits > 0)
                .take(lines)
                .map(|(_, line)| LineView::of(line))
                .collect(),
            choice: None,
        }
    }
}

impl LineView {
    fn of(line: &Line) -> LineView {
        LineView {
            mv: line.mv.to_string(),
            visits: line.visits,
            winrate: round(line.winrate, 1e4),
            margin: round(line.margin, 1e2),
            proven: line.proven.map(|proven| ProvenView {
                winner: proven.winner.map(side_name),
                by: points(proven.by),
                exact: proven.exact,
            }),
            pv: line.pv.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Rounds for the page; what isn't a number becomes 0, as JSON has none.
fn round(value: f64, parts: f64) -> f64 {
    if value.is_finite() {
        (value * parts).round() / parts
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_says_what_it_does() {
        let position: Position = "D1,x3/x1,l,L3,d/x2,D2,x1/L1,l,x2 L 2 0".parse().unwrap();
        let find = |mv: &str| move_view(&position, mv.parse().unwrap());
        let harvest = find("a1a2");
        assert_eq!((harvest.kind, harvest.crop), ("harvest", Some(2)));
        assert_eq!(find("pass").kind, "pass");
        let position: Position = "x4/L3,x3/x4/D1,x3 L 1 0".parse().unwrap();
        let sow = move_view(&position, "a3c3".parse().unwrap());
        assert_eq!((sow.kind, sow.crop), ("sow", Some(1)));
        assert_eq!(sow.seeds, ["a3", "b3"]);
        assert_eq!(
            move_view(&position, "a3d3".parse().unwrap()).kind,
            "harvest"
        );
    }

    #[test]
    fn every_legal_move_of_a_view_is_legal_and_none_is_missing() {
        let position: Position = "x4/L3,x3/x4/D1,x3 L 1 0".parse().unwrap();
        let view = View::of(&position);
        assert_eq!(view.legal.len(), position.legal_moves().len());
        assert!(
            view.legal
                .iter()
                .all(|m| position.is_legal(m.mv.parse().unwrap()))
        );
        assert_eq!(view.pieces.len(), 2);
    }

    #[test]
    fn no_number_reaches_the_page_that_json_cannot_hold() {
        assert_eq!(round(f64::NAN, 10.0), 0.0);
        assert_eq!(round(f64::INFINITY, 10.0), 0.0);
        assert_eq!(round(0.123_456, 1e4), 0.1235);
    }
}
