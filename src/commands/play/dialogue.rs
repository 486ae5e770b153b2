//! What the game answers to each line that a person types.

use super::Person;
use super::keeper::Keeper;
use crate::arena::parse_duration;
use crate::drawing::board::{self, Style};
use crate::drawing::words;
use crate::play::thinker::seen_by;
use crate::play::{LEVELS, Level, Record, Thinker, Thought};
use crate::rules::{Cell, Move, Piece, Position, Side};
use clap::ValueEnum;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is typed and what it does.
const HELP: &str = "\
e5          place a farmer on e5
c3f6        move the farmer on c3 to f6: a harvest or a sowing, by the distance
pass        leave the turn to the other side; two passes end the game
hint        what the engine would play, and how it stands
undo        take your last move back
board       draw the board
fields      who controls which field, and why
score       the score as things stand
moves c3    where the farmer on c3 can go (moves alone: all moves)
level 5     set the engine's strength, 1 to 8
time 5s     set the engine's time for a move
side dark   set who you are: light, dark, both or neither
new 8 3     begin a new game, here on 8×8 with 3 farmers each
save FILE   write the game to another file as well
resign      give the game up
quit        leave; the game is kept
";

/// A game and how it is played.
pub(super) struct Settings {
    pub(super) record: Record,
    /// Whether a person plays Light, and Dark.
    pub(super) persons: [bool; 2],
    pub(super) level: Level,
    pub(super) time: Duration,
    pub(super) seed: u64,
    pub(super) style: Style,
    pub(super) thinker: Box<dyn Thinker>,
    pub(super) keeper: Keeper,
    /// Set when the person interrupts the engine's thinking.
    pub(super) stop: Arc<AtomicBool>,
}

/// Whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Then {
    GoOn,
    Quit,
}

/// A game under way.
pub(super) struct Dialogue {
    game: Settings,
    rng: Xoshiro256PlusPlus,
    resigned: Option<Side>,
}

impl Dialogue {
    pub(super) fn new(game: Settings) -> Dialogue {
        Dialogue {
            rng: Xoshiro256PlusPlus::seed_from_u64(game.seed),
            game,
            resigned: None,
        }
    }

    fn position(&self) -> &Position {
        self.game.record.position()
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.position().is_over()
    }

    fn is_persons(&self, side: Side) -> bool {
        self.game.persons[side.index()]
    }

    pub(super) fn greet(&self, out: &mut dyn Write) -> io::Result<()> {
        let level = &self.game.level;
        let who = self.who();
        writeln!(
            out,
            "{who} The engine's level is {} ({}). Type help for help.\n",
            level.number, level.name
        )?;
        self.draw(out)
    }

    fn who(&self) -> String {
        match self.game.persons {
            [true, true] => "You play both sides.".to_owned(),
            [false, false] => "The engine plays both sides.".to_owned(),
            [light, _] => format!("You play {}.", if light { "Light" } else { "Dark" }),
        }
    }

    pub(super) fn prompt(&self) -> String {
        if self.is_over() {
            return "game over> ".into();
        }
        let ply = self.game.record.moves().len() + 1;
        format!("{}, move {ply}> ", self.position().side())
    }

    /// Lets the engine move as long as it is its turn.
    pub(super) fn engine_moves(&mut self, out: &mut dyn Write) -> io::Result<Then> {
        while !self.is_over() && !self.is_persons(self.position().side()) {
            let side = self.position().side();
            let thought = self.think(self.game.level);
            if self.game.stop.load(Ordering::Relaxed) {
                return Ok(Then::Quit);
            }
            let Some(mv) = self.game.level.choose(&thought, side, &mut self.rng) else {
                break;
            };
            writeln!(out, "The engine plays {}.", self.describe(mv))?;
            self.make(mv, out)?;
        }
        Ok(Then::GoOn)
    }

    fn think(&mut self, level: Level) -> Thought {
        let position = *self.game.record.position();
        let budget = level.budget(self.game.time);
        let stop = Arc::clone(&self.game.stop);
        self.game
            .thinker
            .think(&position, &budget, &stop, &mut |_| ())
    }

