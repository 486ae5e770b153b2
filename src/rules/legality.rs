//! Why a move is illegal, in words: what the fast generator doesn't say.

use super::geometry::{BoardSize, Cell};
use super::moves::Move;
use super::position::Piece;
use super::state::State;
use super::straight::distance;

impl<S: BoardSize> State<S> {
    /// Says why a move is illegal, if it is.
    pub(super) fn check(&self, mv: Move) -> Result<(), String> {
        if self.is_over() {
            return Err("the game is over".into());
        }
        match mv {
            Move::Pass if self.is_placing() => Err("nobody may pass in the placement stage".into()),
            Move::Pass => Ok(()),
            Move::Place(cell) => self.check_place(cell),
            Move::Step { from, to } => self.check_step(from, to),
        }
    }

    fn check_on_board(cell: Cell) -> Result<(), String> {
        if cell.is_on(S::SIZE) {
            Ok(())
        } else {
            Err(format!("{cell} is off the {0}×{0} board", S::SIZE))
        }
    }

    fn check_place(&self, cell: Cell) -> Result<(), String> {
        if !self.is_placing() {
            return Err("all farmers are placed".into());
        }
        Self::check_on_board(cell)?;
        match self.piece(cell) {
            None => Ok(()),
            Some(_) => Err(format!("{cell} is occupied")),
        }
    }

    fn check_step(&self, from: Cell, to: Cell) -> Result<(), String> {
        if self.is_placing() {
            return Err("no farmer moves in the placement stage".into());
        }
        Self::check_on_board(from)?;
        Self::check_on_board(to)?;
        let crop = match self.piece(from) {
            Some(Piece::Farmer(side, crop)) if side == self.side() => crop,
            Some(Piece::Farmer(side, _)) => {
                return Err(format!("the farmer on {from} is {side}'s"));
            }
            _ => return Err(format!("there is no {} farmer on {from}", self.side())),
        };
        let (df, dr) = (
            to.file() as i8 - from.file() as i8,
            to.rank() as i8 - from.rank() as i8,
        );
        if from == to || !(df == 0 || dr == 0 || df.abs() == dr.abs()) {
            return Err(format!("{from} to {to} is not a straight line"));
        }
        match distance(from, to) {
            d if d == crop => self.check_harvest(from, to, (df, dr)),
            d if d + 1 == crop => self.check_sowing(from, to, (df, dr)),
            d => Err(format!(
                "the distance is {d}, but a crop of {crop} harvests {crop}{}",
                if crop > 1 {
                    format!(" or sows {}", crop - 1)
                } else {
                    String::new()
                }
            )),
        }
    }

    fn check_harvest(&self, from: Cell, to: Cell, way: (i8, i8)) -> Result<(), String> {
        for cell in between(from, to, way) {
            if let Some(Piece::Farmer(side, _) | Piece::Seed(side)) = self.piece(cell) {
                if cell == to {
                    return Err(format!("{to} is occupied"));
                }
                if side == self.side().other() {
                    return Err(format!("{side}'s piece on {cell} is in the way"));
                }
            }
        }
        Ok(())
    }

    fn check_sowing(&self, from: Cell, to: Cell, way: (i8, i8)) -> Result<(), String> {
        match between(from, to, way).find(|&cell| self.piece(cell).is_some()) {
            Some(cell) => Err(format!("{cell} is occupied, so nothing can be sown there")),
            None => Ok(()),
        }
    }
}

/// The cells after `from` up to `to`, along a straight line.
fn between(from: Cell, to: Cell, (df, dr): (i8, i8)) -> impl Iterator<Item = Cell> {
    let pace = dr.signum() * 16 + df.signum();
    (1..=distance(from, to)).map(move |k| from.along(pace, k))
}

#[cfg(test)]
mod tests {
    use super::super::Position;

    #[test]
    fn each_refusal_says_why() {
        let placing = "x8/x8/x3,D1,x4/x8/x4,L1,x3/x8/x8/x8 D 3 0";
        let moving = "D1,x3/x1,l,L3,d/x2,D2,x1/L1,l,x2 L 2 0";
        for (position, mv, reason) in [
            (placing, "pass", "nobody may pass in the placement stage"),
            (placing, "e4", "e4 is occupied"),
            (placing, "i1", "i1 is off the 8×8 board"),
            (placing, "d6d5", "no farmer moves in the placement stage"),
            (moving, "a3", "all farmers are placed"),
            (moving, "a4a3", "the farmer on a4 is Dark's"),
            (moving, "b3b4", "there is no Light farmer on b3"),
            (moving, "b1b2", "there is no Light farmer on b1"),
            (moving, "c3a2", "c3 to a2 is not a straight line"),
            (moving, "c3c3", "c3 to c3 is not a straight line"),
            (
                moving,
                "c3c4",
                "the distance is 1, but a crop of 3 harvests 3 or sows 2",
            ),
            (
                moving,
                "a1a3",
                "the distance is 2, but a crop of 1 harvests 1",
            ),
            (moving, "a1b1", "b1 is occupied"),
            (
                moving,
                "c3a3",
                "b3 is occupied, so nothing can be sown there",
            ),
            (moving, "c3c9", "c9 is off the 4×4 board"),
        ] {
            let mut position: Position = position.parse().unwrap();
            let before = position;
            let error = position.play(mv.parse().unwrap()).unwrap_err();
            assert_eq!(error.to_string(), reason, "{mv}");
            assert_eq!(position, before);
        }
    }

    #[test]
    fn an_opponent_s_piece_is_in_the_way_of_a_harvest() {
        let mut position: Position = "x5/x5/L3,x1,d,x2/D1,x4/x5 L 1 0".parse().unwrap();
        let error = position.play("a3d3".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "Dark's piece on c3 is in the way");
    }
}
