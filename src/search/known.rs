//! Where the states that have been opened have their blocks.
//!
//! The same moves in another order lead to the same state. A state that is met
//! again is worth what the search has found out about it elsewhere. If it is
//! visited a second time, it gets a block of its own, so that the tree stays one,
//! but as a copy: nothing is judged again.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::slot::NONE;

/// A block for each of so many places, picked by a state's key; a newer state
/// takes a place from an older one.
pub(super) struct Known {
    /// Blocks in the low 32 bits, the upper half of their states' keys in the
    /// high ones: that a state is new shows without a look at another's block,
    /// which lies somewhere in memory.
    places: Box<[AtomicU64]>,
    /// How often everything has been forgotten. It is part of the keys in use,
    /// so that forgetting takes no time.
    age: AtomicU64,
}

impl Known {
    /// With `places` or somewhat fewer places.
    pub(super) fn new(places: usize) -> Known {
        let places = 1 << places.max(1).ilog2();
        Known {
            places: bytemuck::allocation::zeroed_slice_box(places),
            age: AtomicU64::new(0),
        }
    }

    /// Its bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// Makes all keys so far those of no state.
    pub(super) fn age(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// A state's key as it is at this age; never 0.
    pub(super) fn mixed(&self, key: u64) -> u64 {
        let age = self.age.load(Relaxed);
        (key ^ age.wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
    }

    fn place(&self, key: u64) -> &AtomicU64 {
        &self.places[key as usize & (self.places.len() - 1)]
    }

    /// The block in the place of a mixed key, [`NONE`] if its state's key has
    /// another upper half.
    pub(super) fn get(&self, key: u64) -> u32 {
        let place = self.place(key).load(Relaxed);
        if place >> 32 == key >> 32 {
            place as u32
        } else {
            NONE
        }
    }

    /// Gives the place of a mixed key to a block.
    pub(super) fn set(&self, key: u64, block: u32) {
        let place = key >> 32 << 32 | u64::from(block);
        self.place(key).store(place, Relaxed);
    }

    /// Empties all places.
    pub(super) fn clear(&self) {
        for place in &self.places {
            place.store(NONE.into(), Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::recycle::recycle;
    use super::super::tree::Tree;
    use super::super::{Actor, Bounds};
    use super::*;

    /// A block of three moves below an edge, known by a key.
    fn add_block(tree: &Tree, parent: u32, key: u64) -> u32 {
        let block = tree.reserve(3).unwrap();
        tree.head(block).init(3, Actor::Second, parent);
        for i in 1..=3 {
            tree.edge(block + i)
                .init(i as u16, 0.25, 0.5, 7.0, Bounds::OPEN);
        }
        tree.enter(block, key);
        tree.edge(parent).set_link(block);
        block
    }

    #[test]
    fn a_state_is_found_until_everything_is_forgotten() {
        let tree = Tree::new(1);
        for key in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
            assert_eq!(tree.find(key), None);
            let block = add_block(&tree, 0, key);
            assert_eq!(tree.find(key), Some(block));
            // Another state with the same place, and a later block of the same.
            assert_eq!(tree.find(key ^ 1 << 60), None);
            add_block(&tree, 0, key);
            assert_eq!(tree.find(key), Some(block));
        }
        tree.clear();
        assert_eq!(tree.find(1), None);
        let block = add_block(&tree, 0, 1);
        assert_eq!(tree.find(1), Some(block));
    }

    #[test]
    fn a_copy_has_the_worths_but_no_visits() {
        let tree = Tree::new(1);
        let root = add_block(&tree, 0, 1);
        let first = add_block(&tree, root + 1, 2);
        tree.head(first).try_up_to(2);
        let bounds = Bounds { lo: -3, hi: 400 };
        let edge = tree.edge(first + 2);
        edge.add_alone(0.75);
        edge.set_worth_alone(0.75);
        edge.set_minimax(-0.125);
        assert!(edge.prove(bounds));
        add_block(&tree, first + 2, 3);
        let copy = tree.copy_block(first, root + 2).unwrap();
        let head = tree.head(copy);
        assert_eq!((head.len(), head.tried(), head.parent()), (3, 2, root + 2));
        assert_eq!(head.actor(), Actor::Second);
        let of = |block: u32, i: u32| tree.edge(block + i);
        for i in 1..=3 {
            let (new, old) = (of(copy, i), of(first, i));
            assert_eq!((new.visits(), new.mean(), new.link()), (0, 0.0, NONE));
            assert_eq!((new.mv(), new.margin()), (old.mv(), old.margin()));
            assert_eq!(
                [new.prior(), new.worth(), new.minimax()],
                [old.prior(), old.worth(), old.minimax()]
            );
        }
        assert_eq!(of(copy, 2).bounds(), bounds);
    }

    #[test]
    fn what_stays_after_recycling_is_found_where_it_is_then() {
        let tree = Tree::new(1);
        let root = add_block(&tree, 0, 1);
        let dropped = add_block(&tree, root + 1, 2);
        let kept = add_block(&tree, root + 2, 3);
        tree.edge(root + 2).add_alone(0.5);
        tree.edge(root + 2).add_alone(0.5);
        recycle(&tree, 4);
        assert_eq!(tree.find(1), Some(root));
        assert_eq!(tree.find(2), None);
        assert_eq!(tree.find(3), Some(dropped));
        assert!(kept > dropped);
        assert_eq!(tree.edge(root + 2).link(), dropped);
    }
}
