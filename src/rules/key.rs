//! One number for a position, by which it is found again.

use super::geometry::{BoardSize, Side};
use super::state::State;
use super::word::Word;

/// Mixes a number thoroughly (the finalizer of Stafford's variant 13, used by
/// Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014, for
/// SplitMix64).
#[inline(always)]
pub(crate) const fn mixed(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl<S: BoardSize> State<S> {
    /// The same number for equal states, whichever farmer of a side came where,
    /// and hardly ever the same for others: two of 2^32 states share one as
    /// likely as not.
    ///
    /// ```
    /// use agros::rules::{AnyState, Position};
    ///
    /// let key = |text: &str| -> Result<u64, agros::rules::ParsePositionError> {
    ///     let position: Position = text.parse()?;
    ///     let AnyState::S4(state) = position.state() else { unreachable!() };
    ///     Ok(state.key())
    /// };
    /// assert_ne!(key("x4/x4/x2,L1,x1/x3,D2 L 1 0")?, key("x4/x4/x2,L2,x1/x3,D1 L 1 0")?);
    /// # Ok::<(), agros::rules::ParsePositionError>(())
    /// ```
    #[must_use]
    pub fn key(&self) -> u64 {
        let turn = [self.side().index() as u8, self.passes(), self.farmers()];
        let mut key = u64::from_le_bytes([turn[0], turn[1], turn[2], 1, 0, 0, 0, 0]);
        for side in Side::BOTH {
            key = mixed(key).wrapping_add(self.pieces(side).folded());
            // A sum doesn't depend on the order of the farmers.
            for (cell, crop) in self.farmers_of(side) {
                let farmer = u64::from(cell.0) << 16 | u64::from(crop) << 8 | side.index() as u64;
                key = key.wrapping_add(mixed(farmer + 1));
            }
        }
        mixed(key)
    }
}

impl<S: BoardSize> std::hash::Hash for State<S> {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}

#[cfg(test)]
mod tests {
    use super::super::Position;
    use super::super::position::random::each_position;
    use crate::on_size;
    use std::collections::HashMap;

    #[test]
    fn equal_states_share_a_key_and_no_others() {
        let mut seed = 5;
        let mut seen = [0, 0];
        for size in 3..=12 {
            let mut known: HashMap<u64, Position> = HashMap::new();
            let mut enter = |position: Position| {
                let key = on_size!(position.state(), s => s.key());
                let text = position.to_string();
                // Read from text, farmers come in the order of the board.
                let read: Position = text.parse().unwrap();
                assert_eq!(on_size!(read.state(), s => s.key()), key, "{text}");
                match known.insert(key, position) {
                    Some(other) => {
                        assert_eq!(other, position, "{text}");
                        seen[0] += 1;
                    }
                    None => seen[1] += 1,
                }
            };
            for _ in 0..3 {
                each_position(size, &mut seed, |position| {
                    for mv in position.legal_moves() {
                        let mut child = *position;
                        child.play(mv).unwrap();
                        enter(child);
                    }
                });
            }
        }
        assert!(seen[0] > 100 && seen[1] > 5_000, "{seen:?}");
    }
}
