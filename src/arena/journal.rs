//! The journal: all that a tournament has shown, in one append-only file.
//!
//! JSON Lines: a [`Header`] and one [`Record`] a game, each written with one
//! call, so that the file is whole whenever the process dies. A last line
//! without its end (a full disk, a power cut) is cut off on resuming and its
//! game played again; anything else that can't be read is an error which names
//! the line.

use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::schedule::{Fixture, Shard};
use super::settings::Settings;
use crate::files;
use crate::rules::{HalfPoints, Position, Side};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the journal's format, [`FORMAT`].
    pub agros_journal: u32,
    /// The version of the program that wrote it.
    pub version: String,
    /// All that decides which games are played.
    pub settings: Settings,
    /// The players, in the order of the settings.
    pub players: Vec<Identity>,
    /// The part of the schedule that this journal is about; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

/// Who a player really was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name in tables.
    pub name: String,
    /// The specification.
    pub spec: String,
    /// The program file, resolved; for built-in players this program.
    pub path: Option<PathBuf>,
    /// Its SHA-256.
    pub sha256: Option<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// By the rules: both passed.
    Rules,
    /// A player took more time than it had.
    Time,
    /// A player's answer was no legal move.
    Illegal,
    /// A player's program ended, or didn't start.
    Crash,
    /// A player didn't answer.
    Stall,
}

impl Ending {
    /// All endings, in the order in which tables show them.
    pub const ALL: [Ending; 5] = [
        Ending::Rules,
        Ending::Time,
        Ending::Illegal,
        Ending::Crash,
        Ending::Stall,
    ];

    /// The name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Rules => "by the rules",
            Ending::Time => "time loss",
            Ending::Illegal => "illegal move",
            Ending::Crash => "crash",
            Ending::Stall => "stall",
        }
    }
}

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// Nobody.
    Draw,
}

impl Result {
    /// Half points of Light: 2, 1 or 0.
    #[must_use]
    pub const fn light_half_points(self) -> usize {
        match self {
            Result::Light => 2,
            Result::Draw => 1,
            Result::Dark => 0,
        }
    }
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its place in the schedule, from 0.
    pub game: usize,
    /// Its pair: `game / 2`.
    pub pair: usize,
    /// Its round, from 0.
    pub round: usize,
    /// The name of the player with the light pieces.
    pub light: String,
    /// The name of the player with the dark pieces.
    pub dark: String,
    /// The position at the start.
    pub opening: String,
    /// The moves since, split by spaces.
    pub moves: String,
    /// Microseconds for each move; the last may belong to an answer that was
    /// no legal move or came too late, and so to none of `moves`.
    pub time_us: Vec<u64>,
    /// Simulations for each move, where the player told.
    pub nodes: Vec<Option<u64>>,
    /// Who won.
    pub result: Result,
    /// Light's and Dark's points at the end, unless the game was cut short.
    pub points: Option<(f64, f64)>,
    /// How it ended.
    pub ending: Ending,
    /// What exactly went wrong, if something did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl Record {
    /// Light's points minus Dark's, unless the game was cut short.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        self.points.map(|(light, dark)| light - dark)
    }

    /// Half points of one of the two players: 2 for a win.
    #[must_use]
    pub fn half_points_of(&self, name: &str) -> usize {
        let light = self.result.light_half_points();
        if self.light == name { light } else { 2 - light }
    }

    /// A number that two games share just when they are the same, move by move,
    /// with the same players and colours (or by a chance of 2⁻⁶⁴).
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.light, &self.dark, &self.opening, &self.moves).hash(&mut hasher);
        hasher.finish()
    }

    /// Whose turn it was at the start and after each move, as far as the moves
    /// are legal.
    #[must_use]
    pub fn sides(&self) -> Vec<Side> {
        let Ok(mut position) = self.opening.parse::<Position>() else {
            return Vec::new();
        };
        let mut sides = vec![position.side()];
        for mv in self.moves.split_whitespace() {
            let played = mv.parse().ok().and_then(|mv| position.play(mv).ok());
            if played.is_none() {
                break;
            }
            sides.push(position.side());
        }
        sides
    }

    /// Points as the journal has them: whole and halves.
    #[must_use]
    pub fn points_of(light: HalfPoints, dark: HalfPoints) -> (f64, f64) {
        (f64::from(light.0) / 2.0, f64::from(dark.0) / 2.0)
    }

    /// Whether this is the game that the schedule has in its place.
    fn fits(&self, fixture: &Fixture, names: &[String]) -> bool {
        self.round == fixture.round
            && self.pair == fixture.game / 2
            && names.get(fixture.light) == Some(&self.light)
            && names.get(fixture.dark) == Some(&self.dark)
    }
}

