//! Position strings and moves as text; what must be refused reads as `None`.

use std::fmt;

use super::{Action, Mailbox, Square};

impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = (0..self.size).rev().map(|rank| self.row(rank)).collect();
        let side = ["L", "D"][usize::from(self.side)];
        write!(
            f,
            "{} {side} {} {}",
            rows.join("/"),
            self.farmers,
            self.passes
        )
    }
}

impl Mailbox {
    /// One row of the board, as in `x3,L4,d`.
    fn row(&self, rank: usize) -> String {
        let squares = &self.squares[rank * self.size..(rank + 1) * self.size];
        let run = |run: &[Square]| match run[0] {
            Square::Empty => format!("x{}", run.len()),
            Square::Seed(owner) => ["l", "d"][usize::from(owner)].to_string(),
            Square::Farmer(owner, crop) => format!("{}{crop}", ["L", "D"][usize::from(owner)]),
        };
        let both_empty = |a: &Square, b: &Square| *a == Square::Empty && *b == Square::Empty;
        squares
            .chunk_by(both_empty)
            .map(run)
            .collect::<Vec<_>>()
            .join(",")
    }

    /// Reads a position string that is known to be right.
    pub fn parse(text: &str) -> Mailbox {
        Mailbox::read(text).unwrap_or_else(|| panic!("not a position: {text}"))
    }

    /// Reads a position string; `None` where it must be refused.
    pub fn read(text: &str) -> Option<Mailbox> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [board, side, farmers, passes]: [&str; 4] = fields.try_into().ok()?;
        let rows: Vec<&str> = board.split('/').collect();
        let size = rows.len();
        let farmers = number(farmers)?;
        if !(3..=12).contains(&size) || !(1..=Mailbox::most_farmers(size)).contains(&farmers) {
            return None;
        }
        let mut position = Mailbox::start(size, farmers);
        position.side = ["L", "D"].into_iter().position(|s| s == side)? as u8;
        position.passes = number(passes).filter(|&passes| passes <= 2)? as u8;
        for (row, rank) in rows.into_iter().zip((0..size).rev()) {
            let squares = read_row(row, size)?;
            position.squares[rank * size..(rank + 1) * size].copy_from_slice(&squares);
        }
        position.count_farmers()
    }

    /// Reads `start`, `start:N`, `start:N:F` or a position string.
    pub fn read_spec(text: &str) -> Option<Mailbox> {
        let parts: Vec<&str> = text.trim().split(':').collect();
        let (size, farmers) = match parts[..] {
            ["start"] => (10, 5),
            ["start", size] => {
                let size = number(size).filter(|&n| n <= 12)?;
                (size, [1, 1, 1, 1, 1, 2, 2, 3, 3, 5, 5, 7, 7][size])
            }
            ["start", size, farmers] => (number(size)?, number(farmers)?),
            _ => return Mailbox::read(text),
        };
        let fits = (3..=12).contains(&size) && (1..=Mailbox::most_farmers(size)).contains(&farmers);
        fits.then(|| Mailbox::start(size, farmers))
    }

    /// Counts the farmers on the board; `None` where the placement order or
    /// the number of farmers forbids what is there.
    fn count_farmers(mut self) -> Option<Mailbox> {
        let count = |test: fn(&Square) -> bool| self.squares.iter().filter(|s| test(s)).count();
        let light = count(|s| matches!(s, Square::Farmer(0, _)));
        let dark = count(|s| matches!(s, Square::Farmer(1, _)));
        self.placed = light + dark;
        if light == self.farmers && dark == self.farmers {
            return Some(self);
        }
        // Still placing: the pieces are fresh farmers, a prefix of the order.
        let fresh = count(|s| matches!(s, Square::Farmer(_, 1)));
        let seeds = count(|s| matches!(s, Square::Seed(_)));
        let due: usize = (0..self.placed).filter(|&n| self.due_after(n) == 0).count();
        (self.placed < 2 * self.farmers
            && fresh == self.placed
            && seeds == 0
            && light == due
            && self.side == self.due_after(self.placed)
            && self.passes == 0)
            .then_some(self)
    }

    /// Reads a move, whatever its case and whether or not it is legal.
    pub fn read_action(&self, text: &str) -> Option<Action> {
        let text = text.to_ascii_lowercase();
        if text == "pass" {
            return Some(Action::Pass);
        }
        let letters = "abcdefghijkl";
        let at = text
            .char_indices()
            .skip(1)
            .find(|&(_, c)| letters.contains(c));
        let square = |name: &str| {
            let mut chars = name.chars();
            let file = letters
                .find(chars.next()?)
                .filter(|&file| file < self.size)?;
            let rank = number(chars.as_str()).filter(|rank| (1..=self.size).contains(rank))?;
            Some((rank - 1) * self.size + file)
        };
        Some(match at {
            None => Action::Place(square(&text)?),
            Some((at, _)) => Action::Step {
                from: square(&text[..at])?,
                to: square(&text[at..])?,
            },
        })
    }

    /// A square's name, as in `e5`.
    pub fn square_name(&self, square: usize) -> String {
        let file = char::from(b'a' + (square % self.size) as u8);
        format!("{file}{}", square / self.size + 1)
    }

    /// A move as text: `e5`, `c3f6` or `pass`.
    pub fn action_name(&self, action: Action) -> String {
        match action {
            Action::Pass => "pass".to_string(),
            Action::Place(square) => self.square_name(square),
            Action::Step { from, to } => self.square_name(from) + &self.square_name(to),
        }
    }

    /// The legal moves as text, sorted, with single spaces between.
    pub fn sorted_moves(&self) -> String {
        let mut names: Vec<String> = self
            .moves()
            .into_iter()
            .map(|a| self.action_name(a))
            .collect();
        names.sort_unstable();
        names.join(" ")
    }
}

/// A whole number without sign, leading zeros or anything else.
fn number(text: &str) -> Option<usize> {
    let number: usize = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// The squares of a row, as many as the board is wide.
fn read_row(row: &str, size: usize) -> Option<Vec<Square>> {
    let mut squares = Vec::new();
    for item in row.split(',') {
        let rest = item.get(1..)?;
        match item.as_bytes()[0] {
            b'x' if rest.is_empty() => squares.push(Square::Empty),
            b'x' => {
                let run = number(rest).filter(|run| (1..=size).contains(run))?;
                squares.resize(squares.len() + run, Square::Empty);
            }
            b'l' if rest.is_empty() => squares.push(Square::Seed(0)),
            b'd' if rest.is_empty() => squares.push(Square::Seed(1)),
            letter @ (b'L' | b'D') => {
                let crop = number(rest).filter(|crop| (1..=size).contains(crop))?;
                squares.push(Square::Farmer(u8::from(letter == b'D'), crop as u8));
            }
            _ => return None,
        }
    }
    (squares.len() == size).then_some(squares)
}
