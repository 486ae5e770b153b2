//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch.

use crate::rules::straight::{path, straight};
use crate::rules::word::Word;
use crate::rules::{
    After, BoardSize, BothSteps, CROPS, Cell, Fields, Move, Outlook, Side, Standing, State,
    StepBits, Steps, Worth,
};

/// One side's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSurvey {
    /// Empty cells in fields beside the side's farmers.
    pub reach: u16,
    /// Empty cells in fields that it controls.
    pub controlled: u16,
    /// Empty cells that are horizontal or vertical neighbours of its farmers.
    pub beside: u16,
    /// Its seeds that lie on the board alone.
    pub seeds: u16,
    /// Harvest moves, as if it were its turn.
    pub harvests: u16,
    /// Sowing moves, as if it were its turn.
    pub sowings: u16,
    /// Harvests it would have with every crop one greater.
    pub next_harvests: u16,
    /// Sowings it would have with every crop one greater.
    pub next_sowings: u16,
    /// Sum of its farmers' distances from the board's edge.
    pub centre: u16,
    /// Sum of its crops.
    pub crops: u16,
}

/// The counts of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The side whose counts come first.
    pub side: Side,
    /// Light's score minus Dark's as things stand, in half points.
    pub margin: i32,
    /// Empty cells of the board.
    pub empties: u16,
    /// The counts of `side`.
    pub own: SideSurvey,
    /// The counts of the other side.
    pub other: SideSurvey,
}

impl SideSurvey {
    /// What depends on where the side's farmers stand, and with what crops.
    fn of_farmers<S: BoardSize>(state: &State<S>, side: Side) -> SideSurvey {
        let nobody = SideSurvey {
            seeds: state.pieces(side).count() as u16,
            ..SideSurvey::default()
        };
        state
            .farmers_of(side)
            .fold(nobody, |side, (cell, crop)| SideSurvey {
                seeds: side.seeds - 1,
                centre: side.centre + from_edge::<S>(cell),
                crops: side.crops + u16::from(crop),
                ..side
            })
    }

    /// Adds what depends on the whole board; `near` are the neighbours of the
    /// side's farmers.
    #[inline(always)]
    fn on_board<W: Word>(
        self,
        side: Side,
        near: W,
        empty: W,
        steps: &BothSteps,
        worth: Worth,
    ) -> SideSurvey {
        let [now, next] = steps.map(|steps| steps[side.index()]);
        SideSurvey {
            reach: worth.reach(side) as u16,
            controlled: worth.control(side) as u16,
            beside: (near & empty).count() as u16,
            harvests: now.harvests() as u16,
            sowings: now.sowings() as u16,
            next_harvests: next.harvests() as u16,
            next_sowings: next.sowings() as u16,
            ..self
        }
    }

    /// Adds the steps of one more farmer.
    #[inline(always)]
    fn with_steps(self, own: [StepBits; CROPS]) -> SideSurvey {
        let [now, next] = own.map(|bits| Steps::of_one(0, bits));
        SideSurvey {
            harvests: self.harvests + now.harvests() as u16,
            sowings: self.sowings + now.sowings() as u16,
            next_harvests: self.next_harvests + next.harvests() as u16,
            next_sowings: self.next_sowings + next.sowings() as u16,
            ..self
        }
    }
}

/// A cell's distance from the nearest edge.
#[inline(always)]
fn from_edge<S: BoardSize>(cell: Cell) -> u16 {
    let (file, rank, edge) = (cell.file(), cell.rank(), S::SIZE - 1);
    u16::from(file.min(rank).min(edge - file).min(edge - rank))
}

/// The neighbours of a side's farmers, without the one on `but`.
#[inline(always)]
fn near<S: BoardSize>(state: &State<S>, side: Side, but: Option<Cell>) -> S::Word {
    state
        .farmers_of(side)
        .filter(|&(cell, _)| Some(cell) != but)
        .fold(S::Word::EMPTY, |near, (cell, _)| near | S::near(cell))
}

/// What is known of a position before its fields and steps are: counts that
/// depend on the farmers alone, the farmers' neighbours, and the empty cells.
#[derive(Clone, Copy)]
struct Ground<S: BoardSize> {
    side: Side,
    own: SideSurvey,
    other: SideSurvey,
    near_own: S::Word,
    near_other: S::Word,
    empty: S::Word,
}

impl<S: BoardSize> Ground<S> {
    fn of(state: &State<S>, side: Side) -> Ground<S> {
        let other = side.other();
        Ground {
            side,
            own: SideSurvey::of_farmers(state, side),
            other: SideSurvey::of_farmers(state, other),
            near_own: near(state, side, None),
            near_other: near(state, other, None),
            empty: state.empty_cells(),
        }
    }

    /// The ground with a farmer of the side to move taken off it.
    #[inline(always)]
    fn without(&self, state: &State<S>, from: Cell, crop: u8) -> Ground<S> {
        Ground {
            own: SideSurvey {
                centre: self.own.centre - from_edge::<S>(from),
                crops: self.own.crops - u16::from(crop),
                ..self.own
            },
            near_own: near(state, self.side, Some(from)),
            empty: self.empty | S::bit(from),
            ..*self
        }
    }

