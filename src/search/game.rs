//! What the search asks of a game and of its judge.

use super::bounds::Bounds;

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

/// The judged moves of one state, field by field so that loops vectorise.
pub struct Children<G: Game> {
    pub(super) moves: Vec<G::Move>,
    pub(super) logits: Vec<f32>,
    pub(super) margins: Vec<f32>,
    pub(super) policy: Vec<f32>,
    pub(super) bounds: Vec<Bounds>,
}

impl<G: Game> Default for Children<G> {
    fn default() -> Self {
        Children {
            moves: Vec::new(),
            logits: Vec::new(),
            margins: Vec::new(),
            policy: Vec::new(),
            bounds: Vec::new(),
        }
    }
}

impl<G: Game> Children<G> {
    /// The number of moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether no move has been listed.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.logits.clear();
        self.margins.clear();
        self.policy.clear();
        self.bounds.clear();
    }

    /// Adds a move: the log odds that the first player wins after it, the
    /// expected final margin, how likely the player who moves is to choose it
    /// (log scale; only differences between moves count), and what is known of
    /// the final margin for certain.
    pub fn push(&mut self, mv: G::Move, logit: f32, margin: f32, policy: f32, bounds: Bounds) {
        self.moves.push(mv);
        self.logits.push(logit);
        self.margins.push(margin);
        self.policy.push(policy);
        self.bounds.push(bounds);
    }

    /// The move at `index` with its log odds, expected margin and bounds.
    pub fn get(&self, index: usize) -> (G::Move, f32, f32, Bounds) {
        (
            self.moves[index],
            self.logits[index],
            self.margins[index],
            self.bounds[index],
        )
    }
}
