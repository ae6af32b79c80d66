//! Search to proof: every play of an instance is looked at, or ruled out by an admissible bound.
//!
//! A short [`solve`] gives a good play to beat. Then all positions are made layer by layer; equal ones, compared in full,
//! are searched once, and those that cannot end better than the best play are left out. A layer is made in parts, the
//! positions with the best bounds first, each of which is searched to its end before the next is made. Parts are small at
//! first, so that good plays are found early, and grow with the effort as far as the memory allows: memory is bounded, and
//! only what several parts share is searched more than once.

mod layer;

use crate::gate::Gate;
use crate::limits::Limits;
use crate::observer::{Found, Observer, Progress};
use crate::outcome::{Ending, Outcome};
use crate::plan::{Plan, Strategy};
use crate::solve::{SolveOptions, solve};
use cascade_games::Game;
use cascade_games::mix::mix2;
use layer::{Best, Layer};
use rayon::prelude::*;

/// The most of a budget that the search for a play to beat gets: one part in so many.
const FIRST_SHARE: u64 = 4;
/// A part of a layer has room for so many positions, however little memory there is.
const SMALLEST_PART: usize = 1024;
/// A part grows by one position for so many expansions spent before it.
const EXPANSIONS_A_POSITION: u64 = 128;
/// What a position takes in memory beside its state, in bytes: its link, its place in the table, room to grow.
const BESIDE_STATE: usize = 64;

/// What a person asks of [`prove`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProveOptions {
    /// The search for a play to beat. Its budget is that of the whole.
    pub solve: SolveOptions,
    /// Expansions of that search, within a quarter of the budget.
    pub first_expansions: u64,
    /// Memory for positions, in bytes, about.
    pub memory: u64,
}

/// What [`prove`] found out.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The search; its `proved` says whether the best is optimal.
    pub outcome: Outcome,
    /// No play ends better than this; the best score itself when that is proved. None if it is proved that no play ends
    /// as the game wants.
    pub bound: Option<i64>,
}

/// Searches `game` from its start until it is proved that no play is better than the best, or `limits` or the budget end
/// it. Without a deadline the result depends on game and options alone.
pub fn prove<G: Game>(game: &G, options: &ProveOptions, limits: &Limits<'_>, observer: &dyn Observer) -> Proof {
    let budget = options.solve.expansions.unwrap_or(u64::MAX);
    let first = SolveOptions { expansions: Some(options.first_expansions.min(budget / FIRST_SHARE)), ..options.solve };
    let outcome = solve(game, &first, limits, observer);
    let mut prover = Prover { game, gate: Gate::new(limits), observer, seed: first.seed, budget, outcome };
    let start = game.start();
    let most = tighter::<G>(options.solve.bound, game.bound_for_proof(&start));
    if prover.outcome.proved || !prover.counts(most) {
        return prover.proved();
    }
    if let ending @ (Ending::Deadline | Ending::Stopped) = prover.outcome.ending {
        return prover.ended(ending, most);
    }
    let position = size_of::<G::State>() + size_of::<G::State>() / 2 + BESIDE_STATE;
    // Ranks in a layer have 32 bits.
    let memory = usize::try_from(options.memory / position as u64).unwrap_or(usize::MAX).min(u32::MAX as usize / 2);
    let mut open = vec![Layer::new(start)];
    while let Some(layer) = open.pop() {
        if layer.is_done() {
            continue;
        }
        let held: usize = layer.size() + open.iter().map(Layer::size).sum::<usize>();
        // Half of what is left: should the part be too large in its turn, there is as much again for those below it.
        let room = memory.saturating_sub(held) / 2;
        // Small parts come to their ends soon, and what they find rules out much of what comes after them.
        let grown = usize::try_from(prover.outcome.expansions / EXPANSIONS_A_POSITION).unwrap_or(usize::MAX);
        let room = room.min(grown).max(SMALLEST_PART);
        if let Err(ending) = prover.advance(layer, room, &mut open) {
            let bound = prover.bound_of(&open).map_or(most, |bound| tighter::<G>(Some(bound), most));
            return prover.ended(ending, bound);
        }
        if !prover.counts(most) {
            break;
        }
    }
    prover.proved()
}

