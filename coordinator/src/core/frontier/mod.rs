//! The frontier of one instance: its partial states and the ways to search them, each with its account.
//!
//! The root is searched by arms, one for each strategy and width, that grow wider as narrower ones were tried.
//! Prefixes of good plays are partial states of their own, grouped into arms by how deep they are, and windows of the
//! best play are another. All arms compete on what they gain for what they cost ([`value`]); within an arm of many
//! states the ranking ([`rank`]) says which is next. What is out on lease counts as spent, so that two workers are
//! never sent after the same thing, and a plan's seed is never used twice.

mod account;
mod arm;
mod choose;
mod grow;
mod index;
mod load;
mod rank;
mod sanity;
mod size;
mod state;
mod value;
mod width;

use crate::core::change::{ArmKey, Change, StateKind};
use crate::core::id::StateId;
use crate::core::view::{ArmView, StateView};
use arm::Arm;
use cascade_games::mix::mix2;
use cascade_games::{Digest, Direction, Instance, Puzzle};
use rank::Rank;
use size::Size;
use state::State;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub(super) use account::Settled;
pub(super) use choose::{Budget, Work};

/// The partial states of one instance.
#[derive(Debug)]
pub(super) struct Frontier {
    digest: Digest,
    puzzle: Arc<dyn Puzzle>,
    direction: Direction,
    size: Size,
    most_states: usize,
    states: BTreeMap<StateId, State>,
    next_state: u64,
    arms: BTreeMap<ArmKey, Arm>,
    rank: Rank,
    /// States by hash of their position's key.
    positions: BTreeMap<u64, BTreeSet<StateId>>,
    /// States by their bound, for pruning.
    bounds: BTreeSet<(i64, StateId)>,
    /// States without children, the least promising first.
    leaves: BTreeSet<(i64, Reverse<u64>, StateId)>,
    moves_held: usize,
    /// States that were never searched and are not out.
    untried: usize,
    /// Expansions spent.
    spent: u64,
    /// Of these, on no arm's account: rows of arms that the store had lost.
    unattributed: u64,
    finished: u64,
    gains: f64,
    spread: f64,
    out: u32,
    out_budget: u64,
    /// Merit of the instance's durable best.
    best: Option<i64>,
    /// The best play whose prefixes were taken in last.
    learned: Option<Vec<u32>>,
    /// How often a worker said that everything from the root was searched.
    root_claims: u32,
    dirty_states: BTreeSet<StateId>,
    dirty_arms: BTreeSet<ArmKey>,
    /// Stored states that turned out not to be of this instance, in words.
    dropped: Vec<String>,
}

impl Frontier {
    /// The frontier of an instance that was never searched, no play of which is better than `bound`.
    pub(super) fn new(instance: &Instance, bound: i64, most_states: usize) -> Self {
        let puzzle = instance.puzzle();
        let direction = puzzle.game().direction();
        let root = State {
            parent: None,
            children: BTreeSet::new(),
            since: Vec::new(),
            kind: StateKind::Root,
            arm: None,
            window: None,
            layer: 0,
            merit: puzzle.position(&[]).map_or(0, |start| direction.merit(start.score)),
            bound: direction.merit(bound),
            key: 0,
            source: None,
            best: None,
            spent: 0,
            finished: 0,
            next_seed: 0,
            exhausted: false,
            faults: 0,
            out: 0,
            out_budget: 0,
            verified: true,
        };
        Self {
            digest: puzzle.digest(),
            direction,
            size: Size::measure(&instance.game),
            most_states,
            states: BTreeMap::from([(StateId::ROOT, root)]),
            next_state: 1,
            arms: BTreeMap::new(),
            rank: Rank::default(),
            positions: BTreeMap::new(),
            bounds: BTreeSet::new(),
            leaves: BTreeSet::new(),
            moves_held: 0,
            untried: 0,
            spent: 0,
            unattributed: 0,
            finished: 0,
            gains: 0.0,
            spread: 1.0,
            out: 0,
            out_budget: 0,
            best: None,
            learned: None,
            root_claims: 0,
            dirty_states: BTreeSet::new(),
            dirty_arms: BTreeSet::new(),
            dropped: Vec::new(),
            puzzle,
        }
    }

    /// Expansions spent.
    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    /// Leases finished.
    pub(super) const fn finished(&self) -> u64 {
        self.finished
    }

