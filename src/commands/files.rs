//! Files that a command writes for good.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

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

    #[test]
    fn a_file_is_replaced_and_nothing_else_left() {
        let folder = std::env::temp_dir().join(format!("agros-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("game.txt");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(replace(&folder.join("none/game.txt"), b"x").is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
