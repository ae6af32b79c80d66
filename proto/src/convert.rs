//! Between wire types and the types of the games.

use crate::v1;
use cascade_games::{Digest, InstanceName};
use prost_types::{Duration as WireDuration, Timestamp};
use std::time::Duration;

/// A message that does not say what it must.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// A field that must be there is not.
    #[error("the message has no {0}")]
    Missing(&'static str),
    /// A field holds what it cannot.
    #[error("{field}: {reason}")]
    Invalid {
        /// The field.
        field: &'static str,
        /// What was found and expected.
        reason: String,
    },
}

impl ConvertError {
    fn invalid(field: &'static str, reason: impl ToString) -> Self {
        Self::Invalid { field, reason: reason.to_string() }
    }
}

impl v1::InstanceRef {
    /// A reference to the instance called `name` with the content of `digest`.
    #[must_use]
    pub fn new(name: &InstanceName, digest: &Digest) -> Self {
        Self { name: name.to_string(), digest: digest.as_bytes().to_vec() }
    }

    /// Name and digest.
    ///
    /// # Errors
    /// When either is not of its form.
    pub fn parse(&self) -> Result<(InstanceName, Digest), ConvertError> {
        let name = self.name.parse().map_err(|error| ConvertError::invalid("instance.name", error))?;
        let digest = Digest::from_bytes(&self.digest).ok_or_else(|| {
            ConvertError::invalid(
                "instance.digest",
                format!("found {} bytes, expected the 32 of a SHA-256", self.digest.len()),
            )
        })?;
        Ok((name, digest))
    }
}

/// The value of a field that must be there.
///
/// # Errors
/// When it is not; `field` names it.
pub fn required<T>(value: Option<T>, field: &'static str) -> Result<T, ConvertError> {
    value.ok_or(ConvertError::Missing(field))
}

/// A duration for the wire; what is too long for it becomes the longest it can say.
#[must_use]
pub fn to_wire_duration(duration: Duration) -> WireDuration {
    WireDuration {
        seconds: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(duration.subsec_nanos()).unwrap_or(0),
    }
}

/// A duration from the wire.
///
/// # Errors
/// When it is negative; `field` names it.
pub fn from_wire_duration(duration: &WireDuration, field: &'static str) -> Result<Duration, ConvertError> {
    match (u64::try_from(duration.seconds), u32::try_from(duration.nanos)) {
        (Ok(seconds), Ok(nanos)) if nanos < 1_000_000_000 => Ok(Duration::new(seconds, nanos)),
        _ => Err(ConvertError::invalid(
            field,
            format!("found {} s {} ns, expected a duration of at least 0", duration.seconds, duration.nanos),
        )),
    }
}

/// A point in time for the wire, from milliseconds since 1970.
#[must_use]
pub fn to_timestamp(unix_millis: i64) -> Timestamp {
    Timestamp {
        seconds: unix_millis.div_euclid(1000),
        nanos: i32::try_from(unix_millis.rem_euclid(1000)).unwrap_or(0) * 1_000_000,
    }
}

/// Milliseconds since 1970 of a point in time from the wire.
#[must_use]
pub fn from_timestamp(timestamp: &Timestamp) -> i64 {
    timestamp.seconds.saturating_mul(1000).saturating_add(i64::from(timestamp.nanos / 1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_games::GameId;

    #[test]
    fn an_instance_is_read_back() {
        let name = InstanceName::new(GameId::Tetris, "baba").expect("a name");
        let digest = Digest::of("tetris", "content");
        assert_eq!(v1::InstanceRef::new(&name, &digest).parse(), Ok((name, digest)));
    }

    #[test]
    fn a_short_digest_is_refused_with_both_sizes() {
        let error = v1::InstanceRef { name: "tetris/baba".into(), digest: vec![1; 5] }.parse().expect_err("short");
        assert_eq!(error.to_string(), "instance.digest: found 5 bytes, expected the 32 of a SHA-256");
    }

    #[test]
    fn durations_and_times_are_read_back() {
        let duration = Duration::new(3, 250_000_000);
        assert_eq!(from_wire_duration(&to_wire_duration(duration), "test"), Ok(duration));
        assert!(from_wire_duration(&WireDuration { seconds: -1, nanos: 0 }, "test").is_err());
        for millis in [0, 1, 1_700_000_000_123, -1, -1_001] {
            assert_eq!(from_timestamp(&to_timestamp(millis)), millis);
        }
    }
}
