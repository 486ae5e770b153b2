//! The same position seen from elsewhere: turned, mirrored, colours exchanged.

use super::{Mailbox, Square};

/// The symmetries of a square board.
pub const SYMMETRIES: usize = 8;

/// One of the symmetries of the board, by number, applied to a square's.
pub fn turn(square: usize, size: usize, symmetry: usize) -> usize {
    let (mut file, mut rank) = (square % size, square / size);
    if symmetry & 1 != 0 {
        file = size - 1 - file;
    }
    if symmetry & 2 != 0 {
        rank = size - 1 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    rank * size + file
}

impl Mailbox {
    /// The position turned by a symmetry.
    pub fn turned(&self, symmetry: usize) -> Mailbox {
        let mut after = self.clone();
        for at in 0..self.area() {
            after.squares[turn(at, self.size, symmetry)] = self.squares[at];
        }
        after
    }

    /// The position with the colours exchanged.
    pub fn exchanged(&self) -> Mailbox {
        let mut after = self.clone();
        after.side = 1 - after.side;
        for square in &mut after.squares {
            *square = match *square {
                Square::Empty => Square::Empty,
                Square::Seed(owner) => Square::Seed(1 - owner),
                Square::Farmer(owner, crop) => Square::Farmer(1 - owner, crop),
            };
        }
        after
    }
}
