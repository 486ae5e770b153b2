//! The storage of the tree: slots of 16 bytes. An [edge](super::edge) takes one, a
//! [block's head](super::head) two.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;

/// Two words and a double word, which mean one thing to an edge and another to a head.
///
/// Aligned to 16 bytes and no more: beyond that the allocator clears every page of
/// the slab at the start instead of taking clear pages as they are touched.
#[derive(Zeroable)]
#[repr(C, align(16))]
pub(super) struct Slot {
    pub(super) double: AtomicU64,
    pub(super) first: AtomicU32,
    pub(super) second: AtomicU32,
}

impl Slot {
    /// Makes it what another slot is.
    pub(super) fn copy_from(&self, other: &Slot) {
        self.double.store(other.double.load(Relaxed), Relaxed);
        self.first.store(other.first.load(Relaxed), Relaxed);
        self.second.store(other.second.load(Relaxed), Relaxed);
    }
}

/// Slots in a line of the processor's cache.
pub(super) const LINE: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_takes_16_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
        assert_eq!(LINE as usize * size_of::<Slot>(), 64);
    }
}
