//! Making room when the slab is full: the least visited subtrees go.
//!
//! One sweep in the order of addresses drops blocks and slides the others
//! down. It works because a block lies above the edge that leads to it: when
//! the sweep comes to a block, its parent has already been moved or dropped.
//! The edge of a dropped block keeps its visits, its worth and, where there is room
//! for it, its proof; a later visit expands it anew.

use super::head::{DEAD, HEAD};
use super::link::Link;
use super::tree::{Tree, size};

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
    for_each_block(tree, |block, len| {
        let head = tree.head(block);
        let parent = head.parent();
        let keep = parent == 0 || (parent != DEAD && worth(tree, block) >= threshold);
        if keep {
            slide(tree, block, to, len);
            tree.remember(to);
            to += size(len);
        } else {
            if parent != DEAD {
                tree.edge(parent).set_link(Link::of(head.bounds()));
            }
            orphan_children(tree, block);
        }
    });
    tree.shrink_to(to);
}

/// How much a block is worth keeping: the visits of the edge that leads to it,
/// nothing if its margin is known anyway.
fn worth(tree: &Tree, block: u32) -> u32 {
    let head = tree.head(block);
    if head.bounds().is_exact() {
        0
    } else {
        tree.edge(head.parent()).visits().max(1)
    }
}

/// Calls `visit` with each block's address and number of edges. The number is read
/// before the call, which may overwrite the block.
fn for_each_block(tree: &Tree, mut visit: impl FnMut(u32, u32)) {
    let (mut block, end) = (tree.first_block(), tree.top());
    while block < end {
        let len = tree.head(block).len();
        visit(block, len);
        block += size(len);
    }
}

/// The least worth of a block to be kept.
fn threshold(tree: &Tree, target: u32) -> u32 {
    let mut sizes = vec![0u64; BUCKETS];
    for_each_block(tree, |block, len| match tree.head(block).parent() {
        0 => {}
        DEAD => orphan_children(tree, block),
        _ => sizes[bucket(worth(tree, block))] += u64::from(size(len)),
    });
    let mut kept = 0;
    let fitting = (1..BUCKETS).rev().take_while(|&bucket| {
        kept += sizes[bucket];
        kept <= u64::from(target)
    });
    fitting.last().map_or(u32::MAX, bucket_start)
}

/// Marks the blocks below a dropped one as dead.
fn orphan_children(tree: &Tree, block: u32) {
    for edge in tree.indices(block) {
        if let Some(child) = tree.edge(edge).link().block()
            && tree.head(child).parent() == edge
        {
            tree.head(child).set_parent(DEAD);
        }
    }
}

/// Moves a block with so many edges down and tells its neighbours.
fn slide(tree: &Tree, from: u32, to: u32, len: u32) {
    if from == to {
        return;
    }
    tree.edge(tree.head(from).parent()).set_link(Link::to(to));
    for offset in 0..HEAD + len {
        tree.copy_slot(to + offset, from + offset);
    }
    for edge in tree.indices(to) {
        if let Some(child) = tree.edge(edge).link().block() {
            tree.head(child).set_parent(edge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::edge::fresh;
    use super::super::head::units;
    use super::super::{Actor, Bounds};
    use super::*;

    fn add_block(tree: &Tree, parent: u32, len: u32) -> u32 {
        let block = tree.reserve(len).unwrap();
        tree.head(block).init(len, Actor::First, parent, 0);
        for (edge, number) in tree.indices(block).zip(0..) {
            tree.edge(edge).init(number, fresh(0.1, 0.0));
        }
        tree.edge(parent).set_link(Link::to(block));
        block
    }

    fn visit(tree: &Tree, edge: u32, visits: u32) {
        tree.edge(edge).add_alone(visits, |_| 0.5);
        if let Some(block) = tree.edge(edge).link().block() {
            tree.head(block).add_alone(units(0.5) * i64::from(visits));
        }
    }

    /// The address of a block's move.
    fn nth(tree: &Tree, block: u32, which: usize) -> u32 {
        tree.indices(block).nth(which).unwrap()
    }

    /// Every link leads to a block that names the edge as its parent.
    fn check(tree: &Tree, block: u32) -> u32 {
        let children = tree.indices(block).filter_map(|edge| {
            let child = tree.edge(edge).link().block()?;
            assert_eq!(tree.head(child).parent(), edge);
            Some(check(tree, child))
        });
        1 + children.sum::<u32>()
    }

    /// A root with three children visited 1, 2 and 3 times, each with a child.
    fn small_tree() -> Tree {
        let tree = Tree::new(1);
        let root = add_block(&tree, 0, 3);
        for which in 0..3 {
            let edge = nth(&tree, root, which);
            let child = add_block(&tree, edge, 4);
            let below = nth(&tree, child, which + 1);
            add_block(&tree, below, 5);
            visit(&tree, edge, which as u32 + 1);
            visit(&tree, below, which as u32 + 1);
        }
        tree
    }

    #[test]
    fn the_most_visited_stay() {
        let tree = small_tree();
        let (root, first) = (tree.root().unwrap(), nth(&tree, tree.root().unwrap(), 0));
        let bounds = Bounds {
            lo: -5,
            ..Bounds::OPEN
        };
        let block = tree.edge(first).link().block().unwrap();
        assert!(tree.head(block).prove(bounds));
        let two_children_and_theirs = 2 * (size(4) + size(5));
        recycle(&tree, two_children_and_theirs);
        assert_eq!(check(&tree, root), 5);
        assert_eq!(tree.used(), size(3) + two_children_and_theirs);
        let edge = tree.edge(first);
        assert_eq!(edge.link().block(), None);
        assert_eq!(
            (edge.visits(), edge.worth(), edge.link().bounds()),
            (1, 0.5, bounds),
            "visits, worth and proof survive the block"
        );
        let third = tree.edge(nth(&tree, root, 2));
        assert_eq!(tree.mean(third), 0.5);
        let below = nth(&tree, third.link().block().unwrap(), 3);
        assert_eq!((tree.edge(below).mv(), tree.edge(below).visits()), (3, 3));
    }

    #[test]
    fn a_new_root_leaves_the_rest_dead() {
        let tree = small_tree();
        let second = nth(&tree, tree.root().unwrap(), 1);
        tree.reroot(second);
        recycle(&tree, 1000);
        assert_eq!(check(&tree, tree.root().unwrap()), 2);
        assert_eq!(tree.used(), size(4) + size(5));
        assert_eq!((tree.edge(0).visits(), tree.mean(tree.edge(0))), (2, 0.5));
    }

    #[test]
    fn nothing_fits_but_the_root() {
        let tree = small_tree();
        recycle(&tree, 0);
        assert_eq!(check(&tree, tree.root().unwrap()), 1);
    }

    #[test]
    fn what_is_known_for_certain_goes_first() {
        let tree = small_tree();
        let most_visited = tree.edge(nth(&tree, tree.root().unwrap(), 2));
        let block = most_visited.link().block().unwrap();
        assert!(tree.head(block).prove(Bounds::exact(12)));
        recycle(&tree, 1000);
        assert_eq!(check(&tree, tree.root().unwrap()), 5);
        assert_eq!(most_visited.link().bounds(), Bounds::exact(12));
    }
}
