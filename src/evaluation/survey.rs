//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch.

use crate::rules::lines::Lines;
use crate::rules::word::Word;
use crate::rules::{BoardSize, Cell, Fields, Move, Side, Standing, State, Worth};

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
    #[inline(always)]
    fn of_farmers<S: BoardSize>(state: &State<S>, side: Side) -> SideSurvey {
        let (mut crops, mut centre, mut farmers) = (0, 0, 0);
        for (cell, crop) in state.farmers_of(side) {
            farmers += 1;
            crops += u16::from(crop);
            centre += from_edge::<S>(cell);
        }
        SideSurvey {
            seeds: state.pieces(side).count() as u16 - farmers,
            centre,
            crops,
            ..SideSurvey::default()
        }
    }

    /// Adds what depends on the whole board; `near` are the neighbours of the
    /// side's farmers.
    #[inline(always)]
    fn on_board<S: BoardSize>(
        self,
        state: &State<S>,
        lines: &Lines<S>,
        side: Side,
        near: S::Word,
        worth: Worth,
    ) -> SideSurvey {
        let steps = state.steps(lines, side);
        SideSurvey {
            reach: worth.reach(side) as u16,
            controlled: worth.control(side) as u16,
            beside: (near & state.empty_cells()).count() as u16,
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

impl Survey {
    /// Counts a position from scratch.
    #[must_use]
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        let (lines, standing) = (state.lines(), state.standing());
        Survey {
            margin: standing.margin().0,
            empties: state.empty_cells().count() as u16,
            sides: Side::BOTH.map(|side| {
                let near = near(state, side);
                SideSurvey::of_farmers(state, side).on_board(
                    state,
                    &lines,
                    side,
                    near,
                    standing.worth,
                )
            }),
        }
    }

    /// Calls `visit` with every legal move of an unfinished state, the state
    /// after it, and that state's survey. Fields are scanned for all children
    /// at once, the lines changed only where a piece comes or goes, and of the
    /// other side is counted again only what a move can change.
    #[inline]
    pub fn each_child<S: BoardSize>(
        state: &State<S>,
        mut visit: impl FnMut(Move, &State<S>, &Survey),
    ) {
        let side = state.side();
        let other = side.other();
        let mut lines = state.lines();
        let steps = state.steps(&lines, side);
        let own = SideSurvey::of_farmers(state, side);
        let others = SideSurvey::of_farmers(state, other);
        let near_others = near(state, other);
        Fields::of(state).scan(state, steps, |mv, Standing { worth, lead }| {
            let mut child = *state;
            child.make(mv);
            let changed = child.pieces(side) ^ state.pieces(side);
            changed.each(|index| lines.flip(S::cell(index), side));
            let own = own.after::<S>(mv, &child, side);
            let own = own.on_board(&child, &lines, side, near(&child, side), worth);
            let others = others.on_board(&child, &lines, other, near_others, worth);
            let survey = Survey {
                margin: Standing { worth, lead }.margin().0,
                empties: child.empty_cells().count() as u16,
                sides: match side {
                    Side::Light => [own, others],
                    Side::Dark => [others, own],
                },
            };
            visit(mv, &child, &survey);
            changed.each(|index| lines.flip(S::cell(index), side));
        });
    }
}

impl SideSurvey {
    /// What [`Self::of_farmers`] counts, after a move of the side.
    #[inline(always)]
    fn after<S: BoardSize>(mut self, mv: Move, child: &State<S>, side: Side) -> SideSurvey {
        match mv {
            Move::Pass => {}
            Move::Place(to) => {
                self.centre += from_edge::<S>(to);
                self.crops += 1;
            }
            Move::Step { from, to } => {
                self.centre = self.centre + from_edge::<S>(to) - from_edge::<S>(from);
                let seeds = child.pieces(side).count() as u16 - u16::from(child.farmers());
                // A harvest adds a seed to a tower, a sowing lays its down.
                self.crops = if seeds == self.seeds {
                    self.crops + 1
                } else {
                    self.crops + self.seeds - seeds
                };
                self.seeds = seeds;
            }
        }
        self
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
                on_size!(position.state(), s => Survey::each_child(s, |mv, child, survey| {
                    let mut after = *s;
                    after.make(mv);
                    assert!(after == *child && *survey == Survey::of(&after), "{position} {mv}");
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
