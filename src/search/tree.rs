//! The tree in one slab of 16-byte slots, shared by all threads without locks.
//!
//! A node that has been expanded is a *block*: a head of two slots and, right behind
//! it, one edge slot for each move, in the order of their priors. Slot 0 is the
//! edge that leads to the root. A block always lies at a higher address than
//! the edge that leads to it (slot 0 aside), which is what lets
//! [`super::recycle`] compact the slab in one sweep; and it starts a line of the
//! processor's cache, so that few lines are read on the way down.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Bounds;
use super::apart::Apart;
use super::best::LANES;
use super::edge::{Edge, fresh};
use super::head::{DEAD, HEAD, Head, mean};
use super::known::Known;
use super::link::Link;
use super::slot::{LINE, Slot};

/// Slots for each place in [`Known`]: a block has more on all but tiny boards.
const SLOTS_A_PLACE: usize = 16;

/// Slots of a block with so many edges.
pub(super) fn size(len: u32) -> u32 {
    (HEAD + len).next_multiple_of(LINE)
}

/// The slab.
pub(super) struct Tree {
    slots: Box<[Slot]>,
    /// The first slot that a block may use.
    first: u32,
    /// More than 32 bits: where room is asked for in vain it is too high for a moment.
    top: Apart<AtomicU64>,
    known: Known,
}

impl Tree {
    /// A tree that never takes more than `mib` MiB, of which the system hands
    /// out only what is touched.
    pub(super) fn new(mib: usize) -> Tree {
        let bytes = mib.clamp(1, 1 << 16) << 20;
        let slots = (bytes / size_of::<Slot>()).min(Link::END as usize);
        let known = Known::new(slots / SLOTS_A_PLACE);
        let slots = slots - known.size().div_ceil(size_of::<Slot>());
        let slots = bytemuck::allocation::zeroed_slice_box(slots);
        let tree = Tree {
            first: first_block(&slots),
            slots,
            top: Apart(AtomicU64::new(0)),
            known,
        };
        tree.clear();
        tree
    }

    /// Forgets everything.
    pub(super) fn clear(&self) {
        self.top.store(self.first.into(), Relaxed);
        self.known.clear();
        self.edge(0).init(0, fresh(1.0, 0.0));
    }

    /// Slots for blocks: the same number wherever the slab lies, and some are left
    /// behind them so that there are whole eights of edges.
    pub(super) fn capacity(&self) -> u32 {
        self.slots.len() as u32 - 2 * LINE - LANES as u32
    }

    /// Slots in use, dead blocks included.
    pub(super) fn used(&self) -> u32 {
        (self.top() - self.first).min(self.capacity())
    }

    /// Where the next block will be.
    pub(super) fn top(&self) -> u32 {
        let end = self.first + self.capacity();
        self.top.load(Relaxed).min(end.into()) as u32
    }

    #[inline(always)]
    pub(super) fn edge(&self, index: u32) -> Edge<'_> {
        Edge(&self.slots[index as usize])
    }

    #[inline(always)]
    pub(super) fn head(&self, block: u32) -> Head<'_> {
        let start = block as usize;
        let slots = self.slots[start..start + HEAD as usize].first_chunk();
        Head(slots.expect("as many slots"))
    }

    /// The addresses of a block's edges.
    pub(super) fn indices(&self, block: u32) -> std::ops::Range<u32> {
        block + HEAD..block + HEAD + self.head(block).len()
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
    #[inline(always)]
    pub(super) fn slots(&self, block: u32, count: u32) -> &[Slot] {
        let start = (block + HEAD) as usize;
        &self.slots[start..start + count as usize]
    }

    /// The same in whole eights: what is there beyond `count` means nothing.
    #[inline(always)]
    pub(super) fn eights(&self, block: u32, count: u32) -> &[[Slot; LANES]] {
        self.slots(block, count.next_multiple_of(LANES as u32))
            .as_chunks()
            .0
    }

    /// What is proven of the state behind a link.
    #[inline(always)]
    pub(super) fn bounds(&self, link: Link) -> Bounds {
        match link.block() {
            Some(block) => self.head(block).bounds(),
            None => link.bounds(),
        }
    }

    /// What a block's moves prove of its state.
    pub(super) fn proof(&self, block: u32) -> Bounds {
        let actor = self.head(block).actor();
        let bounds = self.edges(block).map(|edge| self.bounds(edge.link()));
        bounds.fold(Bounds::worst(actor), |sure, bounds| {
            sure.choice(bounds, actor)
        })
    }

    /// The mean of the values of an edge's visits; without a block, the last of them.
    pub(super) fn mean(&self, edge: Edge<'_>) -> f32 {
        match edge.link().block() {
            Some(block) => mean(self.head(block).sum(), edge.visits()),
            None => edge.worth(),
        }
    }

    /// The block of the root, if there is one.
    pub(super) fn root(&self) -> Option<u32> {
        self.edge(0).link().block()
    }

    /// Room for a block with `len` edges, or `None` when the slab is full.
    pub(super) fn reserve(&self, len: u32) -> Option<u32> {
        let size = u64::from(size(len));
        // One step, as some other thread mostly has the line.
        let top = self.top.fetch_add(size, Relaxed);
        if top + size <= u64::from(self.first + self.capacity()) {
            return Some(top as u32);
        }
        // As long as the top is too high nobody else gets anything.
        self.top.fetch_sub(size, Relaxed);
        None
    }

    /// Enters a finished block as that of the state with this key.
    pub(super) fn enter(&self, block: u32, key: u64) {
        self.head(block).set_key(finished(key));
        self.remember(block);
    }

    /// Enters a block by the key that it has.
    pub(super) fn remember(&self, block: u32) {
        let key = self.head(block).key();
        self.known
            .use_places((block as usize).div_ceil(SLOTS_A_PLACE));
        // Of two the first stays: it has been searched for longer.
        if self.known_with(key).is_none() {
            self.known.set(key, block);
        }
    }

    /// Takes back what [`Tree::remember`] has entered so far.
    pub(super) fn forget_places(&self) {
        self.known.clear();
    }

    /// A block of the state with this key, if there is one.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.known_with(finished(key))
    }

    fn known_with(&self, key: u64) -> Option<u32> {
        let block = self.known.get(key)?;
        (self.head(block).key() == key).then_some(block)
    }

    /// A block as another has it, but with no visits and nothing below;
    /// `parent` is the edge that is to lead to it. `None` when the slab is full.
    pub(super) fn copy_block(&self, from: u32, parent: u32) -> Option<u32> {
        let old = self.head(from);
        let block = self.reserve(old.len())?;
        for (to, from) in (block + HEAD..).zip(self.indices(from)) {
            let edge = self.edge(from);
            self.edge(to).renew(edge, self.bounds(edge.link()));
        }
        let new = self.head(block);
        new.init(old.len(), old.actor(), parent, old.margin());
        new.try_up_to(old.tried());
        new.prove(old.bounds());
        new.set_key(old.key());
        Some(block)
    }

    /// Gives up everything from `top` on.
    pub(super) fn shrink_to(&self, top: u32) {
        self.top.store(top.into(), Relaxed);
    }

    /// Copies one slot whatever it holds.
    pub(super) fn copy_slot(&self, to: u32, from: u32) {
        self.slots[to as usize].copy_from(&self.slots[from as usize]);
    }

    /// The first block's address.
    pub(super) fn first_block(&self) -> u32 {
        self.first
    }

    /// Makes the child behind `edge` the new root; all else is dead from now on.
    pub(super) fn reroot(&self, edge: u32) {
        if edge == 0 {
            return;
        }
        let old = self.root();
        self.copy_slot(0, edge);
        if let Some(old) = old {
            self.head(old).set_parent(DEAD);
        }
        if let Some(new) = self.root() {
            self.head(new).set_parent(0);
        }
    }
}

