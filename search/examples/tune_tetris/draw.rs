//! Positions to learn from.

use crate::beam::{is_cleared, layers};
use cascade_games::Game;
use cascade_games::mix::mix2;
use cascade_games::tetris::{Inputs, TetrisGame, TetrisState, Weights, random_grid};

/// Width of the beams that positions are drawn from.
const WIDTH: usize = 400;
/// Width of the beams that tell what a position still costs.
const JUDGING_WIDTH: usize = 24;
/// So close to the end, in removals, they play on to it; further away the estimate of where they lead stands for the
/// rest: luck at the end of a narrow beam would hide what the position is worth.
const CLOSE: usize = 8;
/// Removals after which the estimate stands for the rest.
const HORIZON: usize = 5;
/// States whose mean estimate that is.
const AVERAGED: usize = 8;
/// Positions drawn from what a layer kept.
const KEPT_DRAWN: u64 = 7;
/// Positions drawn from the children of the layer before.
const CHILDREN_DRAWN: u64 = 1;

/// What the estimate sees of a position, and the removals it still costs.
pub(crate) struct Sample {
    pub(crate) inputs: Inputs,
    pub(crate) cost: f32,
}

/// Positions of every layer of one beam, layer by layer.
pub(crate) fn draw(seed: u64, weights: &Weights) -> Vec<Vec<Sample>> {
    let game = random_grid(16, 16, seed).with_weights(weights.clone());
    let layers_of_beam = layers(&game, game.start(), WIDTH, seed, None);
    let mut drawn = Vec::new();
    for (number, pair) in (1_u64..).zip(layers_of_beam.windows(2)) {
        let random = |of: usize, salt: u64| mix2(mix2(seed, number), salt) as usize % of.max(1);
        let kept = (0..KEPT_DRAWN).filter_map(|nth| pair[1].get(random(pair[1].len(), nth)).cloned());
        let children = (0..CHILDREN_DRAWN).filter_map(|nth| {
            let mut state = pair[0].get(random(pair[0].len(), 100 + nth))?.clone();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.apply(&mut state, *moves.get(random(moves.len(), 200 + nth))?);
            Some(state)
        });
        let is_close = layers_of_beam.len() - number as usize <= CLOSE;
        let horizon = (!is_close).then_some(HORIZON);
        let sample = |state: TetrisState| Sample { inputs: game.inputs(&state), cost: cost(&game, state, horizon) };
        drawn.push(kept.chain(children).map(sample).collect());
    }
    // In the last layer the board is cleared, and everything is known.
    drawn.pop();
    drawn
}

/// What `state` still costs, as a narrow beam sees it.
fn cost(game: &TetrisGame, state: TetrisState, horizon: Option<usize>) -> f32 {
    let layers = layers(game, state, JUDGING_WIDTH, 0, horizon);
    let removals = (layers.len() - 1) as f32;
    match layers.last() {
        Some(last) if !is_cleared(game, last) => {
            let estimates = last.iter().take(AVERAGED).map(|state| -game.estimate(state) as f32 / 1000.0);
            removals + estimates.sum::<f32>() / last.len().clamp(1, AVERAGED) as f32
        }
        _ => removals,
    }
}
