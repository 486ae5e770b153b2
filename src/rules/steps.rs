//! The steps of a side as a set of bits, to be counted, cut and picked from
//! without a list.

use super::arch::having;
use super::lines::StepBits;
use super::state::Slot;
use super::word::{each_of_128, select_of_128};

/// The steps of all farmers of a side, one bit a step: 16 bits a farmer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps(u128);

/// Bits of [`Steps`] that are harvests.
pub(super) const HARVESTS: u128 = 0x3333_3333_3333_3333_3333_3333_3333_3333;

impl Steps {
    /// No steps.
    pub(super) const NONE: Steps = Steps(0);

    /// The number of the set bit `k` from 0.
    #[inline(always)]
    pub(super) fn select(self, k: u32) -> u32 {
        select_of_128(self.0, k)
    }

    /// Calls `visit` with the number of every bit set.
    #[inline(always)]
    pub(super) fn each(self, visit: impl FnMut(u32)) {
        each_of_128(self.0, visit);
    }

    /// The steps of one farmer.
    #[inline(always)]
    pub(super) const fn of_slot(self, slot: Slot) -> StepBits {
        (self.0 >> (16 * slot)) as StepBits
    }

    /// The steps of every farmer by slot, and which have any, one bit each.
    #[inline(always)]
    pub(super) fn by_slot(self) -> ([StepBits; 16], u16) {
        let mut all = [0; 16];
        for (slot, bits) in all.iter_mut().enumerate().take(8) {
            *bits = self.of_slot(slot);
        }
        (all, having(&all, StepBits::MAX))
    }

    /// The number of harvests.
    #[inline(always)]
    #[must_use]
    pub const fn harvests(self) -> u32 {
        (self.0 & HARVESTS).count_ones()
    }

    /// The number of sowings.
    #[inline(always)]
    #[must_use]
    pub const fn sowings(self) -> u32 {
        (self.0 & !HARVESTS).count_ones()
    }

    /// The number of steps.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The steps of a side of which only one farmer has any.
    #[inline(always)]
    pub(crate) const fn of_one(slot: Slot, bits: StepBits) -> Steps {
        Steps((bits as u128) << (16 * slot))
    }

    /// The steps of a side, given for each of its farmers.
    #[inline(always)]
    pub(super) fn of_slots(slots: [StepBits; 8]) -> Steps {
        // One load where the machine is little-endian.
        Steps(u128::from_le_bytes(bytemuck::cast(slots.map(u16::to_le))))
    }

    /// Adds the steps of a farmer that has none so far.
    #[inline(always)]
    pub(super) const fn add(&mut self, slot: Slot, bits: StepBits) {
        self.0 |= (bits as u128) << (16 * slot);
    }
}
