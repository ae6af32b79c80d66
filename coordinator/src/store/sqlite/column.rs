//! How single values stand in a column, and back.

use crate::core::{ArmKey, Plan, Severity, Strategy, Window};
use crate::store::moves;
use cascade_games::{Digest, Origin};
use rusqlite::Row;
use std::fmt::Display;

/// A row that cannot be understood, in words.
pub(super) type Unreadable = String;

/// The value of `column`, of the kind the table declares.
pub(super) fn get<T: rusqlite::types::FromSql>(row: &Row<'_>, column: &str) -> Result<T, Unreadable> {
    row.get(column).map_err(|error| format!("column {column}: {error}"))
}

/// A count or another number of 64 bits without sign; SQLite has only signed ones, so the bits are taken as they are.
pub(super) fn unsigned(row: &Row<'_>, column: &str) -> Result<u64, Unreadable> {
    get::<i64>(row, column).map(i64::cast_unsigned)
}

/// A small number.
pub(super) fn small(row: &Row<'_>, column: &str) -> Result<u32, Unreadable> {
    let value: i64 = get(row, column)?;
    u32::try_from(value).map_err(|_| format!("column {column}: found {value}, expected 0 to {}", u32::MAX))
}

/// A digest.
pub(super) fn digest(row: &Row<'_>, column: &str) -> Result<Digest, Unreadable> {
    let bytes: Vec<u8> = get(row, column)?;
    Digest::from_bytes(&bytes).ok_or_else(|| format!("column {column}: found {} bytes, expected 32", bytes.len()))
}

/// A sequence of moves.
pub(super) fn sequence(row: &Row<'_>, column: &str) -> Result<Vec<u32>, Unreadable> {
    let bytes: Vec<u8> = get(row, column)?;
    moves::decode(&bytes).ok_or_else(|| format!("column {column}: the bytes are no sequence of moves"))
}

/// A value that has a name.
pub(super) fn named<T>(row: &Row<'_>, column: &str, from: impl Fn(&str) -> Option<T>) -> Result<T, Unreadable> {
    let name: String = get(row, column)?;
    from(&name).ok_or_else(|| format!("column {column}: '{name}' is not known"))
}

/// A value that is parsed.
pub(super) fn parsed<T: std::str::FromStr<Err: Display>>(row: &Row<'_>, column: &str) -> Result<T, Unreadable> {
    let text: String = get(row, column)?;
    text.parse().map_err(|error| format!("column {column}: {error}"))
}

/// A window, if the row has one.
pub(super) fn window(row: &Row<'_>) -> Result<Option<Window>, Unreadable> {
    if get::<Option<i64>>(row, "window_length")?.is_none() {
        return Ok(None);
    }
    Ok(Some(Window { length: small(row, "window_length")?, suffix: sequence(row, "window_suffix")? }))
}

/// The plan of a row that has one.
pub(super) fn plan(row: &Row<'_>) -> Result<Plan, Unreadable> {
    Ok(Plan {
        prefix: sequence(row, "prefix")?,
        strategy: named(row, "strategy", Strategy::from_name)?,
        width: small(row, "width")?,
        seed: unsigned(row, "seed")?,
        expansions: unsigned(row, "expansions")?,
        window: window(row)?,
        beat: get(row, "beat")?,
    })
}

/// An arm's key.
pub(super) fn arm(row: &Row<'_>, column: &str) -> Result<ArmKey, Unreadable> {
    named(row, column, |text| match *text.split('/').collect::<Vec<_>>() {
        ["root", strategy, width] => Some(ArmKey::Root(Strategy::from_name(strategy)?, width.parse().ok()?)),
        ["quarter", number] => number.parse().ok().map(ArmKey::Quarter),
        ["window"] => Some(ArmKey::Window),
        _ => None,
    })
}

/// The text of an arm's key.
pub(super) fn arm_text(arm: &ArmKey) -> String {
    match arm {
        ArmKey::Root(strategy, width) => format!("root/{strategy}/{width}"),
        ArmKey::Quarter(number) => format!("quarter/{number}"),
        ArmKey::Window => "window".to_owned(),
    }
}

/// The text of an origin.
pub(super) fn origin_text(origin: &Origin) -> String {
    match origin {
        Origin::BuiltIn => "built-in".to_owned(),
        Origin::StandIn => "stand-in".to_owned(),
        Origin::Added => "added".to_owned(),
        Origin::File(path) => format!("file:{path}"),
    }
}

/// The severity called `name`.
pub(super) fn severity(name: &str) -> Option<Severity> {
    Severity::ALL.into_iter().find(|severity| severity.name() == name)
}
