//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch, [`Survey::of_children`] all that a move leads to.

use std::marker::PhantomData;

use smallvec::SmallVec;

use super::features::{FEATURES, feature};
use crate::rules::word::Word;
use crate::rules::{
    BoardSize, Cell, Farmer, Fields, Mobility, Move, Outlook, Side, Standing, State, Visitor,
};

/// A position in whole numbers, by [feature](super::features::NAMES).
pub type Counts = [i16; FEATURES];

/// The counts of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survey {
    /// By how much `side` is ahead of the other in each count; what tells of the
    /// score and the turn is Light's view.
    pub counts: Counts,
    /// Empty cells of the board.
    pub empties: u16,
    /// The side whose lead the counts are.
    pub side: Side,
}

/// Every cell's distance from the nearest edge of a board.
struct Edges<S>(PhantomData<S>);

impl<S: BoardSize> Edges<S> {
    const DISTANCES: &'static [i8; 256] = &{
        let mut table = [0; 256];
        let mut cell = 0;
        while cell < 256 {
            let (file, rank) = (cell as i8 & 15, (cell >> 4) as i8);
            let to = [
                file,
                rank,
                S::SIZE as i8 - 1 - file,
                S::SIZE as i8 - 1 - rank,
            ];
            let mut least = to[0];
            let mut i = 1;
            while i < 4 {
                if to[i] < least {
                    least = to[i];
                }
                i += 1;
            }
            table[cell] = least;
            cell += 1;
        }
        table
    };
}

/// A cell's distance from the nearest edge.
#[inline(always)]
fn from_edge<S: BoardSize>(cell: Cell) -> i16 {
    let number = usize::from(cell.rank()) << 4 | usize::from(cell.file());
    Edges::<S>::DISTANCES[number].into()
}

/// The neighbours of a side's farmers, without the one on `but`.
#[inline(always)]
fn near<S: BoardSize>(state: &State<S>, side: Side, but: Option<Cell>) -> S::Word {
    state
        .farmers_of(side)
        .filter(|&(cell, _)| Some(cell) != but)
        .fold(S::Word::EMPTY, |near, (cell, _)| near | S::near(cell))
}

/// A number of cells.
#[inline(always)]
fn count(cells: impl Word) -> i16 {
    cells.count() as i16
}

/// Enters whose turn it is, 1 for Light and -1 for Dark, and who has just
/// passed; of two passes the first was made by the side to move.
#[inline(always)]
fn enter_turn(counts: &mut Counts, side: Side, passes: u8) {
    let tempo = if side == Side::Light { 1 } else { -1 };
    counts[feature::TEMPO] = tempo;
    counts[feature::PASSED] = if passes == 1 { -tempo } else { 0 };
}

/// What is known of a position before its fields and steps are: counts that
/// depend on its pieces alone, the farmers' neighbours, and the empty cells.
#[derive(Clone, Copy)]
struct Ground<S: BoardSize> {
    side: Side,
    counts: Counts,
    near_own: S::Word,
    near_other: S::Word,
    empty: S::Word,
    empties: i16,
}

impl<S: BoardSize> Ground<S> {
    /// The ground of a state with the lead of `side`.
    #[inline(always)]
    fn of(state: &State<S>, side: Side) -> Ground<S> {
        let mut counts = [0; FEATURES];
        for (of, sign) in [(side, 1), (side.other(), -1)] {
            counts[feature::SEEDS] += sign * count(state.pieces(of));
            for (cell, crop) in state.farmers_of(of) {
                counts[feature::SEEDS] -= sign;
                counts[feature::CENTRE] += sign * from_edge::<S>(cell);
                counts[feature::CROPS] += sign * i16::from(crop);
            }
        }
        let empty = state.empty_cells();
        Ground {
            side,
            counts,
            near_own: near(state, side, None),
            near_other: near(state, side.other(), None),
            empty,
            empties: count(empty),
        }
        .beside_counted()
    }

    /// The ground with the empty cells beside the farmers counted anew.
    #[inline(always)]
    fn beside_counted(mut self) -> Ground<S> {
        let [own, other] = [self.near_own, self.near_other].map(|near| count(near & self.empty));
        self.counts[feature::BESIDE] = own - other;
        self
    }

    /// The ground with a farmer of the side to move taken off it.
    #[inline(always)]
    fn without(&self, state: &State<S>, farmer: Farmer) -> Ground<S> {
        let Farmer { cell, crop, .. } = farmer;
        let mut counts = self.counts;
        counts[feature::CENTRE] -= from_edge::<S>(cell);
        counts[feature::CROPS] -= i16::from(crop);
        Ground {
            counts,
            near_own: near(state, self.side, Some(cell)),
            empty: self.empty | S::bit(cell),
            empties: self.empties + 1,
            ..*self
        }
        .beside_counted()
    }

