//! The tree in one slab of 32-byte slots, shared by all threads without locks.
//!
//! A node that has been expanded is a *block*: a head slot and, right behind
//! it, one edge slot for each move, in the order of their priors. Slot 0 is the
//! edge that leads to the root. A block always lies at a higher address than
//! the edge that leads to it (slot 0 aside), which is what lets
//! [`super::recycle`] compact the slab in one sweep.

use std::sync::atomic::{
    AtomicI64, AtomicU32, Ordering::Acquire, Ordering::Relaxed, Ordering::Release,
};

use bytemuck::Zeroable;

use super::apart::Apart;
use super::{Actor, Bounds};

/// The link of an edge whose child has no block.
pub(super) const NONE: u32 = 0;
/// The link of an edge whose child is being expanded by some thread.
pub(super) const BUSY: u32 = 1;
/// The first slot that a block may use.
const FIRST: u32 = 2;
/// The parent of a block that nothing leads to any more.
pub(super) const DEAD: u32 = u32::MAX;

/// Values are summed as integers, in this many units: the sum of 2^32 values
/// in -1..=1 stays within 2^62, and adding them up in any order is exact.
const VALUE_UNITS: f32 = 1_073_741_824.0;
const WORTH_UNITS: f32 = 32767.0;
const PRIOR_UNITS: f32 = 65535.0;

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

/// A move from a node: its statistics and where its child's block lies.
#[derive(Clone, Copy)]
pub(super) struct Edge<'t>(&'t Slot);

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
        f32::from(self.0.worth.load(Relaxed) as u16 as i16) * (1.0 / WORTH_UNITS)
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

    pub(super) fn prior(self) -> f32 {
        (self.0.choice.load(Relaxed) >> 16) as f32 / PRIOR_UNITS
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

    fn copy_from(self, other: Edge<'_>) {
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
pub(super) struct Head<'t>(&'t Slot);

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

    pub(super) fn init(self, len: u32, actor: Actor, parent: u32) {
        self.0.bounds.store(len, Relaxed);
        self.0.minimax.store(0, Relaxed);
        self.0
            .worth
            .store(u32::from(actor == Actor::Second), Relaxed);
        self.0.link.store(parent, Relaxed);
    }
}

/// The slab.
pub(super) struct Tree {
    slots: Box<[Slot]>,
    top: Apart<AtomicU32>,
}

impl Tree {
    /// A tree that never takes more than `mib` MiB, of which the system hands
    /// out only what is touched.
    pub(super) fn new(mib: usize) -> Tree {
        let slots = (mib.clamp(1, 1 << 16) << 20) / size_of::<Slot>();
        let slots = slots.min(u32::MAX as usize - 1);
        let tree = Tree {
            slots: bytemuck::allocation::zeroed_slice_box(slots),
            top: Apart(AtomicU32::new(FIRST)),
        };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.top.store(FIRST, Relaxed);
        self.edge(0).init(0, 1.0, 0.0, 0.0, Bounds::OPEN);
    }

    pub(super) fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Slots in use, dead blocks included.
    pub(super) fn top(&self) -> u32 {
        self.top.load(Relaxed)
    }

    pub(super) fn edge(&self, index: u32) -> Edge<'_> {
        Edge(&self.slots[index as usize])
    }

    pub(super) fn head(&self, block: u32) -> Head<'_> {
        Head(&self.slots[block as usize])
    }

    /// The edges of a block, in order.
    pub(super) fn edges(&self, block: u32) -> impl ExactSizeIterator<Item = Edge<'_>> {
        self.first_edges(block, self.head(block).len())
    }

    /// The first `count` edges of a block.
    pub(super) fn first_edges(
        &self,
        block: u32,
        count: u32,
    ) -> impl ExactSizeIterator<Item = Edge<'_>> {
        let start = block as usize + 1;
        self.slots[start..start + count as usize].iter().map(Edge)
    }

    /// The block of the root, or [`NONE`].
    pub(super) fn root(&self) -> u32 {
        self.edge(0).link()
    }

    /// Room for a block with `len` edges, or `None` when the slab is full.
    pub(super) fn reserve(&self, len: u32) -> Option<u32> {
        let mut top = self.top();
        loop {
            let end = top
                .checked_add(len + 1)
                .filter(|&end| end <= self.capacity())?;
            match self.top.compare_exchange_weak(top, end, Relaxed, Relaxed) {
                Ok(_) => return Some(top),
                Err(now) => top = now,
            }
        }
    }

    /// Gives up everything from `top` on.
    pub(super) fn shrink_to(&self, top: u32) {
        self.top.store(top, Relaxed);
    }

    /// Copies one slot whatever it holds.
    pub(super) fn copy_slot(&self, to: u32, from: u32) {
        self.edge(to).copy_from(self.edge(from));
    }

    /// The first block's address.
    pub(super) fn first_block(&self) -> u32 {
        FIRST
    }

    /// Makes the child behind `edge` the new root; all else is dead from now on.
    pub(super) fn reroot(&self, edge: u32) {
        if edge == 0 {
            return;
        }
        let old = self.root();
        self.copy_slot(0, edge);
        if old > BUSY {
            self.head(old).set_parent(DEAD);
        }
        let new = self.root();
        if new > BUSY {
            self.head(new).set_parent(0);
        }
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
    fn fields_keep_what_they_were_given() {
        let tree = Tree::new(1);
        let block = tree.reserve(3).unwrap();
        tree.head(block).init(3, Actor::Second, 0);
        let bounds = Bounds { lo: -7, hi: 300 };
        tree.edge(block + 2)
            .init(0xbeef, 0.25, -0.5, -123.0, bounds);
        let edge = tree.edge(block + 2);
        assert_eq!(
            (edge.mv(), edge.margin(), edge.bounds()),
            (0xbeef, -123, bounds)
        );
        assert!((edge.prior() - 0.25).abs() < 1e-4 && (edge.worth() + 0.5).abs() < 1e-4);
        assert_eq!(
            (tree.head(block).len(), tree.head(block).actor()),
            (3, Actor::Second)
        );
        for _ in 0..1000 {
            edge.add(0.125);
        }
        assert_eq!((edge.visits(), edge.mean()), (1000, 0.125));
    }

    #[test]
    fn sums_neither_drift_nor_overflow() {
        let tree = Tree::new(1);
        let edge = tree.edge(0);
        edge.0.visits.store(u32::MAX - 1, Relaxed);
        edge.0
            .sum
            .store(i64::from(u32::MAX - 1) * VALUE_UNITS as i64, Relaxed);
        edge.add(1.0);
        assert_eq!((edge.visits(), edge.mean()), (u32::MAX, 1.0));
    }

    #[test]
    fn a_visit_under_way_leaves_no_trace() {
        let tree = Tree::new(1);
        let edge = tree.edge(0);
        for (expected, value) in [(0.37, -0.25), (-0.9, 0.5), (0.1, 0.125)] {
            edge.begin(expected);
            edge.finish(expected, value);
        }
        assert_eq!((edge.visits(), edge.mean()), (3, 0.125));
    }

    #[test]
    fn a_full_slab_refuses() {
        let tree = Tree::new(1);
        let mut blocks = 0;
        while tree.reserve(9).is_some() {
            blocks += 1;
        }
        assert_eq!(blocks, (tree.capacity() - FIRST) / 10);
    }
}
