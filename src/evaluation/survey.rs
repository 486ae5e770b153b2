//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch, [`Survey::of_children`] all that a move leads to.

use smallvec::SmallVec;

use super::features::{FEATURES, feature};
use super::ground::Ground;
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

/// The surveys of all children of a state.
pub type Surveys = SmallVec<[(Move, Survey); 64]>;

/// A walk over the children of a state.
struct Walk<'s, S: BoardSize> {
    state: &'s State<S>,
    outlook: Outlook<S>,
    ground: Ground<S>,
    /// The farmer whose moves are visited, the ground without it, and for its
    /// harvests or sowings.
    farmer: Farmer,
    without: Ground<S>,
    next: Ground<S>,
    surveys: &'s mut Surveys,
}

impl<S: BoardSize> Walk<'_, S> {
    #[inline(always)]
    fn enter(&mut self, mv: Move, empties: u16, counts: Counts) {
        let side = self.state.side();
        self.surveys.push((
            mv,
            Survey {
                counts,
                empties,
                side,
            },
        ));
    }

    #[inline(always)]
    fn enter_step(&mut self, to: Cell, counts: Counts) {
        let from = self.farmer.cell;
        self.enter(Move::Step { from, to }, self.next.empties(), counts);
    }
}

impl<S: BoardSize> Visitor<S> for Walk<'_, S> {
    #[inline(always)]
    fn place(&mut self, to: Cell, standing: Standing) {
        let mobility = self.outlook.after_placing(self.state, to);
        let counts = self.next.counts_with(to, standing, mobility);
        self.enter(Move::Place(to), self.next.empties(), counts);
    }

    #[inline(always)]
    fn turn_to(&mut self, farmer: Farmer) {
        self.farmer = farmer;
        self.without = self.ground.without(self.state, farmer);
    }

    #[inline(always)]
    fn begin_harvests(&mut self) {
        self.next = self.without.for_one_more(self.farmer.crop + 1, 1);
        self.outlook.turn_to_harvests(self.state, self.farmer);
    }

    #[inline(always)]
    fn harvest(&mut self, to: Cell, standing: Standing) {
        let side = self.state.side();
        let mobility = self.outlook.after_harvest(side, self.farmer, to);
        let counts = self.next.counts_with(to, standing, mobility);
        self.enter_step(to, counts);
    }

    #[inline(always)]
    fn end_harvests(&mut self) {
        self.outlook.end_harvests(self.state.side(), self.farmer);
    }

    #[inline(always)]
    fn begin_sowings(&mut self) {
        // Its own cell and all that it sows but the last have a seed then.
        self.next = self.without.for_one_more(1, self.farmer.crop);
        self.outlook.turn_to_sowings(self.farmer);
    }

    #[inline(always)]
    fn sow(&mut self, bit: u32, to: Cell, sown: S::Word, standing: Standing) {
        let side = self.state.side();
        let mobility = self.outlook.after_sowing(side, self.farmer, bit, to);
        let filled = sown | S::bit(self.farmer.cell);
        let counts = self.next.counts_with_sown(to, filled, standing, mobility);
        self.enter_step(to, counts);
    }

    #[inline(always)]
    fn pass(&mut self, standing: Standing) {
        let (next, passes) = (self.state.side().other(), self.state.passes() + 1);
        let ground = self.ground.with_turn(next, passes);
        let counts = ground.counts(standing, self.outlook.mobility());
        self.enter(Move::Pass, ground.empties(), counts);
    }
}

impl Survey {
    /// Counts a position from scratch, how far Light is ahead.
    #[must_use]
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        let ground = Ground::of(state, Side::Light).with_turn(state.side(), state.passes());
        let mobility = Mobility::of_state(state, Side::Light);
        Survey {
            counts: ground.counts(state.standing(), mobility),
            empties: ground.empties(),
            side: Side::Light,
        }
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
        let ground = Ground::of(state, state.side()).with_turn(state.side_after_action(), 0);
        let mut walk = Walk {
            state,
            outlook: Outlook::of(state),
            ground,
            farmer: Farmer::default(),
            without: ground,
            // A farmer that is placed.
            next: ground.for_one_more(1, 1),
            surveys,
        };
        let steps = walk.outlook.steps();
        let mut fields = Fields::none();
        fields.reset(state);
        fields.scan_for(state, steps, &mut walk);
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
