//! Files that are whole or not there: written beside, synced, renamed, and read back only when their checksum holds.

use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// What a sealed file holds, as its first eight bytes: name and version of the format.
pub(crate) type Kind = [u8; 8];

const CHECKSUM: usize = 32;

/// The ending of files that are not finished.
pub(crate) const UNFINISHED: &str = "unfinished";

/// Why a sealed file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Damage {
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// It is shorter than any sealed file.
    #[error("found {0} bytes, too few for a header")]
    TooShort(usize),
    /// It holds something else, or the format of other software.
    #[error("found a file of kind '{found}', expected '{expected}'")]
    OtherKind {
        /// Its first bytes.
        found: String,
        /// The kind asked for.
        expected: String,
    },
    /// Its content is not what was written.
    #[error("the checksum does not hold")]
    Checksum,
    /// Its content is whole but cannot be understood.
    #[error("the content cannot be understood: {0}")]
    Content(String),
}

/// Puts `payload` into the file at `path`, durably: after a crash at any moment the file is as before or as wanted.
///
/// # Errors
/// When the disk refuses.
pub(crate) fn write(path: &Path, kind: Kind, payload: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension(UNFINISHED);
    let mut file = File::create(&unfinished)?;
    file.write_all(&kind)?;
    file.write_all(&checksum(kind, payload))?;
    file.write_all(payload)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&unfinished, path)?;
    match path.parent() {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}

/// The payload of the file at `path`.
///
/// # Errors
/// When it is not a whole file of this kind.
pub(crate) fn read(path: &Path, kind: Kind) -> Result<Vec<u8>, Damage> {
    let mut bytes = fs::read(path)?;
    let header = kind.len() + CHECKSUM;
    if bytes.len() < header {
        return Err(Damage::TooShort(bytes.len()));
    }
    if bytes[..kind.len()] != kind {
        return Err(Damage::OtherKind {
            found: String::from_utf8_lossy(&bytes[..kind.len()]).escape_debug().to_string(),
            expected: String::from_utf8_lossy(&kind).into_owned(),
        });
    }
    if bytes[kind.len()..header] != checksum(kind, &bytes[header..]) {
        return Err(Damage::Checksum);
    }
    bytes.drain(..header);
    Ok(bytes)
}

fn checksum(kind: Kind, payload: &[u8]) -> [u8; CHECKSUM] {
    Sha256::new().chain_update(kind).chain_update(payload).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = *b"TESTING1";

    #[test]
    fn what_was_written_is_read_back() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.file");
        write(&path, KIND, b"content").expect("written");
        write(&path, KIND, b"newer content").expect("written over");
        assert_eq!(read(&path, KIND).expect("whole"), b"newer content");
        assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 1, "nothing unfinished is left");
    }

    #[test]
    fn a_file_cut_anywhere_or_with_any_byte_changed_is_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.file");
        write(&path, KIND, b"content").expect("written");
        let whole = fs::read(&path).expect("there");
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).expect("cut");
            assert!(read(&path, KIND).is_err(), "cut to {length}");
        }
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x40;
            fs::write(&path, &changed).expect("changed");
            assert!(read(&path, KIND).is_err(), "changed at {at}");
        }
        fs::write(&path, &whole).expect("restored");
        assert!(matches!(read(&path, *b"TESTING2"), Err(Damage::OtherKind { .. })));
    }
}
