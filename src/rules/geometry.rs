//! The board's geometry: which cells are beside which, one type for each board size.

pub use super::cell::{Cell, MAX_FARMERS, MAX_SIZE, MIN_SIZE, Side};
use super::crops::Farmers;
use super::places::Places;
use super::wide::Wide;
use super::word::Word;
use std::fmt;

/// A field as a flood finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found<W> {
    /// Its cells.
    pub cells: W,
    /// Their number.
    pub count: u32,
    /// The farmers beside it.
    pub(super) beside: Farmers,
}

/// A board size known at compile time, with the word that holds its cells.
///
/// Cell (file, rank) is bit `FIRST + rank × STRIDE + file` of the [`Word`].
pub trait BoardSize: Copy + Eq + fmt::Debug + Default + Send + Sync + 'static {
    /// Cells along a side.
    const SIZE: u8;
    /// The machine word of a set of cells.
    type Word: Word;
    /// Every cell of the board.
    const BOARD: Self::Word;
    /// The cell of each bit index.
    const CELLS: &'static [Cell; 256];
    /// The bit of each rank's first cell.
    const RANKS: &'static [u8; 16] = &ranks(Self::Word::FIRST, Self::Word::STRIDE);
    /// The set of each cell alone, by the cell's number.
    const BITS: &'static [Self::Word; 256];
    /// The horizontal and vertical neighbours of each cell.
    const NEAR: &'static [Self::Word; 256];

    /// The bit index of a cell on this board.
    #[inline(always)]
    fn index(cell: Cell) -> u32 {
        Self::Word::FIRST + u32::from(cell.rank()) * Self::Word::STRIDE + u32::from(cell.file())
    }

    /// The cell of a bit index.
    #[inline(always)]
    fn cell(index: u32) -> Cell {
        Self::CELLS[(index & 255) as usize]
    }

    /// The set of one cell.
    #[inline(always)]
    fn bit(cell: Cell) -> Self::Word {
        Self::BITS[usize::from(cell.0)]
    }

    /// The horizontal and vertical neighbours of one cell.
    #[inline(always)]
    fn near(cell: Cell) -> Self::Word {
        Self::NEAR[usize::from(cell.0)]
    }

    /// The maximal set of `within` joined to the seed, which lies in it.
    #[inline(always)]
    fn flood(seed: Self::Word, within: Self::Word) -> Self::Word {
        Self::flood_rimmed(seed, within)[0]
    }

    /// A part of `within` with its cells' neighbours there, sideways first and
    /// then up and down: it grows by its corners too. If it doesn't grow, the
    /// second set is it with all its neighbours.
    #[inline(always)]
    fn grown(set: Self::Word, within: Self::Word) -> [Self::Word; 2] {
        let beside = set | Self::beside_in_rank(set);
        let wider = beside & within;
        let above = wider | wider.north() | wider.south();
        [above & within, beside | above]
    }

    /// [`Self::flood`], and the same set with all its neighbours.
    #[inline(always)]
    fn flood_rimmed(seed: Self::Word, within: Self::Word) -> [Self::Word; 2] {
        let mut filled = seed;
        loop {
            let [grown, rimmed] = Self::grown(filled, within);
            if filled.covers(grown) {
                return [filled, rimmed];
            }
            filled = grown;
        }
    }

    /// The neighbours of a set in its ranks, which may leave the board.
    #[inline(always)]
    fn beside_in_rank(set: Self::Word) -> Self::Word {
        set.west() | set.east()
    }

    /// The fields within a set that two seeds lie in, with the farmers beside
    /// each.
    #[inline(always)]
    fn two_fields(
        seeds: [Self::Word; 2],
        within: Self::Word,
        places: &Places,
    ) -> [Found<Self::Word>; 2] {
        seeds.map(|seed| {
            let [cells, rimmed] = Self::flood_rimmed(seed, within);
            Found {
                cells,
                count: cells.count(),
                beside: rimmed.standing(places),
            }
        })
    }

    /// The horizontal and vertical neighbours of a set of cells, which may
    /// leave the board: intersect with what you look for.
    #[inline(always)]
    fn neighbours(set: Self::Word) -> Self::Word {
        Self::beside_in_rank(set) | set.north() | set.south()
    }
}

/// The limbs of a board whose cell a1 is bit `first`.
const fn board(size: u32, first: u32, stride: u32) -> [u64; 4] {
    let mut limbs = [0; 4];
    let mut rank = 0;
    while rank < size {
        let mut file = 0;
        while file < size {
            let index = first + rank * stride + file;
            limbs[(index / 64) as usize] |= 1 << (index % 64);
            file += 1;
        }
        rank += 1;
    }
    limbs
}

