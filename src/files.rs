//! Files: read up to a bound, and replaced as a whole.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

/// The longest file that a person writes or lists positions in, in bytes.
pub(crate) const LONGEST_TEXT: u64 = 16 << 20;
/// The longest file that a tournament grows to, in bytes: some million games.
pub(crate) const LONGEST_RECORD: u64 = 1 << 30;

/// Reads a file of no more than `longest` bytes.
///
/// # Errors
/// When it can't be read or is longer; not all of it is read then, so that a device
/// without an end is refused, too.
pub(crate) fn read(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    read_from(File::open(path)?, longest)
}

/// Reads a text of no more than `longest` bytes.
///
/// # Errors
/// As [`read`], and where it isn't UTF-8.
pub(crate) fn read_text(path: &Path, longest: u64) -> io::Result<String> {
    text_of(read(path, longest)?)
}

/// [`read_text`], from stdin where the path is `-`.
///
/// # Errors
/// As [`read_text`].
pub(crate) fn read_text_or_stdin(path: &Path, longest: u64) -> io::Result<String> {
    if path == Path::new("-") {
        text_of(read_from(io::stdin().lock(), longest)?)
    } else {
        read_text(path, longest)
    }
}

fn read_from(source: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 <= longest {
        return Ok(bytes);
    }
    let reason = format!("longer than {} MiB", longest >> 20);
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
}

fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("not UTF-8 at byte {place}"),
        )
    })
}

/// Writes a file as a whole: whoever reads the path, even after a crash in
/// the middle of this, finds the old contents or the new ones.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A device or a pipe is written to, not replaced.
    if fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return fs::write(path, contents);
    }
    let mut name = path
        .file_name()
        .ok_or(io::ErrorKind::InvalidInput)?
        .to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    let written = File::create(&new)
        .and_then(|mut file| {
            file.write_all(contents)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls `with` with a folder of this test's own.
    fn in_folder(name: &str, with: impl FnOnce(&Path)) {
        let name = format!("agros-files-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        with(&folder);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_left() {
        in_folder("replace", |folder| {
            let path = folder.join("game.txt");
            replace(&path, b"one").unwrap();
            replace(&path, b"two").unwrap();
            assert_eq!(read_text(&path, 3).unwrap(), "two");
            assert!(replace(&folder.join("none/game.txt"), b"x").is_err());
            assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
        });
    }

    #[test]
    fn what_is_too_long_or_no_text_is_refused() {
        in_folder("read", |folder| {
            let path = folder.join("file");
            replace(&path, &vec![b'x'; (1 << 20) + 1]).unwrap();
            assert_eq!(read(&path, (1 << 20) + 1).unwrap().len(), (1 << 20) + 1);
            let error = read(&path, 1 << 20).unwrap_err();
            assert_eq!(error.to_string(), "longer than 1 MiB");
            replace(&path, b"ab\xff").unwrap();
            let error = read_text(&path, 3).unwrap_err();
            assert_eq!(error.to_string(), "not UTF-8 at byte 2");
        });
    }
}
