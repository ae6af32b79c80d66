//! Which software may work together.

use crate::v1;

/// The oldest protocol this software speaks.
pub const PROTOCOL_MIN: u32 = 1;
/// The newest protocol this software speaks.
pub const PROTOCOL_MAX: u32 = 1;
/// Raised when the judge or a search changes what it computes: results of other rules cannot be compared or rerun.
pub const RULES: u32 = 1;

/// Two sides that must not work together, with what each of them has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VersionMismatch {
    /// No protocol that both speak.
    #[error("no common protocol: {ours} speaks {our_min} to {our_max}, {theirs} speaks {their_min} to {their_max}")]
    Protocol {
        /// Our software.
        ours: String,
        /// Our oldest protocol.
        our_min: u32,
        /// Our newest protocol.
        our_max: u32,
        /// Their software.
        theirs: String,
        /// Their oldest protocol.
        their_min: u32,
        /// Their newest protocol.
        their_max: u32,
    },
    /// Judges or searches that compute different things.
    #[error("different rules: {ours} has rules {our_rules}, {theirs} has rules {their_rules}")]
    Rules {
        /// Our software.
        ours: String,
        /// Our rules.
        our_rules: u32,
        /// Their software.
        theirs: String,
        /// Their rules.
        their_rules: u32,
    },
}

impl v1::Versions {
    /// The versions of this build; `software` is name and version of the program, as in `cascade-worker 0.1.0`.
    #[must_use]
    pub fn of(software: impl Into<String>) -> Self {
        Self { protocol_min: PROTOCOL_MIN, protocol_max: PROTOCOL_MAX, rules: RULES, software: software.into() }
    }

    /// The newest protocol that both sides speak.
    ///
    /// # Errors
    /// When there is none, or the rules differ.
    pub fn agree(&self, theirs: &Self) -> Result<u32, VersionMismatch> {
        let newest = self.protocol_max.min(theirs.protocol_max);
        if newest < self.protocol_min.max(theirs.protocol_min) {
            return Err(VersionMismatch::Protocol {
                ours: self.software.clone(),
                our_min: self.protocol_min,
                our_max: self.protocol_max,
                theirs: theirs.software.clone(),
                their_min: theirs.protocol_min,
                their_max: theirs.protocol_max,
            });
        }
        if self.rules != theirs.rules {
            return Err(VersionMismatch::Rules {
                ours: self.software.clone(),
                our_rules: self.rules,
                theirs: theirs.software.clone(),
                their_rules: theirs.rules,
            });
        }
        Ok(newest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(protocol_min: u32, protocol_max: u32, rules: u32) -> v1::Versions {
        v1::Versions { protocol_min, protocol_max, rules, software: format!("test {protocol_max}") }
    }

    #[test]
    fn the_newest_common_protocol_is_spoken() {
        assert_eq!(versions(1, 3, 1).agree(&versions(2, 5, 1)), Ok(3));
        assert_eq!(versions(1, 3, 1).agree(&versions(1, 2, 1)), Ok(2));
    }

    #[test]
    fn a_mismatch_names_both_sides() {
        let error = versions(1, 2, 1).agree(&versions(3, 4, 1)).expect_err("no common protocol").to_string();
        assert!(error.contains("test 2 speaks 1 to 2") && error.contains("test 4 speaks 3 to 4"), "{error}");
        let error = versions(1, 2, 1).agree(&versions(1, 2, 7)).expect_err("other rules").to_string();
        assert!(error.contains("rules 1") && error.contains("rules 7"), "{error}");
    }
}
