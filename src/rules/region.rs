//! The fields that farmers touch, as they are kept.

use super::arch::having;
use super::crops::{Farmers, Weights};
use super::word::Word;
use super::worth::Worth;
use arrayvec::ArrayVec;

/// A field that farmers touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region<W> {
    pub(super) cells: W,
    /// What the crops beside it weigh.
    pub(super) weights: Weights,
    pub(super) worth: Worth,
    /// The number of cells.
    pub(super) count: u8,
}

impl<W: Word> Region<W> {
    #[inline(always)]
    pub(super) fn new(cells: W, count: u32, weights: Weights) -> Region<W> {
        Region {
            cells,
            weights,
            worth: weights.worth(count),
            count: count as u8,
        }
    }

    /// The same field without crops that stood beside it.
    #[inline(always)]
    pub(super) fn without(&self, crops: Weights) -> Region<W> {
        Region::new(self.cells, self.count.into(), self.weights.without(crops))
    }
}

/// More fields than any position has: no more than half of 144 cells can be
/// empty without being beside another empty one. A multiple of 16.
const MOST: usize = 80;

/// Fields, in no order, with the farmers beside each.
#[derive(Clone, Debug)]
pub(super) struct Regions<W: Word> {
    all: ArrayVec<Region<W>, MOST>,
    /// The farmers beside each; none beyond the last.
    beside: [[u16; 16]; MOST / 16],
}

impl<W: Word> Regions<W> {
    /// None.
    #[inline(always)]
    pub(super) fn none() -> Regions<W> {
        Regions {
            all: ArrayVec::new(),
            beside: [[0; 16]; MOST / 16],
        }
    }

    /// Lets go of all.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.all.clear();
        self.beside = [[0; 16]; MOST / 16];
    }

    /// Keeps a field.
    #[inline(always)]
    pub(super) fn push(&mut self, region: Region<W>, beside: Farmers) {
        let number = self.all.len();
        if number < MOST {
            self.all.push(region);
            self.beside.as_flattened_mut()[number] = beside as u16;
        }
    }

    /// The fields that a farmer stands beside: it has four neighbours at most.
    #[inline(always)]
    pub(super) fn beside(&self, who: Farmers) -> [Option<&Region<W>>; 4] {
        let mut found = [None; 4];
        let mut sixteen = 0;
        let mut rest = having(&self.beside[0], who as u16);
        'all: for found in &mut found {
            while rest == 0 {
                sixteen += 1;
                if 16 * sixteen >= self.all.len() {
                    break 'all;
                }
                rest = having(&self.beside[sixteen], who as u16);
            }
            *found = self.all.get(16 * sixteen + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
        found
    }

    /// The field with a cell in `wanted`.
    #[inline(always)]
    pub(super) fn find(&self, wanted: W) -> Option<&Region<W>> {
        self.all.iter().find(|region| region.cells.meets(wanted))
    }

    /// Takes out the field with a cell in `wanted`.
    #[inline(always)]
    pub(super) fn take(&mut self, wanted: W) -> Option<Region<W>> {
        let mut numbers = self.all.iter();
        let number = numbers.position(|region| region.cells.meets(wanted))?;
        Some(self.remove(number))
    }

    /// Takes out the fields that a farmer stands beside.
    #[inline(always)]
    pub(super) fn take_beside(&mut self, who: Farmers, mut visit: impl FnMut(Region<W>)) {
        // From the last on, as the last takes the place of what is taken out.
        for i in (0..self.all.len().div_ceil(16)).rev() {
            let mut rest = having(&self.beside[i], who as u16);
            while rest != 0 {
                let bit = 15 - rest.leading_zeros();
                visit(self.remove(16 * i + bit as usize));
                rest &= !(1 << bit);
            }
        }
    }

    /// Takes a farmer away from the fields that it stands beside.
    #[inline(always)]
    pub(super) fn leave(&mut self, who: Farmers, mut visit: impl FnMut(&mut Region<W>)) {
        for i in 0..self.all.len().div_ceil(16) {
            let mut rest = having(&self.beside[i], who as u16);
            for beside in &mut self.beside[i] {
                *beside &= !(who as u16);
            }
            while rest != 0 {
                if let Some(region) = self.all.get_mut(16 * i + rest.trailing_zeros() as usize) {
                    visit(region);
                }
                rest &= rest - 1;
            }
        }
    }

    #[inline(always)]
    fn remove(&mut self, number: usize) -> Region<W> {
        let beside = self.beside.as_flattened_mut();
        let last = self.all.len() - 1;
        beside[number] = beside[last];
        beside[last] = 0;
        self.all.swap_remove(number)
    }

    /// All fields with the farmers beside each.
    pub(super) fn with_farmers(&self) -> impl Iterator<Item = (&Region<W>, Farmers)> {
        self.all
            .iter()
            .zip(self.beside.as_flattened().iter().map(|&set| set.into()))
    }
}
