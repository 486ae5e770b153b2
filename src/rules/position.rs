//! A position of any size: the one place where the size, known at compile
//! time inside [`State`], is chosen at run time.

use super::fields::{Field, HalfPoints, Score};
use super::geometry::*;
use super::moves::{Move, MoveList};
use super::perft;
use super::state::State;
use std::fmt;

/// A state of one of the ten sizes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AnyState {
    S3(State<Size3>),
    S4(State<Size4>),
    S5(State<Size5>),
    S6(State<Size6>),
    S7(State<Size7>),
    S8(State<Size8>),
    S9(State<Size9>),
    S10(State<Size10>),
    S11(State<Size11>),
    S12(State<Size12>),
}

/// Runs `$body` with `$state` bound to the state of whatever size `$any` has.
#[macro_export]
#[doc(hidden)]
macro_rules! on_size {
    ($any:expr, $state:ident => $body:expr) => {{
        use $crate::rules::AnyState::*;
        match $any {
            S3($state) => $body,
            S4($state) => $body,
            S5($state) => $body,
            S6($state) => $body,
            S7($state) => $body,
            S8($state) => $body,
            S9($state) => $body,
            S10($state) => $body,
            S11($state) => $body,
            S12($state) => $body,
        }
    }};
}

/// The empty board of a size; the caller has checked both numbers.
fn empty(size: u8, farmers: u8) -> Option<AnyState> {
    Some(match size {
        3 => AnyState::S3(State::empty(farmers)),
        4 => AnyState::S4(State::empty(farmers)),
        5 => AnyState::S5(State::empty(farmers)),
        6 => AnyState::S6(State::empty(farmers)),
        7 => AnyState::S7(State::empty(farmers)),
        8 => AnyState::S8(State::empty(farmers)),
        9 => AnyState::S9(State::empty(farmers)),
        10 => AnyState::S10(State::empty(farmers)),
        11 => AnyState::S11(State::empty(farmers)),
        12 => AnyState::S12(State::empty(farmers)),
        _ => return None,
    })
}

/// A position of a game of Agros on a board of any size.
///
/// ```
/// use agros::rules::{Move, Position};
///
/// let mut position: Position = "start:8:3".parse()?;
/// position.play("e4".parse()?)?;
/// assert_eq!(position.to_string(), "x8/x8/x8/x8/x4,L1,x3/x8/x8/x8 D 3 0");
/// assert_eq!(position.legal_moves().len(), 63);
/// assert_eq!(position.score().to_string(), "63.5 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position(AnyState);

/// Why a game can't start with these numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartError {
    /// The size isn't 3 to 12.
    Size(u32),
    /// The number of farmers isn't 1 to 7.
    Farmers(u32),
    /// The farmers of both sides leave no cell of the board empty.
    TooManyFarmers {
        /// Cells along a side.
        size: u8,
        /// Farmers a side.
        farmers: u8,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Size(size) => {
                write!(f, "size {size} is not {MIN_SIZE} to {MAX_SIZE}")
            }
            StartError::Farmers(farmers) => {
                write!(f, "{farmers} farmers a player is not 1 to {MAX_FARMERS}")
            }
            StartError::TooManyFarmers { size, farmers } => write!(
                f,
                "{farmers} farmers a player leave no cell of a {size}×{size} board empty"
            ),
        }
    }
}

impl std::error::Error for StartError {}

