//! The data directory: made, locked, and what lies where in it.

use crate::durable_file;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// Where a running coordinator tells commands in the same directory how to reach it: `DATA/coordinator.address`.
pub const ADDRESS_FILE: &str = "coordinator.address";
const LOCK_FILE: &str = "lock";

/// A data directory that belongs to this process until dropped.
#[derive(Debug)]
pub(crate) struct DataDir {
    path: PathBuf,
    address_written: bool,
    // The lock ends with the file, at the latest when the process does.
    _lock: File,
}

/// The data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// Another process works in it.
    #[error("the data directory {path} is in use by {holder}: stop that process or give another directory with --data")]
    InUse {
        /// The directory.
        path: PathBuf,
        /// Who has it, as written in its lock file.
        holder: String,
    },
    /// It cannot be made, read or written.
    #[error("cannot use the data directory {path}: {source}")]
    Unusable {
        /// The directory or the file in it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl DataDir {
    /// Makes the directory if need be and locks it against other processes.
    pub(crate) fn open(path: &Path) -> Result<Self, DataDirError> {
        let unusable = |source| DataDirError::Unusable { path: path.to_owned(), source };
        fs::create_dir_all(path).map_err(unusable)?;
        let lock_path = path.join(LOCK_FILE);
        let mut lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&lock_path)
            .map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Only words for the error: a holder that cannot be read is still a holder.
                let read = lock.read_to_string(&mut holder);
                let holder = match read {
                    Ok(_) if !holder.trim().is_empty() => holder.trim().to_owned(),
                    _ => "another process".to_owned(),
                };
                return Err(DataDirError::InUse { path: path.to_owned(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        let program = std::env::args().next().unwrap_or_default();
        let program = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
        let holder = format!("process {} ({program})\n", std::process::id());
        let written = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| lock.write_all(holder.as_bytes()));
        written.map_err(unusable)?;
        Ok(Self { path: path.to_owned(), address_written: false, _lock: lock })
    }

    /// The file of the embedded store.
    pub(crate) fn store_file(&self) -> PathBuf {
        self.path.join("cascade.db")
    }

    /// The directory of the best files.
    pub(crate) fn best_dir(&self) -> PathBuf {
        self.path.join("best")
    }

    /// Tells commands in the same directory where the coordinator listens. A file left by a crash is overwritten;
    /// until then it names an address where nothing answers.
    pub(crate) fn write_address(&mut self, address: SocketAddr) -> Result<(), DataDirError> {
        let path = self.path.join(ADDRESS_FILE);
        durable_file::write(&path, format!("{address}\n").as_bytes())
            .map_err(|source| DataDirError::Unusable { path, source })?;
        self.address_written = true;
        Ok(())
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        if self.address_written
            && let Err(error) = fs::remove_file(self.path.join(ADDRESS_FILE))
        {
            tracing::warn!(%error, "cannot remove {ADDRESS_FILE}; it names an address where nothing answers any more");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_user_is_refused_and_told_who_has_it() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("data");
        let first = DataDir::open(&path).expect("free");
        let error = DataDir::open(&path).expect_err("in use").to_string();
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        drop(first);
        DataDir::open(&path).expect("free again");
    }

    #[test]
    fn the_address_is_there_while_it_is_open() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join(ADDRESS_FILE);
        fs::write(&file, "left by a crash").expect("written");
        let mut data = DataDir::open(directory.path()).expect("free");
        data.write_address("127.0.0.1:7401".parse().expect("an address")).expect("written");
        assert_eq!(fs::read_to_string(&file).expect("readable"), "127.0.0.1:7401\n");
        drop(data);
        assert!(!file.exists());
    }

    #[test]
    fn a_file_in_its_place_is_an_error_that_names_it() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let error = DataDir::open(file.path()).expect_err("no directory").to_string();
        assert!(error.contains(&file.path().display().to_string()), "{error}");
    }
}
