//! The steps of both sides, a lane for each farmer, and their numbers.

use super::arch::kinds;
use super::geometry::{BoardSize, Side};
use super::lines::{Lines, StepBits};
use super::state::{Slot, State};
use super::steps::Steps;

/// How many crops are looked at: the present one, and one more.
pub(super) const CROPS: usize = 2;

/// Lanes of a vector: the farmers of one side and, from [`OTHERS`] on, those of
/// the other, by slot.
pub(super) const LANES: usize = 16;
pub(super) const OTHERS: usize = 8;

/// A number for each farmer of both sides.
pub(super) type Lanes<T> = [T; LANES];

/// Both sides' steps, by how much is added to the crops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub(super) struct BothSteps(pub(super) [Lanes<StepBits>; CROPS]);

impl BothSteps {
    pub(super) const NONE: BothSteps = BothSteps([[0; LANES]; CROPS]);

    /// The steps of a position, those of `first` first.
    #[inline(always)]
    pub(super) fn of<S: BoardSize>(state: &State<S>, lines: &Lines<S>, first: Side) -> BothSteps {
        let mut steps = BothSteps::NONE;
        for (start, side) in [(0, first), (OTHERS, first.other())] {
            for (slot, cell) in state.slots(side) {
                let of_slot = lines.steps_twice(side, cell, state.crop(side, slot));
                for (steps, bits) in steps.0.iter_mut().zip(of_slot) {
                    steps[start + slot] = bits;
                }
            }
        }
        steps
    }

    /// The first side's, with the crops as they are.
    #[inline(always)]
    pub(super) fn now(&self) -> Steps {
        let (sides, _) = self.0[0].as_chunks::<OTHERS>();
        Steps::of_slots(sides[0])
    }

    /// Those of one of the first side's farmers.
    #[inline(always)]
    pub(super) fn of_slot(&self, slot: Slot) -> [StepBits; CROPS] {
        self.0.map(|steps| steps[slot % OTHERS])
    }

    /// These without the steps of one of the first side's farmers.
    #[inline(always)]
    pub(super) fn without_slot(&self, slot: Slot) -> BothSteps {
        let mut steps = *self;
        for steps in &mut steps.0 {
            for (lane, steps) in (0..).zip(steps.iter_mut()) {
                *steps = if lane == slot as u16 { 0 } else { *steps };
            }
        }
        steps
    }

    /// Those that are in `other` too.
    #[inline(always)]
    pub(super) fn and(&self, other: &BothSteps) -> BothSteps {
        self.zip(other, |a, b| a & b)
    }

    /// Those that are not in `other`.
    #[inline(always)]
    pub(super) fn without(&self, other: &BothSteps) -> BothSteps {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn zip(&self, other: &BothSteps, both: impl Fn(u16, u16) -> u16) -> BothSteps {
        let mut steps = BothSteps::NONE;
        for more in 0..CROPS {
            for lane in 0..LANES {
                steps.0[more][lane] = both(self.0[more][lane], other.0[more][lane]);
            }
        }
        steps
    }

    /// Calls `visit` with every farmer that has a step: how much is added to
    /// its crop, and its lane.
    #[inline(always)]
    pub(super) fn each_lane(&self, mut visit: impl FnMut(usize, usize)) {
        for (more, steps) in self.0.iter().enumerate() {
            let kinds = kinds(steps);
            let both = kinds | kinds >> 8;
            let mut lanes = (both & 0xff) | (both >> 8 & 0xff00);
            while lanes != 0 {
                visit(more, lanes.trailing_zeros() as usize);
                lanes &= lanes - 1;
            }
        }
    }
}

/// Numbers of steps, of harvests and of sowings of either side, with the crops
/// as they are and with each one greater: a byte each, at most 56.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mobility(u64);

impl Mobility {
    /// Counts the steps of a state, those of `first` first.
    pub(crate) fn of_state<S: BoardSize>(state: &State<S>, first: Side) -> Mobility {
        Mobility::of(&BothSteps::of(state, &state.lines(), first))
    }

    /// The numbers as bytes, the lowest first: the harvests of the first side,
    /// its sowings, those of the other, and all that with crops one greater.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// Counts steps.
    #[inline(always)]
    pub(super) fn of(steps: &BothSteps) -> Mobility {
        let mut counts = [0; 8];
        for (more, steps) in steps.0.iter().enumerate() {
            let (sides, _) = steps.as_chunks::<OTHERS>();
            for (side, &steps) in sides.iter().enumerate() {
                let steps = Steps::of_slots(steps);
                counts[4 * more + 2 * side] = steps.harvests() as u8;
                counts[4 * more + 2 * side + 1] = steps.sowings() as u8;
            }
        }
        Mobility(u64::from_le_bytes(counts))
    }

    /// Counts steps of which no farmer has more than one harvest and one sowing
    /// at either crop.
    #[inline(always)]
    fn of_few(steps: &BothSteps) -> Mobility {
        let [now, next] = [kinds(&steps.0[0]), kinds(&steps.0[1])];
        let lanes = u64::from(now) | u64::from(next) << 32;
        // The bits of each byte, counted in pairs, fours and all (Warren,
        // Hacker's Delight, 2002).
        let pairs = lanes - (lanes >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        Mobility((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f)
    }

    /// Takes from `steps` those that are in `blocked`, of which no farmer has
    /// more than one harvest and one sowing at either crop.
    #[inline(always)]
    pub(super) fn less(self, steps: &BothSteps, blocked: &BothSteps) -> Mobility {
        let lost = steps.and(blocked);
        debug_assert_eq!(Mobility::of_few(&lost), Mobility::of(&lost));
        Mobility(self.0 - Mobility::of_few(&lost).0)
    }

    /// With the steps of one more farmer of the first side.
    #[inline(always)]
    pub(super) fn with(self, own: [StepBits; CROPS]) -> Mobility {
        Mobility(self.0 + Mobility::of_one(own).0)
    }

    /// Without the steps of one of the first side's farmers.
    #[inline(always)]
    pub(super) fn without_own(self, own: [StepBits; CROPS]) -> Mobility {
        Mobility(self.0 - Mobility::of_one(own).0)
    }

    /// With further steps of the farmer in a lane, with its crop so much greater.
    #[inline(always)]
    pub(super) fn with_of_lane(self, lane: usize, more: usize, bits: StepBits) -> Mobility {
        Mobility(self.0 + (Mobility::kinds_of(bits) << (32 * more + 16 * (lane / OTHERS))))
    }

    /// The steps of one farmer of the first side.
    #[inline(always)]
    fn of_one([now, next]: [StepBits; CROPS]) -> Mobility {
        Mobility(Mobility::kinds_of(now) | Mobility::kinds_of(next) << 32)
    }

    /// The harvests and the sowings of one farmer in the two lowest bytes.
    #[inline(always)]
    fn kinds_of(bits: StepBits) -> u64 {
        let steps = Steps::of_one(0, bits);
        u64::from(steps.harvests()) | u64::from(steps.sowings()) << 8
    }
}
