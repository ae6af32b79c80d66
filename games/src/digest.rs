//! The digest that identifies an instance's content.

use sha2::{Digest as _, Sha256};
use std::fmt;
use std::str::FromStr;

/// SHA-256 over a game's name and an instance's canonical content. Written as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `content` as an instance of the game called `game`.
    #[must_use]
    pub fn of(game: &str, content: &str) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(game.as_bytes());
        hasher.update([0]);
        hasher.update(content.as_bytes());
        Self(hasher.finalize().into())
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A digest from its 32 bytes, or `None` when there are not exactly 32.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The first 12 hexadecimal digits: enough for people to tell two apart.
    #[must_use]
    pub fn short(&self) -> String {
        let mut text = self.to_string();
        text.truncate(12);
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.short())
    }
}

/// The text is not a digest.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("expected a digest of 64 hexadecimal digits, found '{0}'")]
pub struct DigestError(String);

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Self, DigestError> {
        let refused = || DigestError(text.to_owned());
        if text.len() != 64 || !text.is_ascii() {
            return Err(refused());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| refused())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| refused())?;
        }
        Ok(Self(bytes))
    }
}
