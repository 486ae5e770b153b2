//! The fitted weights, a table for each usual number of farmers, made by the package in
//! `tuning/` from games on the board that it is usual on. What a cell, a crop or a move is
//! worth depends on how many there are to share it, and far less on the board.

mod farmers3;
mod farmers5;
mod farmers7;

use super::weights::Table;

/// The weights for a number of farmers a side: one between the usual ones takes half of each.
pub(super) fn of_farmers(farmers: u8) -> Table {
    let half = |a: &Table, b: &Table| std::array::from_fn(|i| a[i].blend(&b[i], 0.5));
    match farmers {
        ..=3 => farmers3::TABLE,
        4 => half(&farmers3::TABLE, &farmers5::TABLE),
        5 => farmers5::TABLE,
        6 => half(&farmers5::TABLE, &farmers7::TABLE),
        7.. => farmers7::TABLE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::weights::read;
    use super::*;

    #[test]
    fn the_embedded_tables_read_back() {
        let texts = [
            include_str!("table/farmers3.rs"),
            include_str!("table/farmers5.rs"),
            include_str!("table/farmers7.rs"),
        ];
        for (farmers, text) in [3, 5, 7].into_iter().zip(texts) {
            assert_eq!(*read(text).unwrap(), of_farmers(farmers));
        }
        assert_ne!(of_farmers(3), of_farmers(5));
        assert_ne!(of_farmers(7), of_farmers(5));
    }

    #[test]
    fn four_and_six_lie_between_their_neighbours() {
        for farmers in [4, 6] {
            let [below, here, above] = [farmers - 1, farmers, farmers + 1].map(of_farmers);
            for ((below, here), above) in below.iter().zip(&here).zip(&above) {
                let all = below.winning.iter().zip(&here.winning).zip(&above.winning);
                assert!(
                    all.into_iter()
                        .all(|((&b, &h), &a)| b.min(a) <= h && h <= b.max(a))
                );
                assert_ne!(below.winning, here.winning);
            }
        }
    }
}
