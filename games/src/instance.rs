//! Instances and their names.

use crate::puzzle::Puzzle;
use crate::registry::{AnyGame, GameId};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// `game/name`: `tetris/baba`, `tritown/7`. Parsing also takes the short forms `baba` and `tritown7`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceName {
    game: GameId,
    name: String,
}

/// The text names no instance.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NameError {
    /// The part before the slash is no game.
    #[error("unknown game '{0}', expected one of: tetris, tritown")]
    UnknownGame(String),
    /// The part after the slash cannot be a name.
    #[error(
        "'{0}' is not an instance's name: expected letters, digits, '-', '_' or '.', at most 100 of them, as in tetris/baba or tritown/7"
    )]
    BadName(String),
}

const LONGEST_NAME: usize = 100;

impl InstanceName {
    /// A name from its two parts.
    ///
    /// # Errors
    /// When `name` is empty, too long, starts with a dot, or holds anything but letters, digits, `-`, `_`, `.`.
    pub fn new(game: GameId, name: &str) -> Result<Self, NameError> {
        let fits = !name.is_empty()
            && name.len() <= LONGEST_NAME
            && !name.starts_with('.')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        if fits { Ok(Self { game, name: name.to_owned() }) } else { Err(NameError::BadName(name.to_owned())) }
    }

    /// The game.
    #[must_use]
    pub const fn game(&self) -> GameId {
        self.game
    }

    /// The part after the slash.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for InstanceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.game, self.name)
    }
}

impl FromStr for InstanceName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        if let Some((game, name)) = text.split_once('/') {
            let game = GameId::from_name(game).ok_or_else(|| NameError::UnknownGame(game.to_owned()))?;
            return Self::new(game, name);
        }
        match text.strip_prefix("tritown") {
            Some(number) if !number.is_empty() => Self::new(GameId::Tritown, number),
            _ => Self::new(GameId::Tetris, text),
        }
    }
}

/// Where an instance comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Built into the program and the real thing (the contest's grid).
    BuiltIn,
    /// Built in, but only standing in for an official file that is not to be had.
    StandIn,
    /// Read from the named file.
    File(String),
    /// Added by an administrator while the farm ran.
    Added,
}

/// One puzzle of a game under its name.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The name.
    pub name: InstanceName,
    /// Where it comes from.
    pub origin: Origin,
    /// The typed engine; searches take it.
    pub game: AnyGame,
}

impl Instance {
    /// The trusted judge of this instance.
    #[must_use]
    pub fn puzzle(&self) -> Arc<dyn Puzzle> {
        self.game.puzzle()
    }
}
