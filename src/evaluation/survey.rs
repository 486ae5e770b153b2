//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch.

use crate::rules::word::Word;
use crate::rules::{BoardSize, Cell, Fields, Move, Outlook, Side, Standing, State, Steps, Worth};

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
    /// Farmers with a move.
    pub movable: u16,
    /// Sum of its farmers' distances from the board's edge.
    pub centre: u16,
    /// Sum of its crops.
    pub crops: u16,
}

/// The counts of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Light's score minus Dark's as things stand, in half points.
    pub margin: i32,
    /// Empty cells of the board.
    pub empties: u16,
    /// Light's and Dark's counts.
    pub sides: [SideSurvey; 2],
}

impl SideSurvey {
    /// What depends on where the side's farmers stand, and with what crops.
    fn of_farmers<S: BoardSize>(state: &State<S>, side: Side) -> SideSurvey {
        let nobody = SideSurvey {
            seeds: state.pieces(side).count() as u16,
            ..SideSurvey::default()
        };
        state.farmers_of(side).fold(nobody, |side, (cell, crop)| {
            SideSurvey {
                seeds: side.seeds - 1,
                ..side
            }
            .with::<S>(cell, crop)
        })
    }

    /// With one more farmer.
    #[inline(always)]
    fn with<S: BoardSize>(self, cell: Cell, crop: u8) -> SideSurvey {
        SideSurvey {
            centre: self.centre + from_edge::<S>(cell),
            crops: self.crops + u16::from(crop),
            ..self
        }
    }

    /// With one farmer less.
    #[inline(always)]
    fn without<S: BoardSize>(self, cell: Cell, crop: u8) -> SideSurvey {
        SideSurvey {
            centre: self.centre - from_edge::<S>(cell),
            crops: self.crops - u16::from(crop),
            ..self
        }
    }

