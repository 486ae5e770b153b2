//! Positions as people see them: [`board`] for a terminal, [`svg`] for an
//! article, [`words`] for the sentences beside either (whose turn it is, who
//! controls a field and why).
//!
//! Light's fields are gold and Dark's blue wherever colour is used, a pair
//! that colour-blind readers tell apart; without colour they are `+` and `-`.

pub mod board;
pub mod svg;
pub mod words;

use crate::rules::{Cell, Field, Side};

/// The controller of each cell of the board.
pub(crate) struct Control {
    owner: [[Option<Side>; 12]; 12],
}

impl Control {
    /// Reads the controllers off the fields.
    pub(crate) fn of(fields: &[Field]) -> Control {
        let mut owner = [[None; 12]; 12];
        for field in fields {
            for cell in &field.cells {
                owner[usize::from(cell.rank())][usize::from(cell.file())] = field.controller;
            }
        }
        Control { owner }
    }

    /// Who controls the field that a cell belongs to, if it is in one.
    pub(crate) fn at(&self, cell: Cell) -> Option<Side> {
        self.owner[usize::from(cell.rank())][usize::from(cell.file())]
    }
}