/// A move that the rules don't allow here; the text says why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMove(String);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// The empty board.
    ///
    /// # Errors
    /// Where the size isn't 3 to 12, or the farmers not 1 to 7 or too many
    /// for the board.
    pub fn start(size: u8, farmers: u8) -> Result<Position, StartError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(StartError::Size(size.into()));
        }
        if !(1..=MAX_FARMERS).contains(&farmers) {
            return Err(StartError::Farmers(farmers.into()));
        }
        if 2 * farmers >= size * size {
            return Err(StartError::TooManyFarmers { size, farmers });
        }
        empty(size, farmers)
            .map(Position)
            .ok_or(StartError::Size(size.into()))
    }

    /// The usual number of farmers of a board size.
    #[must_use]
    pub const fn usual_farmers(size: u8) -> u8 {
        match size {
            0..=4 => 1,
            5..=6 => 2,
            7..=8 => 3,
            9..=10 => 5,
            _ => 7,
        }
    }

    /// The state inside, of its own size.
    #[must_use]
    pub const fn state(&self) -> &AnyState {
        &self.0
    }

    pub(super) const fn state_mut(&mut self) -> &mut AnyState {
        &mut self.0
    }

    /// Cells along a side of the board.
    #[must_use]
    pub fn size(&self) -> u8 {
        fn size_of_board<S: BoardSize>(_: &State<S>) -> u8 {
            S::SIZE
        }
        on_size!(&self.0, s => size_of_board(s))
    }

    /// Farmers a side in the whole game.
    #[must_use]
    pub fn farmers(&self) -> u8 {
        on_size!(&self.0, s => s.farmers())
    }

    /// The side to move; of a finished game, the side that would be.
    #[must_use]
    pub fn side(&self) -> Side {
        on_size!(&self.0, s => s.side())
    }

    /// Passes in a row just made: 0, 1 or 2.
    #[must_use]
    pub fn passes(&self) -> u8 {
        on_size!(&self.0, s => s.passes())
    }

    /// Whether farmers are still to be placed.
    #[must_use]
    pub fn is_placing(&self) -> bool {
        on_size!(&self.0, s => s.is_placing())
    }

    /// Whether both players have passed.
    #[must_use]
    pub fn is_over(&self) -> bool {
        on_size!(&self.0, s => s.is_over())
    }

    /// What stands on a cell of the board.
    #[must_use]
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        if !cell.is_on(self.size()) {
            return None;
        }
        on_size!(&self.0, s => s.piece(cell))
    }

    /// Every legal move; none of a finished game.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        on_size!(&self.0, s => s.legal_moves())
    }

    /// Whether the rules allow the move here.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.check(mv).is_ok()
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Where the rules don't allow it; the position stays as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.check(mv)?;
        on_size!(&mut self.0, s => s.make(mv));
        Ok(())
    }

    /// Says why a move is illegal, if it is.
    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        on_size!(&self.0, s => s.check(mv)).map_err(IllegalMove)
    }

    /// The score as things stand, the half point included.
    #[must_use]
    pub fn score(&self) -> Score {
        on_size!(&self.0, s => s.score())
    }

    /// Light's points minus Dark's.
    #[must_use]
    pub fn margin(&self) -> HalfPoints {
        self.score().margin()
    }

    /// The fields, in the order of their lowest cells (a1, b1, ..., a2, ...).
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        on_size!(&self.0, s => s.fields())
    }

    /// The number of move sequences of this length; a finished game has no
    /// moves. `None` where the number doesn't fit 64 bits.
    #[must_use]
    pub fn perft(&self, depth: u32) -> Option<u64> {
        on_size!(&self.0, s => perft::perft(s, depth))
    }
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// A farmer with its crop.
    Farmer(Side, u8),
    /// A seed.
    Seed(Side),
}

impl<S: BoardSize> State<S> {
    /// What stands on a cell of the board.
    #[must_use]
    pub fn piece(&self, cell: Cell) -> Option<Piece> {
        use super::word::Word;
        let side = Side::BOTH
            .into_iter()
            .find(|&side| self.pieces(side).meets(S::bit(cell)))?;
        Some(match self.slot_of(side, cell) {
            Some(slot) => Piece::Farmer(side, self.crop(side, slot)),
            None => Piece::Seed(side),
        })
    }
}

/// Random games for tests that look at every position.
#[cfg(test)]
pub(crate) mod random {
    use super::Position;

    /// Calls `visit` with every position before the last of a random game with
    /// the usual farmers; `seed` moves on.
    pub(crate) fn each_position(size: u8, seed: &mut u64, mut visit: impl FnMut(&Position)) {
        let mut position = Position::start(size, Position::usual_farmers(size)).unwrap();
        while !position.is_over() {
            visit(&position);
            let moves = position.legal_moves();
            *seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            position
                .play(moves[(*seed >> 33) as usize % moves.len()])
                .unwrap();
        }
    }
}
