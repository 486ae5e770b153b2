//! What lies behind an edge: a block, or as long as there is none what is proven.

use super::Bounds;

/// A block's address, or what is known of a state that has no block. In 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u32);

/// No block, and all that is proven is that the margin is no less than the number in
/// the lower 16 bits.
const NO_LESS: u32 = 0xfffd_0000;
/// The same: that it is no more.
const NO_MORE: u32 = 0xfffe_0000;
/// The same: that it is this.
const EXACT: u32 = 0xffff_0000;

impl Link {
    /// No block, and nothing is known.
    pub(super) const NONE: Link = Link(0);
    /// Some thread is making a block.
    pub(super) const BUSY: Link = Link(1);
    /// Blocks lie below this address.
    pub(super) const END: u32 = NO_LESS;

    /// To a block, whose address is at least 2 and below [`Link::END`].
    pub(super) fn to(block: u32) -> Link {
        debug_assert!((2..Link::END).contains(&block));
        Link(block)
    }

    /// To no block. Of two sides that are known but aren't the same only one is kept,
    /// that which tells more of who wins.
    pub(super) fn of(bounds: Bounds) -> Link {
        let tagged = |tag: u32, margin: i16| Link(tag | u32::from(margin.cast_unsigned()));
        let (no_less, no_more) = (bounds.lo != i16::MIN, bounds.hi != i16::MAX);
        let first_ahead = i32::from(bounds.lo) + i32::from(bounds.hi) > 0;
        if bounds.is_exact() {
            tagged(EXACT, bounds.lo)
        } else if no_less && (first_ahead || !no_more) {
            tagged(NO_LESS, bounds.lo)
        } else if no_more {
            tagged(NO_MORE, bounds.hi)
        } else {
            Link::NONE
        }
    }

    /// The block, if there is one.
    #[inline(always)]
    pub(super) fn block(self) -> Option<u32> {
        (2..Link::END).contains(&self.0).then_some(self.0)
    }

    /// What is known without a block.
    pub(super) fn bounds(self) -> Bounds {
        let margin = self.0 as u16 as i16;
        match self.0 & 0xffff_0000 {
            EXACT => Bounds::exact(margin),
            NO_LESS => Bounds {
                lo: margin,
                ..Bounds::OPEN
            },
            NO_MORE => Bounds {
                hi: margin,
                ..Bounds::OPEN
            },
            _ => Bounds::OPEN,
        }
    }

    pub(super) fn bits(self) -> u32 {
        self.0
    }

    pub(super) fn from_bits(bits: u32) -> Link {
        Link(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_bounds_holds() {
        let margins = [i16::MIN, -300, -1, 0, 1, 7, 300, i16::MAX];
        for lo in margins {
            for hi in margins.into_iter().filter(|&hi| lo <= hi) {
                let bounds = Bounds { lo, hi };
                let link = Link::of(bounds);
                let kept = link.bounds();
                assert_eq!(link.block(), None);
                assert_eq!(bounds.meet(kept), bounds, "{bounds:?} {kept:?}");
                let both = lo != hi && lo != i16::MIN && hi != i16::MAX;
                assert_eq!(kept == bounds, !both, "{bounds:?} {kept:?}");
                if lo > 0 {
                    assert_eq!(kept.lo, lo);
                }
                if hi < 0 {
                    assert_eq!(kept.hi, hi);
                }
            }
        }
    }

    #[test]
    fn blocks_are_told_from_all_else() {
        for block in [2, 3, 1 << 31, Link::END - 1] {
            let link = Link::to(block);
            assert_eq!((link.block(), link.bounds()), (Some(block), Bounds::OPEN));
        }
        for link in [Link::NONE, Link::BUSY] {
            assert_eq!((link.block(), link.bounds()), (None, Bounds::OPEN));
        }
    }
}
