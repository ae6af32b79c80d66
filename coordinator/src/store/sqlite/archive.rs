//! Questions about the past.

use super::read::{BEST_COLUMNS, best};
use crate::core::Best;
use crate::store::{Archive, StoreError};
use cascade_games::Digest;
use rusqlite::Connection;
use std::sync::{Mutex, PoisonError};

/// A reader of an SQLite store, with a connection of its own.
#[derive(Debug)]
pub struct SqliteArchive(Mutex<Connection>);

impl SqliteArchive {
    pub(super) const fn new(connection: Connection) -> Self {
        Self(Mutex::new(connection))
    }
}

impl Archive for SqliteArchive {
    fn history(&self, instance: &Digest) -> Result<Vec<Best>, StoreError> {
        // A reader that panicked left nothing half done.
        let connection = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sql =
            format!("SELECT {BEST_COLUMNS} WHERE history.instance = ?1 AND set_aside IS NULL ORDER BY history.id");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([instance.as_bytes()])?;
        let mut entries = Vec::new();
        while let Some(row) = rows.next()? {
            match best(row) {
                Ok(entry) => entries.push(entry),
                Err(reason) => tracing::warn!(%reason, "a stored entry of the history is left out"),
            }
        }
        Ok(entries)
    }
}
