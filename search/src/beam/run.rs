//! One beam from the root to its end, layer by layer.

use super::ancestry::{Ancestry, Link};
use super::candidates::Candidates;
use super::expand::{BLOCK, Demand, Expanded, Finish, expand};
use super::select::select;
use crate::gate::Gate;
use crate::journal::Journal;
use crate::outcome::Ending;
use crate::random::Noise;
use crate::replay::replay;
use crate::root::Root;
use cascade_games::mix::mix2;
use cascade_games::{Direction, Game};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Of a layer as wide as may be, one state in so many, the most promising ones, is expanded by all its moves. The others go
/// on by lively moves only: what a state far down the list is good for is often the one reaction it was built up to.
const FULLY_EXPANDED: u32 = 8;
/// States at the end of a window whose suffix is replayed: the best by estimate.
const REPLAYS: usize = 512;
/// Replays that one thread makes at a time.
const REPLAY_CHUNK: usize = 8;
/// Complete plays of a layer that are kept in mind, of different parents.
const FINISHES: usize = 256;
/// Complete plays of a run that are handed back as promising.
const PROMISES: usize = 16;

/// What stays the same through a run.
pub(crate) struct Course<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) root: &'a Root<G::State>,
    pub(crate) width: u32,
    pub(crate) noise: Noise,
    /// Moves to search, and the moves to replay after them.
    pub(crate) window: Option<(u32, Vec<G::Move>)>,
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Nothing is left to expand. If `all`, nothing was left out that could beat the search's best (or what it had to
    /// beat).
    Done { all: bool },
    /// The budget is spent.
    Spent,
    /// A limit cut it short in the middle of a layer.
    Interrupted(Ending),
}

/// A beam between two layers.
pub(crate) struct Beam<S> {
    pub(crate) ancestry: Ancestry,
    pub(crate) states: Vec<S>,
    /// Whether anything but hopeless states and duplicates was left out so far.
    pub(crate) lossy: bool,
}

impl<S: Clone + Send + Sync> Beam<S> {
    /// A beam that has only its root.
    pub(crate) fn new(root: &Root<S>) -> Self {
        Self { ancestry: Ancestry::default(), states: vec![root.state.clone()], lossy: false }
    }

    /// Layers below the root.
    pub(crate) fn depth(&self) -> u32 {
        self.ancestry.layers().len() as u32
    }

    /// Expands layer after layer; marks the journal and calls `between` before each.
    pub(crate) fn run<G: Game<State = S>>(
        &mut self,
        course: &Course<'_, G>,
        gate: &mut Gate<'_>,
        journal: &mut Journal<'_>,
        mut between: impl FnMut(&Self, &mut Gate<'_>, &Journal<'_>),
    ) -> End {
        loop {
            journal.mark();
            between(self, gate, journal);
            if let Some((length, suffix)) = &course.window
                && self.depth() >= *length
            {
                if journal.is_spent() {
                    return End::Spent;
                }
                return match self.replay_suffix(course, gate, journal, suffix) {
                    Ok(()) => End::Done { all: !self.lossy },
                    Err(ending) => End::Interrupted(ending),
                };
            }
            let mut layer = Expansion::new(course.width);
            let mut end = layer.expand_all(self, course, gate, journal);
            if end == LayerEnd::Open {
                match self.advance(course, gate, journal, &mut layer) {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(ending) => end = LayerEnd::Interrupted(ending),
                }
            }
            self.promise(course, journal, &layer.finishes);
            match end {
                LayerEnd::Open => return End::Done { all: !self.lossy },
                LayerEnd::Complete => {
                    let hopeless = |state: &S| !journal.counts(course.game.bound(state));
                    let all = !self.lossy && !layer.candidates.is_thinned() && self.states.iter().all(hopeless);
                    return End::Done { all };
                }
                LayerEnd::Spent => return End::Spent,
                LayerEnd::Interrupted(ending) => return End::Interrupted(ending),
            }
        }
    }

    /// Makes the chosen candidates the current layer; false, and the layer stays, when none is worth it.
    fn advance<G: Game<State = S>>(
        &mut self,
        course: &Course<'_, G>,
        gate: &Gate<'_>,
        journal: &mut Journal<'_>,
        expansion: &mut Expansion,
    ) -> Result<bool, Ending> {
        self.lossy |= expansion.candidates.is_thinned();
        let sorted = expansion.candidates.take_sorted();
        let counts = |bound| journal.counts(bound);
        let layer = select(course.game, &self.states, &sorted, course.width as usize, counts, gate)?;
        self.lossy |= layer.is_full;
        journal.note(mix2(layer.digest, layer.states.len() as u64));
        if layer.states.is_empty() {
            return Ok(false);
        }
        self.states = layer.states;
        self.ancestry.push(layer.links);
        Ok(true)
    }

