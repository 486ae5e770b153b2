//! Perft: the number of move sequences, the usual check of a generator.

use super::geometry::BoardSize;
use super::state::State;

/// The number of move sequences of length `depth`; `None` beyond 64 bits.
///
/// The last ply is counted without making its moves.
pub(super) fn perft<S: BoardSize>(state: &State<S>, depth: u32) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(u64::from(state.count_legal_moves())),
        _ => {
            let mut total = Some(0u64);
            for mv in state.legal_moves() {
                let mut child = *state;
                child.make(mv);
                total = total?.checked_add(perft(&child, depth - 1)?);
            }
            total
        }
    }
}
