//! The tree in one slab of 32-byte slots, shared by all threads without locks.
//!
//! A node that has been expanded is a *block*: a head slot and, right behind
//! it, one edge slot for each move, in the order of their priors. Slot 0 is the
//! edge that leads to the root. A block always lies at a higher address than
//! the edge that leads to it (slot 0 aside), which is what lets
//! [`super::recycle`] compact the slab in one sweep.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::Bounds;
use super::apart::Apart;
use super::known::Known;
use super::slot::{BUSY, DEAD, Edge, Head, Slot};

/// The first slot that a block may use.
const FIRST: u32 = 2;
/// Slots for each place in [`Known`]: a block has more on all but tiny boards.
const SLOTS_A_PLACE: usize = 16;

/// The slab.
pub(super) struct Tree {
    slots: Box<[Slot]>,
    top: Apart<AtomicU32>,
    known: Known,
}

impl Tree {
    /// A tree that never takes more than `mib` MiB, of which the system hands
    /// out only what is touched.
    pub(super) fn new(mib: usize) -> Tree {
        let bytes = mib.clamp(1, 1 << 16) << 20;
        let slots = (bytes / size_of::<Slot>()).min(1 << 31);
        let known = Known::new(slots / SLOTS_A_PLACE);
        let slots = slots - known.size().div_ceil(size_of::<Slot>());
        let tree = Tree {
            slots: bytemuck::allocation::zeroed_slice_box(slots),
            top: Apart(AtomicU32::new(FIRST)),
            known,
        };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.top.store(FIRST, Relaxed);
        self.known.age();
        self.edge(0).init(0, 1.0, 0.0, 0.0, Bounds::OPEN);
    }

    pub(super) fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Slots in use, dead blocks included.
    pub(super) fn top(&self) -> u32 {
        // Where room is asked for in vain it is too high for a moment.
        self.top.load(Relaxed).min(self.capacity())
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
        self.slots(block, count).iter().map(Edge)
    }

    /// The slots of the first `count` edges of a block.
    pub(super) fn slots(&self, block: u32, count: u32) -> &[Slot] {
        let start = block as usize + 1;
        &self.slots[start..start + count as usize]
    }

    /// What a block's moves prove of its state.
    pub(super) fn proof(&self, block: u32) -> Bounds {
        let actor = self.head(block).actor();
        let bounds = self.edges(block).map(Edge::bounds);
        bounds.fold(Bounds::worst(actor), |sure, bounds| {
            sure.choice(bounds, actor)
        })
    }

    /// The block of the root, or none.
    pub(super) fn root(&self) -> u32 {
        self.edge(0).link()
    }

    /// Room for a block with `len` edges, or `None` when the slab is full.
    pub(super) fn reserve(&self, len: u32) -> Option<u32> {
        let size = len + 1;
        // One step, as some other thread mostly has the line.
        let top = self.top.fetch_add(size, Relaxed);
        if top.saturating_add(size) <= self.capacity() {
            return Some(top);
        }
        // As long as the top is too high nobody else gets anything. It can't overflow:
        // there are 2^31 slots at most.
        self.top.fetch_sub(size, Relaxed);
        None
    }

    /// Enters a finished block as that of the state with this key.
    pub(super) fn enter(&self, block: u32, key: u64) {
        self.head(block).set_key(self.known.mixed(key));
        self.remember(block);
    }

    /// Enters a block by the key that it has.
    pub(super) fn remember(&self, block: u32) {
        let key = self.head(block).key();
        let now = self.known.get(key);
        // Of two the first stays: it has been searched for longer.
        if now < FIRST || self.head(now).key() != key {
            self.known.set(key, block);
        }
    }

    /// Takes back what [`Tree::remember`] has entered so far.
    pub(super) fn forget_places(&self) {
        self.known.clear();
    }

    /// A block of the state with this key, if there is one.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        let key = self.known.mixed(key);
        let block = self.known.get(key);
        (block >= FIRST && self.head(block).key() == key).then_some(block)
    }

    /// A block as another has it, but with no visits and nothing below;
    /// `parent` is the edge that is to lead to it. `None` when the slab is full.
    pub(super) fn copy_block(&self, from: u32, parent: u32) -> Option<u32> {
        let head = self.head(from);
        let block = self.reserve(head.len())?;
        for offset in 1..=head.len() {
            self.edge(block + offset).renew(self.edge(from + offset));
        }
        let copy = self.head(block);
        copy.init(head.len(), head.actor(), parent);
        copy.try_up_to(head.tried());
        copy.set_key(head.key());
        Some(block)
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
    use super::super::Actor;
    use super::*;

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
            edge.add_alone(0.125);
        }
        assert_eq!((edge.visits(), edge.mean()), (1000, 0.125));
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
