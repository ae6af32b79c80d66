//! Which software may work together.

use crate::v1;

/// The oldest protocol this software speaks.
pub const PROTOCOL_MIN: u32 = 1;
/// The newest protocol this software speaks.
pub const PROTOCOL_MAX: u32 = 1;
/// Raised when the judge or a search changes what it computes: results of other rules cannot be compared or rerun.
pub const RULES: u32 = 2;

impl v1::Versions {
    /// The versions of this build; `software` is name and version of the program, as in `cascade-worker 0.1.0`.
    #[must_use]
    pub fn of(software: impl Into<String>) -> Self {
        Self { protocol_min: PROTOCOL_MIN, protocol_max: PROTOCOL_MAX, rules: RULES, software: software.into() }
    }
}
