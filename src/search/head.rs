//! The head of a block: what is known of a node and how many edges it has.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::slot::Slot;
use super::{Actor, Bounds};

/// Values are summed as integers, in this many units: the sum of 2^32 values
/// in -1..=1 stays within 2^62, and adding them up in any order is exact.
const VALUE_UNITS: f32 = 1_073_741_824.0;

/// A value as it is summed.
pub(super) fn units(value: f32) -> i64 {
    (value * VALUE_UNITS) as i64
}

/// The mean of so many values with this sum.
pub(super) fn mean(sum: i64, visits: u32) -> f32 {
    sum as f32 / VALUE_UNITS / visits.max(1) as f32
}

/// The parent of a block that nothing leads to any more.
pub(super) const DEAD: u32 = u32::MAX;
/// Slots of a head.
pub(super) const HEAD: u32 = 2;
/// Who moves, in the word with the number of edges.
const SECOND: u32 = 1 << 31;

/// A head. The first slot has the sum of the values of all visits, the bounds and the
/// edge which leads here; the second the state's key, who moves with the number of edges,
/// and 16 bits of tried edges over 16 of margin.
#[derive(Clone, Copy)]
pub(super) struct Head<'t>(pub(super) &'t [Slot; HEAD as usize]);

impl Head<'_> {
    /// The sum of the values of all visits, in [`units`].
    pub(super) fn sum(self) -> i64 {
        self.0[0].double.load(Relaxed).cast_signed()
    }

    /// Adds values with this sum; the sum then.
    pub(super) fn add(self, sum: i64) -> i64 {
        let more = sum.cast_unsigned();
        let before = self.0[0].double.fetch_add(more, Relaxed);
        before.wrapping_add(more).cast_signed()
    }

    /// The same where no other thread writes.
    pub(super) fn add_alone(self, sum: i64) -> i64 {
        let sum = self.sum() + sum;
        self.0[0].double.store(sum.cast_unsigned(), Relaxed);
        sum
    }

    pub(super) fn bounds(self) -> Bounds {
        Bounds::unpack(self.0[0].second.load(Relaxed))
    }

    /// Adds a proof; true if it told something new.
    pub(super) fn prove(self, bounds: Bounds) -> bool {
        let old = self.0[0].second.fetch_update(Relaxed, Relaxed, |bits| {
            let old = Bounds::unpack(bits);
            let new = old.and(bounds);
            (new != old).then(|| new.pack())
        });
        old.is_ok()
    }

    /// The edge that leads here.
    pub(super) fn parent(self) -> u32 {
        self.0[0].first.load(Relaxed)
    }

    pub(super) fn set_parent(self, edge: u32) {
        self.0[0].first.store(edge, Relaxed);
    }

    /// The key of the block's state, 0 as long as the block isn't finished.
    pub(super) fn key(self) -> u64 {
        self.0[1].double.load(Acquire)
    }

    /// Sets the key, which says that the block is finished.
    pub(super) fn set_key(self, key: u64) {
        self.0[1].double.store(key, Release);
    }

    pub(super) fn len(self) -> u32 {
        self.0[1].first.load(Relaxed) & !SECOND
    }

    pub(super) fn actor(self) -> Actor {
        if self.0[1].first.load(Relaxed) & SECOND == 0 {
            Actor::First
        } else {
            Actor::Second
        }
    }

    /// Edges from this one on have never been tried. (Of 65,536 edges, as many as can
    /// be, the last may have been.)
    pub(super) fn tried(self) -> u32 {
        self.0[1].second.load(Relaxed) >> 16
    }

    pub(super) fn try_up_to(self, tried: u32) {
        if tried > self.tried() {
            let with_margin = self.margin_bits() | tried.min(0xffff) << 16;
            self.0[1].second.fetch_max(with_margin, Relaxed);
        }
    }

    /// The final margin that the best of its moves was judged to lead to.
    pub(super) fn margin(self) -> i16 {
        (self.margin_bits() as u16).cast_signed()
    }

    fn margin_bits(self) -> u32 {
        self.0[1].second.load(Relaxed) & 0xffff
    }

    pub(super) fn init(self, len: u32, actor: Actor, parent: u32, margin: i16) {
        let side = if actor == Actor::First { 0 } else { SECOND };
        self.0[0].double.store(0, Relaxed);
        self.0[0].first.store(parent, Relaxed);
        self.0[0].second.store(Bounds::OPEN.pack(), Relaxed);
        self.0[1].double.store(0, Relaxed);
        self.0[1].first.store(len | side, Relaxed);
        let margin = u32::from(margin.cast_unsigned());
        self.0[1].second.store(margin, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    #[test]
    fn sums_neither_drift_nor_overflow() {
        let slots = [(); 2].map(|()| Slot::zeroed());
        let head = Head(&slots);
        head.init(7, Actor::First, 0, 0);
        head.add(i64::from(u32::MAX - 1) * VALUE_UNITS as i64);
        let sum = head.add(units(1.0));
        assert_eq!(mean(sum, u32::MAX), 1.0);
        let values = [-0.25, 0.5, 0.125, 0.37];
        values.iter().for_each(|&value| {
            head.add_alone(units(value));
        });
        let all: i64 = values.map(units).iter().sum();
        assert_eq!(head.add(-all), sum);
    }

    #[test]
    fn a_head_keeps_what_it_was_given() {
        let slots = [(); 2].map(|()| Slot::zeroed());
        let head = Head(&slots);
        for (actor, margin) in [(Actor::First, -1), (Actor::Second, 300)] {
            head.init(0x1_0000, actor, 99, margin);
            head.set_key(u64::MAX);
            assert!(head.prove(Bounds { lo: -7, hi: 300 }));
            assert!(!head.prove(Bounds { lo: -8, hi: 300 }));
            assert!(!head.prove(Bounds::exact(400)), "a contradiction");
            for tried in [0, 3, 2, 0xffff, 0x1_0000] {
                head.try_up_to(tried);
            }
            assert_eq!((head.len(), head.tried()), (0x1_0000, 0xffff));
            assert_eq!((head.actor(), head.margin()), (actor, margin));
            assert_eq!((head.parent(), head.sum(), head.key()), (99, 0, u64::MAX));
            assert_eq!(head.bounds(), Bounds { lo: -7, hi: 300 });
        }
    }
}
