//! From the library's types to the reference's and back.
//!
//! The test that uses it has `pub mod reference;` beside it.

use agros::rules::{Cell, Move, Piece, Position, Side};

use crate::reference::{Action, Field, Mailbox, Square};

/// The cell with the reference's number on a board of this size.
pub fn cell(square: usize, size: usize) -> Cell {
    Cell::new((square % size) as u8, (square / size) as u8).expect("a cell of the board")
}

/// The reference's number of a cell on a board of this size.
pub fn square(cell: Cell, size: usize) -> usize {
    usize::from(cell.rank()) * size + usize::from(cell.file())
}

/// The library's move for one of the reference.
pub fn library_move(action: Action, size: usize) -> Move {
    match action {
        Action::Pass => Move::Pass,
        Action::Place(at) => Move::Place(cell(at, size)),
        Action::Step { from, to } => Move::Step {
            from: cell(from, size),
            to: cell(to, size),
        },
    }
}

/// The reference's move for one of the library.
pub fn action(mv: Move, size: usize) -> Action {
    match mv {
        Move::Pass => Action::Pass,
        Move::Place(at) => Action::Place(square(at, size)),
        Move::Step { from, to } => Action::Step {
            from: square(from, size),
            to: square(to, size),
        },
    }
}

/// The library's legal moves, as the reference has them, sorted.
pub fn actions(position: &Position) -> Vec<Action> {
    let size = usize::from(position.size());
    let moves = position.legal_moves();
    let mut actions: Vec<Action> = moves.iter().map(|&mv| action(mv, size)).collect();
    actions.sort_unstable();
    actions
}

/// The library's position read cell by cell, without its text.
pub fn mailbox(position: &Position) -> Mailbox {
    let size = usize::from(position.size());
    let mut copy = Mailbox::start(size, position.farmers().into());
    copy.side = position.side().index() as u8;
    copy.passes = position.passes();
    for at in 0..copy.area() {
        copy.squares[at] = match position.piece(cell(at, size)) {
            None => Square::Empty,
            Some(Piece::Seed(owner)) => Square::Seed(owner.index() as u8),
            Some(Piece::Farmer(owner, crop)) => {
                copy.placed += 1;
                Square::Farmer(owner.index() as u8, crop)
            }
        };
    }
    copy
}

/// The library's fields, as the reference has them, after a check of the
/// controller and value that the library names.
pub fn reference_fields(fields: Vec<agros::rules::Field>, size: usize) -> Vec<Field> {
    let convert = |field: agros::rules::Field| {
        let copy = Field {
            cells: field.cells.iter().map(|&c| square(c, size)).collect(),
            crops: field.crops,
        };
        let controller = copy.controller().map(|p| Side::BOTH[usize::from(p)]);
        assert_eq!(field.controller, controller, "{copy:?}");
        assert_eq!(field.value as usize, copy.value(), "{copy:?}");
        copy
    };
    fields.into_iter().map(convert).collect()
}

/// All fields of a position, as the reference has them.
pub fn fields(position: &Position) -> Vec<Field> {
    reference_fields(position.fields(), position.size().into())
}
