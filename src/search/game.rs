//! What the search asks of a game and of its judge.

use super::children::Children;

/// One of the two players. Values, margins and bounds are always told from
/// the view of [`Actor::First`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Actor {
    /// The player who gains from a greater margin.
    First,
    /// The player who gains from a smaller one.
    Second,
}

impl Actor {
    /// `1.0` for the first player, `-1.0` for the second: turns a value from
    /// the first player's view into one's own and back.
    pub fn sign(self) -> f32 {
        match self {
            Actor::First => 1.0,
            Actor::Second => -1.0,
        }
    }
}

/// A two-player game of perfect information in which every line ends.
///
/// The player to move need not alternate. Positions must not repeat within a
/// line, as the tree has no guard against cycles.
pub trait Game: Clone + PartialEq + Send + Sync {
    /// A move.
    type Move: Copy + PartialEq + Send + Sync;

    /// Who moves here.
    fn actor(&self) -> Actor;

    /// The exact margin of a finished game, `None` while it goes on.
    fn outcome(&self) -> Option<i16>;

    /// Plays a move that the judge listed for this very state.
    fn play(&mut self, mv: Self::Move);

    /// The same number for equal states, and hardly ever the same for others.
    fn key(&self) -> u64;

    /// The move in 16 bits, for the tree.
    fn pack(mv: Self::Move) -> u16;

    /// The move that [`Game::pack`] packed, met in this state.
    fn unpack(&self, bits: u16) -> Self::Move;
}

/// Lists the moves of a state and judges the states they lead to, all at once.
pub trait Evaluator<G: Game>: Sync {
    /// Fills `children` (empty on entry) with every legal move of an
    /// unfinished state; there must be at least one.
    fn judge(&self, state: &G, children: &mut Children<G>);
}
