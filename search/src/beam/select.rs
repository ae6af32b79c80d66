//! From candidates to the next layer: states made, duplicates found out, hopeless ones left aside.

use super::ancestry::Link;
use super::candidates::Candidate;
use crate::gate::Gate;
use crate::known::Known;
use crate::outcome::Ending;
use cascade_games::Game;
use rayon::prelude::*;

/// A beam's next layer.
pub(crate) struct Layer<S> {
    /// Best first.
    pub(crate) states: Vec<S>,
    pub(crate) links: Vec<Link>,
    /// Whether candidates were left out for want of room.
    pub(crate) is_full: bool,
    /// Depends on every state and its place.
    pub(crate) digest: u64,
}

/// The fewest candidates worth handing to the threads.
const SMALLEST_BATCH: usize = 64;
/// The most candidates made into states between two looks at the limits.
const LARGEST_BATCH: usize = 1 << 14;

/// Takes the best `width` distinct positions of `sorted` candidates whose bound `counts`. Of one position reached with
/// different scores the better stands, at the place of the first.
///
/// # Errors
/// Why it was interrupted.
pub(crate) fn select<G: Game>(
    game: &G,
    parents: &[G::State],
    sorted: &[Candidate],
    width: usize,
    counts: impl Fn(i64) -> bool + Sync,
    gate: &Gate<'_>,
) -> Result<Layer<G::State>, Ending> {
    let mut layer = Layer { states: Vec::new(), links: Vec::new(), is_full: false, digest: 0 };
    let mut known = Known::default();
    let mut rest = sorted;
    while layer.states.len() < width && !rest.is_empty() {
        if let Some(ending) = gate.interrupted() {
            return Err(ending);
        }
        let wanted = (width - layer.states.len()).clamp(SMALLEST_BATCH, LARGEST_BATCH).min(rest.len());
        let (batch, later) = rest.split_at(wanted);
        rest = later;
        let made: Vec<Option<G::State>> = batch
            .par_iter()
            .with_min_len(SMALLEST_BATCH)
            .map(|candidate| make(game, parents, candidate).filter(|state| counts(game.bound(state))))
            .collect();
        for (candidate, state) in batch.iter().zip(made) {
            let Some(state) = state else { continue };
            let link = Link { parent: candidate.parent, mv: candidate.mv };
            match known.find(game, candidate.hash, &state, &layer.states) {
                Some(twin) => {
                    if G::DIRECTION.is_better(game.score(&state), game.score(&layer.states[twin])) {
                        layer.states[twin] = state;
                        layer.links[twin] = link;
                    }
                }
                None if layer.states.len() == width => layer.is_full = true,
                None => {
                    known.add(candidate.hash);
                    layer.digest = layer.digest.rotate_left(1) ^ candidate.hash;
                    layer.states.push(state);
                    layer.links.push(link);
                }
            }
        }
    }
    layer.is_full |= !rest.is_empty();
    Ok(layer)
}

/// Plays the candidate's move in its parent again.
fn make<G: Game>(game: &G, parents: &[G::State], candidate: &Candidate) -> Option<G::State> {
    let mut state = parents.get(candidate.parent as usize)?.clone();
    game.apply(&mut state, game.decode(candidate.mv)?);
    Some(state)
}
