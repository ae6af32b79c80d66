//! From parents to candidates.

use super::candidates::Candidate;
use crate::gate::Gate;
use crate::outcome::Ending;
use crate::random::Noise;
use cascade_games::Game;
use rayon::prelude::*;

/// Parents in a block: what is expanded between two looks at the budget.
pub(crate) const BLOCK: usize = 256;
/// The most parents that one thread takes at a time.
const CHUNK: usize = 8;
/// Parts that a small block is cut into, so that a narrow beam keeps all threads busy too.
const PARTS: usize = 16;

/// A child at which the play may stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    pub(crate) score: i64,
    pub(crate) parent: u32,
    pub(crate) mv: u32,
}

/// What came of a block of parents.
pub(crate) struct Expanded {
    pub(crate) expansions: u64,
    /// In the order of the parents.
    pub(crate) candidates: Vec<Vec<Candidate>>,
    /// The best complete child of each parent that has one, in the order of the parents.
    pub(crate) finishes: Vec<Finish>,
    /// Whether children were kept out.
    pub(crate) refused: bool,
}

struct Chunk {
    expansions: u64,
    candidates: Vec<Candidate>,
    finishes: Vec<Finish>,
    refused: bool,
}

/// What is asked of children.
#[derive(Clone, Copy)]
pub(super) struct Demand {
    pub(super) noise: Noise,
    /// The least estimate, noise included, if there is one yet.
    pub(super) cutoff: Option<i64>,
    /// From this rank on, parents' children count only if they are lively.
    pub(super) lively_from: u32,
}

/// Plays every listed move in each of `parents`, the first of which has rank `first`.
pub(super) fn expand<G: Game>(
    game: &G,
    demand: Demand,
    parents: &[G::State],
    first: u32,
    gate: &Gate<'_>,
) -> Result<Expanded, Ending> {
    let chunks = by_chunks(parents, first, gate, |chunk, first| expand_chunk(game, demand, chunk, first))?;
    let mut all = Expanded { expansions: 0, candidates: Vec::new(), finishes: Vec::new(), refused: false };
    for chunk in chunks {
        all.expansions += chunk.expansions;
        all.candidates.push(chunk.candidates);
        all.finishes.extend(chunk.finishes);
        all.refused |= chunk.refused;
    }
    Ok(all)
}

/// What `work` makes of the parents of a block, chunk by chunk in their order. It is given a chunk and the rank of its
/// first parent; that of the block's is `first`.
///
/// # Errors
/// Why it was interrupted.
pub(crate) fn by_chunks<S: Sync, T: Send>(
    parents: &[S],
    first: u32,
    gate: &Gate<'_>,
    work: impl Fn(&[S], u32) -> T + Sync,
) -> Result<Vec<T>, Ending> {
    let size = parents.len().div_ceil(PARTS).clamp(1, CHUNK);
    // Cut up fully, or the end of a block lies with one thread while the others wait.
    parents
        .par_chunks(size)
        .with_max_len(1)
        .enumerate()
        .map(|(index, chunk)| match gate.interrupted() {
            Some(ending) => Err(ending),
            None => Ok(work(chunk, first + (index * size) as u32)),
        })
        .collect()
}

fn expand_chunk<G: Game>(game: &G, demand: Demand, parents: &[G::State], first: u32) -> Chunk {
    let mut chunk = Chunk { expansions: 0, candidates: Vec::new(), finishes: Vec::new(), refused: false };
    let mut moves = Vec::new();
    let cutoff = demand.cutoff.unwrap_or(i64::MIN);
    for (parent, state) in (first..).zip(parents) {
        moves.clear();
        game.moves(state, &mut moves);
        let outlook = game.outlook(state);
        let mut finish: Option<Finish> = None;
        for &mv in &moves {
            let mut child = state.clone();
            game.apply(&mut child, mv);
            if parent >= demand.lively_from && !game.is_lively(state, &child) {
                chunk.refused = true;
                continue;
            }
            chunk.expansions += 1;
            if game.is_complete(&child) {
                let score = game.score(&child);
                if finish.is_none_or(|best| G::DIRECTION.is_better(score, best.score)) {
                    finish = Some(Finish { score, parent, mv: game.encode(mv) });
                }
            }
            if game.is_over(&child) {
                continue;
            }
            let hash = game.hash(&child);
            let noise = demand.noise.of(hash);
            match game.estimate_child(&outlook, &child, cutoff.saturating_sub(noise)) {
                Some(estimate) => {
                    let estimate = estimate.saturating_add(noise);
                    chunk.candidates.push(Candidate { estimate, hash, parent, mv: game.encode(mv) });
                }
                None => chunk.refused = true,
            }
        }
        chunk.finishes.extend(finish);
    }
    chunk
}
