//! What a search has spent and found so far.

use crate::observer::{Found, Observer, Progress};
use crate::outcome::{Checkpoint, Ending, Outcome};
use crate::plan::Plan;
use cascade_games::Direction;
use cascade_games::mix::mix2;
use serde::{Deserialize, Serialize};

/// The most plays that an outcome hands back as promising.
pub(crate) const MOST_PROMISING: usize = 16;

/// The part of a journal that a checkpoint carries.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ledger {
    counts: Counts,
    plays: Plays,
}

/// What changes all the time.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Counts {
    /// Expansions spent in all.
    expansions: u64,
    /// Runs finished.
    runs: u64,
    /// Seed of the current run.
    run_seed: u64,
    /// What the current run had to beat when it began.
    run_beat: Option<i64>,
    /// Expansions spent in the current run.
    run_expansions: u64,
    /// Expansions of the dearest run that came to its end.
    dearest_run: u64,
    trace: u64,
}

/// What changes seldom.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Plays {
    best: Option<Found>,
    /// Scores and plays, best first.
    promising: Vec<(i64, Vec<u32>)>,
}

impl Ledger {
    pub(crate) fn expansions(&self) -> u64 {
        self.counts.expansions
    }
}

/// Books expansions, tells the observer of improvements, and makes the outcome.
pub(crate) struct Journal<'a> {
    plan: &'a Plan,
    direction: Direction,
    observer: &'a dyn Observer,
    counts: Counts,
    plays: Plays,
    /// How things stood at the last mark; the plays only if they changed since.
    marked: (Counts, Option<Plays>),
}

impl<'a> Journal<'a> {
    pub(crate) fn new(plan: &'a Plan, direction: Direction, observer: &'a dyn Observer, ledger: Ledger) -> Self {
        let Ledger { counts, plays } = ledger;
        Self { plan, direction, observer, counts, plays, marked: (counts, None) }
    }

    /// Remembers how things stand now.
    pub(crate) fn mark(&mut self) {
        self.marked = (self.counts, None);
    }

    /// How things stood at the last mark.
    pub(crate) fn marked(&self) -> Ledger {
        let (counts, plays) = &self.marked;
        Ledger { counts: *counts, plays: plays.as_ref().unwrap_or(&self.plays).clone() }
    }

    /// The plays, to be changed.
    fn plays_mut(&mut self) -> &mut Plays {
        self.marked.1.get_or_insert_with(|| self.plays.clone());
        &mut self.plays
    }

    /// Runs finished.
    pub(crate) fn runs(&self) -> u64 {
        self.counts.runs
    }

    /// Whether the budget is spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.counts.expansions >= self.plan.expansions
    }

    pub(crate) fn spend(&mut self, expansions: u64) {
        self.counts.expansions += expansions;
        self.counts.run_expansions += expansions;
    }

    /// The score that a play must beat to count.
    pub(crate) fn incumbent(&self) -> Option<i64> {
        self.plays.best.as_ref().map(|found| found.score).or(self.plan.beat)
    }

    /// Whether a play that ends with `score` would count.
    pub(crate) fn counts(&self, score: i64) -> bool {
        self.incumbent().is_none_or(|incumbent| self.direction.is_better(score, incumbent))
    }

    pub(crate) fn begin_run(&mut self, seed: u64) {
        self.counts.run_seed = seed;
        self.counts.run_beat = self.incumbent();
        self.counts.run_expansions = 0;
    }

    pub(crate) fn end_run(&mut self) {
        self.counts.runs += 1;
        self.counts.dearest_run = self.counts.dearest_run.max(self.counts.run_expansions);
    }

    /// Takes a complete play; tells the observer if it is better than all before it.
    pub(crate) fn complete(&mut self, score: i64, moves: Vec<u32>) {
        if !self.counts(score) {
            return;
        }
        let plan = Plan {
            seed: self.counts.run_seed,
            expansions: self.counts.run_expansions,
            beat: self.counts.run_beat,
            ..self.plan.clone()
        };
        self.note(moves.iter().fold(score.cast_unsigned(), |digest, &mv| mix2(digest, u64::from(mv))));
        self.promise(score, moves.clone());
        let found = Found { moves, score, expansions: self.counts.expansions, plan };
        self.observer.improved(&found);
        self.plays_mut().best = Some(found);
    }

    /// Keeps a complete play as material for later searches, if it is among the best.
    pub(crate) fn promise(&mut self, score: i64, moves: Vec<u32>) {
        let direction = self.direction;
        let held = &self.plays.promising;
        let full = held.len() == MOST_PROMISING;
        if full && held.last().is_some_and(|&(worst, _)| !direction.is_better(score, worst))
            || held.iter().any(|(_, known)| *known == moves)
        {
            return;
        }
        let promising = &mut self.plays_mut().promising;
        let place = promising.partition_point(|&(known, _)| !direction.is_better(score, known));
        promising.insert(place, (score, moves));
        promising.truncate(MOST_PROMISING);
    }

    /// Adds `digest` to the trace.
    pub(crate) fn note(&mut self, digest: u64) {
        self.counts.trace = mix2(self.counts.trace, digest);
    }

    /// Tells the observer how far the search is.
    pub(crate) fn progress(&self, layer: u32) {
        self.observer.progress(&Progress {
            expansions: self.counts.expansions,
            runs: self.counts.runs,
            layer,
            best: self.plays.best.as_ref().map(|found| found.score),
        });
    }

    pub(crate) fn checkpoint(&self, checkpoint: Checkpoint) {
        self.observer.checkpoint(checkpoint);
    }

    /// The outcome of a search that ends by its budget or a limit.
    pub(crate) fn finish(self, ending: Ending, checkpoint: Option<Checkpoint>) -> Outcome {
        self.outcome(ending, false, checkpoint)
    }

    /// The outcome of a search that has nothing left to look at.
    pub(crate) fn exhausted(self, proved: bool) -> Outcome {
        self.outcome(Ending::Exhausted, proved, None)
    }

    fn outcome(self, ending: Ending, proved: bool, checkpoint: Option<Checkpoint>) -> Outcome {
        Outcome {
            ending,
            proved,
            best: self.plays.best,
            expansions: self.counts.expansions,
            dearest_run: self.counts.dearest_run,
            promising: self.plays.promising.into_iter().map(|(_, moves)| moves).collect(),
            trace: mix2(self.counts.trace, self.counts.expansions),
            checkpoint,
        }
    }
}
