//! Keeps a game in a file, from its first move on.

use crate::files;
use crate::play::Record;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a game is kept; a new one gets a file once it has a move.
pub(super) struct Keeper {
    path: SharedPath,
}

/// Where a game is, known to whoever says farewell too.
type SharedPath = Arc<Mutex<Option<PathBuf>>>;

fn lock(path: &SharedPath) -> MutexGuard<'_, Option<PathBuf>> {
    path.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is said when the person leaves; nothing of a game without a move.
pub(super) struct Farewell(SharedPath);

impl fmt::Display for Farewell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match lock(&self.0).as_deref() {
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
            path: Arc::new(Mutex::new(Some(path))),
        }
    }

    /// What is said when the person leaves.
    pub(super) fn farewell(&self) -> Farewell {
        Farewell(Arc::clone(&self.path))
    }

    /// Leaves the game where it is; the next one gets a file of its own.
    pub(super) fn begin_anew(&self) {
        *lock(&self.path) = None;
    }

    /// Writes the game as it is now.
    pub(super) fn keep(&self, record: &Record) -> io::Result<()> {
        let mut path = lock(&self.path);
        let path = path.get_or_insert_with(free_path);
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
