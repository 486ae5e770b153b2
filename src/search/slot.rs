//! What a slot of the tree holds: an edge, or the head of a block of edges.

use std::sync::atomic::{
    AtomicI64, AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

use bytemuck::Zeroable;

use super::{Actor, Bounds};

/// The link of an edge whose child has no block.
pub(super) const NONE: u32 = 0;
/// The link of an edge whose child is being expanded by some thread.
pub(super) const BUSY: u32 = 1;
/// The parent of a block that nothing leads to any more.
pub(super) const DEAD: u32 = u32::MAX;

/// Values are summed as integers, in this many units: the sum of 2^32 values
/// in -1..=1 stays within 2^62, and adding them up in any order is exact.
const VALUE_UNITS: f32 = 1_073_741_824.0;
pub(super) const WORTH_UNITS: f32 = 32767.0;
pub(super) const PRIOR_UNITS: f32 = 65535.0;

/// A value as it is summed.
pub(super) fn units(value: f32) -> i64 {
    (value * VALUE_UNITS) as i64
}

/// The mean of so many values with this sum.
fn mean(sum: i64, visits: u32) -> f32 {
    sum as f32 / VALUE_UNITS / visits.max(1) as f32
}

/// The storage of an edge or of a block's head.
///
/// Aligned to 16 bytes, not 32: beyond 16 the allocator clears every page of
/// the slab at the start instead of taking clear pages as they are touched.
#[derive(Zeroable)]
#[repr(C, align(16))]
pub(super) struct Slot {
    sum: AtomicI64,
    /// All that the selection looks at: from the lowest bit on 16 bits of worth,
    /// 16 of prior and 32 of visits.
    appeal: AtomicU64,
    link: AtomicU32,
    bounds: AtomicU32,
    minimax: AtomicU32,
    /// 16 bits of margin and 16 of the move; of a head, who moves.
    choice: AtomicU32,
}

/// A visit more in [`Slot::appeal`].
const VISIT: u64 = 1 << 32;

/// The visits in an [appeal](Edge::appeal).
pub(super) fn visits_of(appeal: u64) -> u32 {
    (appeal >> 32) as u32
}

/// The worth in an appeal.
pub(super) fn worth_of(appeal: u64) -> f32 {
    f32::from(appeal as u16 as i16) * (1.0 / WORTH_UNITS)
}

/// The prior in an appeal.
pub(super) fn prior_of(appeal: u64) -> f32 {
    f32::from((appeal >> 16) as u16) / PRIOR_UNITS
}

/// The lowest bits of an appeal.
fn worth_bits(worth: f32) -> u64 {
    u64::from(((worth * WORTH_UNITS) as i16).cast_unsigned())
}

/// A move from a node: its statistics and where its child's block lies.
#[derive(Clone, Copy)]
pub(super) struct Edge<'t>(pub(super) &'t Slot);

