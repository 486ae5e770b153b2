//! What is proven of a final margin (score-bounded Monte Carlo tree search,
//! Cazenave and Saffidine 2010).

use super::Actor;

/// The final margin under best play lies within `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No less than this.
    pub lo: i16,
    /// No more than this.
    pub hi: i16,
}

impl Bounds {
    /// Nothing is known.
    pub const OPEN: Bounds = Bounds {
        lo: i16::MIN,
        hi: i16::MAX,
    };

    /// The margin itself is known.
    pub fn exact(margin: i16) -> Bounds {
        Bounds {
            lo: margin,
            hi: margin,
        }
    }

    /// Whether the margin itself is known.
    pub fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    /// Whether anything is known.
    pub fn is_open(self) -> bool {
        // One comparison where they come packed.
        self.pack() == Bounds::OPEN.pack()
    }

    /// What holds of both: used when two proofs of one margin meet.
    pub fn meet(self, other: Bounds) -> Bounds {
        Bounds {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
        }
    }

    /// With another proof of the same margin, unless the two contradict each other.
    pub(super) fn and(self, proof: Bounds) -> Bounds {
        let both = self.meet(proof);
        if both.lo <= both.hi { both } else { self }
    }

    /// The margin nearest to this one that is possible.
    pub(super) fn clamp(self, margin: f32) -> f32 {
        margin.clamp(self.lo.into(), self.hi.into())
    }

    /// What the player who chooses between two moves can be sure of.
    pub fn choice(self, other: Bounds, actor: Actor) -> Bounds {
        match actor {
            Actor::First => Bounds {
                lo: self.lo.max(other.lo),
                hi: self.hi.max(other.hi),
            },
            Actor::Second => Bounds {
                lo: self.lo.min(other.lo),
                hi: self.hi.min(other.hi),
            },
        }
    }

    /// The starting point of a fold with [`Bounds::choice`].
    pub fn worst(actor: Actor) -> Bounds {
        match actor {
            Actor::First => Bounds::exact(i16::MIN),
            Actor::Second => Bounds::exact(i16::MAX),
        }
    }

    /// Whether a move with these bounds can't beat what the player already has
    /// for sure.
    pub fn cannot_beat(self, sure: Bounds, actor: Actor) -> bool {
        match actor {
            Actor::First => self.hi <= sure.lo,
            Actor::Second => self.lo >= sure.hi,
        }
    }

    /// The same seen by `actor`: greater is better.
    pub fn seen_by(self, actor: Actor) -> Bounds {
        match actor {
            Actor::First => self,
            Actor::Second => Bounds {
                lo: self.hi.saturating_neg(),
                hi: self.lo.saturating_neg(),
            },
        }
    }

    pub(super) fn pack(self) -> u32 {
        u32::from(self.lo.cast_unsigned()) | u32::from(self.hi.cast_unsigned()) << 16
    }

    pub(super) fn unpack(bits: u32) -> Bounds {
        Bounds {
            lo: (bits & 0xffff) as u16 as i16,
            hi: (bits >> 16) as u16 as i16,
        }
    }
}