    /// The survey with all that depends on fields and steps entered.
    #[inline(always)]
    fn survey(
        &self,
        mut counts: Counts,
        empties: i16,
        standing: Standing,
        mobility: Mobility,
    ) -> Survey {
        let (own, other) = (self.side, self.side.other());
        let lead = |[own, other]: [i16; 2]| own - other;
        let worth = standing.worth;
        let margin = standing.margin().0 as i16;
        let harvests = mobility.harvests(0);
        counts[feature::MARGIN] = margin;
        counts[feature::AHEAD] = margin;
        counts[feature::REACH] = worth.reach(own) as i16 - worth.reach(other) as i16;
        counts[feature::CONTROLLED] = worth.control(own) as i16 - worth.control(other) as i16;
        counts[feature::HARVESTS] = lead(harvests);
        counts[feature::SOWINGS] = lead(mobility.sowings(0));
        counts[feature::NEXT_HARVESTS] = lead(mobility.harvests(1));
        // The sign of an odd margin, 0 of an even one.
        counts[feature::HALF] = (margin >> 15 | 1) & -(margin & 1);
        counts[feature::STRONG_TEMPO] = counts[feature::TEMPO] * (harvests[0] + harvests[1]);
        counts[feature::NEXT_SOWINGS] = lead(mobility.sowings(1));
        Survey {
            counts,
            empties: empties as u16,
            side: own,
        }
    }

    /// The survey with another farmer set down and `filled`, so many cells,
    /// its own among them, no longer empty.
    #[inline(always)]
    fn survey_with(
        &self,
        (cell, crop): (Cell, u8),
        (filled, number): (S::Word, i16),
        standing: Standing,
        mobility: Mobility,
    ) -> Survey {
        let new = S::near(cell) & self.empty & !(self.near_own | filled);
        let lost = if number == 1 {
            i16::from(filled.meets(self.near_own)) - i16::from(filled.meets(self.near_other))
        } else {
            count(filled & self.near_own) - count(filled & self.near_other)
        };
        let mut counts = self.counts;
        counts[feature::BESIDE] += count(new) - lost;
        counts[feature::SEEDS] += number - 1;
        counts[feature::CENTRE] += from_edge::<S>(cell);
        counts[feature::CROPS] += i16::from(crop);
        self.survey(counts, self.empties - number, standing, mobility)
    }
}

/// The surveys of all children of a state.
pub type Surveys = SmallVec<[(Move, Survey); 64]>;

/// A walk over the children of a state.
struct Walk<'s, S: BoardSize> {
    state: &'s State<S>,
    outlook: Outlook<S>,
    ground: Ground<S>,
    /// The farmer whose moves are visited, and the ground without it.
    farmer: Farmer,
    without: Ground<S>,
    surveys: &'s mut Surveys,
}

impl<S: BoardSize> Walk<'_, S> {
    #[inline(always)]
    fn enter(&mut self, to: Cell, survey: Survey) {
        let from = self.farmer.cell;
        self.surveys.push((Move::Step { from, to }, survey));
    }
}

impl<S: BoardSize> Visitor<S> for Walk<'_, S> {
    #[inline(always)]
    fn place(&mut self, to: Cell, standing: Standing) {
        let mobility = self.outlook.after_placing(self.state, to);
        let filled = (S::bit(to), 1);
        let survey = self.ground.survey_with((to, 1), filled, standing, mobility);
        self.surveys.push((Move::Place(to), survey));
    }

    #[inline(always)]
    fn turn_to(&mut self, farmer: Farmer) {
        self.farmer = farmer;
        self.without = self.ground.without(self.state, farmer);
    }

    #[inline(always)]
    fn begin_harvests(&mut self) {
        self.outlook.turn_to_harvests(self.state, self.farmer);
    }

    #[inline(always)]
    fn harvest(&mut self, to: Cell, standing: Standing) {
        let side = self.state.side();
        let mobility = self.outlook.after_harvest(side, self.farmer, to);
        let farmer = (to, self.farmer.crop + 1);
        let filled = (S::bit(to), 1);
        let survey = self.without.survey_with(farmer, filled, standing, mobility);
        self.enter(to, survey);
    }

    #[inline(always)]
    fn end_harvests(&mut self) {
        self.outlook.end_harvests(self.state.side(), self.farmer);
    }

    #[inline(always)]
    fn begin_sowings(&mut self) {
        self.outlook.turn_to_sowings(self.farmer);
    }

    #[inline(always)]
    fn sow(&mut self, bit: u32, to: Cell, sown: S::Word, standing: Standing) {
        let Farmer { cell, crop, .. } = self.farmer;
        let side = self.state.side();
        let mobility = self.outlook.after_sowing(side, self.farmer, bit, to);
        let filled = (sown | S::bit(cell), i16::from(crop));
        let survey = self
            .without
            .survey_with((to, 1), filled, standing, mobility);
        self.enter(to, survey);
    }

    #[inline(always)]
    fn pass(&mut self, standing: Standing) {
        let mut counts = self.ground.counts;
        enter_turn(
            &mut counts,
            self.state.side().other(),
            self.state.passes() + 1,
        );
        let mobility = self.outlook.mobility();
        let survey = self
            .ground
            .survey(counts, self.ground.empties, standing, mobility);
        self.surveys.push((Move::Pass, survey));
    }
}