/// A journal as read.
#[derive(Clone, Debug)]
pub struct Contents {
    /// The first line.
    pub header: Header,
    /// The games, in the order of the file, each once.
    pub records: Vec<Record>,
    /// What the reader had to pass over, for people.
    pub notes: Vec<String>,
    /// Bytes up to the end of the last whole line.
    whole: u64,
    /// Bytes in all.
    length: u64,
}

/// Reads a journal.
///
/// # Errors
/// When the file can't be read or a line isn't what it should be.
pub fn read(path: &Path) -> std::result::Result<Contents, String> {
    let place = |reason: String| format!("{}: {reason}", path.display());
    let bytes =
        files::read(path, files::LONGEST_RECORD).map_err(|error| place(error.to_string()))?;
    let whole = bytes
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let text = std::str::from_utf8(&bytes[..whole])
        .map_err(|error| place(format!("not UTF-8 at byte {}", error.valid_up_to())))?;
    let mut contents = parse(text).map_err(place)?;
    contents.length = bytes.len() as u64;
    if whole < bytes.len() {
        contents.notes.push(place(format!(
            "the last line is half-written ({} bytes) and left out",
            bytes.len() - whole
        )));
    }
    Ok(contents)
}

fn parse(text: &str) -> std::result::Result<Contents, String> {
    let mut lines = text.lines().enumerate();
    let (_, first) = lines.next().ok_or("no header: not a journal")?;
    let header: Header = serde_json::from_str(first).map_err(|error| format!("line 1: {error}"))?;
    if header.agros_journal != FORMAT {
        return Err(format!(
            "line 1: journal format {} is not {FORMAT}, which this version reads",
            header.agros_journal
        ));
    }
    header.settings.check()?;
    let names = header.settings.names();
    let fixtures: Vec<Fixture> = header
        .settings
        .schedule()
        .iter()
        .flat_map(|pair| pair.games())
        .collect();
    let mut seen = HashSet::new();
    let (mut records, mut notes) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        let place = |reason: &str| format!("line {}: {reason}", number + 1);
        let record: Record =
            serde_json::from_str(line).map_err(|error| place(&error.to_string()))?;
        let fixture = fixtures.get(record.game);
        if !fixture.is_some_and(|fixture| record.fits(fixture, &names)) {
            return Err(place(&format!(
                "game {} is not in the schedule",
                record.game
            )));
        }
        if seen.insert(record.game) {
            records.push(record);
        } else {
            notes.push(place(&format!(
                "game {} again; the first one counts",
                record.game
            )));
        }
    }
    Ok(Contents {
        header,
        records,
        notes,
        whole: text.len() as u64,
        length: text.len() as u64,
    })
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    synced: Instant,
}

impl Journal {
    /// Begins a new file.
    ///
    /// # Errors
    /// When there is such a file already, or it can't be written.
    pub fn create(path: &Path, header: &Header) -> std::result::Result<Journal, String> {
        let place = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                place(&"there is such a file already; --resume continues it")
            }
            _ => place(&error),
        })?;
        lock(&file).map_err(|reason| place(&reason))?;
        let mut journal = Journal {
            file,
            path: path.to_owned(),
            synced: Instant::now(),
        };
        journal.write(header)?;
        journal.sync()?;
        Ok(journal)
    }

    /// Goes on with a file as it was read: a half-written last line is cut off.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn resume(path: &Path, contents: &Contents) -> std::result::Result<Journal, String> {
        let place = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = OpenOptions::new().write(true).open(path).map_err(place)?;
        lock(&file).map_err(|reason| format!("{}: {reason}", path.display()))?;
        if file.metadata().map_err(place)?.len() != contents.length {
            return Err(format!("{}: has changed since it was read", path.display()));
        }
        if contents.length > contents.whole {
            file.set_len(contents.whole).map_err(place)?;
        }
        file.seek(SeekFrom::End(0)).map_err(place)?;
        Ok(Journal {
            file,
            path: path.to_owned(),
            synced: Instant::now(),
        })
    }

    /// Appends a game; once a second also sees that a power cut can't take it.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn append(&mut self, record: &Record) -> std::result::Result<(), String> {
        self.write(record)?;
        if self.synced.elapsed() >= Duration::from_secs(1) {
            self.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Makes sure that what was written survives a power cut.
    ///
    /// # Errors
    /// When the disk can't be written.
    pub fn sync(&self) -> std::result::Result<(), String> {
        self.file
            .sync_data()
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }

    fn write(&mut self, line: &impl Serialize) -> std::result::Result<(), String> {
        let place = |error: &dyn std::fmt::Display| format!("{}: {error}", self.path.display());
        let mut text = serde_json::to_string(line).map_err(|error| place(&error))?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| place(&error))
    }
}

/// Keeps other processes from writing to the same journal; the lock ends with
/// this process. File systems without locks do without.
fn lock(file: &File) -> std::result::Result<(), &'static str> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err("another tournament is writing to it"),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