/// The cell of each bit index where cell a1 is bit `first`.
const fn cells(size: usize, first: u32, stride: u32) -> [Cell; 256] {
    let mut table = [Cell::NOWHERE; 256];
    let mut cell = 0;
    while cell < size * size {
        let (file, rank) = (cell % size, cell / size);
        let index = first as usize + rank * stride as usize + file;
        table[index] = Cell((rank << 4 | file) as u8);
        cell += 1;
    }
    table
}

/// The bit of each rank's first cell where cell a1 is bit `first`.
const fn ranks(first: u32, stride: u32) -> [u8; 16] {
    let mut table = [0; 16];
    let mut rank = 0;
    while rank < 12 {
        table[rank] = (first + rank as u32 * stride) as u8;
        rank += 1;
    }
    table
}

/// The limbs of each cell alone or, with `near`, of its neighbours, by the
/// cell's number.
const fn cell_sets(size: i32, first: u32, stride: u32, near: bool) -> [[u64; 4]; 256] {
    let mut table = [[0; 4]; 256];
    let steps = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)];
    let mut cell = 0;
    while cell < 256 {
        let (file, rank) = (cell & 15, cell >> 4);
        let mut i = if near { 1 } else { 0 };
        while i < if near { 5 } else { 1 } {
            let (x, y) = (file + steps[i].0, rank + steps[i].1);
            if file < size && rank < size && x >= 0 && x < size && y >= 0 && y < size {
                let index = first as i32 + y * stride as i32 + x;
                table[cell as usize][(index / 64) as usize] |= 1 << (index % 64);
            }
            i += 1;
        }
        cell += 1;
    }
    table
}

const fn to_u64(limbs: [u64; 4]) -> u64 {
    limbs[0]
}

const fn to_wide(limbs: [u64; 4]) -> Wide {
    Wide::from_limbs(limbs)
}

macro_rules! table {
    ($size:literal, $near:literal, $word:ty, $from_limbs:ident) => {{
        const LIMBS: [[u64; 4]; 256] = cell_sets($size, <$word>::FIRST, <$word>::STRIDE, $near);
        const TABLE: [$word; 256] = {
            let mut table = [$from_limbs([0; 4]); 256];
            let mut cell = 0;
            while cell < 256 {
                table[cell] = $from_limbs(LIMBS[cell]);
                cell += 1;
            }
            table
        };
        TABLE
    }};
}

macro_rules! board_size {
    ($name:ident, $size:literal, $word:ty, $from_limbs:ident, $twins:ident) => {
        #[doc = concat!("The ", $size, "×", $size, " board.")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $name;

        impl BoardSize for $name {
            const SIZE: u8 = $size;
            type Word = $word;
            const BOARD: $word = $from_limbs(board($size, <$word>::FIRST, <$word>::STRIDE));
            const CELLS: &'static [Cell; 256] = &cells($size, <$word>::FIRST, <$word>::STRIDE);
            const BITS: &'static [$word; 256] = &table!($size, false, $word, $from_limbs);
            const NEAR: &'static [$word; 256] = &table!($size, true, $word, $from_limbs);

            #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
            #[inline(always)]
            fn two_fields(seeds: [$word; 2], within: $word, places: &Places) -> [Found<$word>; 2] {
                super::twins::$twins(seeds, within, places)
            }
        }
    };
}

board_size!(Size3, 3, u64, to_u64, narrow);
board_size!(Size4, 4, u64, to_u64, narrow);
board_size!(Size5, 5, u64, to_u64, narrow);
board_size!(Size6, 6, u64, to_u64, narrow);
board_size!(Size7, 7, u64, to_u64, narrow);
board_size!(Size8, 8, u64, to_u64, narrow);
board_size!(Size9, 9, Wide, to_wide, wide);
board_size!(Size10, 10, Wide, to_wide, wide);
board_size!(Size11, 11, Wide, to_wide, wide);
board_size!(Size12, 12, Wide, to_wide, wide);

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: BoardSize>() {
        assert_eq!(S::BOARD.count(), u32::from(S::SIZE) * u32::from(S::SIZE));
        for rank in 0..S::SIZE {
            for file in 0..S::SIZE {
                let cell = Cell::new(file, rank).unwrap();
                assert_eq!(S::cell(S::index(cell)), cell);
                let mut expected = S::Word::EMPTY;
                for (df, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                    let (f, r) = (file as i8 + df, rank as i8 + dr);
                    if let Some(near) = Cell::new(f as u8, r as u8).filter(|c| c.is_on(S::SIZE)) {
                        expected |= S::bit(near);
                    }
                }
                assert_eq!(S::neighbours(S::bit(cell)) & S::BOARD, expected);
            }
        }
    }

    #[test]
    fn neighbours_never_wrap() {
        check::<Size3>();
        check::<Size4>();
        check::<Size5>();
        check::<Size6>();
        check::<Size7>();
        check::<Size8>();
        check::<Size9>();
        check::<Size10>();
        check::<Size11>();
        check::<Size12>();
    }
}
