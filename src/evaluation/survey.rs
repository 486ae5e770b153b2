//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch.

use crate::rules::lines::Lines;
use crate::rules::word::Word;
use crate::rules::{BoardSize, Fields, Move, Side, Standing, State};

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
    /// Counts what depends on one side's own pieces and steps.
    #[inline(always)]
    fn count_side<S: BoardSize>(state: &State<S>, lines: &Lines<S>, side: Side) -> SideSurvey {
        let steps = state.steps(lines, side);
        let (mut own, mut crops, mut centre, mut farmers) = (S::Word::EMPTY, 0, 0, 0);
        for (cell, crop) in state.farmers_of(side) {
            own |= S::bit(cell);
            farmers += 1;
            crops += u16::from(crop);
            let (file, rank) = (cell.file(), cell.rank());
            let edge = S::SIZE - 1;
            centre += u16::from(file.min(rank).min(edge - file).min(edge - rank));
        }
        SideSurvey {
            beside: (S::neighbours(own) & state.empty_cells()).count() as u16,
            seeds: (state.pieces(side).count() - farmers) as u16,
            harvests: steps.harvests() as u16,
            sowings: steps.sowings() as u16,
            movable: steps.movable() as u16,
            centre,
            crops,
            ..SideSurvey::default()
        }
    }
}

impl Survey {
    /// Counts a position from scratch.
    #[must_use]
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        Survey::with(state, &state.lines(), state.standing())
    }

    /// Counts a position whose lines and standing are known.
    #[inline(always)]
    fn with<S: BoardSize>(state: &State<S>, lines: &Lines<S>, standing: Standing) -> Survey {
        let sides = Side::BOTH.map(|side| SideSurvey {
            reach: standing.worth.reach(side) as u16,
            controlled: standing.worth.control(side) as u16,
            ..SideSurvey::count_side(state, lines, side)
        });
        Survey {
            margin: standing.margin().0,
            empties: state.empty_cells().count() as u16,
            sides,
        }
    }

    /// Calls `visit` with every legal move of an unfinished state, the state
    /// after it, and that state's survey. Fields are scanned for all children
    /// at once and the lines changed only where a piece comes or goes.
    #[inline]
    pub fn each_child<S: BoardSize>(
        state: &State<S>,
        mut visit: impl FnMut(Move, &State<S>, &Survey),
    ) {
        let side = state.side();
        let mut lines = state.lines();
        let steps = state.steps(&lines, side);
        Fields::of(state).scan(state, steps, |mv, standing| {
            let mut child = *state;
            child.make(mv);
            let mut changed = child.pieces(side) ^ state.pieces(side);
            let again = changed;
            while !changed.is_empty() {
                lines.flip(S::cell(changed.lowest()), side);
                changed = changed.without_lowest();
            }
            visit(mv, &child, &Survey::with(&child, &lines, standing));
            changed = again;
            while !changed.is_empty() {
                lines.flip(S::cell(changed.lowest()), side);
                changed = changed.without_lowest();
            }
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
