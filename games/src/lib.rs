//! The puzzles Cascade searches: their rules, boards, text formats, judges and bounds.
//!
//! This crate knows no I/O, no threads and no search. Each game lives in a folder of its own and shows itself in two
//! ways: as a [`Game`], the typed and fast engine that searches are generic over, and as a [`Puzzle`], the erased and
//! trusted judge that a coordinator works with. [`registry`] is the one place that lists the games.

pub mod catalog;
pub mod digest;
pub mod error;
pub mod game;
pub mod instance;
pub mod mix;
pub mod puzzle;
pub mod registry;
pub mod replay;
pub mod tetris;
pub mod tritown;

pub use catalog::Catalog;
pub use digest::Digest;
pub use error::{FormatError, IllegalMove};
pub use game::{Direction, Game};
pub use instance::{Instance, InstanceName, Origin};
pub use puzzle::{Bound, CheckReport, Judged, Position, Puzzle};
pub use registry::{AnyGame, GameId, GameVisitor};
pub use replay::{Replay, Scene, SceneKind, Turn};
