//! The directory in which a worker keeps what must outlive it. One worker to a directory.

use crate::sealed::UNFINISHED;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use tracing::error;

/// Sequences not yet acknowledged.
const UNREPORTED: &str = "unreported";
/// Suspended searches.
const CHECKPOINTS: &str = "checkpoints";
/// Sequences that the coordinator refused, each with the reason.
const REFUSED: &str = "refused";
/// Files that could not be read back, each with the reason.
const DAMAGED: &str = "damaged";

/// The data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// The disk refuses.
    #[error("cannot use the data directory: {path}: {source}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process has it.
    #[error("the data directory {path} is in use by {holder}; give each worker one of its own (--data)")]
    InUse {
        /// The directory.
        path: PathBuf,
        /// Who has it.
        holder: String,
    },
}

/// A data directory, locked for as long as this lives.
#[derive(Debug)]
pub(crate) struct DataDir {
    root: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Makes what is missing and locks the directory against other processes.
    pub(crate) fn open(root: &Path) -> Result<Self, DataDirError> {
        for folder in ["", UNREPORTED, CHECKPOINTS, REFUSED, DAMAGED] {
            let path = root.join(folder);
            fs::create_dir_all(&path).map_err(|source| DataDirError::Io { path, source })?;
        }
        let lock = lock(root)?;
        let dir = Self { root: root.to_owned(), _lock: lock };
        for folder in [UNREPORTED, CHECKPOINTS] {
            for path in dir.files(folder)? {
                if path.extension().is_some_and(|extension| extension == UNFINISHED) {
                    fs::remove_file(&path).map_err(|source| DataDirError::Io { path, source })?;
                }
            }
        }
        Ok(dir)
    }

    /// The path of a file right in the directory.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Where sequences not yet acknowledged are.
    pub(crate) fn unreported(&self) -> PathBuf {
        self.root.join(UNREPORTED)
    }

    /// Where suspended searches are.
    pub(crate) fn checkpoints(&self) -> PathBuf {
        self.root.join(CHECKPOINTS)
    }

    /// The place for what cannot be used.
    pub(crate) fn aside(&self) -> Aside {
        Aside { root: self.root.clone() }
    }

    /// The host's name and four characters that stay the same for this directory.
    pub(crate) fn default_name(&self) -> Result<String, DataDirError> {
        let path = self.root.join("name-suffix");
        let wrap = |source| DataDirError::Io { path: path.clone(), source };
        let kept = match fs::read_to_string(&path) {
            Ok(text) => Some(text.trim().to_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(wrap(error)),
        };
        let suffix = match kept {
            Some(suffix) if suffix.len() == 4 && suffix.chars().all(|c| c.is_ascii_alphanumeric()) => suffix,
            _ => {
                let suffix = format!("{:04x}", RandomState::new().hash_one(std::process::id()) & 0xffff);
                fs::write(&path, format!("{suffix}\n")).map_err(wrap)?;
                suffix
            }
        };
        Ok(format!("{}-{suffix}", host_name()))
    }

    fn files(&self, folder: &str) -> Result<Vec<PathBuf>, DataDirError> {
        list(&self.root.join(folder))
    }
}

/// The files in `folder`, in the order of their names.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>, DataDirError> {
    let wrap = |source| DataDirError::Io { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrap)? {
        let path = entry.map_err(wrap)?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn lock(root: &Path) -> Result<File, DataDirError> {
    let path = root.join("lock");
    let wrap = |source| DataDirError::Io { path: path.clone(), source };
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path).map_err(wrap)?;
    match file.try_lock() {
        Ok(()) => {
            file.set_len(0).map_err(wrap)?;
            file.rewind().map_err(wrap)?;
            writeln!(file, "{}", std::process::id()).map_err(wrap)?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let known = file.read_to_string(&mut holder).is_ok() && !holder.trim().is_empty();
            let holder = if known { format!("process {}", holder.trim()) } else { "another process".to_owned() };
            Err(DataDirError::InUse { path: root.to_owned(), holder })
        }
        Err(TryLockError::Error(source)) => Err(wrap(source)),
    }
}

/// The host's name, of the characters a worker's name may have.
fn host_name() -> String {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '_' { c } else { '-' })
        .take(60)
        .collect();
    if name.is_empty() { "worker".to_owned() } else { name }
}

/// The place for files that cannot be used; nothing is thrown away.
#[derive(Clone, Debug)]
pub(crate) struct Aside {
    root: PathBuf,
}

impl Aside {
    /// Moves a file that cannot be read back out of the way.
    pub(crate) fn damaged(&self, path: &Path, reason: &dyn std::fmt::Display) {
        self.take(path, DAMAGED, &reason.to_string());
    }

    /// Moves a sequence that the coordinator refused out of the way.
    pub(crate) fn refused(&self, path: &Path, reason: &str) {
        self.take(path, REFUSED, reason);
    }

    fn take(&self, path: &Path, folder: &str, reason: &str) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let target = self.root.join(folder).join(&name);
        let moved = fs::rename(path, &target)
            .and_then(|()| fs::write(self.root.join(folder).join(format!("{name}.reason")), format!("{reason}\n")));
        match moved {
            Ok(()) => error!(file = %target.display(), reason, "set a file aside"),
            Err(failure) => error!(file = %path.display(), reason, %failure, "cannot set a file aside"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_holder_is_refused_and_told_who_has_it() {
        let root = tempfile::tempdir().expect("a directory");
        let first = DataDir::open(root.path()).expect("free");
        let error = DataDir::open(root.path()).expect_err("taken").to_string();
        assert!(error.contains(&std::process::id().to_string()) && error.contains("--data"), "{error}");
        drop(first);
        DataDir::open(root.path()).expect("free again");
    }

    #[test]
    fn the_default_name_stays_the_same() {
        let root = tempfile::tempdir().expect("a directory");
        let name = DataDir::open(root.path()).expect("free").default_name().expect("made");
        assert_eq!(DataDir::open(root.path()).expect("free").default_name().expect("kept"), name);
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')), "{name}");
    }

    #[test]
    fn unfinished_files_are_removed_and_whole_ones_kept() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = DataDir::open(root.path()).expect("free");
        fs::write(dir.unreported().join("a.unfinished"), "cut").expect("written");
        fs::write(dir.unreported().join("b.report"), "whole").expect("written");
        drop(dir);
        let dir = DataDir::open(root.path()).expect("free");
        assert_eq!(list(&dir.unreported()).expect("listed"), [dir.unreported().join("b.report")]);
    }
}
