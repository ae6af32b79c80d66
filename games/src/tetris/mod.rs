//! "Tetris, again": take squares out of a grid of four colours, one at a time, until chain reactions have cleared it.
//!
//! [`Grid`] reads grid files, [`judge`] is the plain engine that is trusted, [`board`] the fast one that is searched.
//! [`TetrisGame`] is one full grid: a [`crate::Game`] by the board and a [`crate::Puzzle`] by the judge.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod board;
pub mod bound;
mod columns;
mod dispatch;
mod estimate;
mod features;
mod game;
mod grid;
pub mod judge;
mod lanes;
mod network;
mod place;
mod puzzle;
mod random;
mod reaction;
mod replay;
mod runs;
mod sequence;
mod triples;
mod tuned;
mod weights;

pub use features::{FEATURES, Feature, INPUTS, Inputs};
pub use game::{TetrisGame, TetrisState};
pub use grid::{Fill, Grid, IllegalFill};
pub use network::{HIDDEN, Network, UNIT_SCALE};
pub use place::Place;
pub use random::random_grid;
pub use weights::{PHASES, SQUARE_KNOTS, Weights};

/// The largest number of rows, and of columns, of a grid.
pub const LARGEST_SIDE: usize = 16;

/// The contest's grid, four of its squares unknown.
pub const CONTEST_GRID: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/instances/tetris/contest.txt"));