    /// Scores the best states at the end of a window by what the rest of the known play makes of them.
    fn replay_suffix<G: Game<State = S>>(
        &mut self,
        course: &Course<'_, G>,
        gate: &Gate<'_>,
        journal: &mut Journal<'_>,
        suffix: &[G::Move],
    ) -> Result<(), Ending> {
        self.lossy |= self.states.len() > REPLAYS;
        let tried = &self.states[..self.states.len().min(REPLAYS)];
        let replays: Result<Vec<_>, Ending> = tried
            .par_iter()
            .with_min_len(REPLAY_CHUNK)
            .map(|state| gate.interrupted().map_or_else(|| Ok(replay(course.game, state, suffix)), Err))
            .collect();
        let replays = replays?;
        journal.spend(replays.iter().map(|replayed| replayed.expansions).sum());
        let mut ranked: Vec<_> = (0u32..)
            .zip(replays)
            .filter_map(|(rank, replayed)| Some((replayed.score?, rank, replayed.moves)))
            .collect();
        ranked.sort_by_key(|&(score, rank, _)| (std::cmp::Reverse(G::DIRECTION.merit(score)), rank));
        for (score, rank, moves) in ranked.into_iter().take(PROMISES) {
            let play = course.root.play(self.ancestry.path(rank).into_iter().chain(moves));
            journal.complete(score, play.clone());
            journal.promise(score, play);
        }
        Ok(())
    }

    /// The play that ends in `finish`, a child of the current layer.
    fn play<G: Game<State = S>>(&self, course: &Course<'_, G>, finish: Finish) -> Vec<u32> {
        course.root.play(self.ancestry.path(finish.parent).into_iter().chain([finish.mv]))
    }

    /// Hands back complete plays of the last layer as promising, first those whose ancestors differ half-way up.
    fn promise<G: Game<State = S>>(&self, course: &Course<'_, G>, journal: &mut Journal<'_>, finishes: &[Finish]) {
        let generations = self.ancestry.layers().len() / 2;
        let mut known = BTreeSet::new();
        let (distinct, others): (Vec<&Finish>, Vec<&Finish>) =
            finishes.iter().partition(|finish| known.insert(self.ancestry.ancestor(finish.parent, generations)));
        for finish in distinct.into_iter().chain(others).take(PROMISES) {
            journal.promise(finish.score, self.play(course, *finish));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LayerEnd {
    /// Every parent was expanded and the beam goes on.
    Open,
    /// A play is complete and the game wants short ones.
    Complete,
    Spent,
    Interrupted(Ending),
}

/// A layer while it is being expanded.
struct Expansion {
    candidates: Candidates,
    /// The best complete children so far, of different parents, best first.
    finishes: Vec<Finish>,
}

impl Expansion {
    fn new(width: u32) -> Self {
        Self { candidates: Candidates::new(width), finishes: Vec::new() }
    }

    fn expand_all<G: Game>(
        &mut self,
        beam: &Beam<G::State>,
        course: &Course<'_, G>,
        gate: &Gate<'_>,
        journal: &mut Journal<'_>,
    ) -> LayerEnd
    where
        G::State: Clone + Send + Sync,
    {
        let is_full = beam.states.len() >= course.width as usize;
        let lively_from = if is_full { course.width.div_ceil(FULLY_EXPANDED) } else { u32::MAX };
        for (index, block) in beam.states.chunks(BLOCK).enumerate() {
            if journal.is_spent() {
                return LayerEnd::Spent;
            }
            let first = (index * BLOCK) as u32;
            let demand = Demand { noise: course.noise, cutoff: self.candidates.cutoff(), lively_from };
            let expanded = match expand(course.game, demand, block, first, gate) {
                Ok(expanded) => expanded,
                Err(ending) => return LayerEnd::Interrupted(ending),
            };
            let Expanded { expansions, mut candidates, finishes, refused } = expanded;
            journal.spend(expansions);
            self.candidates.take(&mut candidates, refused);
            self.keep_finishes::<G>(finishes);
            if let Some(&best) = self.finishes.first() {
                if journal.counts(best.score) {
                    journal.complete(best.score, beam.play(course, best));
                }
                if G::DIRECTION == Direction::Minimize {
                    return LayerEnd::Complete;
                }
            }
            journal.progress(beam.depth());
        }
        LayerEnd::Open
    }

    fn keep_finishes<G: Game>(&mut self, finishes: Vec<Finish>) {
        self.finishes.extend(finishes);
        self.finishes.sort_by_key(|finish| (std::cmp::Reverse(G::DIRECTION.merit(finish.score)), finish.parent));
        self.finishes.truncate(FINISHES);
    }
}

/// Plays the links of `ancestry` again, layer by layer, to the states of its newest layer.
///
/// # Errors
/// What is wrong with it, if its links do not lead to states.
pub(crate) fn rebuild<G: Game>(game: &G, root: &G::State, ancestry: &Ancestry) -> Result<Vec<G::State>, String> {
    let step = |parents: &[G::State], link: &Link| {
        let mut state = parents.get(link.parent as usize)?.clone();
        let mv = game.decode(link.mv).filter(|&mv| game.is_legal(&state, mv))?;
        game.apply(&mut state, mv);
        Some(state)
    };
    let mut states = vec![root.clone()];
    for (depth, layer) in ancestry.layers().iter().enumerate() {
        let next: Option<Vec<G::State>> = layer.par_iter().map(|link| step(&states, link)).collect();
        states = next.ok_or_else(|| format!("a link of layer {} leads nowhere", depth + 1))?;
    }
    Ok(states)
}
