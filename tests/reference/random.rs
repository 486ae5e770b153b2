//! Random moves, games and positions from a seed, the same on every machine.

use rand::{Rng, RngExt};

use super::{Action, Kind, Mailbox, Square};

/// A way to choose among the legal moves. Uniform games hardly ever show
/// tall towers or crowded boards; the inclined ones do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temper {
    /// Every move alike, but a pass only where nothing else is legal.
    Uniform,
    /// Every move alike, the pass included.
    Indifferent,
    /// A harvest wherever there is one.
    Grower,
    /// A sowing wherever there is one of a tower with at least this crop,
    /// else a harvest.
    Sower(u8),
}

impl Temper {
    /// A random temper.
    pub fn random(rng: &mut impl Rng) -> Temper {
        match rng.random_range(0..6u32) {
            0 | 1 => Temper::Uniform,
            2 => Temper::Indifferent,
            3 => Temper::Grower,
            _ => Temper::Sower(rng.random_range(2..=6)),
        }
    }

    /// One of the legal moves, of which there must be one.
    pub fn choose(self, position: &Mailbox, moves: &[Action], rng: &mut impl Rng) -> Action {
        if !position.is_placing() && rng.random_range(0..64u32) == 0 {
            return Action::Pass;
        }
        let liked: Vec<Action> = moves
            .iter()
            .copied()
            .filter(|&action| self.likes(position, action))
            .collect();
        if !liked.is_empty() {
            return pick(&liked, rng);
        }
        let not_pass = moves
            .iter()
            .copied()
            .filter(|&action| action != Action::Pass);
        let not_pass: Vec<Action> = not_pass.collect();
        pick(
            if not_pass.is_empty() {
                moves
            } else {
                &not_pass
            },
            rng,
        )
    }

    fn likes(self, position: &Mailbox, action: Action) -> bool {
        let Action::Step { from, to } = action else {
            return self == Temper::Indifferent;
        };
        let tall =
            |least| matches!(position.squares[from], Square::Farmer(_, crop) if crop >= least);
        match self {
            Temper::Uniform | Temper::Indifferent => true,
            Temper::Grower => position.kind(from, to) == Kind::Harvest,
            Temper::Sower(least) => position.kind(from, to) == Kind::Sow && tall(least),
        }
    }
}

/// One element of a list that is not empty.
pub fn pick<T: Copy>(list: &[T], rng: &mut impl Rng) -> T {
    list[rng.random_range(0..list.len() as u32) as usize]
}

/// A uniform random game from a position to its end, a pass only where
/// nothing else is legal; the number of moves made, passes included.
pub fn playout(position: &mut Mailbox, moves: &mut Vec<Action>, rng: &mut impl Rng) -> u32 {
    let mut made = 0;
    loop {
        moves.clear();
        position.push_moves(moves);
        let choice = match moves.as_slice() {
            [] => return made,
            [Action::Pass] => Action::Pass,
            // The pass comes first in the list.
            [Action::Pass, others @ ..] => pick(others, rng),
            places => pick(places, rng),
        };
        position.play(choice);
        made += 1;
    }
}

/// A position of the moving stage that no game need have led to: farmers of
/// any crop and seeds of both sides anywhere, from sparse to full.
pub fn scattered(size: usize, farmers: usize, rng: &mut impl Rng) -> Mailbox {
    let mut position = Mailbox::start(size, farmers);
    let mut free: Vec<usize> = (0..position.area()).collect();
    let tallest = rng.random_range(1..=size as u8);
    for farmer in 0..2 * farmers {
        let square = free.swap_remove(rng.random_range(0..free.len() as u32) as usize);
        let crop = rng.random_range(1..=tallest);
        position.squares[square] = Square::Farmer((farmer % 2) as u8, crop);
    }
    let seeds_in_100 = rng.random_range(0..=100u32);
    let dark_in_100 = rng.random_range(0..=100u32);
    for square in free {
        if rng.random_range(0..100) < seeds_in_100 {
            let owner = u8::from(rng.random_range(0..100) < dark_in_100);
            position.squares[square] = Square::Seed(owner);
        }
    }
    position.placed = 2 * farmers;
    position.side = rng.random_range(0..=1);
    position.passes = u8::from(rng.random_range(0..8u32) == 0);
    position
}
