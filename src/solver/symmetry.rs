//! One key for all positions that are the same up to symmetry.

use crate::rules::word::Word;
use crate::rules::{BoardSize, Cell, Side, State, mixed};

/// Kinds of pieces: seeds, then farmers of crops 1 to 12, each own and the
/// opponent's.
const KINDS: usize = 2 * 13;
const IMAGES: usize = 8;

/// Random numbers for each piece on each cell under each symmetry of the board
/// (Zobrist 1970). The keys have 128 bits, so that no two of the 2^40 positions
/// that a search could ever see are likely to share one (chance below 2^-48).
pub(super) struct Keys<S> {
    /// By kind, cell and image.
    pieces: Vec<[u128; IMAGES]>,
    passed: u128,
    dark_to_place: u128,
    size: std::marker::PhantomData<S>,
}

/// The next number of the SplitMix64 sequence (Steele, Lea and Flood 2014).
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed(*state)
}

/// Where a cell goes under one of the board's eight symmetries.
fn image(size: u8, cell: Cell, image: usize) -> Cell {
    let edge = size - 1;
    let (mut file, mut rank) = (cell.file(), cell.rank());
    if image & 1 != 0 {
        file = edge - file;
    }
    if image & 2 != 0 {
        rank = edge - rank;
    }
    if image & 4 != 0 {
        (file, rank) = (rank, file);
    }
    Cell::new(file, rank).unwrap_or_default()
}

impl<S: BoardSize> Keys<S> {
    pub(super) fn new() -> Self {
        let mut seed = 0x4167_726f;
        let mut next = || u128::from(split_mix(&mut seed)) << 64 | u128::from(split_mix(&mut seed));
        let cells = usize::from(S::SIZE) * usize::from(S::SIZE);
        let place =
            |cell: Cell| usize::from(cell.rank()) * usize::from(S::SIZE) + usize::from(cell.file());
        let mut pieces = Vec::new();
        for _ in 0..KINDS {
            let numbers: Vec<u128> = (0..cells).map(|_| next()).collect();
            for index in 0..256usize {
                let cell = Cell::new((index & 15) as u8, (index >> 4) as u8);
                pieces.push(match cell.filter(|cell| cell.is_on(S::SIZE)) {
                    Some(cell) => std::array::from_fn(|i| numbers[place(image(S::SIZE, cell, i))]),
                    None => [0; IMAGES],
                });
            }
        }
        let (passed, dark_to_place) = (next(), next());
        Keys {
            pieces,
            passed,
            dark_to_place,
            size: std::marker::PhantomData,
        }
    }

    /// The key of a state. In the moving stage the colours are told as own and
    /// opponent's, as only who moves matters then.
    pub(super) fn key(&self, state: &State<S>) -> u128 {
        let own = if state.is_placing() {
            Side::Light
        } else {
            state.side()
        };
        let mut keys = [0u128; IMAGES];
        let mut add = |kind: usize, cell: Cell| {
            let index = kind * 256 + usize::from(cell.rank()) * 16 + usize::from(cell.file());
            for (key, number) in keys.iter_mut().zip(&self.pieces[index]) {
                *key ^= number;
            }
        };
        for side in Side::BOTH {
            let kinds = if side == own { 0 } else { 13 };
            let mut seeds = state.pieces(side);
            for (cell, crop) in state.farmers_of(side) {
                seeds &= !S::bit(cell);
                add(kinds + usize::from(crop), cell);
            }
            while !seeds.is_empty() {
                add(kinds, S::cell(seeds.lowest()));
                seeds = seeds.without_lowest();
            }
        }
        let mut key = keys.into_iter().min().unwrap_or_default();
        if state.passes() == 1 {
            key ^= self.passed;
        }
        if state.is_placing() && state.side() == Side::Dark {
            key ^= self.dark_to_place;
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::geometry::Size4;
    use crate::rules::{AnyState, Position};

    fn key(text: &str) -> u128 {
        let position: Position = text.parse().unwrap();
        let AnyState::S4(state) = position.state() else {
            panic!("not 4×4")
        };
        Keys::<Size4>::new().key(state)
    }

    #[test]
    fn images_share_a_key_and_others_do_not() {
        let this = key("l,L1,l,d/l,x2,D3/x1,l,d,x1/l,d,x2 D 1 0");
        let mirrored = key("d,l,L1,l/D3,x2,l/x1,d,l,x1/x2,d,l D 1 0");
        let exchanged = key("d,D1,d,l/d,x2,L3/x1,d,l,x1/d,l,x2 L 1 0");
        assert_eq!(this, mirrored);
        assert_eq!(this, exchanged);
        for other in [
            "l,L1,l,d/l,x2,D3/x1,l,d,x1/l,d,x2 L 1 0",
            "l,L1,l,d/l,x2,D3/x1,l,d,x1/l,d,x2 D 1 1",
            "l,L2,l,d/l,x2,D3/x1,l,d,x1/l,d,x2 D 1 0",
            "l,L1,l,d/l,x2,D3/x1,d,l,x1/l,d,x2 D 1 0",
        ] {
            assert_ne!(this, key(other), "{other}");
        }
    }
}
