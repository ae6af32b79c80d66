//! One instance as the core knows it.

use super::change::{Best, EndedRecord, ProofRecord, SettingsRecord};
use super::frontier::Frontier;
use super::id::CommitId;
use cascade_games::{Bound, Digest, Direction, Instance, InstanceName, Puzzle};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Endings of leases that are remembered for explanations.
const ENDINGS: usize = 16;

/// A best on its way to the store.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) commit: CommitId,
    pub(super) best: Arc<Best>,
    /// The worker's id of the report that brought it.
    pub(super) report_id: Option<String>,
}

/// An instance, its best and its frontier.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) instance: Instance,
    /// Its place among the instances of its game.
    pub(super) place: usize,
    pub(super) digest: Digest,
    pub(super) content: Arc<str>,
    pub(super) puzzle: Arc<dyn Puzzle>,
    pub(super) direction: Direction,
    /// The tightest bound that needs no search.
    pub(super) counted_bound: Bound,
    /// What a search proved. Durable.
    pub(super) proof: Option<ProofRecord>,
    /// As the store has it.
    pub(super) settings: SettingsRecord,
    /// As it will be when all that is on its way to the store is there.
    pub(super) wanted: SettingsRecord,
    /// Durable and published.
    pub(super) best: Option<Arc<Best>>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) frontier: Frontier,
    /// Leases that workers hold.
    pub(super) active: BTreeSet<u64>,
    /// Leases that wait for a worker.
    pub(super) waiting: BTreeSet<u64>,
    /// The last leases that ended, newest first.
    pub(super) endings: VecDeque<EndedRecord>,
}

impl Entry {
    /// An instance that was never searched.
    pub(super) fn new(instance: Instance, place: usize, most_states: usize) -> Self {
        let puzzle = instance.puzzle();
        let digest = puzzle.digest();
        let direction = puzzle.game().direction();
        let counted_bound = puzzle.tightest_bound();
        let settings = SettingsRecord { instance: digest, priority: 100, paused: false };
        Self {
            frontier: Frontier::new(&instance, counted_bound.value, most_states),
            content: puzzle.content().into(),
            digest,
            direction,
            counted_bound,
            proof: None,
            wanted: settings.clone(),
            settings,
            best: None,
            candidates: Vec::new(),
            active: BTreeSet::new(),
            waiting: BTreeSet::new(),
            endings: VecDeque::new(),
            puzzle,
            instance,
            place,
        }
    }

    pub(super) fn name(&self) -> &InstanceName {
        &self.instance.name
    }

    /// The durable best score.
    pub(super) fn best_score(&self) -> Option<i64> {
        self.best.as_ref().map(|best| best.score)
    }

    /// The best among the durable one and those on their way to the store.
    pub(super) fn best_known(&self) -> Option<&Arc<Best>> {
        let on_their_way = self.candidates.iter().map(|candidate| &candidate.best);
        on_their_way.chain(&self.best).max_by_key(|best| self.direction.merit(best.score))
    }

    /// Whether `score` is better than all that is known.
    pub(super) fn is_better(&self, score: i64) -> bool {
        self.best_known().is_none_or(|best| self.direction.is_better(score, best.score))
    }

    /// How far the best is from the bound, as a part of the smaller of the two. None without a best, or where a ratio
    /// makes no sense.
    pub(super) fn room(&self) -> Option<f64> {
        let score = self.best_score()?;
        let bound = self.bound().value;
        let (small, large) = (score.min(bound), score.max(bound));
        #[allow(clippy::cast_precision_loss, reason = "relative values; a float's precision is plenty")]
        let ratio = |small: i64, large: i64| large as f64 / small as f64 - 1.0;
        (small > 0).then(|| ratio(small, large))
    }

    /// The tightest proven bound.
    pub(super) fn bound(&self) -> Bound {
        let proved = self.proof.as_ref().map(|proof| proof.bound);
        self.counted_bound.clone().or_proved(proved, self.direction)
    }

    /// Whether no play can be better than the best.
    pub(super) fn is_optimal(&self) -> bool {
        self.best_score().is_some_and(|score| !self.direction.is_better(self.bound().value, score))
    }

    /// Whether there is anything left to search for.
    pub(super) fn is_settled(&self) -> bool {
        self.is_optimal() || self.frontier.is_exhausted()
    }

    /// Remembers how an attempt ended.
    pub(super) fn note_ending(&mut self, ended: EndedRecord) {
        self.endings.push_front(ended);
        self.endings.truncate(ENDINGS);
    }
}
