//! What outlives the process.
//!
//! A [`Store`] takes changes and gives them back at the next start; an [`Archive`] answers what readers ask about the
//! past. Both are synchronous: the store belongs to the thread of [`writer`], the archive is asked from blocking tasks.

mod moves;
pub mod sqlite;
pub(crate) mod writer;

use crate::core::{Best, Change, Epoch, Restored};
use cascade_games::{Digest, Instance};
use std::path::PathBuf;

/// Keeps changes for good.
pub trait Store: Send {
    /// Begins a term of office, one higher than any before, and writes down the instances that are served.
    ///
    /// # Errors
    /// When it cannot be made durable.
    fn begin_epoch(&mut self, served: &[Instance]) -> Result<Epoch, StoreError>;

    /// Everything kept about the `served` instances and those that were added. Rows that cannot be understood are left
    /// out and told in [`Restored::problems`].
    ///
    /// # Errors
    /// When the store cannot be read at all.
    fn load(&mut self, epoch: Epoch, served: Vec<Instance>) -> Result<Restored, StoreError>;

    /// Makes all `changes` durable, or none, in their order.
    ///
    /// # Errors
    /// When nothing was kept.
    fn commit(&mut self, changes: &[&Change]) -> Result<(), StoreError>;
}

/// Answers questions about the past. Sees what is committed.
pub trait Archive: Send + Sync {
    /// Every best the instance ever had, oldest first. [`Best::text`] is empty.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn history(&self, instance: &Digest) -> Result<Vec<Best>, StoreError>;
}

/// The store cannot do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was written by later software.
    #[error("the store has schema {found}, this software knows schemas up to {newest}: use the newer software")]
    NewerSchema {
        /// The file's.
        found: i64,
        /// Ours.
        newest: i64,
    },
    /// The database says no.
    #[error("{0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The file cannot be opened as a store.
    #[error("cannot open the store {path}: {source}")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<StoreError>,
    },
    /// The thread that writes is gone.
    #[error("the thread that writes to the store has ended")]
    WriterGone,
}
