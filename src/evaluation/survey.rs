//! What a judgement looks at: both sides counted out on one position.
//!
//! This is the seam between rules and judgement. [`Survey::of`] counts a single
//! position from scratch.

use crate::rules::fields::CropList;
use crate::rules::word::Word;
use crate::rules::{BoardSize, Side, State};

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

impl Survey {
    /// Counts a position from scratch.
    pub fn of<S: BoardSize>(state: &State<S>) -> Survey {
        let empty = state.empty_cells();
        let lines = state.lines();
        let mut survey = Survey {
            empties: empty.count() as u16,
            ..Survey::default()
        };
        for side in Side::BOTH {
            let counts = &mut survey.sides[side.index()];
            let steps = state.steps(&lines, side);
            counts.harvests = steps.harvests() as u16;
            counts.sowings = steps.sowings() as u16;
            counts.movable = steps.movable() as u16;
            let mut own = S::Word::EMPTY;
            let mut farmers = 0;
            for (cell, crop) in state.farmers_of(side) {
                own |= S::bit(cell);
                farmers += 1;
                counts.crops += u16::from(crop);
                let (file, rank) = (cell.file(), cell.rank());
                let edge = S::SIZE - 1;
                let distance = file.min(rank).min(edge - file).min(edge - rank);
                counts.centre += u16::from(distance);
            }
            counts.beside = (S::neighbours(own) & empty).count() as u16;
            counts.seeds = (state.pieces(side).count() - farmers) as u16;
        }
        survey.count_fields(state, empty);
        survey
    }

    /// Counts reach, control and margin, flooding from each farmer's empty
    /// neighbours: fields beside no farmer don't matter.
    fn count_fields<S: BoardSize>(&mut self, state: &State<S>, empty: S::Word) {
        let mut left = empty;
        let mut points = [0i32; 2];
        for side in Side::BOTH {
            for (cell, _) in state.farmers_of(side) {
                loop {
                    let start = S::neighbours(S::bit(cell)) & left;
                    if start.is_empty() {
                        break;
                    }
                    let field = flood::<S>(start.only_lowest(), left);
                    left &= !field;
                    self.count_field(state, field, &mut points);
                }
            }
        }
        let [light, dark] = Side::BOTH.map(|side| state.crop_list(side));
        let half = i32::from(light > dark) - i32::from(dark > light);
        self.margin = 2 * (points[0] - points[1]) + half;
    }

    fn count_field<S: BoardSize>(
        &mut self,
        state: &State<S>,
        field: S::Word,
        points: &mut [i32; 2],
    ) {
        let around = S::neighbours(field);
        let cells = field.count();
        let lists = Side::BOTH.map(|side| {
            state
                .farmers_of(side)
                .filter(|&(cell, _)| around.meets(S::bit(cell)))
                .fold(CropList::NONE, |list, (_, crop)| list.with(crop))
        });
        for side in 0..2 {
            let counts = &mut self.sides[side];
            if lists[side] > CropList::NONE {
                counts.reach += cells as u16;
            }
            if lists[side] > lists[1 - side] {
                counts.controlled += cells as u16;
                points[side] += (cells * lists[side].tallest()) as i32;
            }
        }
    }
}

/// The empty cells joined to `start`.
fn flood<S: BoardSize>(start: S::Word, empty: S::Word) -> S::Word {
    let mut field = start;
    loop {
        let next = (field | S::neighbours(field)) & empty;
        if next == field {
            return field;
        }
        field = next;
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
