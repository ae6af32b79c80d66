//! The tables, and how a file of an older version becomes one of this version.

use crate::store::StoreError;
use rusqlite::{Connection, TransactionBehavior};

/// Steps from an empty file to the newest schema; step `i` leads to version `i + 1`. Steps are only ever added.
const MIGRATIONS: [&str; 3] =
    [include_str!("schema_1.sql"), include_str!("schema_2.sql"), include_str!("schema_3.sql")];

/// The newest schema this software knows.
pub(super) const NEWEST: i64 = MIGRATIONS.len() as i64;

/// Brings the file to the newest schema, each step in a transaction of its own.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if !(0..=NEWEST).contains(&found) {
        return Err(StoreError::NewerSchema { found, newest: NEWEST });
    }
    for (version, step) in (1..).zip(MIGRATIONS).filter(|(version, _)| *version > found) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}
