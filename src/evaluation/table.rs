//! The fitted weights, a table for each of three boards, made by the package in
//! `tuning/`. What a cell, a crop or a move is worth depends on the room there
//! is; other boards use the table of the one that is nearest in size.

mod size10;
mod size12;
mod size8;

use super::weights::Table;

/// The weights for boards of a size.
pub(super) const fn of_size(size: u8) -> &'static Table {
    match size {
        ..=8 => &size8::TABLE,
        9..=11 => &size10::TABLE,
        12.. => &size12::TABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::read;
    use super::*;

    #[test]
    fn the_embedded_tables_read_back() {
        let texts = [
            include_str!("table/size8.rs"),
            include_str!("table/size10.rs"),
            include_str!("table/size12.rs"),
        ];
        for (size, text) in [8, 10, 12].into_iter().zip(texts) {
            assert_eq!(*read(text).unwrap(), *of_size(size));
        }
        assert_ne!(of_size(8), of_size(10));
        assert_ne!(of_size(12), of_size(10));
    }
}
