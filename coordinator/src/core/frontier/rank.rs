//! Leasable partial states in the order in which they deserve effort, kept up to date state by state.

use super::value;
use crate::core::change::ArmKey;
use crate::core::id::StateId;
use std::collections::{BTreeMap, BTreeSet};

/// Merits looked at before the ranking is content with what it found.
const MERITS: usize = 64;

/// Where a state stands: its account, the merit of its best play, the expansions spent and on lease.
pub(super) type Place = (ArmKey, i64, u64);

/// For each arm and merit, states by effort. Among states of one merit the one with least effort is the most
/// promising whatever the instance's best is, so that nothing moves when the best does.
#[derive(Debug, Default)]
pub(super) struct Rank {
    by_arm: BTreeMap<ArmKey, BTreeMap<i64, BTreeSet<(u64, StateId)>>>,
}

impl Rank {
    pub(super) fn insert(&mut self, (arm, merit, load): Place, id: StateId) {
        self.by_arm.entry(arm).or_default().entry(merit).or_default().insert((load, id));
    }

    pub(super) fn remove(&mut self, (arm, merit, load): Place, id: StateId) {
        let Some(merits) = self.by_arm.get_mut(&arm) else { return };
        if let Some(states) = merits.get_mut(&merit) {
            states.remove(&(load, id));
            if states.is_empty() {
                merits.remove(&merit);
            }
        }
        if merits.is_empty() {
            self.by_arm.remove(&arm);
        }
    }

    /// Number of states.
    pub(super) fn len(&self) -> usize {
        self.by_arm.values().flat_map(BTreeMap::values).map(BTreeSet::len).sum()
    }

    /// Arms that have states.
    pub(super) fn arms(&self) -> impl Iterator<Item = ArmKey> + '_ {
        self.by_arm.keys().copied()
    }

    /// The most promising state of `arm` for `budget` more expansions.
    pub(super) fn first(&self, arm: ArmKey, best: i64, spread: f64, budget: u64) -> Option<StateId> {
        self.leaders(arm, best, spread, budget).max_by(|left, right| left.0.total_cmp(&right.0)).map(|(_, id)| id)
    }

    /// The leading states of every arm with their values, at most `count` of them, best first.
    pub(super) fn leading(&self, best: i64, spread: f64, budget: u64, count: usize) -> Vec<(f64, StateId)> {
        let mut all: Vec<_> = self
            .by_arm
            .values()
            .flat_map(|merits| {
                merits.iter().rev().take(count).flat_map(move |(&merit, states)| {
                    let close = value::closeness(best.saturating_sub(merit), spread);
                    states.iter().take(count).map(move |&(load, id)| (close * value::rate(0.0, load, budget), id))
                })
            })
            .collect();
        all.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        all.truncate(count);
        all
    }

    fn leaders(&self, arm: ArmKey, best: i64, spread: f64, budget: u64) -> impl Iterator<Item = (f64, StateId)> + '_ {
        // Reversed, so that of equal values the one with more merit, met last, is the maximum.
        let merits = self.by_arm.get(&arm).into_iter().flat_map(|merits| merits.iter().rev().take(MERITS));
        let mut leaders: Vec<_> = merits
            .filter_map(move |(&merit, states)| {
                let &(load, id) = states.first()?;
                let close = value::closeness(best.saturating_sub(merit), spread);
                Some((close * value::rate(0.0, load, budget), id))
            })
            .collect();
        leaders.reverse();
        leaders.into_iter()
    }
}
