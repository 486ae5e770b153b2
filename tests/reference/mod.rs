//! The rules of Agros in their plainest reading: one flat array of squares,
//! nothing precomputed, nothing shared with the library.
//!
//! The tests hold the library to it and the benches measure the library
//! against it, so it shall be obvious first and only then not wasteful.
//! Squares are numbered `rank * size + file` from `a1` = 0, players are 0
//! (Light) and 1 (Dark), scores are doubled so that half a point is 1.

pub mod images;
mod notation;
pub mod random;
mod scoring;

pub use scoring::{Child, Field};

/// The largest board has 12 × 12 squares.
pub const MAX_SQUARES: usize = 144;

/// The (file, rank) steps of the eight directions.
pub const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// What lies on one square; players as everywhere here 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Square {
    /// Nothing: part of a field.
    Empty,
    /// A seed left behind by a player, there for good.
    Seed(u8),
    /// A player's farmer and its crop.
    Farmer(u8, u8),
}

impl Square {
    /// The player whose piece stands here.
    pub fn owner(self) -> Option<u8> {
        match self {
            Square::Empty => None,
            Square::Seed(owner) | Square::Farmer(owner, _) => Some(owner),
        }
    }
}

/// One move; squares by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// No piece moves.
    Pass,
    /// A fresh farmer comes to a square.
    Place(usize),
    /// A farmer harvests or sows.
    Step {
        /// Where it stands.
        from: usize,
        /// Where it stops.
        to: usize,
    },
}

/// Whether a step grows the tower or leaves it behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Exactly crop cells far, one seed more under the farmer.
    Harvest,
    /// One cell less far, the seeds stay on the way.
    Sow,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mailbox {
    /// Files and ranks of the board.
    pub size: usize,
    /// Farmers a player for the whole game.
    pub farmers: usize,
    /// Farmers of both players on the board.
    pub placed: usize,
    /// `squares[rank * size + file]`; beyond the board all empty.
    pub squares: [Square; MAX_SQUARES],
    /// The player to move.
    pub side: u8,
    /// Passes in a row just made; 2 ends the game.
    pub passes: u8,
}

impl Mailbox {
    /// The empty board of a new game.
    pub fn start(size: usize, farmers: usize) -> Mailbox {
        Mailbox {
            size,
            farmers,
            placed: 0,
            squares: [Square::Empty; MAX_SQUARES],
            side: 0,
            passes: 0,
        }
    }

    /// The most farmers a player can have on a board of this size: not more
    /// than seven, and both sides' together leave a cell empty.
    pub fn most_farmers(size: usize) -> usize {
        7.min((size * size - 1) / 2)
    }

    /// Whether some farmers are still to be placed.
    pub fn is_placing(&self) -> bool {
        self.placed < 2 * self.farmers
    }

    /// Whether both players have passed.
    pub fn is_over(&self) -> bool {
        self.passes == 2
    }

    /// The number of squares of this board.
    pub fn area(&self) -> usize {
        self.size * self.size
    }

    /// The square `(file, rank)` away from another, unless it is off the board.
    pub fn beside(&self, square: usize, (file, rank): (i32, i32)) -> Option<usize> {
        let size = self.size as i32;
        let file = (square % self.size) as i32 + file;
        let rank = (square / self.size) as i32 + rank;
        ((0..size).contains(&file) && (0..size).contains(&rank))
            .then_some((rank * size + file) as usize)
    }

    /// All legal moves, in no promised order.
    pub fn moves(&self) -> Vec<Action> {
        let mut moves = Vec::new();
        self.push_moves(&mut moves);
        moves
    }

    /// Appends all legal moves to a list.
    pub fn push_moves(&self, moves: &mut Vec<Action>) {
        if self.is_over() {
            return;
        }
        if self.is_placing() {
            let empty = (0..self.area()).filter(|&s| self.squares[s] == Square::Empty);
            moves.extend(empty.map(Action::Place));
            return;
        }
        moves.push(Action::Pass);
        self.for_each_step(self.side, |_, from, to| {
            moves.push(Action::Step { from, to })
        });
    }

    /// Calls `found(kind, from, to)` for every harvest and every sowing that
    /// a player's farmers have here, whoever is to move.
    pub fn for_each_step(&self, player: u8, mut found: impl FnMut(Kind, usize, usize)) {
        let size = self.size as i32;
        for from in 0..self.area() {
            let Square::Farmer(owner, crop) = self.squares[from] else {
                continue;
            };
            if owner != player {
                continue;
            }
            for (step_file, step_rank) in DIRECTIONS {
                let mut file = (from % self.size) as i32;
                let mut rank = (from / self.size) as i32;
                let mut all_empty = true;
                for distance in 1..=crop {
                    file += step_file;
                    rank += step_rank;
                    if file < 0 || file >= size || rank < 0 || rank >= size {
                        break;
                    }
                    let to = (rank * size + file) as usize;
                    let square = self.squares[to];
                    all_empty &= square == Square::Empty;
                    if distance == crop - 1 && all_empty {
                        found(Kind::Sow, from, to);
                    }
                    if distance == crop && square == Square::Empty {
                        found(Kind::Harvest, from, to);
                    }
                    if square.owner() == Some(1 - player) {
                        break;
                    }
                }
            }
        }
    }

    /// Makes a legal move; an illegal one spoils the position.
    pub fn play(&mut self, action: Action) {
        match action {
            Action::Pass => {
                self.passes += 1;
                self.side = 1 - self.side;
            }
            Action::Place(square) => {
                self.squares[square] = Square::Farmer(self.side, 1);
                self.placed += 1;
                self.side = self.due_after(self.placed);
            }
            Action::Step { from, to } => {
                let Square::Farmer(owner, crop) = self.squares[from] else {
                    panic!("no farmer on square {from}")
                };
                let (distance, direction) = self.line(from, to);
                if distance == crop {
                    self.squares[from] = Square::Empty;
                    self.squares[to] = Square::Farmer(owner, crop + 1);
                } else {
                    let mut square = from;
                    while square != to {
                        self.squares[square] = Square::Seed(owner);
                        square = self.beside(square, direction).expect("sown off the board");
                    }
                    self.squares[to] = Square::Farmer(owner, 1);
                }
                self.passes = 0;
                self.side = 1 - self.side;
            }
        }
    }

    /// The player to move once so many farmers are placed: Light, then Dark
    /// twice, Light twice, ..., Dark once; then Light begins to move.
    pub fn due_after(&self, placed: usize) -> u8 {
        if placed == 2 * self.farmers {
            0
        } else {
            [0, 1, 1, 0][placed % 4]
        }
    }

    /// How far two squares of one line are apart, and in which direction.
    fn line(&self, from: usize, to: usize) -> (u8, (i32, i32)) {
        let file = (to % self.size) as i32 - (from % self.size) as i32;
        let rank = (to / self.size) as i32 - (from / self.size) as i32;
        (
            file.abs().max(rank.abs()) as u8,
            (file.signum(), rank.signum()),
        )
    }

    /// Whether the step is a harvest or a sowing.
    pub fn kind(&self, from: usize, to: usize) -> Kind {
        match self.squares[from] {
            Square::Farmer(_, crop) if crop == self.line(from, to).0 => Kind::Harvest,
            _ => Kind::Sow,
        }
    }

    /// The number of move sequences of this length, every move made.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut count = 0;
        for action in self.moves() {
            let mut child = self.clone();
            child.play(action);
            count += child.perft(depth - 1);
        }
        count
    }
}
