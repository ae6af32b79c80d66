//! The frontier from what the store kept of it.

use super::Frontier;
use super::arm::Arm;
use super::state::State;
use crate::core::change::{ArmKey, ArmRecord, StateKind, StateRecord};
use crate::core::id::StateId;
use crate::core::plan::Strategy;
use std::collections::{BTreeMap, BTreeSet};

impl Frontier {
    /// Takes in stored rows. Rows that do not hang together are dropped and told by [`Frontier::take_dropped`]; whether
    /// a state's moves are legal is looked at before it is first leased.
    pub(in crate::core) fn load(&mut self, states: Vec<StateRecord>, arms: &[ArmRecord]) {
        for record in arms {
            let arm = Arm::restore(record, self.direction);
            if let (ArmKey::Root(Strategy::Beam, width), 1..) = (record.arm, record.run_cost) {
                self.size.learn(width, record.run_cost);
            }
            self.finished += arm.finished;
            self.gains = self.gains.max(arm.gains);
            self.arms.insert(record.arm, arm);
        }
        let mut waiting: BTreeMap<Option<StateId>, Vec<StateRecord>> = BTreeMap::new();
        for record in states {
            self.next_state = self.next_state.max(record.id.0.saturating_add(1));
            waiting.entry(record.parent).or_default().push(record);
        }
        for record in waiting.remove(&None).unwrap_or_default() {
            if record.id == StateId::ROOT && record.kind == StateKind::Root {
                let direction = self.direction;
                self.change(StateId::ROOT, |root| {
                    root.best = record.best.map(|score| direction.merit(score));
                    root.spent = record.spent;
                    root.finished = record.finished;
                    root.exhausted = record.exhausted;
                });
            } else {
                self.drop_row(&record, "it has no parent");
            }
        }
        let mut parents = vec![StateId::ROOT];
        while let Some(parent) = parents.pop() {
            for record in waiting.remove(&Some(parent)).unwrap_or_default() {
                if let Some(id) = self.load_state(parent, record) {
                    parents.push(id);
                }
            }
        }
        for record in waiting.into_values().flatten().collect::<Vec<_>>() {
            self.drop_row(&record, "its parent is missing");
        }
        self.balance();
        // What was read is in the store; rows that were dropped are to go.
        let gone: BTreeSet<_> = self.dirty_states.iter().filter(|id| !self.states.contains_key(id)).copied().collect();
        self.dirty_states = gone;
    }

    fn load_state(&mut self, parent: StateId, record: StateRecord) -> Option<StateId> {
        let layer = self.states.get(&parent)?.layer;
        let Some(layer) = u32::try_from(record.since.len()).ok().and_then(|since| layer.checked_add(since)) else {
            self.drop_row(&record, "it is too deep");
            return None;
        };
        let is_window = record.kind == StateKind::Window;
        if record.kind == StateKind::Root || record.since.is_empty() && !is_window {
            self.drop_row(&record, "it makes no moves");
            return None;
        }
        if is_window != record.window.is_some() || self.states.contains_key(&record.id) {
            self.drop_row(&record, "its row does not make sense");
            return None;
        }
        let merit = |score| self.direction.merit(score);
        let arm = if is_window { ArmKey::Window } else { ArmKey::Quarter(self.nearest_quarter(layer)) };
        let state = State {
            parent: Some(parent),
            children: BTreeSet::new(),
            kind: record.kind,
            arm: Some(arm),
            layer,
            merit: merit(record.score),
            bound: if is_window { i64::MAX } else { merit(record.bound) },
            key: record.key,
            source: record.source_score.map(merit),
            best: record.best.map(merit),
            spent: record.spent,
            finished: record.finished,
            next_seed: record.next_seed,
            exhausted: record.exhausted,
            faults: record.faults,
            out: 0,
            out_budget: 0,
            verified: false,
            since: record.since,
            window: record.window,
        };
        let id = record.id;
        self.insert(id, state);
        Some(id)
    }

    fn drop_row(&mut self, record: &StateRecord, why: &str) {
        self.dropped.push(format!("stored partial state {} is dropped: {why}", record.id));
        self.dirty_states.insert(record.id);
    }

    /// Which of the three depths a state at `layer` is closest to.
    fn nearest_quarter(&self, layer: u32) -> u8 {
        let share = 4.0 * f64::from(layer) / self.size.moves;
        if share < 1.5 {
            1
        } else if share < 2.5 {
            2
        } else {
            3
        }
    }

    /// Makes sums agree where rows were lost: effort known to an arm but to no state is the root's.
    fn balance(&mut self) {
        let by_states: u64 = self.states.values().map(|state| state.spent).fold(0, u64::saturating_add);
        let by_arms: u64 = self.arms.values().map(|arm| arm.spent).fold(0, u64::saturating_add);
        self.change(StateId::ROOT, |root| root.spent += by_arms.saturating_sub(by_states));
        self.unattributed = by_states.saturating_sub(by_arms);
        self.spent = by_states.max(by_arms);
    }
}