impl Survey {
    /// Counts a position from scratch, how far Light is ahead.
    #[must_use]
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        let ground = Ground::of(state, Side::Light);
        let mut counts = ground.counts;
        enter_turn(&mut counts, state.side(), state.passes());
        let mobility = Mobility::of_state(state, Side::Light);
        ground.survey(counts, ground.empties, state.standing(), mobility)
    }

    /// Light's score minus Dark's as things stand, in half points.
    #[inline(always)]
    #[must_use]
    pub const fn margin(&self) -> i16 {
        self.counts[feature::MARGIN]
    }

    /// Every legal move of an unfinished state and the survey of the state after
    /// it: how far the side that moved is ahead. Fields and steps are worked
    /// out for all children at once, and what a move doesn't change is counted
    /// once.
    #[inline]
    pub fn of_children<S: BoardSize>(state: &State<S>, surveys: &mut Surveys) {
        let mut ground = Ground::of(state, state.side());
        enter_turn(&mut ground.counts, state.side_after_action(), 0);
        let mut walk = Walk {
            state,
            outlook: Outlook::of(state),
            ground,
            farmer: Farmer::default(),
            without: ground,
            surveys,
        };
        let steps = walk.outlook.steps();
        Fields::of(state).scan_for(state, steps, &mut walk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_size;
    use crate::rules::position::random::each_position;

    /// The survey with Light's lead.
    fn seen_by_light(mut survey: Survey) -> Survey {
        if survey.side == Side::Dark {
            let leads = [
                feature::REACH,
                feature::CONTROLLED,
                feature::BESIDE,
                feature::SEEDS,
                feature::HARVESTS,
                feature::SOWINGS,
                feature::NEXT_HARVESTS,
                feature::NEXT_SOWINGS,
                feature::CENTRE,
                feature::CROPS,
            ];
            for lead in leads {
                survey.counts[lead] *= -1;
            }
            survey.side = Side::Light;
        }
        survey
    }

    #[test]
    fn margin_and_control_are_those_of_the_rules() {
        let mut seed = 12345;
        for size in 3..=12 {
            each_position(size, &mut seed, |position| {
                let survey = on_size!(position.state(), s => Survey::of(s));
                assert_eq!(
                    i32::from(survey.margin()),
                    position.margin().0,
                    "{position}"
                );
                on_size!(position.state(), s => {
                    let mut surveys = Surveys::new();
                    Survey::of_children(s, &mut surveys);
                    for (mv, survey) in surveys {
                        let mut child = *s;
                        child.make(mv);
                        let expected = Survey::of(&child);
                        assert_eq!(seen_by_light(survey), expected, "{position} {mv}");
                    }
                });
                let fields = position.fields();
                let mut lead = [0, 0];
                for side in Side::BOTH {
                    let cells = |wanted: &dyn Fn(&crate::rules::Field) -> bool| -> usize {
                        fields
                            .iter()
                            .filter(|f| wanted(f))
                            .map(|f| f.cells.len())
                            .sum()
                    };
                    let controlled = cells(&|field| field.controller == Some(side));
                    let reach = cells(&|field| !field.crops[side.index()].is_empty());
                    let sign = if side == Side::Light { 1 } else { -1 };
                    lead[0] += sign * controlled as i16;
                    lead[1] += sign * reach as i16;
                }
                let counted = [feature::CONTROLLED, feature::REACH].map(|i| survey.counts[i]);
                assert_eq!(counted, lead, "{position}");
            });
        }
    }
}