    /// Makes a legal move, keeps the game and shows it.
    fn make(&mut self, mv: Move, out: &mut dyn Write) -> io::Result<()> {
        if let Err(reason) = self.game.record.play(mv) {
            return writeln!(out, "{mv} is not legal: {reason}.");
        }
        self.keep(out)?;
        self.draw(out)?;
        if self.position().is_over() {
            self.tell_score(out)?;
        }
        Ok(())
    }

    fn keep(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.game.keeper.keep(&self.game.record) {
            Ok(()) => Ok(()),
            Err(e) => writeln!(out, "The game could not be kept: {e}."),
        }
    }

    /// Answers a line.
    pub(super) fn answer(&mut self, line: &str, out: &mut dyn Write) -> io::Result<Then> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else {
            return Ok(Then::GoOn);
        };
        match (first.to_ascii_lowercase().as_str(), rest) {
            ("quit" | "exit", []) => return Ok(Then::Quit),
            ("help" | "?", []) => write!(out, "{HELP}")?,
            ("board", []) => self.draw(out)?,
            ("fields", []) => words::list_fields(&self.position().fields(), out)?,
            ("score", []) => self.tell_score(out)?,
            ("moves", []) => self.list_moves(None, out)?,
            ("moves", [cell]) => match cell.parse::<Cell>() {
                Ok(cell) => self.list_moves(Some(cell), out)?,
                Err(e) => writeln!(out, "{e}.")?,
            },
            ("hint", []) => self.hint(out)?,
            ("undo", []) => self.undo(out)?,
            ("resign", []) => self.resign(out)?,
            ("level", [number]) => self.set_level(number, out)?,
            ("time", [time]) => self.set_time(time, out)?,
            ("side", [who]) => self.set_side(who, out)?,
            ("new", numbers) if numbers.len() <= 2 => self.begin_anew(numbers, out)?,
            ("save", [file]) => self.save(Path::new(file), out)?,
            (_, []) => self.play(first, out)?,
            _ => self.explain(line.trim(), out)?,
        }
        Ok(Then::GoOn)
    }

    /// Makes the move that a person typed, or says why not.
    fn play(&mut self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let Ok(mv) = text.parse::<Move>() else {
            return self.explain(text, out);
        };
        if self.resigned.is_some() {
            return writeln!(out, "The game is over; undo takes the resignation back.");
        }
        if let Err(reason) = self.position().clone().play(mv) {
            return writeln!(out, "{mv} is not legal: {reason}.");
        }
        self.make(mv, out)
    }

    fn explain(&self, text: &str, out: &mut dyn Write) -> io::Result<()> {
        let text: String = text.chars().take(40).collect();
        writeln!(
            out,
            "\"{}\" is neither a move (as e5, c3f6 or pass) nor a command; help lists them.",
            text.escape_debug()
        )
    }

    fn draw(&self, out: &mut dyn Write) -> io::Result<()> {
        let last = match self.game.record.moves().last() {
            Some(Move::Place(cell)) => vec![*cell],
            Some(Move::Step { from, to }) => vec![*from, *to],
            Some(Move::Pass) | None => vec![],
        };
        board::draw(self.position(), &last, self.game.style, out)?;
        writeln!(out, "{}", words::turn(self.position()))
    }

    fn tell_score(&self, out: &mut dyn Write) -> io::Result<()> {
        let score = self.position().score();
        writeln!(out, "Score: Light {}, Dark {}.", score.light, score.dark)
    }

    fn list_moves(&self, from: Option<Cell>, out: &mut dyn Write) -> io::Result<()> {
        let concerns = |mv: &Move| match (mv, from) {
            (_, None) => true,
            (Move::Step { from, .. }, Some(cell)) => *from == cell,
            (Move::Place(to), Some(cell)) => *to == cell,
            (Move::Pass, Some(_)) => false,
        };
        let mut moves: Vec<Move> = self.position().legal_moves().into_iter().collect();
        moves.retain(concerns);
        moves.sort_by_key(Move::to_string);
        if moves.is_empty() {
            return writeln!(out, "There is no legal move{}.", at(from));
        }
        // Placements need no words: each only places a farmer.
        if self.position().is_placing() {
            let cells: Vec<String> = moves.iter().map(Move::to_string).collect();
            return writeln!(out, "{}", cells.join(" "));
        }
        for mv in moves {
            writeln!(out, "{}", self.describe(mv))?;
        }
        Ok(())
    }

    /// A move and what it does.
    fn describe(&self, mv: Move) -> String {
        let Move::Step { from, to } = mv else {
            return mv.to_string();
        };
        let Some(Piece::Farmer(_, crop)) = self.position().piece(from) else {
            return mv.to_string();
        };
        let distance = from
            .file()
            .abs_diff(to.file())
            .max(from.rank().abs_diff(to.rank()));
        if distance == crop {
            return format!("{mv} (harvest, crop {})", crop.saturating_add(1));
        }
        match crop.saturating_sub(1) {
            1 => format!("{mv} (sow 1 seed)"),
            seeds => format!("{mv} (sow {seeds} seeds)"),
        }
    }

    fn hint(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(out, "The game is over.");
        }
        let strongest = LEVELS[LEVELS.len() - 1];
        let thought = self.think(strongest);
        self.game.stop.store(false, Ordering::Relaxed);
        let side = self.position().side();
        let Some(line) = thought.lines.first() else {
            return writeln!(out, "There is no move.");
        };
        let margin = match side {
            Side::Light => line.margin,
            Side::Dark => -line.margin,
        };
        let proven = line.proven.map(|proven| format!(", proven: {proven}"));
        writeln!(
            out,
            "Try {}: {side} wins {:.0} %, expected margin {:+.1}{}.",
            self.describe(line.mv),
            100.0 * seen_by(side, line.winrate),
            margin,
            proven.unwrap_or_default(),
        )
    }

    /// Takes moves back until it is a person's turn again.
    fn undo(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.resigned.take().is_some() {
            return self.draw(out);
        }
        if self.game.record.undo().is_none() {
            return writeln!(out, "There is no move to take back.");
        }
        while self.game.persons != [false, false]
            && !self.is_persons(self.position().side())
            && self.game.record.undo().is_some()
        {}
        self.keep(out)?;
        self.draw(out)
    }

    fn resign(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_over() {
            return writeln!(out, "The game is over.");
        }
        let side = self.position().side();
        self.resigned = Some(side);
        writeln!(out, "{side} resigns: {} wins.", side.other())
    }

    fn set_level(&mut self, number: &str, out: &mut dyn Write) -> io::Result<()> {
        let Some(level) = number.parse().ok().and_then(Level::of) else {
            return writeln!(out, "The level is 1 to {}.", LEVELS.len());
        };
        self.game.level = level;
        writeln!(out, "The engine's level is {number} ({}).", level.name)
    }

    fn set_time(&mut self, time: &str, out: &mut dyn Write) -> io::Result<()> {
        match parse_duration(time) {
            Ok(time) => {
                self.game.time = time;
                writeln!(out, "The engine takes {time:?} a move at most.")
            }
            Err(reason) => writeln!(out, "{reason}."),
        }
    }

    fn set_side(&mut self, who: &str, out: &mut dyn Write) -> io::Result<()> {
        match Person::from_str(who, true) {
            Ok(person) => {
                self.game.persons = Side::BOTH.map(|side| person.plays(side));
                writeln!(out, "{}", self.who())
            }
            Err(_) => writeln!(out, "You can be light, dark, both or neither."),
        }
    }

    /// Leaves this game in its file and begins another.
    fn begin_anew(&mut self, numbers: &[&str], out: &mut dyn Write) -> io::Result<()> {
        let start = std::iter::once("start").chain(numbers.iter().copied());
        match start.collect::<Vec<_>>().join(":").parse() {
            Ok(position) => {
                write!(out, "{}", self.game.keeper.farewell())?;
                self.game.keeper.begin_anew();
                self.game.record = Record::new(position);
                self.resigned = None;
                self.draw(out)
            }
            Err(reason) => writeln!(out, "{reason}."),
        }
    }

    fn save(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        match self.game.keeper.copy(&self.game.record, path) {
            Ok(()) => writeln!(out, "Saved to {}.", path.display()),
            Err(e) => writeln!(out, "{}: {e}.", path.display()),
        }
    }

    pub(super) fn farewell(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{}", self.game.keeper.farewell())
    }
}

fn at(cell: Option<Cell>) -> String {
    cell.map_or(String::new(), |cell| format!(" at {cell}"))
}
