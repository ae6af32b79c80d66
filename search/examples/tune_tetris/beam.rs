//! A plain beam that shows its layers.

use cascade_games::Game;
use cascade_games::mix::mix2;
use cascade_games::tetris::{Place, TetrisGame, TetrisState};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Spread of the noise that makes beams of a grid differ, in units of the estimate.
const NOISE: u64 = 400;

/// Removals of a beam of `width` from the start, without noise.
pub(crate) fn removals(game: &TetrisGame, width: usize) -> usize {
    layers(game, game.start(), width, 0, None).len() - 1
}

/// The layers of a beam from `start`, up to the first that holds a cleared board or, if `most` says so, at most that many
/// below the start. Seed 0 plays without noise.
pub(crate) fn layers(
    game: &TetrisGame,
    start: TetrisState,
    width: usize,
    seed: u64,
    most: Option<usize>,
) -> Vec<Vec<TetrisState>> {
    let mut layers = Vec::new();
    let mut layer = vec![start];
    while most.is_none_or(|most| layers.len() < most) && !is_cleared(game, &layer) {
        let mut children: Vec<(Reverse<i64>, u64, usize, Place)> = Vec::new();
        let mut moves = Vec::new();
        for (parent, state) in layer.iter().enumerate() {
            moves.clear();
            game.moves(state, &mut moves);
            for &place in &moves {
                let mut child = state.clone();
                game.apply(&mut child, place);
                let hash = game.hash(&child);
                let noise = if seed == 0 { 0 } else { (mix2(hash, seed) % NOISE) as i64 };
                let promise = if game.is_complete(&child) { i64::MAX } else { game.estimate(&child) + noise };
                children.push((Reverse(promise), hash, parent, place));
            }
        }
        // Duplicates are few: three times the width holds enough distinct children.
        if children.len() > 3 * width {
            children.select_nth_unstable(3 * width);
            children.truncate(3 * width);
        }
        children.sort_unstable();
        let mut seen = BTreeSet::new();
        let best = children.into_iter().filter(|&(_, hash, ..)| seen.insert(hash)).take(width);
        let next = best.map(|(_, _, parent, place)| {
            let mut child = layer[parent].clone();
            game.apply(&mut child, place);
            child
        });
        let next = next.collect();
        layers.push(std::mem::replace(&mut layer, next));
    }
    layers.push(layer);
    layers
}

/// Whether a board of `layer` is cleared.
pub(crate) fn is_cleared(game: &TetrisGame, layer: &[TetrisState]) -> bool {
    layer.iter().any(|state| game.is_complete(state))
}
