//! The one place that lists the games. A third game adds a variant here and a folder beside this file.

use crate::error::FormatError;
use crate::game::{Direction, Game};
use crate::puzzle::Puzzle;
use crate::{tetris, tritown};
use std::fmt;
use std::sync::Arc;

/// The games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameId {
    /// "Tetris, again": clear the grid in few removals.
    Tetris,
    /// Triple Town: build for points.
    Tritown,
}

impl GameId {
    /// Every game.
    pub const ALL: [Self; 2] = [Self::Tetris, Self::Tritown];

    /// The name used in instances' names, on the command line and on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tetris => "tetris",
            Self::Tritown => "tritown",
        }
    }

    /// The game called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|game| game.name() == name)
    }

    /// What the game's score counts, for people.
    #[must_use]
    pub const fn score_unit(self) -> &'static str {
        match self {
            Self::Tetris => "removals",
            Self::Tritown => "points",
        }
    }

    /// The ending of a file that holds a sequence in the contest's own format: `txt`, `out`.
    #[must_use]
    pub const fn sequence_ending(self) -> &'static str {
        match self {
            Self::Tetris => "txt",
            Self::Tritown => "out",
        }
    }

    /// Whether less or more is better.
    #[must_use]
    pub const fn direction(self) -> Direction {
        match self {
            Self::Tetris => tetris::TetrisGame::DIRECTION,
            Self::Tritown => tritown::TritownGame::DIRECTION,
        }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An instance of any game, engine and judge together; cheap to clone.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// A full grid of "Tetris, again".
    Tetris(Arc<tetris::TetrisGame>),
    /// A case of Triple Town.
    Tritown(Arc<tritown::TritownGame>),
}

/// Something to do with an instance whose game is only known at run time.
pub trait GameVisitor {
    /// What comes of it.
    type Output;
    /// Does it.
    fn visit<G: Game>(self, game: &G) -> Self::Output;
}

impl AnyGame {
    /// Reads an instance from its canonical content (see [`Puzzle::content`]) or any text of the game's instance
    /// format that stands for exactly one instance. `source_name` stands in errors.
    ///
    /// # Errors
    /// Where the text is not of the format, or the start position is not allowed.
    pub fn parse(game: GameId, content: &str, source_name: &str) -> Result<Self, FormatError> {
        match game {
            GameId::Tetris => tetris::TetrisGame::parse(content, source_name).map(|game| Self::Tetris(Arc::new(game))),
            GameId::Tritown => {
                tritown::TritownGame::parse(content, source_name).map(|game| Self::Tritown(Arc::new(game)))
            }
        }
    }

    /// Which game it is.
    #[must_use]
    pub const fn id(&self) -> GameId {
        match self {
            Self::Tetris(_) => GameId::Tetris,
            Self::Tritown(_) => GameId::Tritown,
        }
    }

    /// Calls `visitor` with the typed game.
    pub fn visit<V: GameVisitor>(&self, visitor: V) -> V::Output {
        match self {
            Self::Tetris(game) => visitor.visit(game.as_ref()),
            Self::Tritown(game) => visitor.visit(game.as_ref()),
        }
    }

    /// The trusted judge.
    #[must_use]
    pub fn puzzle(&self) -> Arc<dyn Puzzle> {
        match self {
            Self::Tetris(game) => game.clone(),
            Self::Tritown(game) => game.clone(),
        }
    }
}