    /// Leases out, those that wait for a worker included.
    pub(super) const fn out(&self) -> u32 {
        self.out
    }

    /// Number of partial states, the root included.
    pub(super) fn states_total(&self) -> usize {
        self.states.len()
    }

    /// Number of leasable partial states that were never searched and are not out.
    pub(super) const fn untried(&self) -> usize {
        self.untried
    }

    /// Whether everything from the root was searched, by two workers' word.
    pub(super) fn is_exhausted(&self) -> bool {
        self.root().exhausted
    }

    /// Expected improvements for an expansion of the next `budget`, of the instance as a whole.
    pub(super) fn value(&self, budget: u64) -> f64 {
        value::rate(self.gains, self.spent.saturating_add(self.out_budget), budget)
    }

    /// What must be written since it was last asked: whole rows.
    pub(super) fn take_changes(&mut self, into: &mut Vec<Change>) {
        for id in std::mem::take(&mut self.dirty_states) {
            into.push(match self.states.get(&id) {
                Some(state) => Change::State(state.record(self.digest, id, self.direction)),
                None => Change::StateRemoved { instance: self.digest, id },
            });
        }
        for key in std::mem::take(&mut self.dirty_arms) {
            if let Some(arm) = self.arms.get(&key) {
                into.push(Change::Arm(arm.record(self.digest, key, self.direction)));
            }
        }
    }

    /// These rows did not reach the store: they are to be written again.
    pub(super) fn unsaved(&mut self, change: &Change) {
        match change {
            Change::State(record) => {
                self.dirty_states.insert(record.id);
            }
            Change::StateRemoved { id, .. } => {
                self.dirty_states.insert(*id);
            }
            Change::Arm(record) => {
                self.dirty_arms.insert(record.arm);
            }
            _ => {}
        }
    }

    /// Stored states that were dropped since it was last asked, in words.
    pub(super) fn take_dropped(&mut self) -> Vec<String> {
        std::mem::take(&mut self.dropped)
    }

    /// The arms for readers, values relative to the best arm.
    pub(super) fn arm_views(&self) -> Vec<ArmView> {
        let budget = self.spent / 8 + 1;
        let values: Vec<_> = self.arms.values().map(|arm| arm.value(self.best, self.spread, budget)).collect();
        let top = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        self.arms
            .iter()
            .zip(values)
            .map(|((&key, arm), value)| ArmView {
                arm: key,
                next_seed: arm.next_seed,
                finished: arm.finished,
                expansions: arm.spent,
                out: arm.out,
                best: arm.best.map(|merit| self.direction.merit(merit)),
                value: value / top,
            })
            .collect()
    }

    /// The root and the most promising states, at most `count`, values relative to the first of them.
    pub(super) fn state_views(&self, count: usize) -> Vec<StateView> {
        let budget = self.spent / 8 + 1;
        let leading = self.rank.leading(self.best.unwrap_or(0), self.spread, budget, count.saturating_sub(1));
        let top = leading.first().map_or(1.0, |&(value, _)| value);
        let root = std::iter::once((1.0, StateId::ROOT));
        root.chain(leading.into_iter().map(|(value, id)| (value / top, id)))
            .filter_map(|(value, id)| {
                let state = self.states.get(&id)?;
                let best = if id == StateId::ROOT { state.best } else { Some(state.promise()) };
                Some(StateView {
                    id,
                    depth: state.layer,
                    kind: state.kind,
                    expansions: state.spent,
                    out: state.out,
                    best: best.map(|merit| self.direction.merit(merit)),
                    value,
                })
            })
            .collect()
    }

    fn root(&self) -> &State {
        &self.states[&StateId::ROOT]
    }

    /// Moves from the start to a state.
    fn prefix(&self, id: StateId) -> Vec<u32> {
        let mut pieces = Vec::new();
        let mut next = Some(id);
        while let Some(state) = next.and_then(|id| self.states.get(&id)) {
            pieces.push(state.since.as_slice());
            next = state.parent;
        }
        pieces.into_iter().rev().flatten().copied().collect()
    }
}

/// A position's key as one word. Equal hashes are confirmed by comparing keys.
fn key_hash(key: &[u8]) -> u64 {
    key.chunks(8).fold(key.len() as u64, |hash, chunk| {
        let word = chunk.iter().fold(0_u64, |word, &byte| (word << 8) | u64::from(byte));
        mix2(hash, word)
    })
}
