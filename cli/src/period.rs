//! A length of time as people write it: `90s`, `10m`, `1h 30m`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A length of time, greater than zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Period(pub(crate) Duration);

impl FromStr for Period {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match humantime::parse_duration(text) {
            Ok(duration) if duration.is_zero() => Err("expected more than no time at all".to_owned()),
            Ok(duration) => Ok(Self(duration)),
            Err(error) => Err(format!("{error}; expected a length of time with its unit, as in 90s, 10m or 1h30m")),
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
    }
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Period {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// `duration` for people, in whole seconds: `2m 5s`.
pub(crate) fn rounded(duration: Duration) -> String {
    humantime::format_duration(Duration::from_secs(duration.as_secs_f64().round() as u64)).to_string()
}
