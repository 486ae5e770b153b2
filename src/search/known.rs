//! Where the states that have been opened have their blocks.
//!
//! The same moves in another order lead to the same state. A state that is met
//! again is worth what the search has found out about it elsewhere. If it is
//! visited a second time, it gets a block of its own, so that the tree stays one,
//! but as a copy: nothing is judged again.

use std::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

/// Places that a state's block may take: those that lie together in memory.
const CHOICE: usize = 4;
/// Places in use at first, enough for small games to the end.
const FEWEST: usize = 1 << 13;

/// Blocks by their states' keys. Each may take one of a few places picked by the key; where
/// they are full, a newer state takes that of an older one.
///
/// Of the places as many are in use as the tree needs by now: few of them stay in the
/// processor's caches, while each look at one of many waits for memory.
pub(super) struct Known {
    /// Blocks in the low 32 bits, the upper half of their states' keys in the
    /// high ones; 0 in empty places. That half picks the places, so that they can be
    /// doubled without a look at the blocks.
    places: Box<[AtomicU64]>,
    /// The number of places in use, a power of 2, less 1. Those beyond may hold what has
    /// been forgotten.
    mask: AtomicU32,
    /// Whether some thread is taking more into use.
    growing: AtomicBool,
}

/// The upper half of a key, or of what is in a place.
fn upper(bits: u64) -> usize {
    (bits >> 32) as usize
}

impl Known {
    /// With `places` or somewhat fewer places, but some in any case and 2^32 at most.
    pub(super) fn new(places: usize) -> Known {
        let places = 1 << places.max(FEWEST).ilog2();
        Known {
            places: bytemuck::allocation::zeroed_slice_box(places),
            mask: AtomicU32::new(FEWEST as u32 - 1),
            growing: AtomicBool::new(false),
        }
    }

    /// Its bytes.
    pub(super) fn size(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// Forgets all blocks.
    pub(super) fn clear(&self) {
        self.mask.store(FEWEST as u32 - 1, Relaxed);
        for place in &self.places[..FEWEST] {
            place.store(0, Relaxed);
        }
    }

    /// The places that a key may have, and which of them is the first choice.
    fn choice(&self, key: u64) -> (&[AtomicU64], usize) {
        let first = upper(key) & (self.in_use() - 1);
        let start = first / CHOICE * CHOICE;
        (&self.places[start..start + CHOICE], first % CHOICE)
    }

    /// A block entered by a key with the same upper half.
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        let (places, _) = self.choice(key);
        let mut places = places.iter().map(|place| place.load(Acquire));
        let found = places.find(|&place| upper(place) == upper(key) && place as u32 != 0);
        found.map(|place| place as u32)
    }

    /// Enters a block.
    pub(super) fn set(&self, key: u64, block: u32) {
        let (places, first) = self.choice(key);
        let mut empty = places.iter().filter(|place| place.load(Relaxed) == 0);
        let place = empty.next().unwrap_or(&places[first]);
        // Whoever finds the block finds it finished.
        place.store(key >> 32 << 32 | u64::from(block), Release);
    }

    /// Takes at least so many places into use, or all.
    ///
    /// Other threads may go on: that one finds a state no more which is known
    /// does no harm.
    pub(super) fn use_places(&self, places: usize) {
        let wanted = places.min(self.places.len());
        while self.in_use() < wanted && !self.growing.swap(true, Acquire) {
            // Another thread may just have done it.
            let now = self.in_use();
            if now < wanted {
                self.spread(now);
                self.mask.store((2 * now - 1) as u32, Release);
            }
            self.growing.store(false, Release);
        }
    }

    fn in_use(&self) -> usize {
        self.mask.load(Acquire) as usize + 1
    }

