//! Fields, control, value and score by flood fill.

use std::cmp::Ordering;

use super::{Action, Kind, MAX_SQUARES, Mailbox, Square};

/// A maximal set of joined empty cells.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Field {
    /// Its squares in ascending order.
    pub cells: Vec<usize>,
    /// The crops of each player's adjacent farmers, tallest first.
    pub crops: [Vec<u8>; 2],
}

impl Field {
    /// The player with the greater list of crops.
    pub fn controller(&self) -> Option<u8> {
        greater(&self.crops)
    }

    /// Its cells times the tallest adjacent crop, in points; 0 if nobody
    /// controls it.
    pub fn value(&self) -> usize {
        match self.controller() {
            Some(player) => self.cells.len() * usize::from(self.crops[usize::from(player)][0]),
            None => 0,
        }
    }
}

/// All that one legal move leads to, as a searcher wants to know it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Child {
    /// The move.
    pub action: Action,
    /// Light's score minus Dark's afterwards, doubled.
    pub margin: i32,
    /// Cells of the fields next to at least one farmer of each player.
    pub reach: [usize; 2],
    /// Cells of the fields that each player controls.
    pub controlled: [usize; 2],
    /// Harvests of each player's farmers afterwards, whoever is to move.
    pub harvests: [usize; 2],
    /// Sowings, likewise.
    pub sowings: [usize; 2],
}

impl Mailbox {
    /// All fields, ordered by their lowest square.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        self.for_each_field(|field| {
            let mut field = field.clone();
            field.cells.sort_unstable();
            fields.push(field);
        });
        fields
    }

    /// Calls `found` for every field; its cells are not in order.
    pub fn for_each_field(&self, mut found: impl FnMut(&Field)) {
        let mut field = Field::default();
        let mut seen = [false; MAX_SQUARES];
        for start in 0..self.area() {
            if self.squares[start] != Square::Empty || seen[start] {
                continue;
            }
            self.flood(start, &mut seen, &mut field);
            found(&field);
        }
    }

    /// The field around an empty square that is in none of those seen.
    fn flood(&self, start: usize, seen: &mut [bool; MAX_SQUARES], field: &mut Field) {
        field.cells.clear();
        field.crops.iter_mut().for_each(Vec::clear);
        let mut counted = [false; MAX_SQUARES];
        seen[start] = true;
        field.cells.push(start);
        let mut next = 0;
        while next < field.cells.len() {
            let at = field.cells[next];
            let (file, rank) = (at % self.size, at / self.size);
            let neighbours = [
                (file > 0, at.wrapping_sub(1)),
                (file + 1 < self.size, at + 1),
                (rank > 0, at.wrapping_sub(self.size)),
                (rank + 1 < self.size, at + self.size),
            ];
            for (on_board, square) in neighbours {
                if !on_board {
                    continue;
                }
                match self.squares[square] {
                    Square::Empty if !seen[square] => {
                        seen[square] = true;
                        field.cells.push(square);
                    }
                    Square::Farmer(owner, crop) if !counted[square] => {
                        counted[square] = true;
                        field.crops[usize::from(owner)].push(crop);
                    }
                    _ => {}
                }
            }
            next += 1;
        }
        for crops in &mut field.crops {
            crops.sort_unstable_by(|a, b| b.cmp(a));
        }
    }

    /// The doubled scores of Light and Dark, the half point included.
    pub fn score(&self) -> [i32; 2] {
        let mut score = [0; 2];
        self.for_each_field(|field| {
            if let Some(player) = field.controller() {
                score[usize::from(player)] += 2 * field.value() as i32;
            }
        });
        if let Some(player) = self.half_point() {
            score[usize::from(player)] += 1;
        }
        score
    }

    /// The player with the greater list of all crops.
    pub fn half_point(&self) -> Option<u8> {
        let mut crops = [Vec::new(), Vec::new()];
        for square in &self.squares[..self.area()] {
            if let Square::Farmer(owner, crop) = *square {
                crops[usize::from(owner)].push(crop);
            }
        }
        for crops in &mut crops {
            crops.sort_unstable_by(|a, b| b.cmp(a));
        }
        greater(&crops)
    }

    /// Light's score minus Dark's, doubled.
    pub fn margin(&self) -> i32 {
        let [light, dark] = self.score();
        light - dark
    }

    /// The harvests and the sowings of a player, whoever is to move.
    pub fn steps(&self, player: u8) -> (usize, usize) {
        let (mut harvests, mut sowings) = (0, 0);
        self.for_each_step(player, |kind, _, _| match kind {
            Kind::Harvest => harvests += 1,
            Kind::Sow => sowings += 1,
        });
        (harvests, sowings)
    }

    /// What each legal move leads to, each child judged from scratch.
    pub fn children(&self) -> Vec<Child> {
        let judge = |action| {
            let mut after = self.clone();
            after.play(action);
            let (mut reach, mut controlled) = ([0; 2], [0; 2]);
            after.for_each_field(|field| {
                for (reach, crops) in reach.iter_mut().zip(&field.crops) {
                    if !crops.is_empty() {
                        *reach += field.cells.len();
                    }
                }
                if let Some(player) = field.controller() {
                    controlled[usize::from(player)] += field.cells.len();
                }
            });
            let (light, dark) = (after.steps(0), after.steps(1));
            Child {
                action,
                margin: after.margin(),
                reach,
                controlled,
                harvests: [light.0, dark.0],
                sowings: [light.1, dark.1],
            }
        };
        self.moves().into_iter().map(judge).collect()
    }
}

/// The player whose list, tallest first, is the greater at the first place
/// where they differ; a list that has run out loses to one that goes on.
fn greater([light, dark]: &[Vec<u8>; 2]) -> Option<u8> {
    match light.cmp(dark) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}
