//! Visits that a thread keeps to itself for a while.
//!
//! Where many threads write the same edges in turn, each waits for the other's
//! cache again and again, for those near the root at every simulation. So a
//! thread writes what it has seen of much visited edges in a ledger of its own
//! and settles it once it would make a difference.

use super::head::units;
use super::shared::Shared;

/// Rows of the ledger: most of the edges that are visited often enough have one.
const ROWS: usize = 256;
/// Of so many visits of an edge all threads together keep back one at most.
const SHARE: u32 = 8;
/// Visits that one thread keeps back at most.
const MOST: u32 = 32;

/// What is not yet settled of an edge.
#[derive(Clone, Copy, Default)]
struct Row {
    edge: u32,
    visits: u32,
    /// In units of an edge's sum.
    sum: i64,
}

/// A thread's ledger.
pub(super) struct Ledger {
    rows: Box<[Row; ROWS]>,
}

impl Default for Ledger {
    fn default() -> Ledger {
        Ledger {
            rows: Box::new([Row::default(); ROWS]),
        }
    }
}

impl Ledger {
    /// Counts a visit of this value.
    pub(super) fn count<G, E>(&mut self, shared: &Shared<'_, G, E>, edge: u32, value: f32) {
        let new = Row {
            edge,
            visits: 1,
            sum: units(value),
        };
        let limit = shared.tree.edge(edge).visits() / (SHARE * shared.threads);
        if limit < 2 {
            return new.settle(shared);
        }
        let row = &mut self.rows[edge as usize % ROWS];
        if row.edge == edge {
            row.visits += new.visits;
            row.sum += new.sum;
        } else {
            std::mem::replace(row, new).settle(shared);
        }
        if row.visits >= limit.min(MOST) {
            std::mem::take(row).settle(shared);
        }
    }

    /// Settles all of it: as long as something is kept back, no edge may change its
    /// place.
    pub(super) fn settle<G, E>(&mut self, shared: &Shared<'_, G, E>) {
        for row in &mut self.rows[..] {
            std::mem::take(row).settle(shared);
        }
    }
}

impl Row {
    fn settle<G, E>(self, shared: &Shared<'_, G, E>) {
        if self.visits > 0 {
            shared.count(self.edge, self.visits, self.sum);
        }
    }
}
