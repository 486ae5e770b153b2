//! What `setoption` can set: one row, one option.
//!
//! The rows feed the answer to `ugi`, the reading of `setoption` and the help
//! text. After them come the tunable numbers of the search, whose own table
//! says what they are.

use std::fmt;
use std::time::Duration;

use crate::engine::{Options, Params};
use crate::rules::{MAX_FARMERS, MAX_SIZE, MIN_SIZE, Position, StartError};

/// What the options set.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How the engine is set up.
    pub engine: Options,
    /// How many lines of play `info` tells.
    pub multipv: usize,
    /// The board of `position startpos`.
    pub board_size: u8,
    /// Its farmers a side; `None` for the usual number.
    pub farmers: Option<u8>,
    /// Taken off every time limit for what happens between the programs.
    pub overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            engine: Options::default(),
            multipv: 1,
            board_size: 10,
            farmers: None,
            overhead: Duration::from_millis(5),
        }
    }
}

impl Settings {
    /// The position of `position startpos`.
    ///
    /// # Errors
    /// When so many farmers don't fit on the board.
    pub fn start(&self) -> Result<Position, StartError> {
        Position::start(self.board_size, self.farmers())
    }

    fn farmers(&self) -> u8 {
        let usual = Position::usual_farmers(self.board_size);
        self.farmers.unwrap_or(usual)
    }
}

/// A number that can be set.
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The least value.
    pub min: u64,
    /// The greatest value.
    pub max: u64,
    /// What it does, in one line.
    pub about: &'static str,
    get: fn(&Settings) -> u64,
    set: fn(&mut Settings, u64),
}

/// All numbers that can be set, apart from those of the search.
pub const TABLE: [Row; 7] = [
    Row {
        name: "Threads",
        min: 1,
        max: 256,
        about: "worker threads",
        get: |s| s.engine.threads as u64,
        set: |s, value| s.engine.threads = value as usize,
    },
    Row {
        name: "Hash",
        min: 1,
        max: 65536,
        about: "memory for the search, MiB",
        get: |s| s.engine.hash_mib as u64,
        set: |s, value| s.engine.hash_mib = value as usize,
    },
    Row {
        name: "MultiPV",
        min: 1,
        max: 500,
        about: "lines of play told",
        get: |s| s.multipv as u64,
        set: |s, value| s.multipv = value as usize,
    },
    Row {
        name: "Seed",
        min: 0,
        max: u32::MAX as u64,
        about: "tells games between equal players apart",
        get: |s| s.engine.seed,
        set: |s, value| s.engine.seed = value,
    },
    Row {
        name: "BoardSize",
        min: MIN_SIZE as u64,
        max: MAX_SIZE as u64,
        about: "cells along a side of the board of startpos",
        get: |s| s.board_size.into(),
        set: |s, value| s.board_size = value as u8,
    },
    Row {
        name: "Farmers",
        min: 1,
        max: MAX_FARMERS as u64,
        about: "farmers a side of startpos; the usual number until set",
        get: |s| s.farmers().into(),
        set: |s, value| s.farmers = Some(value as u8),
    },
    Row {
        name: "MoveOverhead",
        min: 0,
        max: 10_000,
        about: "milliseconds taken off every time limit",
        get: |s| s.overhead.as_millis() as u64,
        set: |s, value| s.overhead = Duration::from_millis(value),
    },
];

/// Sets an option; names are read without regard to case.
///
/// # Errors
/// With a reason, when there is no such option or the value is none of its.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    if let Some(row) = TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)) {
        let number = value.parse().ok();
        let number = number.filter(|n| (row.min..=row.max).contains(n));
        let number = number.ok_or_else(|| {
            format!(
                "{}: {value:?} is not a number from {} to {}",
                row.name, row.min, row.max
            )
        })?;
        (row.set)(settings, number);
        return Ok(());
    }
    let mut known = Params::TABLE.iter().map(|row| row.name);
    let known = known.find(|known| known.eq_ignore_ascii_case(name));
    match known {
        Some(name) => {
            let set = settings.engine.params.set(name, value);
            set.map_err(|error| error.to_string())
        }
        None => Err(format!("no option {name:?}")),
    }
}

/// The `option` lines of the answer to `ugi`.
pub struct Declared<'a>(pub &'a Settings);

impl fmt::Display for Declared<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &TABLE {
            let (name, min, max) = (row.name, row.min, row.max);
            let default = (row.get)(self.0);
            writeln!(
                f,
                "option name {name} type spin default {default} min {min} max {max}"
            )?;
        }
        for row in Params::TABLE {
            writeln!(
                f,
                "option name {} type string default {}",
                row.name, row.default
            )?;
        }
        Ok(())
    }
}

/// The options for people, one a line.
#[must_use]
pub fn help() -> String {
    let settings = Settings::default();
    let rows = TABLE.iter().map(|row| {
        let default = (row.get)(&settings);
        let range = format!("{} to {}", row.min, row.max);
        format!(
            "  {:<20} {range}, default {default}: {}\n",
            row.name, row.about
        )
    });
    let params = Params::TABLE.iter().map(|row| {
        let range = format!("{} to {}", row.min, row.max);
        format!(
            "  {:<20} {range}, default {}: {}\n",
            row.name, row.default, row.about
        )
    });
    format!(
        "Options (setoption name N value V):\n{}",
        rows.chain(params).collect::<String>()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_reads_back_what_it_set() {
        for row in &TABLE {
            for value in [row.min, row.max] {
                let mut settings = Settings::default();
                set(&mut settings, &row.name.to_lowercase(), &value.to_string()).unwrap();
                assert_eq!((row.get)(&settings), value, "{}", row.name);
            }
            for value in ["", "x", "-1", "1.5", &(u128::from(row.max) + 1).to_string()] {
                let refused = set(&mut Settings::default(), row.name, value);
                assert!(refused.unwrap_err().contains(row.name), "{}", row.name);
            }
        }
    }

    #[test]
    fn the_numbers_of_the_search_are_options_too() {
        let mut settings = Settings::default();
        let row = Params::TABLE[0];
        set(&mut settings, row.name, &row.min.to_string()).unwrap();
        assert_ne!(settings, Settings::default());
        assert!(set(&mut settings, row.name, "nonsense").is_err());
        assert!(
            set(&mut settings, "Ponder", "1")
                .unwrap_err()
                .contains("no option")
        );
    }

    #[test]
    fn all_that_is_declared_can_be_set_to_its_default() {
        let declared = Declared(&Settings::default()).to_string();
        assert_eq!(declared.lines().count(), TABLE.len() + Params::TABLE.len());
        for line in declared.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            let (name, default) = (words[2], words[6]);
            set(&mut Settings::default(), name, default).unwrap();
            assert!(help().contains(name));
        }
    }
}