/// The bound that says more.
fn tighter<G: Game>(known: Option<i64>, bound: i64) -> i64 {
    known.filter(|&known| G::DIRECTION.is_better(bound, known)).unwrap_or(bound)
}

struct Prover<'a, G> {
    game: &'a G,
    gate: Gate<'a>,
    observer: &'a dyn Observer,
    seed: u64,
    budget: u64,
    /// What was found so far.
    outcome: Outcome,
}

impl<G: Game> Prover<'_, G> {
    /// Makes the children of `layer` as far as there is room, and puts on `open` what is left of it and then these. If it
    /// is cut short, `open` holds all that is left.
    fn advance(
        &mut self,
        mut layer: Layer<G::State>,
        room: usize,
        open: &mut Vec<Layer<G::State>>,
    ) -> Result<(), Ending> {
        let mut part = layer::Part::new(room);
        let mut ending = None;
        while !layer.is_done() && !part.is_full() && ending.is_none() {
            if self.outcome.expansions >= self.budget {
                ending = Some(Ending::Budget);
                break;
            }
            let beat = self.outcome.best.as_ref().map(|best| best.score);
            match layer.expand(self.game, &self.gate, beat, &mut part) {
                Ok(expanded) => {
                    self.outcome.expansions += expanded.expansions;
                    if let Some(best) = expanded.best {
                        self.complete(&layer, best);
                    }
                    self.progress(layer.depth());
                }
                Err(interrupted) => ending = Some(interrupted),
            }
        }
        self.outcome.trace = mix2(self.outcome.trace, part.digest());
        if layer.is_done() {
            open.extend(part.below(self.game, layer.into_ancestry()));
        } else {
            let below = part.below(self.game, layer.ancestry().clone());
            open.push(layer);
            open.extend(below);
        }
        ending.map_or(Ok(()), Err)
    }

    /// Whether a play that ends with `score` would be the best.
    fn counts(&self, score: i64) -> bool {
        self.outcome.best.as_ref().is_none_or(|best| G::DIRECTION.is_better(score, best.score))
    }

    /// Takes a complete play that a child of `layer` is.
    fn complete(&mut self, layer: &Layer<G::State>, best: Best) {
        if !self.counts(best.score) {
            return;
        }
        let moves = layer.play(best);
        let plan = Plan::new(moves.clone(), Strategy::Beam, 1, self.seed, 0);
        let found = Found { moves, score: best.score, expansions: self.outcome.expansions, plan };
        self.observer.improved(&found);
        self.outcome.trace = mix2(self.outcome.trace, found.score.cast_unsigned());
        self.outcome.promising.insert(0, found.moves.clone());
        self.outcome.promising.truncate(crate::journal::MOST_PROMISING);
        self.outcome.best = Some(found);
    }

    fn progress(&self, layer: u32) {
        let best = self.outcome.best.as_ref().map(|best| best.score);
        self.observer.progress(&Progress { expansions: self.outcome.expansions, runs: 0, layer, best });
    }

    /// The best that a play through what is still open may end with; the best play's score, if that is no worse.
    fn bound_of(&self, open: &[Layer<G::State>]) -> Option<i64> {
        let best = self.outcome.best.as_ref().map(|best| best.score);
        let of_layer = |layer: &Layer<G::State>| {
            let bounds = layer.open().par_iter().map(|state| self.game.bound_for_proof(state));
            bounds.max_by_key(|&bound| G::DIRECTION.merit(bound))
        };
        open.iter().filter_map(of_layer).chain(best).max_by_key(|&bound| G::DIRECTION.merit(bound))
    }

    fn proved(self) -> Proof {
        let bound = self.outcome.best.as_ref().map(|best| best.score);
        Proof { outcome: Outcome { ending: Ending::Exhausted, proved: true, ..self.outcome }, bound }
    }

    fn ended(self, ending: Ending, bound: i64) -> Proof {
        Proof { outcome: Outcome { ending, proved: false, ..self.outcome }, bound: Some(bound) }
    }
}
