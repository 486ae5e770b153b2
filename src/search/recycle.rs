//! Making room when the slab is full: the least visited subtrees go.
//!
//! One sweep in the order of addresses drops blocks and slides the others
//! down. It works because a block lies above the edge that leads to it: when
//! the sweep comes to a block, its parent has already been moved or dropped.
//! The edge of a dropped block keeps its statistics and proofs; a later visit
//! expands it anew.

use super::slot::{BUSY, DEAD, NONE};
use super::tree::Tree;

/// Visits up to this are counted one by one when the threshold is chosen.
const FINE: u32 = 1024;
const BUCKETS: usize = FINE as usize + 32;

fn bucket(visits: u32) -> usize {
    if visits < FINE {
        visits as usize
    } else {
        FINE as usize + visits.ilog2() as usize - 10
    }
}

/// The least number of visits that falls into a bucket.
fn bucket_start(bucket: usize) -> u32 {
    if bucket < FINE as usize {
        bucket as u32
    } else {
        1 << (bucket - FINE as usize + 10).min(31)
    }
}

/// Keeps the most visited blocks that fit into `target` slots, and the root.
/// No other thread may use the tree meanwhile.
pub(super) fn recycle(tree: &Tree, target: u32) {
    let threshold = threshold(tree, target);
    let mut to = tree.first_block();
    tree.forget_places();
    for_each_block(tree, |block, size| {
        let head = tree.head(block);
        let parent = head.parent();
        let keep = parent == 0 || (parent != DEAD && worth(tree, parent) >= threshold);
        if keep {
            slide(tree, block, to, size);
            tree.remember(to);
            to += size;
        } else {
            if parent != DEAD {
                tree.edge(parent).set_link(NONE);
            }
            orphan_children(tree, block, size);
        }
    });
    tree.shrink_to(to);
}

/// How much a block is worth keeping: the visits of the edge that leads to it,
/// nothing if that edge's margin is known anyway.
fn worth(tree: &Tree, parent: u32) -> u32 {
    let edge = tree.edge(parent);
    if edge.bounds().is_exact() {
        0
    } else {
        edge.visits().max(1)
    }
}

/// Calls `visit` with each block's address and size. The size is read before
/// the call, which may overwrite the block.
fn for_each_block(tree: &Tree, mut visit: impl FnMut(u32, u32)) {
    let (mut block, end) = (tree.first_block(), tree.top());
    while block < end {
        let size = tree.head(block).len() + 1;
        visit(block, size);
        block += size;
    }
}

/// The least worth of a block to be kept.
fn threshold(tree: &Tree, target: u32) -> u32 {
    let mut sizes = vec![0u64; BUCKETS];
    for_each_block(tree, |block, size| match tree.head(block).parent() {
        0 => {}
        DEAD => orphan_children(tree, block, size),
        parent => sizes[bucket(worth(tree, parent))] += u64::from(size),
    });
    let mut kept = 0;
    let fitting = (1..BUCKETS).rev().take_while(|&bucket| {
        kept += sizes[bucket];
        kept <= u64::from(target)
    });
    fitting.last().map_or(u32::MAX, bucket_start)
}

/// Marks the blocks below a dropped one as dead.
fn orphan_children(tree: &Tree, block: u32, size: u32) {
    for edge in block + 1..block + size {
        let child = tree.edge(edge).link();
        if child > BUSY && tree.head(child).parent() == edge {
            tree.head(child).set_parent(DEAD);
        }
    }
}

/// Moves a block down and tells its neighbours.
fn slide(tree: &Tree, from: u32, to: u32, size: u32) {
    if from == to {
        return;
    }
    tree.edge(tree.head(from).parent()).set_link(to);
    for offset in 0..size {
        tree.copy_slot(to + offset, from + offset);
        let child = if offset > 0 {
            tree.edge(to + offset).link()
        } else {
            NONE
        };
        if child > BUSY {
            tree.head(child).set_parent(to + offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Actor, Bounds};
    use super::*;

    fn add_block(tree: &Tree, parent: u32, len: u32) -> u32 {
        let block = tree.reserve(len).unwrap();
        tree.head(block).init(len, Actor::First, parent);
        for i in 1..=len {
            tree.edge(block + i)
                .init(i as u16, 0.1, 0.0, 0.0, Bounds::OPEN);
        }
        tree.edge(parent).set_link(block);
        block
    }

    /// Every link leads to a block that names the edge as its parent.
    fn check(tree: &Tree, block: u32) -> u32 {
        let mut blocks = 1;
        for edge in block + 1..=block + tree.head(block).len() {
            let child = tree.edge(edge).link();
            if child > BUSY {
                assert_eq!(tree.head(child).parent(), edge);
                blocks += check(tree, child);
            }
        }
        blocks
    }

    /// A root with three children visited 1, 2 and 3 times, each with a child.
    fn small_tree() -> Tree {
        let tree = Tree::new(1);
        let root = add_block(&tree, 0, 3);
        for i in 1..=3 {
            let child = add_block(&tree, root + i, 4);
            add_block(&tree, child + i, 5);
            (0..i).for_each(|_| tree.edge(root + i).add_alone(0.5));
            (0..i).for_each(|_| tree.edge(child + i).add_alone(0.5));
        }
        tree
    }

    #[test]
    fn the_most_visited_stay() {
        let tree = small_tree();
        recycle(&tree, 22);
        assert_eq!(check(&tree, tree.root()), 5);
        assert_eq!(tree.top() - tree.first_block(), 4 + 22);
        let root = tree.root();
        assert_eq!(tree.edge(root + 1).link(), NONE);
        assert_eq!(
            tree.edge(root + 1).visits(),
            1,
            "statistics survive the block"
        );
        let third = tree.edge(root + 3).link();
        assert_eq!(tree.edge(third + 3).mv(), 3);
    }

    #[test]
    fn a_new_root_leaves_the_rest_dead() {
        let tree = small_tree();
        let second = tree.root() + 2;
        tree.reroot(second);
        recycle(&tree, 1000);
        assert_eq!(check(&tree, tree.root()), 2);
        assert_eq!(tree.top() - tree.first_block(), 5 + 6);
        assert_eq!(tree.edge(0).visits(), 2);
    }

    #[test]
    fn nothing_fits_but_the_root() {
        let tree = small_tree();
        recycle(&tree, 0);
        assert_eq!(check(&tree, tree.root()), 1);
    }
}
