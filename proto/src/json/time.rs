//! Points in time.

use crate::convert;
use prost_types::Timestamp;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A point in time as RFC 3339 in UTC, to the millisecond.
#[must_use]
pub fn rfc3339(timestamp: &Timestamp) -> String {
    humantime::format_rfc3339_millis(system_time(timestamp)).to_string()
}

/// A point in time from the wire; what lies before 1970 becomes 1970.
#[must_use]
pub fn system_time(timestamp: &Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(convert::from_timestamp(timestamp)).unwrap_or(0))
}