impl Edge<'_> {
    /// Visits, prior and worth, all that the selection asks for.
    pub(super) fn appeal(self) -> u64 {
        self.0.appeal.load(Relaxed)
    }

    pub(super) fn visits(self) -> u32 {
        visits_of(self.appeal())
    }

    pub(super) fn mean(self) -> f32 {
        mean(self.0.sum.load(Relaxed), self.visits())
    }

    /// Counts visits, of values with this sum in [`units`], and remembers what the move
    /// is worth to the selection by the mean of all.
    pub(super) fn add(self, visits: u32, sum: i64, worth: impl Fn(f32) -> f32) {
        let sum = self.0.sum.fetch_add(sum, Relaxed) + sum;
        let with = |appeal: u64| {
            let more = appeal.checked_add(u64::from(visits) * VISIT);
            let more = more.unwrap_or(appeal);
            let worth = worth(mean(sum, visits_of(more)));
            Some(more & !0xffff | worth_bits(worth))
        };
        // This never fails.
        let _ = self.0.appeal.fetch_update(Relaxed, Relaxed, with);
    }

    /// Counts a visit where no other thread writes.
    pub(super) fn add_alone(self, value: f32) {
        self.0
            .sum
            .store(self.0.sum.load(Relaxed) + units(value), Relaxed);
        let appeal = self.appeal();
        let more = appeal.checked_add(VISIT).unwrap_or(appeal);
        self.0.appeal.store(more, Relaxed);
    }

    pub(super) fn link(self) -> u32 {
        self.0.link.load(Acquire)
    }

    /// Publishes a finished block.
    pub(super) fn set_link(self, block: u32) {
        self.0.link.store(block, Release);
    }

    /// Claims the expansion where no other thread writes.
    pub(super) fn claim_alone(self) -> bool {
        self.0.link.store(BUSY, Relaxed);
        true
    }

    /// Claims the expansion; false if another thread was faster.
    pub(super) fn claim(self) -> bool {
        self.0
            .link
            .compare_exchange(NONE, BUSY, Acquire, Relaxed)
            .is_ok()
    }

    pub(super) fn bounds(self) -> Bounds {
        Bounds::unpack(self.0.bounds.load(Relaxed))
    }

    /// Adds a proof; true if it told something new.
    pub(super) fn prove(self, bounds: Bounds) -> bool {
        let old = self.0.bounds.fetch_update(Relaxed, Relaxed, |bits| {
            let old = Bounds::unpack(bits);
            let new = old.meet(bounds);
            (new != old && new.lo <= new.hi).then(|| new.pack())
        });
        old.is_ok()
    }

    /// The best value backed up from below, the judgement until there is one;
    /// within what is proven.
    pub(super) fn minimax(self) -> f32 {
        f32::from_bits(self.0.minimax.load(Relaxed))
    }

    pub(super) fn set_minimax(self, value: f32) {
        self.0.minimax.store(value.to_bits(), Relaxed);
    }

    /// What the move is worth to the selection: its judgement until it is
    /// visited, then what was remembered last.
    pub(super) fn worth(self) -> f32 {
        worth_of(self.appeal())
    }

    /// Remembers what the move is worth to the selection, where no other thread
    /// writes.
    pub(super) fn set_worth_alone(self, worth: f32) {
        let appeal = self.appeal() & !0xffff | worth_bits(worth);
        self.0.appeal.store(appeal, Relaxed);
    }

    /// The final margin it was judged to lead to.
    pub(super) fn margin(self) -> i16 {
        self.0.choice.load(Relaxed) as u16 as i16
    }

    #[cfg(test)]
    pub(super) fn prior(self) -> f32 {
        prior_of(self.appeal())
    }

    pub(super) fn mv(self) -> u16 {
        (self.0.choice.load(Relaxed) >> 16) as u16
    }

    /// Makes a fresh edge.
    pub(super) fn init(self, mv: u16, prior: f32, judged: f32, margin: f32, bounds: Bounds) {
        let prior = u64::from((prior * PRIOR_UNITS) as u16);
        let margin = (margin as i16).cast_unsigned();
        let choice = u32::from(margin) | u32::from(mv) << 16;
        self.0.sum.store(0, Relaxed);
        let appeal = worth_bits(judged) | prior << 16;
        self.0.appeal.store(appeal, Relaxed);
        self.0.link.store(NONE, Relaxed);
        self.0.bounds.store(bounds.pack(), Relaxed);
        self.0.minimax.store(judged.to_bits(), Relaxed);
        self.0.choice.store(choice, Relaxed);
    }

    /// Makes an edge with another's move, prior and worth that hasn't been visited.
    pub(super) fn renew(self, other: Edge<'_>) {
        self.copy_from(other);
        self.0.sum.store(0, Relaxed);
        let unvisited = other.appeal() & (VISIT - 1);
        self.0.appeal.store(unvisited, Relaxed);
        self.0.link.store(NONE, Relaxed);
    }

    /// Makes it what another edge is.
    pub(super) fn copy_from(self, other: Edge<'_>) {
        let (to, from) = (self.0, other.0);
        to.sum.store(from.sum.load(Relaxed), Relaxed);
        to.appeal.store(from.appeal.load(Relaxed), Relaxed);
        to.link.store(from.link.load(Relaxed), Relaxed);
        to.bounds.store(from.bounds.load(Relaxed), Relaxed);
        to.minimax.store(from.minimax.load(Relaxed), Relaxed);
        to.choice.store(from.choice.load(Relaxed), Relaxed);
    }
}

