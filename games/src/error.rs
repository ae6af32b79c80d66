//! What can be wrong with a text or a sequence.

/// A text that is not of its format: where, what was found, what was expected.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("{source_name}, line {line}: found {found}, expected {expected}")]
pub struct FormatError {
    /// The file, or what stands for it (`<built-in>`, `<stdin>`).
    pub source_name: String,
    /// Line number, from 1.
    pub line: usize,
    /// What stands there, quoted where it is text, at most some 40 characters.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

/// A move of a sequence that the rules forbid.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("move {number}: {reason}")]
pub struct IllegalMove {
    /// Number of the move in its sequence, from 1.
    pub number: usize,
    /// Why the rules forbid it.
    pub reason: String,
}

/// The longest piece of a user's text that an error repeats, in characters.
const EXCERPT: usize = 40;

impl FormatError {
    /// An error at `line` (from 1) of `source_name`; `found` and `expected` are phrases.
    pub fn new(
        source_name: impl Into<String>,
        line: usize,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Self { source_name: source_name.into(), line, found: found.into(), expected: expected.into() }
    }

    /// `text` quoted for [`FormatError::found`], shortened, control characters escaped.
    #[must_use]
    pub fn quote(text: &str) -> String {
        let mut shown: String = text.chars().take(EXCERPT).flat_map(char::escape_debug).collect();
        if text.chars().nth(EXCERPT).is_some() {
            shown.push('…');
        }
        format!("'{shown}'")
    }
}
