//! Uniform random games: the plainest use of the core, and its benchmark.

use super::fields::Score;
use super::geometry::BoardSize;
use super::moves::Move;
use super::state::State;
use super::word::Word;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How a random game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playout {
    /// Moves made, placements and passes included.
    pub moves: u32,
    /// The final score.
    pub score: Score,
}

/// A number below `bound`, uniform but for a bias below 2^-56.
///
/// Multiplication instead of a remainder (Lemire, Fast Random Integer
/// Generation in an Interval, 2019).
#[inline(always)]
fn below(bound: u32, rng: &mut Xoshiro256PlusPlus) -> u32 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u32
}

impl<S: BoardSize> State<S> {
    /// Plays to the end at random, every legal move but a pass being equally
    /// likely; a player passes only where nothing else is legal.
    #[inline]
    pub fn playout(self, rng: &mut Xoshiro256PlusPlus) -> Playout {
        self.playout_seen(rng, |_| ())
    }

    /// [`Self::playout`] that shows each move before it is made.
    #[inline]
    pub fn playout_seen(
        mut self,
        rng: &mut Xoshiro256PlusPlus,
        mut see: impl FnMut(Move),
    ) -> Playout {
        let mut lines = self.lines();
        let mut moves = 0;
        while self.is_placing() {
            let empty = self.empty_cells();
            let cell = S::cell(empty.select(below(empty.count(), rng)));
            see(Move::Place(cell));
            lines.flip(cell, self.side());
            self.place(cell);
            moves += 1;
        }
        // Only a pass can end the game.
        let mut over = self.is_over();
        while !over {
            let steps = self.steps(&lines, self.side());
            let count = steps.count();
            if count == 0 {
                see(Move::Pass);
                self.pass();
                over = self.is_over();
            } else {
                let bit = steps.select(below(count, rng));
                see(self.step_of_bit(bit));
                self.make_bit(bit, &mut lines);
            }
            moves += 1;
        }
        Playout {
            moves,
            score: self.score(),
        }
    }
}