/// The head of a block: how many edges it has, who moves, which edge leads here.
#[derive(Clone, Copy)]
pub(super) struct Head<'t>(pub(super) &'t Slot);

impl Head<'_> {
    pub(super) fn len(self) -> u32 {
        self.0.bounds.load(Relaxed)
    }

    /// Edges from this one on have never been tried.
    pub(super) fn tried(self) -> u32 {
        self.0.minimax.load(Relaxed)
    }

    pub(super) fn try_up_to(self, tried: u32) {
        if tried > self.tried() {
            self.0.minimax.fetch_max(tried, Relaxed);
        }
    }

    pub(super) fn actor(self) -> Actor {
        if self.0.choice.load(Relaxed) == 0 {
            Actor::First
        } else {
            Actor::Second
        }
    }

    pub(super) fn parent(self) -> u32 {
        self.0.link.load(Relaxed)
    }

    pub(super) fn set_parent(self, edge: u32) {
        self.0.link.store(edge, Relaxed);
    }

    /// The key of the block's state, 0 as long as the block isn't finished.
    pub(super) fn key(self) -> u64 {
        self.0.sum.load(Acquire).cast_unsigned()
    }

    /// Sets the key, which says that the block is finished.
    pub(super) fn set_key(self, key: u64) {
        self.0.sum.store(key.cast_signed(), Release);
    }

    pub(super) fn init(self, len: u32, actor: Actor, parent: u32) {
        self.0.bounds.store(len, Relaxed);
        self.0.minimax.store(0, Relaxed);
        self.0
            .choice
            .store(u32::from(actor == Actor::Second), Relaxed);
        self.0.link.store(parent, Relaxed);
        self.0.sum.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_takes_32_bytes() {
        assert_eq!(size_of::<Slot>(), 32);
    }

    #[test]
    fn sums_neither_drift_nor_overflow() {
        let slot = Slot::zeroed();
        let edge = Edge(&slot);
        edge.0.appeal.store(u64::MAX - VISIT, Relaxed);
        edge.0
            .sum
            .store(i64::from(u32::MAX - 1) * VALUE_UNITS as i64, Relaxed);
        edge.add(1, units(1.0), |mean| -mean);
        assert_eq!(
            (edge.visits(), edge.mean(), edge.worth()),
            (u32::MAX, 1.0, -1.0)
        );
        edge.add(7, 0, |_| 0.5);
        assert_eq!((edge.visits(), edge.prior()), (u32::MAX, 1.0));
        edge.add_alone(0.0);
        assert_eq!((edge.visits(), edge.prior()), (u32::MAX, 1.0));
        edge.set_worth_alone(-1.0);
        assert_eq!(
            (edge.visits(), edge.worth(), edge.prior()),
            (u32::MAX, -1.0, 1.0)
        );
    }

    #[test]
    fn visits_count_the_same_at_once_and_one_by_one() {
        let slots = [(); 2].map(|()| Slot::zeroed());
        let [once, each] = slots.each_ref().map(Edge);
        let values = [-0.25, 0.5, 0.125, 0.37];
        once.add(4, values.map(units).into_iter().sum(), |mean| mean / 2.0);
        values.into_iter().for_each(|value| each.add_alone(value));
        assert_eq!((once.visits(), once.mean()), (4, each.mean()));
        assert!((once.worth() - each.mean() / 2.0).abs() < 1e-4);
    }
}
