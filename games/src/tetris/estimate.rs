//! How promising a board is: a prediction of the removals it still costs.
//!
//! Few squares left is not close to the end: squares stranded in short runs are dear, crowded boards are cheap. So the
//! prediction weighs the runs of each colour, like squares that could soon meet, and the shape of the board, each by
//! how full the board still is.

use super::board::{Board, Planes};
use super::dispatch::{Kernel, dispatch};
use super::features::{Counts, Feature, Inputs};
use super::lanes::Lanes;
use super::network::dot;
use super::weights::Weights;

/// A fifth of a removal is a visible difference between siblings.
pub(super) const UNIT: i64 = 200;

/// A child counts as worse than asked for if its parent's outlook says so by this much. Of the children of a beam's layer
/// that are worth keeping, one in a thousand is lost to it.
const MARGIN: i64 = 80;

/// The same for children after a chain reaction, of which an outlook knows less; one in fifty is lost.
const REACTION_MARGIN: i64 = 500;

/// The predicted cost of what is left, in thousandths of a removal, negated: more is better.
pub(super) fn estimate(board: &Board, weights: &Weights) -> i64 {
    -dispatch(Cost { planes: board.planes(), weights })
}

/// What is said of `board` to the network.
pub(super) fn inputs(board: &Board) -> Inputs {
    dispatch(Describe(board.planes()))
}

/// Squares of the board that `inputs` describe.
#[inline(always)]
fn squares(inputs: &Inputs) -> i32 {
    inputs[Feature::Square as usize].into()
}

struct Describe<'a>(&'a Planes);

impl Kernel for Describe<'_> {
    type Output = Inputs;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Inputs {
        Counts::inputs::<L>(self.0)
    }
}

struct Cost<'a> {
    planes: &'a Planes,
    weights: &'a Weights,
}

impl Kernel for Cost<'_> {
    type Output = i64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> i64 {
        let inputs = Counts::inputs::<L>(self.planes);
        self.weights.cost(&inputs, squares(&inputs))
    }
}

/// What a parent tells of its children: the estimate as a plain sum of their features, true of boards much like it.
///
/// Where no unit of the network falls silent, wakes up or reaches its limit, the estimate is such a sum. A removal that
/// sets nothing off changes few features and few units, so this says nearly what the estimate would.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Squares of a child, had nothing vanished but the square removed.
    squares: i32,
    weights: Inputs,
    constant: i64,
}

impl Outlook {
    pub(super) fn new(board: &Board, weights: &Weights) -> Self {
        dispatch(LookOut { planes: board.planes(), weights })
    }
}

struct LookOut<'a> {
    planes: &'a Planes,
    weights: &'a Weights,
}

impl Kernel for LookOut<'_> {
    type Output = Outlook;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Outlook {
        let inputs = Counts::inputs::<L>(self.planes);
        let squares = (squares(&inputs) - 1).max(0);
        let weights = self.weights.slope(&inputs, squares);
        let constant = self.weights.cost(&inputs, squares) - i64::from(dot(&inputs, &weights));
        Outlook { squares, weights, constant }
    }
}

/// The estimate of a child of the outlook's parent; `None` where the outlook says that it is worse than `least`.
pub(super) fn estimate_child(board: &Board, weights: &Weights, outlook: &Outlook, least: i64) -> Option<i64> {
    dispatch(ChildCost { planes: board.planes(), weights, outlook, most: least.saturating_neg() }).map(|cost| -cost)
}

struct ChildCost<'a> {
    planes: &'a Planes,
    weights: &'a Weights,
    outlook: &'a Outlook,
    most: i64,
}

impl Kernel for ChildCost<'_> {
    type Output = Option<i64>;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Option<i64> {
        let inputs = Counts::inputs::<L>(self.planes);
        let squares = squares(&inputs);
        let foreseen = self.outlook.constant + i64::from(dot(&inputs, &self.outlook.weights));
        let margin = if squares == self.outlook.squares { MARGIN } else { REACTION_MARGIN };
        if foreseen > self.most.saturating_add(margin) {
            return None;
        }
        Some(self.weights.cost(&inputs, squares)).filter(|&cost| cost <= self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::TetrisGame;
    use super::super::lanes::PortableLanes;
    use super::super::random::random_grid;
    use super::*;
    use crate::game::Game;
    use crate::mix::mix2;

    fn play_at_random(game: &TetrisGame, seed: u64, mut check: impl FnMut(&Board)) {
        let mut state = game.start();
        let mut moves = Vec::new();
        while !game.is_over(&state) {
            check(&state.board);
            moves.clear();
            game.moves(&state, &mut moves);
            game.apply(&mut state, moves[mix2(seed, moves.len() as u64) as usize % moves.len()]);
        }
        check(&state.board);
    }

    #[test]
    fn the_portable_path_estimates_as_the_processors_own_does() {
        let weights = Weights::default();
        for seed in 0..500 {
            let game = random_grid(1 + seed as usize % 16, 16, seed);
            play_at_random(&game, seed, |board| {
                let portable = Cost { planes: board.planes(), weights: &weights }.run::<PortableLanes>();
                assert_eq!(estimate(board, &weights), -portable);
            });
        }
    }

    #[test]
    fn an_outlook_refuses_only_what_is_asked_to_be_refused_and_changes_no_estimate() {
        let weights = Weights::default();
        let (mut refused, mut lost, mut worth_keeping) = (0, 0, 0);
        for seed in 0..40 {
            let game = random_grid(16, 16, seed);
            play_at_random(&game, seed, |board| {
                let outlook = Outlook::new(board, &weights);
                let mut places = Vec::new();
                board.distinct_removals(&mut places);
                for place in places {
                    let mut child = board.clone();
                    child.remove(place);
                    let truth = estimate(&child, &weights);
                    assert_eq!(estimate_child(&child, &weights, &outlook, i64::MIN), Some(truth));
                    assert_eq!(estimate_child(&child, &weights, &outlook, truth + 1), None);
                    refused += 1;
                    let at_the_edge = estimate_child(&child, &weights, &outlook, truth);
                    assert!(at_the_edge.is_none_or(|found| found == truth));
                    worth_keeping += 1;
                    lost += usize::from(at_the_edge.is_none());
                    let portable =
                        ChildCost { planes: child.planes(), weights: &weights, outlook: &outlook, most: -truth };
                    assert_eq!(at_the_edge, portable.run::<PortableLanes>().map(|cost| -cost));
                }
            });
        }
        assert!(refused > 10_000 && lost * 20 < worth_keeping, "{lost} of {worth_keeping} lost");
    }

    #[test]
    fn a_board_and_its_mirror_image_are_estimated_alike() {
        let weights = Weights::default();
        for seed in 0..200 {
            let game = random_grid(16, 16, seed);
            let content: String = crate::puzzle::Puzzle::content(&game)
                .lines()
                .map(|row| row.chars().rev().chain(['\n']).collect::<String>())
                .collect();
            let mirrored = TetrisGame::parse(&content, "mirror").map(|game| estimate(&game.start().board, &weights));
            assert_eq!(mirrored, Ok(estimate(&game.start().board, &weights)));
        }
    }
}
