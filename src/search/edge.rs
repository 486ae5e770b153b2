//! A move from a node: its statistics and where its child's block lies.

use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::Bounds;
use super::link::Link;
use super::slot::Slot;

/// Worths and best values are kept in this many units. A power of 2, so that nothing is
/// lost when what was read is written again.
pub(super) const WORTH_UNITS: f32 = 32768.0;
/// Priors are kept in this many units.
pub(super) const PRIOR_UNITS: f32 = 65535.0;

/// A visit more in an [appeal](Edge::appeal).
const VISIT: u64 = 1 << 32;

/// The visits in an [appeal](Edge::appeal).
pub(super) fn visits_of(appeal: u64) -> u32 {
    (appeal >> 32) as u32
}

/// The worth in an appeal.
pub(super) fn worth_of(appeal: u64) -> f32 {
    value_of(appeal as u16)
}

/// The prior in an appeal, in [`PRIOR_UNITS`].
pub(super) fn prior_of(appeal: u64) -> f32 {
    f32::from((appeal >> 16) as u16)
}

/// Adding this to a number below 2^16 rounds it to a whole one, held in the low 16 bits:
/// so can eight at once be, while a cast is asked about each.
const ROUND: f32 = 12_582_912.0;

/// A value in -1..=1 in 16 bits.
fn value_bits(value: f32) -> u16 {
    ((value * WORTH_UNITS).min(WORTH_UNITS - 1.0) + ROUND).to_bits() as u16
}

fn value_of(bits: u16) -> f32 {
    f32::from(bits.cast_signed()) * (1.0 / WORTH_UNITS)
}

/// The [appeal](Edge::appeal) of an unvisited edge with this prior and judgement.
#[inline(always)]
pub(super) fn fresh(prior: f32, judged: f32) -> u32 {
    (prior * PRIOR_UNITS + ROUND).to_bits() << 16 | u32::from(value_bits(judged))
}

/// An edge. As long as it leads to no block, its visits, worth and best value change
/// only while it is [claimed](Edge::claim); but those of a known margin count visits.
#[derive(Clone, Copy)]
pub(super) struct Edge<'t>(pub(super) &'t Slot);

impl Edge<'_> {
    /// All that the selection looks at: from the lowest bit on 16 bits of worth, 16 of
    /// prior and 32 of visits.
    pub(super) fn appeal(self) -> u64 {
        self.0.double.load(Relaxed)
    }

    pub(super) fn visits(self) -> u32 {
        visits_of(self.appeal())
    }

    /// Counts visits and remembers what the move is worth to the selection after so many.
    pub(super) fn add(self, visits: u32, worth: impl Fn(u32) -> f32) {
        let with = |appeal: u64| Some(more(appeal, visits, &worth));
        // This never fails.
        let _ = self.0.double.fetch_update(Relaxed, Relaxed, with);
    }

    /// The same where no other thread writes.
    pub(super) fn add_alone(self, visits: u32, worth: impl Fn(u32) -> f32) {
        let appeal = more(self.appeal(), visits, &worth);
        self.0.double.store(appeal, Relaxed);
    }

    /// What lies behind it.
    pub(super) fn link(self) -> Link {
        Link::from_bits(self.0.first.load(Acquire))
    }

    /// Publishes a finished block, or what is known without one.
    pub(super) fn set_link(self, link: Link) {
        self.0.first.store(link.bits(), Release);
    }

    /// Claims what has this link, to learn more of it, where no other thread writes.
    pub(super) fn claim_alone(self) -> bool {
        self.0.first.store(Link::BUSY.bits(), Relaxed);
        true
    }

    /// Claims what has this link; false if another thread was faster.
    pub(super) fn claim(self, link: Link) -> bool {
        let (now, busy) = (link.bits(), Link::BUSY.bits());
        let first = &self.0.first;
        first.compare_exchange(now, busy, Acquire, Relaxed).is_ok()
    }

    /// The best value backed up from below, the judgement until there is one;
    /// within what is proven.
    pub(super) fn minimax(self) -> f32 {
        value_of(self.0.second.load(Relaxed) as u16)
    }

    /// Sets the best value; true if it was another before.
    pub(super) fn set_minimax(self, value: f32) -> bool {
        let old = self.0.second.load(Relaxed);
        let new = old & 0xffff_0000 | u32::from(value_bits(value));
        if new != old {
            self.0.second.store(new, Relaxed);
        }
        new != old
    }

    /// What the move is worth to the selection: its judgement until it is
    /// visited, then what was remembered last.
    pub(super) fn worth(self) -> f32 {
        worth_of(self.appeal())
    }

    #[cfg(test)]
    pub(super) fn prior(self) -> f32 {
        prior_of(self.appeal()) / PRIOR_UNITS
    }

    pub(super) fn mv(self) -> u16 {
        (self.0.second.load(Relaxed) >> 16) as u16
    }

    /// Makes an edge of a [fresh] prior and judgement, of which nothing is proven.
    #[inline(always)]
    pub(super) fn init(self, mv: u16, fresh: u32) {
        let choice = fresh & 0xffff | u32::from(mv) << 16;
        self.0.double.store(fresh.into(), Relaxed);
        self.0.first.store(Link::NONE.bits(), Relaxed);
        self.0.second.store(choice, Relaxed);
    }

    /// Makes an edge with another's move, prior and worth that hasn't been visited and
    /// of which so much is proven.
    pub(super) fn renew(self, other: Edge<'_>, bounds: Bounds) {
        let unvisited = other.appeal() & (VISIT - 1);
        self.0.double.store(unvisited, Relaxed);
        self.0.first.store(Link::of(bounds).bits(), Relaxed);
        self.0.second.store(other.0.second.load(Relaxed), Relaxed);
    }
}

/// An appeal with so many more visits, and what the move is worth after them.
fn more(appeal: u64, visits: u32, worth: impl Fn(u32) -> f32) -> u64 {
    let more = appeal.checked_add(u64::from(visits) * VISIT);
    let more = more.unwrap_or(appeal);
    more & !0xffff | u64::from(value_bits(worth(visits_of(more))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    #[test]
    fn visits_do_not_overflow() {
        let slot = Slot::zeroed();
        let edge = Edge(&slot);
        edge.0.double.store(u64::MAX - VISIT, Relaxed);
        edge.add(1, |visits| if visits == u32::MAX { -1.0 } else { 1.0 });
        assert_eq!((edge.visits(), edge.worth()), (u32::MAX, -1.0));
        edge.add(7, |_| 0.5);
        assert_eq!((edge.visits(), edge.prior()), (u32::MAX, 1.0));
        edge.add_alone(1, |_| -0.5);
        assert_eq!(
            (edge.visits(), edge.prior(), edge.worth()),
            (u32::MAX, 1.0, -0.5)
        );
    }

    #[test]
    fn what_was_read_can_be_written_again() {
        for bits in 0..=u16::MAX {
            assert_eq!(value_bits(value_of(bits)), bits);
        }
        assert_eq!(value_of(value_bits(-1.0)), -1.0);
        assert!(value_of(value_bits(1.0)) > 0.9999);
    }
}
