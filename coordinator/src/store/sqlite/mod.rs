//! The store in one SQLite file.

mod archive;
mod column;
mod read;
mod schema;
mod write;

pub use archive::SqliteArchive;

use super::{Store, StoreError};
use crate::core::{Change, Epoch, Restored};
use cascade_games::Instance;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a writer waits for another process that holds the file (a backup, say).
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// Prepared statements kept.
const STATEMENTS: usize = 64;

/// A store in one SQLite file: write-ahead log, full sync, versioned schema.
#[derive(Debug)]
pub struct SqliteStore {
    connection: Connection,
    retention: write::Retention,
    path: PathBuf,
}

impl SqliteStore {
    /// Opens the file, makes it if absent, and brings it to the newest schema.
    ///
    /// # Errors
    /// When it cannot be opened, is no store, or is of later software.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let opened = connect(path).and_then(|mut connection| {
            schema::migrate(&mut connection)?;
            let retention = write::Retention::measure(&connection)?;
            Ok(Self { connection, retention, path: path.to_owned() })
        });
        opened.map_err(|source| StoreError::Open { path: path.to_owned(), source: Box::new(source) })
    }

    /// A reader of the same file, with a connection of its own.
    ///
    /// # Errors
    /// When the file cannot be opened again.
    pub fn archive(&self) -> Result<SqliteArchive, StoreError> {
        connect(&self.path).map(SqliteArchive::new)
    }
}

fn connect(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

impl Store for SqliteStore {
    fn begin_epoch(&mut self, served: &[Instance]) -> Result<Epoch, StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let last: Option<i64> =
            transaction.query_row("SELECT value FROM meta WHERE key = 'epoch'", [], |row| row.get(0)).optional()?;
        let epoch = Epoch(last.map_or(0, i64::cast_unsigned) + 1);
        write::set_meta(&transaction, "epoch", epoch.0.cast_signed())?;
        for instance in served {
            write::register_instance(&transaction, instance)?;
        }
        transaction.commit()?;
        Ok(epoch)
    }

    fn load(&mut self, epoch: Epoch, served: Vec<Instance>) -> Result<Restored, StoreError> {
        Ok(read::load(&self.connection, epoch, served)?)
    }

    fn commit(&mut self, changes: &[&Change]) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut added = write::Added::default();
        for change in changes {
            write::apply(&transaction, change, &mut added)?;
        }
        transaction.commit()?;
        self.retention.make_room(&self.connection, added);
        Ok(())
    }
}
