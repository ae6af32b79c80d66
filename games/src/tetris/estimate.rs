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
use super::weights::{PHASES, Weights};

/// A fifth of a removal is a visible difference between siblings.
pub(super) const UNIT: i64 = 200;

/// The predicted cost of what is left, in thousandths of a removal, negated: more is better.
pub(super) fn estimate(board: &Board, weights: &Weights) -> i64 {
    -dispatch(Cost { planes: board.planes(), weights })
}

/// What is said of `board` to the network.
pub(super) fn inputs(board: &Board) -> Inputs {
    dispatch(Describe(board.planes()))
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
        let squares = i32::from(inputs[Feature::Square as usize]);
        let phase = usize::from(squares >= PHASES[1]);
        let (from, to) = (PHASES[phase], PHASES[phase + 1]);
        let passed = squares.min(to) - from;
        let early = dot(&inputs, &self.weights.phases[phase]);
        let late = dot(&inputs, &self.weights.phases[phase + 1]);
        let features = (i64::from(early) * i64::from(to - from - passed) + i64::from(late) * i64::from(passed))
            / i64::from(to - from);
        features + i64::from(self.weights.of_squares(squares) + self.weights.network.correction(&inputs))
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
