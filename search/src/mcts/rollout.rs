//! Playing on from a leaf of the tree by a narrow beam.

use super::policy::{Policy, draw};
use super::scene::Scene;
use crate::beam::ancestry::{Ancestry, Link};
use crate::gate::Gate;
use crate::outcome::Ending;
use crate::random::Noise;
use crate::replay::replay;
use cascade_games::{Direction, Game};
use rand_core::RngCore;
use std::cmp::Reverse;

/// Moves of each state that are looked at, drawn by the policy.
const SAMPLE: usize = 16;
/// Noise of the estimate, in thousandths of the game's unit, either way.
const NOISE: i64 = 100;

/// The best of the plays from a leaf.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rollout {
    /// The best score at which a play may stop.
    pub(crate) score: Option<i64>,
    /// The encoded moves from the leaf to there.
    pub(crate) moves: Vec<u32>,
    pub(crate) expansions: u64,
}

impl Rollout {
    /// Keeps the play that ends with `score` if it is the best so far.
    fn offer<G: Game>(&mut self, score: i64, moves: impl FnOnce() -> Vec<u32>) {
        if self.score.is_none_or(|best| G::DIRECTION.is_better(score, best)) {
            self.score = Some(score);
            self.moves = moves();
        }
    }
}

/// A child that may be in the next layer.
struct Candidate<S> {
    estimate: i64,
    hash: u64,
    link: Link,
    state: S,
}

/// The best candidates of a layer seen so far, with room for some more before the worse ones are dropped.
struct Selection<S> {
    width: usize,
    candidates: Vec<Candidate<S>>,
    /// The least estimate that matters.
    cutoff: i64,
}

impl<S> Selection<S> {
    fn new(width: usize) -> Self {
        Self { width, candidates: Vec::new(), cutoff: i64::MIN }
    }

    fn push(&mut self, candidate: Candidate<S>) {
        self.candidates.push(candidate);
        if self.candidates.len() > 2 * self.width {
            self.drop_worse();
        }
    }

    /// Of equal positions one is kept, told by their hash alone: a play less is all that a mistake costs here.
    fn drop_worse(&mut self) {
        self.candidates.sort_by_key(|child| (Reverse(child.estimate), child.hash, child.link.parent, child.link.mv));
        self.candidates.dedup_by_key(|child| child.hash);
        self.candidates.truncate(self.width);
        if let Some(worst) = self.candidates.last().filter(|_| self.candidates.len() == self.width) {
            self.cutoff = worst.estimate;
        }
    }

    /// The chosen, best first.
    fn finish(mut self) -> (Vec<Link>, Vec<S>) {
        self.drop_worse();
        self.candidates.into_iter().map(|child| (child.link, child.state)).unzip()
    }
}

/// Plays from `start`, which is `depth` moves below the root: of each state the policy draws some moves, and the `width`
/// best children by the estimate, noise included, are the next layer.
///
/// # Errors
/// Why it was interrupted.
pub(crate) fn roll_out<G: Game>(
    scene: &Scene<'_, G>,
    policy: &Policy,
    start: &G::State,
    depth: u32,
    gate: &Gate<'_>,
    random: &mut impl RngCore,
) -> Result<Rollout, Ending> {
    let game = scene.game;
    let noise = Noise::new(random.next_u64(), game.estimate_unit().saturating_mul(NOISE) / 1000);
    let mut rollout = Rollout::default();
    let mut ancestry = Ancestry::default();
    let mut layer = vec![start.clone()];
    let mut at = depth;
    if game.is_complete(start) {
        rollout.offer::<G>(game.score(start), Vec::new);
    }
    let (mut moves, mut weights, mut order) = (Vec::new(), Vec::new(), Vec::new());
    while !layer.is_empty() && !scene.is_window_end(at) {
        if let Some(ending) = gate.interrupted() {
            return Err(ending);
        }
        let mut selection = Selection::new(scene.rollout_width);
        for (rank, state) in (0..).zip(&layer).filter(|(_, state)| !game.is_over(state)) {
            moves.clear();
            game.moves(state, &mut moves);
            weights.clear();
            weights.extend(moves.iter().map(|&mv| policy.weight(game.move_code(state, mv))));
            order.clear();
            order.extend(0..moves.len());
            let drawn = draw(&mut order, &weights, SAMPLE, random);
            let outlook = game.outlook(state);
            for &index in &order[..drawn] {
                let mut child = state.clone();
                game.apply(&mut child, moves[index]);
                rollout.expansions += 1;
                let link = Link { parent: rank, mv: game.encode(moves[index]) };
                if game.is_complete(&child) {
                    rollout.offer::<G>(game.score(&child), || [ancestry.path(rank), vec![link.mv]].concat());
                }
                let hash = game.hash(&child);
                let noise = noise.of(hash);
                if let Some(estimate) = game.estimate_child(&outlook, &child, selection.cutoff.saturating_sub(noise)) {
                    let estimate = estimate.saturating_add(noise);
                    selection.push(Candidate { estimate, hash, link, state: child });
                }
            }
        }
        if G::DIRECTION == Direction::Minimize && rollout.score.is_some() {
            // Going on would only add to the score.
            break;
        }
        let links;
        (links, layer) = selection.finish();
        ancestry.push(links);
        at += 1;
    }
    if let Some((_, suffix)) = scene.window.as_ref().filter(|_| scene.is_window_end(at)) {
        for (rank, state) in (0..).zip(&layer) {
            let replayed = replay(game, state, suffix);
            rollout.expansions += replayed.expansions;
            if let Some(score) = replayed.score {
                rollout.offer::<G>(score, || [ancestry.path(rank), replayed.moves].concat());
            }
        }
    }
    Ok(rollout)
}
