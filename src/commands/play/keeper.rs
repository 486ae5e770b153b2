//! Keeps a game in a file, from its first move on.

use crate::commands::files;
use crate::play::Record;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Where a game is kept; a new one gets a file once it has a move.
pub(super) struct Keeper {
    path: Arc<OnceLock<PathBuf>>,
}

/// What is said when the person leaves; nothing of a game without a move.
pub(super) struct Farewell(Arc<OnceLock<PathBuf>>);

impl fmt::Display for Farewell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.get() {
            Some(path) if path.exists() => writeln!(
                f,
                "The game is in {0}; agros play --resume {0} goes on with it.",
                path.display()
            ),
            _ => Ok(()),
        }
    }
}

impl Keeper {
    /// A game that has no file yet.
    pub(super) fn new() -> Keeper {
        Keeper {
            path: Arc::default(),
        }
    }

    /// A game that has this file.
    pub(super) fn going_on(path: PathBuf) -> Keeper {
        Keeper {
            path: Arc::new(path.into()),
        }
    }

    /// What is said when the person leaves.
    pub(super) fn farewell(&self) -> Farewell {
        Farewell(Arc::clone(&self.path))
    }

    /// Writes the game as it is now.
    pub(super) fn keep(&self, record: &Record) -> io::Result<()> {
        let path = self.path.get_or_init(free_path);
        files::replace(path, record.to_string().as_bytes())
    }

    /// Writes the game to another file as well; an existing one is left alone.
    pub(super) fn copy(&self, record: &Record, path: &Path) -> io::Result<()> {
        if path.exists() {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "the file exists; choose another name",
            ));
        }
        files::replace(path, record.to_string().as_bytes())
    }
}

/// The first name that no file has.
fn free_path() -> PathBuf {
    let first = PathBuf::from("agros-game.txt");
    std::iter::once(first.clone())
        .chain((2..10_000).map(|n| PathBuf::from(format!("agros-game-{n}.txt"))))
        .find(|path| !path.exists())
        .unwrap_or(first)
}