    /// The survey of this ground.
    #[inline(always)]
    fn survey(&self, standing: Standing, after: After) -> Survey {
        let (own, other) = (self.side, self.side.other());
        let Standing { worth, .. } = standing;
        let steps = &after.others;
        Survey {
            side: own,
            margin: standing.margin().0,
            empties: self.empty.count() as u16,
            own: self
                .own
                .on_board(own, self.near_own, self.empty, steps, worth)
                .with_steps(after.own),
            other: self
                .other
                .on_board(other, self.near_other, self.empty, steps, worth),
        }
    }

    /// The survey with another farmer set down and some cells filled.
    #[inline(always)]
    fn survey_with(
        &self,
        (cell, crop): (Cell, u8),
        filled: S::Word,
        standing: Standing,
        after: After,
    ) -> Survey {
        let ground = Ground {
            own: SideSurvey {
                centre: self.own.centre + from_edge::<S>(cell),
                crops: self.own.crops + u16::from(crop),
                seeds: self.own.seeds + filled.count() as u16 - 1,
                ..self.own
            },
            near_own: self.near_own | S::near(cell),
            empty: self.empty & !filled,
            ..*self
        };
        ground.survey(standing, after)
    }
}

/// A farmer of the side to move, taken off the board.
struct Mover<S: BoardSize> {
    from: Cell,
    slot: usize,
    crop: u8,
    ground: Ground<S>,
}

impl<S: BoardSize> Mover<S> {
    /// Lifts the farmer on `from` off `ground`.
    #[inline(always)]
    fn lift(state: &State<S>, ground: &Ground<S>, from: Cell) -> Mover<S> {
        let slot = state.slot_of(ground.side, from).unwrap_or(0);
        let crop = state.crop(ground.side, slot);
        Mover {
            from,
            slot,
            crop,
            ground: ground.without(state, from, crop),
        }
    }
}

impl Survey {
    /// Counts a position from scratch, Light first.
    #[must_use]
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        Ground::of(state, Side::Light).survey(state.standing(), After::of(state))
    }

    /// The counts of a side.
    #[inline(always)]
    #[must_use]
    pub fn of_side(&self, side: Side) -> &SideSurvey {
        if side == self.side {
            &self.own
        } else {
            &self.other
        }
    }

    /// Calls `visit` with every legal move of an unfinished state and the
    /// survey of the state after it, the side that moved first. Fields and
    /// steps are worked out for all children at once, and what a move doesn't
    /// change is counted once.
    #[inline]
    pub fn each_child<S: BoardSize>(state: &State<S>, mut visit: impl FnMut(Move, &Survey)) {
        let ground = Ground::of(state, state.side());
        let mut outlook = Outlook::BLANK;
        outlook.turn_to(state);
        let mut lifted: Option<Mover<S>> = None;
        let steps = outlook.steps(ground.side);
        Fields::of(state).scan(state, steps, |mv, standing| {
            let survey = match mv {
                Move::Pass => ground.survey(standing, outlook.after_pass()),
                Move::Place(to) => {
                    let after = outlook.after_placing(state, to);
                    ground.survey_with((to, 1), S::bit(to), standing, after)
                }
                Move::Step { from, to } => {
                    let mover = match &lifted {
                        Some(mover) if mover.from == from => mover,
                        _ => lifted.insert(Mover::lift(state, &ground, from)),
                    };
                    let (crop, filled, after) = if straight(from, to) == mover.crop {
                        let after = outlook.after_harvest(state, mover.slot, to);
                        (mover.crop + 1, S::bit(to), after)
                    } else {
                        let after = outlook.after_sowing(state, mover.slot, to);
                        (1, path::<S>(from, to), after)
                    };
                    let ground = &mover.ground;
                    ground.survey_with((to, crop), filled, standing, after)
                }
            };
            visit(mv, &survey);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::on_size;
    use crate::rules::position::random::each_position;

    #[test]
    fn margin_and_control_are_those_of_the_rules() {
        let mut seed = 12345;
        for size in 3..=12 {
            each_position(size, &mut seed, |position| {
                let survey = on_size!(position.state(), s => Survey::of(s));
                assert_eq!(survey.margin, position.margin().0, "{position}");
                on_size!(position.state(), s => Survey::each_child(s, |mv, survey| {
                    let mut child = *s;
                    child.make(mv);
                    let expected = Survey::of(&child);
                    let counts = |survey: &Survey| Side::BOTH.map(|side| *survey.of_side(side));
                    assert_eq!(counts(survey), counts(&expected), "{position} {mv}");
                    assert_eq!(survey.margin, expected.margin, "{position} {mv}");
                    assert_eq!(survey.empties, expected.empties, "{position} {mv}");
                }));
                let fields = position.fields();
                for side in Side::BOTH {
                    let cells = |wanted: &dyn Fn(&crate::rules::Field) -> bool| -> usize {
                        fields
                            .iter()
                            .filter(|f| wanted(f))
                            .map(|f| f.cells.len())
                            .sum()
                    };
                    let counts = survey.of_side(side);
                    let controlled = cells(&|field| field.controller == Some(side));
                    let reach = cells(&|field| !field.crops[side.index()].is_empty());
                    assert_eq!(usize::from(counts.controlled), controlled, "{position}");
                    assert_eq!(usize::from(counts.reach), reach, "{position}");
                }
            });
        }
    }
}
