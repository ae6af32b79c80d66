//! What the features of a board are thought to cost.

use super::features::{INPUTS, Inputs};
use super::network::{Network, dot};
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
    /// What a board costs by its `inputs` and its number of `squares`.
    #[inline(always)]
    pub(super) fn cost(&self, inputs: &Inputs, squares: i32) -> i64 {
        let Mix { phase, early, late } = Mix::new(squares);
        let features = i64::from(dot(inputs, &self.phases[phase])) * i64::from(early)
            + i64::from(dot(inputs, &self.phases[phase + 1])) * i64::from(late);
        features / i64::from(early + late) + i64::from(self.of_squares(squares) + self.network.correction(inputs))
    }

    /// What one more of each input would add to that, as long as no unit of the network starts or stops to count.
    #[inline(always)]
    pub(super) fn slope(&self, inputs: &Inputs, squares: i32) -> Inputs {
        let Mix { phase, early, late } = Mix::new(squares);
        let mut slope = [0_i32; INPUTS];
        self.network.add_slope(inputs, &mut slope);
        let phases = self.phases[phase].iter().zip(&self.phases[phase + 1]);
        let mut rounded = [0; INPUTS];
        for ((rounded, slope), (&first, &second)) in rounded.iter_mut().zip(slope).zip(phases) {
            let feature = (i32::from(first) * early + i32::from(second) * late) / (early + late);
            *rounded = (slope + feature).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        }
        rounded
    }

    /// What the number of squares itself is thought to cost.
    #[inline(always)]
    pub(super) const fn of_squares(&self, squares: i32) -> i32 {
        let (knot, passed) = ((squares / KNOT_DISTANCE) as usize, squares % KNOT_DISTANCE);
        let next = if knot + 1 < SQUARE_KNOTS { knot + 1 } else { knot };
        (self.squares[knot] * (KNOT_DISTANCE - passed) + self.squares[next] * passed) / KNOT_DISTANCE
    }
}

/// How much the weights of a phase, and those of the next, count.
struct Mix {
    phase: usize,
    early: i32,
    late: i32,
}

impl Mix {
    #[inline(always)]
    const fn new(squares: i32) -> Self {
        let phase = (squares >= PHASES[1]) as usize;
        let (from, to) = (PHASES[phase], PHASES[phase + 1]);
        let passed = if squares < to { squares } else { to } - from;
        Self { phase, early: to - from - passed, late: passed }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self { phases: tuned::PHASES, squares: tuned::SQUARES, network: Box::new(tuned::NETWORK) }
    }
}
