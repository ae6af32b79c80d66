//! What the features of a board are thought to cost.

use super::features::Inputs;
use super::network::Network;
use super::tuned;

/// Numbers of squares at which the weights of features are given; in between they change evenly, beyond the last they
/// stay. The first is 0.
pub const PHASES: [i32; 3] = [0, 64, 160];

/// Numbers of squares, 0, 16, 32 and so on to 256, at which the cost of the number itself is given.
pub const SQUARE_KNOTS: usize = 17;

/// Squares from one knot to the next.
const KNOT_DISTANCE: i32 = 16;

/// What each feature of a board is thought to cost, in thousandths of a removal.
///
/// The default was found by playing: see the example `tune_tetris` of the search crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The weights of the inputs at each of [`PHASES`].
    pub phases: [Inputs; PHASES.len()],
    /// The cost of the number of squares, at each knot.
    pub squares: [i32; SQUARE_KNOTS],
    /// What is added for the features that occur together.
    pub network: Box<Network>,
}

impl Weights {
    /// What the number of squares itself is thought to cost.
    #[inline(always)]
    pub(super) const fn of_squares(&self, squares: i32) -> i32 {
        let (knot, passed) = ((squares / KNOT_DISTANCE) as usize, squares % KNOT_DISTANCE);
        let next = if knot + 1 < SQUARE_KNOTS { knot + 1 } else { knot };
        (self.squares[knot] * (KNOT_DISTANCE - passed) + self.squares[next] * passed) / KNOT_DISTANCE
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self { phases: tuned::PHASES, squares: tuned::SQUARES, network: Box::new(tuned::NETWORK) }
    }
}
