//! Straight lines from cell to cell.

use super::geometry::{BoardSize, Cell};

/// The number of king's steps between two cells.
#[inline(always)]
pub(super) fn distance(from: Cell, to: Cell) -> u8 {
    from.file()
        .abs_diff(to.file())
        .max(from.rank().abs_diff(to.rank()))
}

/// By the difference of two cells' numbers plus 256: the number of steps
/// between them, if they lie in a straight line.
static STEPS: [u8; 512] = {
    let mut table = [0; 512];
    let mut step = 1;
    while step < 12 {
        let mut pace = 15;
        while pace < 18 {
            table[256 + pace * step] = step as u8;
            table[256 - pace * step] = step as u8;
            pace += 1;
        }
        table[256 + step] = step as u8;
        table[256 - step] = step as u8;
        step += 1;
    }
    table
};

/// [`distance`] of two cells in a straight line.
#[inline(always)]
pub(super) fn straight(from: Cell, to: Cell) -> u8 {
    STEPS[256 + usize::from(to.0) - usize::from(from.0)]
}

/// The cells of a straight line from one cell to another, both included.
#[inline]
pub(super) fn path<S: BoardSize>(from: Cell, to: Cell) -> S::Word {
    let pace = from.pace_to(to);
    let mut cells = S::bit(from);
    let mut at = from;
    for _ in 0..straight(from, to) {
        at = at.along(pace, 1);
        cells |= S::bit(at);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_distances_are_distances() {
        let cells = (0..144).filter_map(|i| Cell::new(i % 12, i / 12));
        for (from, to) in cells
            .clone()
            .flat_map(|a| cells.clone().map(move |b| (a, b)))
        {
            let files = from.file().abs_diff(to.file());
            let ranks = from.rank().abs_diff(to.rank());
            if files == 0 || ranks == 0 || files == ranks {
                assert_eq!(straight(from, to), distance(from, to));
            }
        }
    }
}
