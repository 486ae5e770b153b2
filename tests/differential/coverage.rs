//! What a run of the differential tests has met.

use crate::reference::{Action, Field, Kind, Mailbox, Square};

/// How often each kind of thing was met, so that a run that misses some of
/// them fails instead of proving nothing.
#[derive(Debug, Default)]
pub struct Coverage {
    /// All positions.
    pub positions: u64,
    /// All games.
    pub games: u64,
    children: u64,
    placements: u64,
    harvests: u64,
    sowings: u64,
    passes: u64,
    /// Harvests over at least one own piece.
    jumps: u64,
    /// Positions after both passed.
    finished: u64,
    /// Positions with nothing but the pass to play.
    stuck: u64,
    /// Moving-stage positions with at most an eighth of the cells empty.
    crowded: u64,
    /// Positions without any empty cell.
    full: u64,
    /// Farmers as tall as the board is wide.
    tallest: u64,
    /// Fields between equal lists of crops.
    balanced: u64,
    /// Fields that no farmer touches.
    untouched: u64,
    /// Fields whose control the second or a later crop decides.
    close: u64,
    /// Positions for each size.
    sizes: [u64; 13],
}

impl Coverage {
    /// Counts a position with its moves and fields.
    pub fn note(&mut self, position: &Mailbox, moves: &[Action], fields: &[Field]) {
        self.positions += 1;
        self.sizes[position.size] += 1;
        self.finished += u64::from(position.is_over());
        self.stuck += u64::from(moves == [Action::Pass]);
        let squares = &position.squares[..position.area()];
        let empty = squares.iter().filter(|&&s| s == Square::Empty).count();
        self.crowded += u64::from(!position.is_placing() && 8 * empty <= squares.len());
        self.full += u64::from(empty == 0);
        let tallest =
            |s: &&Square| matches!(s, Square::Farmer(_, c) if usize::from(*c) == position.size);
        self.tallest += squares.iter().filter(tallest).count() as u64;
        for field in fields {
            let [light, dark] = &field.crops;
            self.untouched += u64::from(light.is_empty() && dark.is_empty());
            self.balanced += u64::from(light == dark && !light.is_empty());
            self.close += u64::from(light != dark && light.first() == dark.first());
        }
        for &action in moves {
            self.children += 1;
            match action {
                Action::Pass => self.passes += 1,
                Action::Place(_) => self.placements += 1,
                Action::Step { from, to } => match position.kind(from, to) {
                    Kind::Sow => self.sowings += 1,
                    Kind::Harvest => {
                        self.harvests += 1;
                        self.jumps += u64::from(jumps(position, from, to));
                    }
                },
            }
        }
    }

    /// Fails where something was never met; games from the empty board must
    /// show placements, the others full boards.
    pub fn check(&self, from_the_start: bool) {
        println!("{self:?}");
        let mut met = vec![
            ("harvests", self.harvests),
            ("sowings", self.sowings),
            ("passes", self.passes),
            ("jumps", self.jumps),
            ("finished", self.finished),
            ("stuck", self.stuck),
            ("crowded", self.crowded),
            ("tallest", self.tallest),
            ("balanced", self.balanced),
            ("untouched", self.untouched),
            ("close", self.close),
        ];
        met.push(match from_the_start {
            true => ("placements", self.placements),
            false => ("full", self.full),
        });
        for (what, count) in met {
            assert!(count > 0, "no {what} in {} positions", self.positions);
        }
        for size in 3..=12 {
            let count = self.sizes[size];
            assert!(100 * count > self.positions, "size {size}: {count}");
        }
    }
}

/// Whether some piece stands between two squares of one line.
fn jumps(position: &Mailbox, from: usize, to: usize) -> bool {
    let size = position.size as i32;
    let (file, rank) = (
        to as i32 % size - from as i32 % size,
        to as i32 / size - from as i32 / size,
    );
    let direction = (file.signum(), rank.signum());
    let mut at = from;
    loop {
        at = position.beside(at, direction).expect("on the board");
        if at == to {
            return false;
        }
        if position.squares[at] != Square::Empty {
            return true;
        }
    }
}
