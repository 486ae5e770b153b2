//! The transposition table.

/// What is known of a position, seen by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    key: u128,
    /// The margin is no less than this.
    pub(super) lo: i16,
    /// The margin is no more than this.
    pub(super) hi: i16,
    /// The work that it took, log2 of the nodes; 0 marks an empty place.
    work: u8,
}

/// Entries in pairs: the first keeps what took most work, the second what came
/// last.
pub(super) struct Table {
    pairs: Vec<[Entry; 2]>,
}

impl Table {
    /// A table of at most `mib` MiB.
    pub(super) fn new(mib: usize) -> Table {
        let fits = (mib.clamp(1, 1 << 16) << 20) / size_of::<[Entry; 2]>();
        let count = 1usize << fits.ilog2();
        Table {
            pairs: vec![[Entry::default(); 2]; count],
        }
    }

    fn pair(&self, key: u128) -> usize {
        (key >> 64) as usize & (self.pairs.len() - 1)
    }

    pub(super) fn get(&self, key: u128) -> Option<Entry> {
        let found = |entry: &&Entry| entry.key == key && entry.work > 0;
        self.pairs[self.pair(key)].iter().find(found).copied()
    }

    pub(super) fn put(&mut self, key: u128, lo: i16, hi: i16, nodes: u64) {
        let index = self.pair(key);
        let [first, second] = &mut self.pairs[index];
        let entry = Entry {
            key,
            lo,
            hi,
            work: nodes.max(1).ilog2() as u8 + 1,
        };
        if first.key == key || entry.work >= first.work {
            if first.key != key {
                *second = *first;
            }
            *first = entry;
        } else {
            *second = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_costly_stay() {
        let mut table = Table::new(1);
        let same_place = |n: u128| n;
        table.put(same_place(1), 1, 1, 1 << 20);
        for n in 2..100 {
            table.put(same_place(n), n as i16, n as i16, 4);
        }
        assert_eq!(table.get(1).map(|entry| (entry.lo, entry.hi)), Some((1, 1)));
        assert_eq!(table.get(99).map(|entry| entry.lo), Some(99));
        assert_eq!(table.get(50), None);
        assert_eq!(Table::new(1).get(0), None, "an empty place holds nothing");
    }
}
