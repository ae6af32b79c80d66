//! How promising a board is: a prediction of what it still costs.
//!
//! Few squares left is not close to the end: squares stranded in short runs are dear, crowded boards are cheap.

use super::board::Board;

/// A thousandth of a removal is the unit of an estimate; a fifth of a removal is a visible difference.
pub(super) const UNIT: i64 = 200;

/// What the parts of a board are thought to cost, in thousandths of a removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Each square in a run of fewer than four.
    pub stranded: i32,
    /// Each run of four or more.
    pub run: i32,
    /// Each square in a run of four or more.
    pub square: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self { stranded: 1000, run: 300, square: 20 }
    }
}

/// The predicted cost, negated: more is better.
pub(super) fn estimate(board: &Board, weights: &Weights) -> i64 {
    let mut cost = 0;
    for columns in &board.colour_counts() {
        for run in columns.split(|&count| count == 0).filter(|run| !run.is_empty()) {
            let squares: i64 = run.iter().map(|&count| i64::from(count)).sum();
            cost += if squares < 4 {
                i64::from(weights.stranded) * squares
            } else {
                i64::from(weights.run) + i64::from(weights.square) * squares
            };
        }
    }
    -cost
}
