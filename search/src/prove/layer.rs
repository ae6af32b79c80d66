//! A layer of positions, or a part of one, and how its children are made.

use crate::beam::ancestry::{Ancestry, Link};
use crate::beam::expand::{BLOCK, by_chunks};
use crate::gate::Gate;
use crate::known::Known;
use crate::outcome::Ending;
use cascade_games::Game;
use cascade_games::mix::mix2;
use rayon::prelude::*;
use std::cmp::Reverse;

/// Children that a position is taken to have when little room is left.
const CHILDREN: usize = 64;

/// Positions of one layer that are to be expanded, in this order.
pub(super) struct Layer<S> {
    ancestry: Ancestry,
    states: Vec<S>,
    /// How many of them are expanded.
    done: usize,
}

/// A complete play that ends one move below a layer.
#[derive(Clone, Copy)]
pub(super) struct Best {
    pub(super) score: i64,
    link: Link,
}

/// What came of a block of positions, beside their children.
pub(super) struct Expanded {
    pub(super) expansions: u64,
    /// The best complete child.
    pub(super) best: Option<Best>,
}

/// Distinct children, while they are being made.
pub(super) struct Part<S> {
    states: Vec<S>,
    links: Vec<Link>,
    known: Known,
    room: usize,
    digest: u64,
}

struct Child<S> {
    state: S,
    hash: u64,
    link: Link,
}

/// The children of some positions.
struct Children<S> {
    expansions: u64,
    best: Option<Best>,
    open: Vec<Child<S>>,
}

impl<S: Clone + Send + Sync> Layer<S> {
    /// The layer that has only the start.
    pub(super) fn new(start: S) -> Self {
        Self { ancestry: Ancestry::default(), states: vec![start], done: 0 }
    }

    /// Positions held in memory.
    pub(super) fn size(&self) -> usize {
        self.states.len()
    }

    pub(super) fn is_done(&self) -> bool {
        self.done == self.states.len()
    }

    /// The positions that are not expanded yet.
    pub(super) fn open(&self) -> &[S] {
        &self.states[self.done..]
    }

    pub(super) fn depth(&self) -> u32 {
        self.ancestry.layers().len() as u32
    }

    pub(super) fn ancestry(&self) -> &Ancestry {
        &self.ancestry
    }

    pub(super) fn into_ancestry(self) -> Ancestry {
        self.ancestry
    }

    /// The encoded moves of the play that `best` ends.
    pub(super) fn play(&self, best: Best) -> Vec<u32> {
        let mut moves = self.ancestry.path(best.link.parent);
        moves.push(best.link.mv);
        moves
    }

    /// Expands the next block and adds its children that may end better than `beat` to `part`.
    ///
    /// # Errors
    /// Why it was interrupted; then nothing was changed.
    pub(super) fn expand<G: Game<State = S>>(
        &mut self,
        game: &G,
        gate: &Gate<'_>,
        beat: Option<i64>,
        part: &mut Part<S>,
    ) -> Result<Expanded, Ending> {
        let block = (part.room.saturating_sub(part.states.len()) / CHILDREN).clamp(1, BLOCK);
        let block = &self.open()[..block.min(self.open().len())];
        let made = by_chunks(block, self.done as u32, gate, |parents, first| children(game, parents, first, beat))?;
        self.done += block.len();
        let mut expanded = Expanded { expansions: 0, best: None };
        for children in made {
            expanded.expansions += children.expansions;
            expanded.best = better::<G>(expanded.best, children.best);
            for child in children.open {
                part.add(game, child);
            }
        }
        Ok(expanded)
    }
}

/// The children of `parents`, the first of which has rank `first`, that may end better than `beat`.
fn children<G: Game>(game: &G, parents: &[G::State], first: u32, beat: Option<i64>) -> Children<G::State> {
    let counts = |score| beat.is_none_or(|beat| G::DIRECTION.is_better(score, beat));
    let mut made = Children { expansions: 0, best: None, open: Vec::new() };
    let mut moves = Vec::new();
    for (parent, state) in (first..).zip(parents) {
        // A better play may have been found since it was made.
        if !counts(game.bound_for_proof(state)) {
            continue;
        }
        moves.clear();
        game.moves_for_proof(state, &mut moves);
        made.expansions += moves.len() as u64;
        for &mv in &moves {
            let mut child = state.clone();
            game.apply(&mut child, mv);
            let link = Link { parent, mv: game.encode(mv) };
            if game.is_complete(&child) {
                made.best = better::<G>(made.best, Some(Best { score: game.score(&child), link }));
            }
            if !game.is_over(&child) && counts(game.bound_for_proof(&child)) {
                made.open.push(Child { hash: game.hash(&child), state: child, link });
            }
        }
    }
    made
}

/// The better of two plays; of equal ones the first.
fn better<G: Game>(first: Option<Best>, second: Option<Best>) -> Option<Best> {
    first.into_iter().chain(second).min_by_key(|best| Reverse(G::DIRECTION.merit(best.score)))
}

impl<S: Clone + Send + Sync> Part<S> {
    /// With room for so many positions, about.
    pub(super) fn new(room: usize) -> Self {
        Self { states: Vec::new(), links: Vec::new(), known: Known::default(), room, digest: 0 }
    }

    pub(super) fn is_full(&self) -> bool {
        self.states.len() >= self.room
    }

    /// Depends on every position and its place.
    pub(super) fn digest(&self) -> u64 {
        mix2(self.digest, self.states.len() as u64)
    }

    /// Adds a child, or lets it stand for an equal position that was reached with a worse score.
    fn add<G: Game<State = S>>(&mut self, game: &G, child: Child<S>) {
        let Child { state, hash, link } = child;
        match self.known.find(game, hash, &state, &self.states) {
            Some(twin) => {
                if G::DIRECTION.is_better(game.score(&state), game.score(&self.states[twin])) {
                    self.states[twin] = state;
                    self.links[twin] = link;
                }
            }
            None => {
                self.known.add(hash);
                self.digest = self.digest.rotate_left(1) ^ hash;
                self.states.push(state);
                self.links.push(link);
            }
        }
    }

    /// The layer of these positions, below one that came about by `ancestry`, the most promising first; none if there are
    /// no positions.
    pub(super) fn below<G: Game<State = S>>(self, game: &G, mut ancestry: Ancestry) -> Option<Layer<S>> {
        if self.states.is_empty() {
            return None;
        }
        let promise = |state: &S| (G::DIRECTION.merit(game.bound_for_proof(state)), game.estimate(state));
        let promises = self.states.par_iter().map(promise);
        let mut ranked: Vec<_> = promises.zip(self.states.par_iter()).zip(self.links.par_iter()).collect();
        ranked.par_sort_by_key(|&((promise, _), _)| Reverse(promise));
        let states = ranked.iter().map(|&((_, state), _)| state.clone()).collect();
        ancestry.push(ranked.into_iter().map(|(_, &link)| link).collect());
        Some(Layer { ancestry, states, done: 0 })
    }
}