    /// Fills places beyond the first `now` with those of them that belong there among twice
    /// as many. What was in them has been forgotten: nobody may look at it.
    #[cold]
    fn spread(&self, now: usize) {
        let (lower, rest) = self.places.split_at(now);
        for (old, new) in lower.iter().zip(rest) {
            let place = old.load(Acquire);
            if upper(place) & now == 0 {
                new.store(0, Release);
            } else {
                new.store(place, Release);
                old.store(0, Relaxed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::edge::fresh;
    use super::super::link::Link;
    use super::super::recycle::recycle;
    use super::super::tree::{Tree, size};
    use super::super::{Actor, Bounds};
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A block of three moves below an edge, known by a key.
    fn add_block(tree: &Tree, parent: u32, key: u64) -> u32 {
        let block = tree.reserve(3).unwrap();
        tree.head(block).init(3, Actor::Second, parent, 7);
        for edge in tree.indices(block) {
            tree.edge(edge).init(edge as u16, fresh(0.25, 0.5));
        }
        tree.enter(block, key);
        tree.edge(parent).set_link(Link::to(block));
        block
    }

    /// The addresses of its moves.
    fn moves(tree: &Tree, block: u32) -> [u32; 3] {
        [0, 1, 2].map(|which| tree.indices(block).start + which)
    }

    #[test]
    fn what_is_entered_is_found_while_places_are_doubled() {
        let known = Known::new(1 << 16);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let keys: Vec<u64> = (0..20_000).map(|_| rng.next_u64()).collect();
        for (block, &key) in (2..).zip(&keys) {
            known.use_places(2 * block as usize);
            known.set(key, block);
        }
        let found = |(block, &key): (u32, &u64)| known.get(key) == Some(block);
        let count = (2..).zip(&keys).filter(|&entry| found(entry)).count();
        assert!(count > 18_500, "{count} of 20000");
        known.use_places(usize::MAX);
        assert_eq!(known.mask.load(Relaxed), 0xffff);
        let now = (2..).zip(&keys).filter(|&entry| found(entry)).count();
        assert_eq!(now, count);
        known.clear();
        assert!(keys.iter().all(|&key| known.get(key).is_none()));
        known.use_places(usize::MAX);
        assert!(keys.iter().all(|&key| known.get(key).is_none()));
    }

    #[test]
    fn nobody_finds_what_was_forgotten_while_places_are_doubled() {
        let known = Known::new(1 << 16);
        let keys: Vec<u64> = (0..1 << 16).map(|upper| upper << 32 | 1).collect();
        for _ in 0..20 {
            known.use_places(usize::MAX);
            keys.iter().for_each(|&key| known.set(key, 2));
            known.clear();
            let done = AtomicBool::new(false);
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    while !done.load(Relaxed) {
                        let found = keys.iter().rev().find(|&&key| known.get(key).is_some());
                        assert_eq!(found, None);
                    }
                });
                for places in 1..=1 << 16 {
                    known.use_places(places);
                }
                done.store(true, Relaxed);
            });
        }
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
        let [left, right, _] = moves(&tree, root);
        let first = add_block(&tree, left, 2);
        tree.head(first).try_up_to(2);
        let below = moves(&tree, first);
        let edge = tree.edge(below[1]);
        edge.add_alone(1, |_| 0.75);
        assert!(edge.set_minimax(-0.125));
        let child = add_block(&tree, below[1], 3);
        let bounds = Bounds {
            hi: 400,
            ..Bounds::OPEN
        };
        assert!(tree.head(child).prove(bounds));
        assert!(tree.head(first).prove(Bounds { lo: -3, hi: 500 }));
        let copy = tree.copy_block(first, right).unwrap();
        let head = tree.head(copy);
        assert_eq!((head.len(), head.tried(), head.parent()), (3, 2, right));
        assert_eq!((head.actor(), head.margin()), (Actor::Second, 7));
        assert_eq!((head.bounds(), head.sum()), (Bounds { lo: -3, hi: 500 }, 0));
        for (new, old) in moves(&tree, copy).into_iter().zip(below) {
            let (new, old) = (tree.edge(new), tree.edge(old));
            assert_eq!((new.visits(), new.link().block()), (0, None));
            assert_eq!(new.mv(), old.mv());
            assert_eq!(
                [new.prior(), new.worth(), new.minimax()],
                [old.prior(), old.worth(), old.minimax()]
            );
            assert_eq!(new.link().bounds(), tree.bounds(old.link()));
        }
        assert_eq!(tree.edge(moves(&tree, copy)[1]).link().bounds(), bounds);
    }

    #[test]
    fn what_stays_after_recycling_is_found_where_it_is_then() {
        let tree = Tree::new(1);
        let root = add_block(&tree, 0, 1);
        let [left, right, _] = moves(&tree, root);
        let dropped = add_block(&tree, left, 2);
        let kept = add_block(&tree, right, 3);
        tree.edge(right).add_alone(2, |_| 0.5);
        recycle(&tree, size(3));
        assert_eq!(tree.find(1), Some(root));
        assert_eq!(tree.find(2), None);
        assert_eq!(tree.find(3), Some(dropped));
        assert!(kept > dropped);
        assert_eq!(tree.edge(right).link().block(), Some(dropped));
    }
}
