//! Which steps cross a cell: those that a piece which comes there would block.

use super::geometry::{BoardSize, Cell};
use super::mobility::{BothSteps, LANES, Lanes, OTHERS};
use super::state::State;

/// The step along each line of [`StepBits`](super::lines::StepBits), forwards,
/// as a harvest.
const ROW: u16 = 1;
const DIAGONAL: u16 = 1 << 4;
const ANTIDIAGONAL: u16 = 1 << 8;
const COLUMN: u16 = 1 << 12;

/// Where the farmers stand and how far they step, those of the side to move
/// first. The compiler makes vectors of the loops over their lanes.
#[derive(Clone, Copy)]
pub(super) struct Crossings {
    files: Lanes<i16>,
    ranks: Lanes<i16>,
    crops: Lanes<i16>,
}

impl Crossings {
    /// Those of a state's farmers.
    #[inline(always)]
    pub(super) fn of<S: BoardSize>(state: &State<S>) -> Crossings {
        // Nobody's: off the board, with no crop that a step could be as long as.
        let mut crossings = Crossings {
            files: [15; LANES],
            ranks: [15; LANES],
            crops: [0; LANES],
        };
        let own = state.side();
        for (start, side) in [(0, own), (OTHERS, own.other())] {
            let crops = state.crops(side);
            for (slot, cell) in state.cells(side).into_iter().enumerate() {
                crossings.files[start + slot] = cell.file().into();
                crossings.ranks[start + slot] = cell.rank().into();
                crossings.crops[start + slot] = crops[slot].into();
            }
        }
        crossings
    }

    /// The steps, whether or not they are legal now, that a piece of the side
    /// to move would block on this cell: on the path a sowing, on the last cell
    /// a harvest, an opponent's on the path that too. A farmer's own cell is
    /// crossed by all its sowings.
    #[inline(always)]
    pub(super) fn at(&self, cell: Cell) -> BothSteps {
        let (file, rank) = (i16::from(cell.file()), i16::from(cell.rank()));
        let mut steps = BothSteps::NONE;
        for lane in 0..LANES {
            let (east, north) = (file - self.files[lane], rank - self.ranks[lane]);
            let on = |offset: i16, line: u16| if offset == 0 { line } else { 0 };
            let forwards = on(north, ROW)
                | on(north - east, DIAGONAL)
                | on(north + east, ANTIDIAGONAL)
                | on(east, COLUMN);
            let harvest = if 16 * east + north > 0 {
                forwards
            } else {
                forwards << 1
            };
            let paces = east.abs().max(north.abs());
            for (more, steps) in steps.0.iter_mut().enumerate() {
                let crop = self.crops[lane] + more as i16;
                let on_path: u16 = if paces < crop { u16::MAX } else { 0 };
                let at_end: u16 = if paces == crop { u16::MAX } else { 0 };
                let harvested = if lane < OTHERS {
                    at_end
                } else {
                    at_end | on_path
                };
                steps[lane] = (harvest & harvested) | (harvest << 2 & on_path);
            }
        }
        steps
    }
}