    /// Adds what depends on the whole board; `near` are the neighbours of the
    /// side's farmers.
    #[inline(always)]
    fn on_board<W: Word>(
        self,
        side: Side,
        near: W,
        empty: W,
        steps: [Steps; 2],
        worth: Worth,
    ) -> SideSurvey {
        let steps = steps[side.index()];
        SideSurvey {
            reach: worth.reach(side) as u16,
            controlled: worth.control(side) as u16,
            beside: (near & empty).count() as u16,
            harvests: steps.harvests() as u16,
            sowings: steps.sowings() as u16,
            movable: steps.movable() as u16,
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

/// The neighbours of a side's farmers.
#[inline(always)]
fn near<S: BoardSize>(state: &State<S>, side: Side) -> S::Word {
    state
        .farmers_of(side)
        .fold(S::Word::EMPTY, |near, (cell, _)| near | S::near(cell))
}

/// What a survey is made of, by side: counts of farmers and their neighbours,
/// and the empty cells.
#[derive(Clone, Copy)]
struct Ground<S: BoardSize> {
    counts: [SideSurvey; 2],
    near: [S::Word; 2],
    empty: S::Word,
}

impl<S: BoardSize> Ground<S> {
    fn of(state: &State<S>) -> Ground<S> {
        Ground {
            counts: Side::BOTH.map(|side| SideSurvey::of_farmers(state, side)),
            near: Side::BOTH.map(|side| near(state, side)),
            empty: state.empty_cells(),
        }
    }

    #[inline(always)]
    fn survey(&self, steps: [Steps; 2], standing: Standing) -> Survey {
        Survey {
            margin: standing.margin().0,
            empties: self.empty.count() as u16,
            sides: Side::BOTH.map(|side| {
                let near = self.near[side.index()];
                self.counts[side.index()].on_board(side, near, self.empty, steps, standing.worth)
            }),
        }
    }

    /// With a farmer of `side` set down on an empty cell.
    #[inline(always)]
    fn with(mut self, side: Side, cell: Cell, crop: u8) -> Ground<S> {
        let side = side.index();
        self.counts[side] = self.counts[side].with::<S>(cell, crop);
        self.near[side] = self.near[side] | S::near(cell);
        self.empty = self.empty & !S::bit(cell);
        self
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
        let side = state.side();
        let slot = state.slot_of(side, from).unwrap_or(0);
        let crop = state.crop(side, slot);
        let mut lifted = *ground;
        lifted.counts[side.index()] = ground.counts[side.index()].without::<S>(from, crop);
        lifted.near[side.index()] = state
            .farmers_of(side)
            .filter(|&(cell, _)| cell != from)
            .fold(S::Word::EMPTY, |near, (cell, _)| near | S::near(cell));
        lifted.empty = ground.empty | S::bit(from);
        Mover {
            from,
            slot,
            crop,
            ground: lifted,
        }
    }

    /// The ground after it has sown its seeds and stands at the end of them.
    #[inline(always)]
    fn sown(&self, side: Side, pace: i8) -> Ground<S> {
        let mut ground = self.ground;
        let mut at = self.from;
        for _ in 1..self.crop {
            ground.empty = ground.empty & !S::bit(at);
            at = at.along(pace, 1);
        }
        ground.counts[side.index()].seeds += u16::from(self.crop) - 1;
        ground.with(side, at, 1)
    }
}

impl Survey {
    /// Counts a position from scratch.
    #[must_use]
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        let lines = state.lines();
        let steps = Side::BOTH.map(|side| state.steps(&lines, side));
        Ground::of(state).survey(steps, state.standing())
    }

    /// Calls `visit` with every legal move of an unfinished state and the
    /// survey of the state after it. Fields and steps are worked out for all
    /// children at once, and what a move doesn't change is counted once.
    #[inline]
    pub fn each_child<S: BoardSize>(state: &State<S>, mut visit: impl FnMut(Move, &Survey)) {
        let side = state.side();
        let ground = Ground::of(state);
        let mut outlook = Outlook::of(state);
        let mut lifted: Option<Mover<S>> = None;
        Fields::of(state).scan(state, outlook.now()[side.index()], |mv, standing| {
            let survey = match mv {
                Move::Pass => ground.survey(outlook.now(), standing),
                Move::Place(to) => {
                    let steps = outlook.after_placing(state, to);
                    ground.with(side, to, 1).survey(steps, standing)
                }
                Move::Step { from, to } => {
                    let mover = match &lifted {
                        Some(mover) if mover.from == from => mover,
                        _ => lifted.insert(Mover::lift(state, &ground, from)),
                    };
                    let pace = from.pace_to(to);
                    if from.along(pace, mover.crop) == to {
                        let steps = outlook.after_harvest(state, mover.slot, to);
                        let ground = mover.ground.with(side, to, mover.crop + 1);
                        ground.survey(steps, standing)
                    } else {
                        let steps = outlook.after_sowing(state, mover.slot, pace);
                        mover.sown(side, pace).survey(steps, standing)
                    }
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
    use crate::rules::Position;

    #[test]
    fn margin_and_control_are_those_of_the_rules() {
        let mut x = 12345u64;
        for size in 3..=12 {
            let mut position = Position::start(size, Position::usual_farmers(size)).unwrap();
            while !position.is_over() {
                let survey = on_size!(position.state(), s => Survey::of(s));
                assert_eq!(survey.margin, position.margin().0, "{position}");
                on_size!(position.state(), s => Survey::each_child(s, |mv, survey| {
                    let mut child = *s;
                    child.make(mv);
                    assert_eq!(*survey, Survey::of(&child), "{position} {mv}");
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
                    let counts = survey.sides[side.index()];
                    let controlled = cells(&|field| field.controller == Some(side));
                    let reach = cells(&|field| !field.crops[side.index()].is_empty());
                    assert_eq!(usize::from(counts.controlled), controlled, "{position}");
                    assert_eq!(usize::from(counts.reach), reach, "{position}");
                }
                let moves = position.legal_moves();
                x = x
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                position
                    .play(moves[(x >> 33) as usize % moves.len()])
                    .unwrap();
            }
        }
    }
}
