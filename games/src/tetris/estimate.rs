//! How promising a board is: a prediction of the removals it still costs.
//!
//! Few squares left is not close to the end: squares stranded in short runs are dear, crowded boards are cheap. So the
//! prediction weighs the runs of each colour, like squares that could soon meet, and the shape of the board, each by
//! how full the board still is.

use super::board::{Board, Planes};
use super::dispatch::{Kernel, dispatch};
use super::features::{Counts, FEATURES};
use super::lanes::Lanes;
use super::weights::{PHASES, Weights};

/// A fifth of a removal is a visible difference between siblings.
pub(super) const UNIT: i64 = 200;

/// The predicted cost of what is left, in thousandths of a removal, negated: more is better.
pub(super) fn estimate(board: &Board, weights: &Weights) -> i64 {
    -dispatch(Cost { planes: board.planes(), weights })
}

struct Cost<'a> {
    planes: &'a Planes,
    weights: &'a Weights,
}

impl Kernel for Cost<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> i64 {
        let counts = Counts::of::<L>(self.planes);
        let squares = counts.squares();
        let phase = usize::from(squares >= PHASES[1]);
        let (from, to) = (PHASES[phase], PHASES[phase + 1]);
        let passed = squares.min(to) - from;
        let early = dot(counts.as_array(), &self.weights.phases[phase]);
        let late = dot(counts.as_array(), &self.weights.phases[phase + 1]);
        let features = (i64::from(early) * i64::from(to - from - passed) + i64::from(late) * i64::from(passed))
            / i64::from(to - from);
        features + i64::from(self.weights.of_squares(squares))
    }
}

#[inline(always)]
fn dot(counts: &[i32; FEATURES], weights: &[i32; FEATURES]) -> i32 {
    counts.iter().zip(weights).map(|(count, weight)| count * weight).sum()
}