/// The key of a finished block: not 0, and with an upper half that differs where the keys
/// of a game are small numbers.
fn finished(key: u64) -> u64 {
    (!key).wrapping_mul(0x9e37_79b9_7f4a_7c15).max(1)
}

/// The first slot after that of the root's edge which starts a line, beyond those that
/// can be no block's address.
fn first_block(slots: &[Slot]) -> u32 {
    let line = LINE as usize * size_of::<Slot>();
    let starts = |&first: &u32| {
        (&raw const slots[first as usize])
            .addr()
            .is_multiple_of(line)
    };
    (LINE..2 * LINE).find(starts).unwrap_or(LINE)
}

#[cfg(test)]
mod tests {
    use super::super::Actor;
    use super::*;

    #[test]
    fn fields_keep_what_they_were_given() {
        let tree = Tree::new(1);
        let block = tree.reserve(3).unwrap();
        tree.head(block).init(3, Actor::Second, 0, -123);
        let bounds = Bounds {
            hi: 300,
            ..Bounds::OPEN
        };
        let index = tree.indices(block).nth(1).unwrap();
        let edge = tree.edge(index);
        edge.init(0xbeef, fresh(0.25, -0.5));
        edge.set_link(Link::of(bounds));
        assert_eq!((edge.mv(), tree.bounds(edge.link())), (0xbeef, bounds));
        assert_eq!(
            (edge.prior(), edge.worth(), edge.minimax()),
            (16384.0 / 65535.0, -0.5, -0.5)
        );
        let child = tree.reserve(5).unwrap();
        tree.head(child).init(5, Actor::First, index, 7);
        edge.set_link(Link::to(child));
        for visits in 1..=1000 {
            let sum = tree.head(child).add_alone(super::super::head::units(0.125));
            edge.add_alone(1, |visits| mean(sum, visits));
            assert_eq!((edge.visits(), tree.mean(edge)), (visits, 0.125));
        }
        assert_eq!(edge.worth(), 0.125);
        assert_eq!(tree.head(block).margin(), -123);
        assert_eq!(tree.head(child).parent(), index);
    }

    #[test]
    fn a_full_slab_refuses() {
        let tree = Tree::new(1);
        let mut blocks = 0;
        while let Some(block) = tree.reserve(9) {
            let line = LINE as usize * size_of::<Slot>();
            assert!(
                (&raw const tree.slots[block as usize])
                    .addr()
                    .is_multiple_of(line)
            );
            assert!((block + size(9)) as usize <= tree.slots.len());
            // The last eight reach beyond the block, but not beyond the slab.
            assert_eq!(tree.eights(block, 9).len(), 2);
            blocks += 1;
        }
        assert_eq!(size(9), 12);
        assert_eq!(blocks, tree.capacity() / 12);
        assert_eq!(tree.used(), blocks * 12);
    }
}
