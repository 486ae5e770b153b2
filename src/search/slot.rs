//! What a slot of the tree holds: an edge, or the head of a block of edges.

use std::sync::atomic::{
    AtomicI64, AtomicU32, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
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

/// The storage of an edge or of a block's head.
///
/// Aligned to 16 bytes, not 32: beyond 16 the allocator clears every page of
/// the slab at the start instead of taking clear pages as they are touched.
#[derive(Zeroable)]
#[repr(C, align(16))]
pub(super) struct Slot {
    sum: AtomicI64,
    visits: AtomicU32,
    link: AtomicU32,
    bounds: AtomicU32,
    minimax: AtomicU32,
    worth: AtomicU32,
    choice: AtomicU32,
}

/// What an edge's worth and margin, in one field, say of its worth.
pub(super) fn worth_of(field: u32) -> f32 {
    f32::from(field as u16 as i16) * (1.0 / WORTH_UNITS)
}

/// What an edge's move and prior, in one field, say of its prior.
pub(super) fn prior_of(field: u32) -> f32 {
    (field >> 16) as f32 / PRIOR_UNITS
}

/// A move from a node: its statistics and where its child's block lies.
#[derive(Clone, Copy)]
pub(super) struct Edge<'t>(pub(super) &'t Slot);

impl Edge<'_> {
    pub(super) fn visits(self) -> u32 {
        self.0.visits.load(Relaxed)
    }

    pub(super) fn mean(self) -> f32 {
        let visits = self.visits().max(1);
        self.0.sum.load(Relaxed) as f32 / VALUE_UNITS / visits as f32
    }

    /// Counts a finished visit of this value.
    pub(super) fn add(self, value: f32) {
        self.0.sum.fetch_add((value * VALUE_UNITS) as i64, Relaxed);
        self.0.visits.fetch_add(1, Relaxed);
    }

    /// As [`Edge::add`], where no other thread writes.
    pub(super) fn add_alone(self, value: f32) {
        self.0.sum.store(
            self.0.sum.load(Relaxed) + (value * VALUE_UNITS) as i64,
            Relaxed,
        );
        self.0
            .visits
            .store(self.visits().saturating_add(1), Relaxed);
    }

    /// Counts a visit under way, which other threads take for one of `value`.
    pub(super) fn begin(self, value: f32) {
        self.add(value);
    }

    /// Turns a visit under way, counted as `expected`, into one of `value`.
    pub(super) fn finish(self, expected: f32, value: f32) {
        let change = (value * VALUE_UNITS) as i64 - (expected * VALUE_UNITS) as i64;
        self.0.sum.fetch_add(change, Relaxed);
    }

    pub(super) fn link(self) -> u32 {
        self.0.link.load(Acquire)
    }

    /// Publishes a finished block.
    pub(super) fn set_link(self, block: u32) {
        self.0.link.store(block, Release);
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
    /// visited, then what [`Edge::set_worth`] was told.
    pub(super) fn worth(self) -> f32 {
        worth_of(self.0.worth.load(Relaxed))
    }

    /// Remembers what the move is worth to the selection.
    pub(super) fn set_worth(self, worth: f32) {
        let margin = self.0.worth.load(Relaxed) & !0xffff;
        let worth = (worth * WORTH_UNITS) as i16;
        self.0
            .worth
            .store(margin | u32::from(worth.cast_unsigned()), Relaxed);
    }

    /// The final margin it was judged to lead to.
    pub(super) fn margin(self) -> i16 {
        (self.0.worth.load(Relaxed) >> 16) as u16 as i16
    }

    #[cfg(test)]
    pub(super) fn prior(self) -> f32 {
        prior_of(self.0.choice.load(Relaxed))
    }

    /// What the selection asks of it: its visits, and its worth and its prior as
    /// [`worth_of`] and [`prior_of`] read them.
    pub(super) fn asked(self) -> [u32; 3] {
        let slot = self.0;
        [&slot.visits, &slot.worth, &slot.choice].map(|field| field.load(Relaxed))
    }

    pub(super) fn mv(self) -> u16 {
        (self.0.choice.load(Relaxed) & 0xffff) as u16
    }

    /// Makes a fresh edge.
    pub(super) fn init(self, mv: u16, prior: f32, judged: f32, margin: f32, bounds: Bounds) {
        let worth = (judged * WORTH_UNITS) as i16;
        let margin = margin as i16;
        let both = u32::from(worth.cast_unsigned()) | u32::from(margin.cast_unsigned()) << 16;
        let choice = u32::from(mv) | u32::from((prior * PRIOR_UNITS) as u16) << 16;
        self.0.sum.store(0, Relaxed);
        self.0.visits.store(0, Relaxed);
        self.0.link.store(NONE, Relaxed);
        self.0.bounds.store(bounds.pack(), Relaxed);
        self.0.minimax.store(judged.to_bits(), Relaxed);
        self.0.worth.store(both, Relaxed);
        self.0.choice.store(choice, Relaxed);
    }

    /// Makes an edge with another's move, prior and worth that hasn't been visited.
    pub(super) fn renew(self, other: Edge<'_>) {
        self.copy_from(other);
        self.0.sum.store(0, Relaxed);
        self.0.visits.store(0, Relaxed);
        self.0.link.store(NONE, Relaxed);
    }

    /// Makes it what another edge is.
    pub(super) fn copy_from(self, other: Edge<'_>) {
        let (to, from) = (self.0, other.0);
        to.sum.store(from.sum.load(Relaxed), Relaxed);
        to.visits.store(from.visits.load(Relaxed), Relaxed);
        to.link.store(from.link.load(Relaxed), Relaxed);
        to.bounds.store(from.bounds.load(Relaxed), Relaxed);
        to.minimax.store(from.minimax.load(Relaxed), Relaxed);
        to.worth.store(from.worth.load(Relaxed), Relaxed);
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
        if self.0.worth.load(Relaxed) == 0 {
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
            .worth
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
        edge.0.visits.store(u32::MAX - 1, Relaxed);
        edge.0
            .sum
            .store(i64::from(u32::MAX - 1) * VALUE_UNITS as i64, Relaxed);
        edge.add(1.0);
        assert_eq!((edge.visits(), edge.mean()), (u32::MAX, 1.0));
    }

    #[test]
    fn a_visit_under_way_leaves_no_trace() {
        let slot = Slot::zeroed();
        let edge = Edge(&slot);
        for (expected, value) in [(0.37, -0.25), (-0.9, 0.5), (0.1, 0.125)] {
            edge.begin(expected);
            edge.finish(expected, value);
        }
        assert_eq!((edge.visits(), edge.mean()), (3, 0.125));
    }
}
