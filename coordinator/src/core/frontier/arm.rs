//! One way to search an instance, with its account.

use super::value;
use crate::core::change::{ArmKey, ArmRecord};
use crate::core::plan::Strategy;
use cascade_games::{Digest, Direction};

/// The figures of one arm.
#[derive(Clone, Debug, Default)]
pub(in crate::core) struct Arm {
    pub(super) next_seed: u64,
    pub(super) finished: u64,
    pub(super) spent: u64,
    /// Merit of the best that came of it.
    pub(super) best: Option<i64>,
    pub(super) gains: f64,
    /// Expansions of a beam's run from the start to the end; 0 is not known.
    pub(super) run_cost: u64,
    pub(super) faults: u32,
    /// Leases out, and their budgets together.
    pub(super) out: u32,
    pub(super) out_budget: u64,
}

/// An arm no worker comes through is closed after so many leases were set aside.
const FAULTS: u32 = 2;

impl Arm {
    /// Expected improvements for an expansion of the next `budget`.
    pub(super) fn value(&self, best: Option<i64>, spread: f64, budget: u64) -> f64 {
        let gap = match (best, self.best) {
            (Some(best), Some(own)) => best.saturating_sub(own),
            _ => 0,
        };
        value::closeness(gap, spread) * value::rate(self.gains, self.spent.saturating_add(self.out_budget), budget)
    }

    pub(super) fn is_open(&self) -> bool {
        self.faults < FAULTS
    }

    pub(super) fn record(&self, instance: Digest, arm: ArmKey, direction: Direction) -> ArmRecord {
        ArmRecord {
            instance,
            arm,
            next_seed: self.next_seed,
            finished: self.finished,
            spent: self.spent,
            best: self.best.map(|merit| direction.merit(merit)),
            gains: self.gains,
            run_cost: self.run_cost,
            faults: self.faults,
        }
    }

    pub(super) fn restore(record: &ArmRecord, direction: Direction) -> Self {
        Self {
            next_seed: record.next_seed,
            finished: record.finished,
            spent: record.spent,
            best: record.best.map(|score| direction.merit(score)),
            gains: record.gains,
            run_cost: record.run_cost,
            faults: record.faults,
            ..Self::default()
        }
    }
}

/// Which of two arms of equal value comes first: on odd turns wider beams, on even turns deeper states.
pub(super) fn turn(arm: ArmKey, finished: u64) -> (u8, u32) {
    let beams_first = finished % 2 == 1;
    match arm {
        ArmKey::Root(Strategy::Beam, width) => (if beams_first { 0 } else { 1 }, u32::MAX - width),
        ArmKey::Quarter(quarter) => (if beams_first { 1 } else { 0 }, u32::from(quarter.abs_diff(2))),
        ArmKey::Window => (if beams_first { 1 } else { 0 }, 3),
        ArmKey::Root(Strategy::Mcts, _) => (2, 0),
    }
}
