//! Playing on from a leaf of the tree.

use super::policy::{Policy, below, draw};
use super::scene::Scene;
use crate::replay::replay;
use cascade_games::{Direction, Game};
use rand_core::RngCore;

/// Moves that are looked at in each step, drawn by the policy.
const SAMPLE: usize = 16;
/// Noise of the estimate, in thousandths of the game's unit, either way.
const NOISE: i64 = 300;

/// A play from a leaf.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rollout {
    /// The best score on the way at which the play may stop.
    pub(crate) score: Option<i64>,
    /// The encoded moves from the leaf to there.
    pub(crate) moves: Vec<u32>,
    pub(crate) expansions: u64,
}

impl Rollout {
    /// Takes note that the play may stop with `score` after `length` moves.
    fn stop<G: Game>(&mut self, score: i64, length: usize, stop: &mut usize) {
        if self.score.is_none_or(|best| G::DIRECTION.is_better(score, best)) {
            self.score = Some(score);
            *stop = length;
        }
    }
}

/// Plays from `state`, which is `depth` moves below the root: in each step the policy draws some moves, and the one of
/// the best estimate, noise included, is made.
pub(crate) fn roll_out<G: Game>(
    scene: &Scene<'_, G>,
    policy: &Policy,
    state: &G::State,
    depth: u32,
    random: &mut impl RngCore,
) -> Rollout {
    let game = scene.game;
    let amplitude = (game.estimate_unit().saturating_mul(NOISE) / 1000).max(0).unsigned_abs();
    let mut rollout = Rollout::default();
    let mut stop = 0;
    let mut state = state.clone();
    let (mut moves, mut weights, mut order) = (Vec::new(), Vec::new(), Vec::new());
    if game.is_complete(&state) {
        rollout.stop::<G>(game.score(&state), 0, &mut stop);
    }
    while !game.is_over(&state) && !scene.is_window_end(depth + rollout.moves.len() as u32) {
        moves.clear();
        game.moves(&state, &mut moves);
        weights.clear();
        weights.extend(moves.iter().map(|&mv| policy.weight(game.move_code(&state, mv))));
        order.clear();
        order.extend(0..moves.len());
        let drawn = draw(&mut order, &weights, SAMPLE, random);
        let mut next: Option<(i64, G::Move, G::State)> = None;
        for &index in &order[..drawn] {
            let mut child = state.clone();
            game.apply(&mut child, moves[index]);
            rollout.expansions += 1;
            let noise = below(random, 2 * amplitude + 1).cast_signed() - amplitude.cast_signed();
            let estimate = match G::DIRECTION {
                Direction::Minimize if game.is_complete(&child) => i64::MAX,
                _ => game.estimate(&child).saturating_add(noise),
            };
            if next.as_ref().is_none_or(|&(best, ..)| estimate > best) {
                next = Some((estimate, moves[index], child));
            }
        }
        let Some((_, mv, child)) = next else { break };
        rollout.moves.push(game.encode(mv));
        state = child;
        if game.is_complete(&state) {
            rollout.stop::<G>(game.score(&state), rollout.moves.len(), &mut stop);
        }
    }
    if let Some((_, suffix)) = &scene.window
        && scene.is_window_end(depth + rollout.moves.len() as u32)
    {
        let replayed = replay(game, &state, suffix);
        rollout.expansions += replayed.expansions;
        if let Some(score) = replayed.score
            && rollout.score.is_none_or(|best| G::DIRECTION.is_better(score, best))
        {
            rollout.score = Some(score);
            rollout.moves.extend(replayed.moves);
            return rollout;
        }
    }
    rollout.moves.truncate(stop);
    rollout
}
