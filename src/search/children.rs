//! The judged moves of one state, a column for each thing that is told of a move.

use super::{Bounds, Game};

/// A judged move.
#[derive(Clone, Copy, Debug)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// The log odds that the first player wins after it.
    pub logit: f32,
    /// The expected final margin.
    pub margin: f32,
    /// How likely the player who moves is to choose it, on a log scale; only
    /// differences between moves count.
    pub policy: f32,
    /// What is known of the final margin for certain.
    pub bounds: Bounds,
}

impl<M> Child<M> {
    /// A move of which nothing is known but its bounds.
    pub const fn unjudged(mv: M, bounds: Bounds) -> Child<M> {
        Child {
            mv,
            logit: 0.0,
            margin: 0.0,
            policy: 0.0,
            bounds,
        }
    }
}

/// The judged moves of one state.
pub struct Children<G: Game> {
    pub(super) moves: Vec<G::Move>,
    pub(super) logits: Vec<f32>,
    pub(super) margins: Vec<f32>,
    pub(super) policies: Vec<f32>,
    /// Of those moves, by number, of which anything is known for certain.
    pub(super) bounds: Vec<(usize, Bounds)>,
}

impl<G: Game> Default for Children<G> {
    fn default() -> Self {
        Children {
            moves: Vec::new(),
            logits: Vec::new(),
            margins: Vec::new(),
            policies: Vec::new(),
            bounds: Vec::new(),
        }
    }
}

impl<G: Game> Children<G> {
    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.logits.clear();
        self.margins.clear();
        self.policies.clear();
        self.bounds.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.logits.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, child: Child<G::Move>) {
        self.extend(std::iter::once(child));
    }

    /// Adds several moves.
    #[inline(always)]
    pub fn extend(&mut self, children: impl ExactSizeIterator<Item = Child<G::Move>>) {
        let first = self.len();
        let len = first + children.len();
        self.logits.resize(len, 0.0);
        self.margins.resize(len, 0.0);
        self.policies.resize(len, 0.0);
        let judgements = self.logits[first..].iter_mut();
        let judgements = judgements.zip(&mut self.margins[first..]);
        let judgements = judgements.zip(&mut self.policies[first..]).enumerate();
        let bounds = &mut self.bounds;
        self.moves.extend(judgements.zip(children).map(
            |((which, ((logit, margin), policy)), child)| {
                (*logit, *margin, *policy) = (child.logit, child.margin, child.policy);
                if !child.bounds.is_open() {
                    rare(bounds, first + which, child.bounds);
                }
                child.mv
            },
        ));
    }
}

/// Keeps what is known of a move. A function of its own, as hardly ever anything is.
#[cold]
#[inline(never)]
fn rare(all: &mut Vec<(usize, Bounds)>, which: usize, bounds: Bounds) {
    all.push((which, bounds));
}
