//! Who a player really is: its program file and that file's hash.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::journal::Identity;
use super::players::{Kind, Spec};
use crate::files;

/// The longest program that is hashed, in bytes.
const LONGEST_PROGRAM: u64 = 1 << 30;

/// Finds out who the players are.
///
/// # Errors
/// When a program doesn't exist or may not be run.
pub fn identify(specs: &[Spec], names: &[String]) -> Result<Vec<Identity>, String> {
    let pairs = specs.iter().zip(names);
    pairs
        .map(|(spec, name)| {
            let path = match &spec.kind {
                Kind::Command(words) => {
                    let program = words.first().map_or("", String::as_str);
                    let found = resolve(program).ok_or_else(|| {
                        format!("player '{name}': no program '{program}' that may be run")
                    })?;
                    Some(found)
                }
                _ => std::env::current_exe().ok(),
            };
            Ok(Identity {
                name: name.clone(),
                spec: spec.text.clone(),
                sha256: path
                    .as_deref()
                    .and_then(|path| sha256(path, LONGEST_PROGRAM).ok()),
                path,
            })
        })
        .collect()
}

/// The SHA-256 of a file of no more than `longest` bytes, in hexadecimal.
///
/// # Errors
/// When the file can't be read or is longer.
pub(crate) fn sha256(path: &Path, longest: u64) -> io::Result<String> {
    let mut text = String::new();
    for byte in Sha256::digest(files::read(path, longest)?) {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// The file that a program's name stands for, as the system would find it.
fn resolve(program: &str) -> Option<PathBuf> {
    let path = Path::new(program);
    let candidates: Vec<PathBuf> = if path.components().count() > 1 {
        vec![path.to_owned()]
    } else {
        let directories = std::env::var_os("PATH")?;
        std::env::split_paths(&directories)
            .map(|directory| directory.join(path))
            .collect()
    };
    let found = candidates.into_iter().find(|file| may_run(file))?;
    found.canonicalize().ok()
}

#[cfg(unix)]
fn may_run(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn may_run(file: &Path) -> bool {
    file.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-2, appendix B.1.
    #[test]
    fn the_hash_is_the_published_one() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("abc");
        std::fs::write(&file, "abc").unwrap();
        assert_eq!(
            sha256(&file, LONGEST_PROGRAM).unwrap(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_as_the_system_finds_them() {
        assert!(resolve("sh").unwrap().is_absolute());
        assert!(resolve("/bin/sh").is_some());
        assert_eq!(resolve("no such program"), None);
        assert_eq!(resolve("/etc/passwd"), None);
    }
}
