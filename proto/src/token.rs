//! The token that coordinator, workers and command line share.

use std::fmt;
use std::path::{Path, PathBuf};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::{Request, Status};

/// The metadata key under which clients send the token, as `Bearer TOKEN`.
pub const KEY: &str = "authorization";
/// What stands before the token in the metadata.
pub const SCHEME: &str = "Bearer ";

const SHORTEST: usize = 16;
const LONGEST: usize = 1024;

/// A shared secret of 16 to 1,024 printable ASCII characters without blanks. Its debug output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// The token cannot be had or used.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file cannot be read.
    #[error("cannot read the token file {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The text cannot be a token.
    #[error(
        "{origin} holds no usable token: found {found} characters{blank}, expected {SHORTEST} to {LONGEST} printable ASCII characters without blanks"
    )]
    Unusable {
        /// The file or variable.
        origin: String,
        /// How many characters it has.
        found: usize,
        /// Says so when characters are of the wrong kind.
        blank: &'static str,
    },
}

impl Token {
    /// A token from `text`, blanks and line ends around it left out. `origin` stands in errors.
    ///
    /// # Errors
    /// When it is too short, too long, or holds anything but printable ASCII characters.
    pub fn new(text: &str, origin: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        let printable = text.chars().all(|c| c.is_ascii_graphic());
        if printable && (SHORTEST..=LONGEST).contains(&text.len()) {
            return Ok(Self(text.to_owned()));
        }
        let blank = if printable { "" } else { ", some of them blank or not ASCII" };
        Err(TokenError::Unusable { origin: origin.to_owned(), found: text.chars().count(), blank })
    }

    /// Reads the token from a file that holds it and nothing else.
    ///
    /// # Errors
    /// When the file cannot be read or holds no token.
    pub fn read(path: &Path) -> Result<Self, TokenError> {
        let text =
            std::fs::read_to_string(path).map_err(|source| TokenError::Unreadable { path: path.to_owned(), source })?;
        Self::new(&text, &path.display().to_string())
    }

    /// The secret itself.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

/// Puts the token into every request of a client.
#[derive(Clone, Debug, Default)]
pub struct AttachToken(Option<MetadataValue<Ascii>>);

impl AttachToken {
    /// Attaches `token`, or nothing.
    #[must_use]
    pub fn new(token: Option<&Token>) -> Self {
        Self(token.and_then(|token| {
            let mut value = MetadataValue::try_from(format!("{SCHEME}{}", token.secret())).ok()?;
            value.set_sensitive(true);
            Some(value)
        }))
    }
}

impl Interceptor for AttachToken {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert(KEY, value.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_trimmed_and_hidden() {
        let token = Token::new(" 0123456789abcdef\r\n", "test").expect("usable");
        assert_eq!(token.secret(), "0123456789abcdef");
        assert!(!format!("{token:?}").contains("0123"));
    }

    #[test]
    fn what_cannot_be_a_token_is_refused_without_repeating_it() {
        for text in ["", "short", "with a blank in it, long", "0123456789abcdeé"] {
            let error = Token::new(text, "CASCADE_TOKEN").expect_err("unusable").to_string();
            assert!(error.contains("CASCADE_TOKEN") && error.contains("expected 16"), "{error}");
            assert!(text.is_empty() || !error.contains(text), "{error}");
        }
    }

    #[test]
    fn the_token_is_attached_as_a_bearer_token() {
        let token = Token::new("0123456789abcdef", "test").expect("usable");
        let request = AttachToken::new(Some(&token)).call(Request::new(())).expect("attached");
        assert_eq!(request.metadata().get(KEY).expect("present"), "Bearer 0123456789abcdef");
    }
}
