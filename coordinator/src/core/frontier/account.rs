//! What is out on lease and what came of it.

use super::arm::Arm;
use super::{Frontier, Work, value};
use crate::core::change::{ArmKey, StateKind};
use crate::core::id::StateId;
use crate::core::plan::Strategy;

/// A search that was carried out to its end.
#[derive(Clone, Copy, Debug)]
pub(in crate::core) struct Settled {
    /// The best complete score it saw.
    pub(in crate::core) best_found: Option<i64>,
    /// It improved the instance's best, which had one before.
    pub(in crate::core) improved: bool,
    /// Everything below the partial state was searched.
    pub(in crate::core) exhausted: bool,
}

/// So many times must be said that everything from the root was searched before it is believed.
const ROOT_CLAIMS: u32 = 2;

impl Frontier {
    /// `work` goes out on lease. The store learns the seeds used with the next finished lease.
    pub(in crate::core) fn take(&mut self, work: &Work) {
        let (seed, budget) = (work.plan.seed, work.plan.expansions);
        self.adjust(work.state, |state| {
            state.out += 1;
            state.out_budget = state.out_budget.saturating_add(budget);
            if state.arm.is_some() {
                state.next_seed = state.next_seed.max(seed.saturating_add(1));
            }
        });
        let arm = self.arms.entry(work.arm).or_default();
        arm.out += 1;
        arm.out_budget = arm.out_budget.saturating_add(budget);
        if matches!(work.arm, ArmKey::Root(..)) {
            arm.next_seed = arm.next_seed.max(seed.saturating_add(1));
        }
        self.out += 1;
        self.out_budget = self.out_budget.saturating_add(budget);
    }

    /// A lease of `budget` expansions is out no more.
    pub(in crate::core) fn release(&mut self, id: StateId, key: ArmKey, budget: u64) {
        self.adjust(id, |state| {
            state.out = state.out.saturating_sub(1);
            state.out_budget = state.out_budget.saturating_sub(budget);
        });
        let arm = self.arms.entry(key).or_default();
        arm.out = arm.out.saturating_sub(1);
        arm.out_budget = arm.out_budget.saturating_sub(budget);
        self.out = self.out.saturating_sub(1);
        self.out_budget = self.out_budget.saturating_sub(budget);
    }

    /// Counts effort.
    pub(in crate::core) fn spend(&mut self, id: StateId, key: ArmKey, expansions: u64) {
        let id = if self.states.contains_key(&id) { id } else { StateId::ROOT };
        self.change(id, |state| state.spent = state.spent.saturating_add(expansions));
        let arm = self.arm(key);
        arm.spent = arm.spent.saturating_add(expansions);
        self.spent = self.spent.saturating_add(expansions);
    }

    /// Takes in what a finished lease brought.
    pub(in crate::core) fn settle(&mut self, id: StateId, key: ArmKey, settled: Settled) {
        let found = settled.best_found.map(|score| self.direction.merit(score));
        let root_exhausted = if id == StateId::ROOT && settled.exhausted {
            self.root_claims += 1;
            self.root_claims >= ROOT_CLAIMS
        } else {
            false
        };
        self.change(id, |state| {
            state.finished = state.finished.saturating_add(1);
            state.best = state.best.max(found);
            state.exhausted |= if id == StateId::ROOT { root_exhausted } else { settled.exhausted };
        });
        let arm = self.arm(key);
        arm.finished += 1;
        arm.best = arm.best.max(found);
        arm.gains = value::remember(arm.gains, settled.improved);
        self.finished += 1;
        self.gains = value::remember(self.gains, settled.improved);
        if let (Some(best), Some(found)) = (self.best, found) {
            self.spread = value::widen(self.spread, best.saturating_sub(found));
        }
    }

    /// No worker came through a lease of this state.
    pub(in crate::core) fn fault(&mut self, id: StateId, key: ArmKey) {
        if id != StateId::ROOT {
            self.change(id, |state| state.faults += 1);
        } else {
            self.arm(key).faults += 1;
        }
    }

    /// A lease of this arm and budget took so many expansions, the dearest of its runs from the start to the end
    /// `dearest_run` of them; 0 where the budget was too little for one run.
    pub(in crate::core) fn learn_cost(&mut self, key: ArmKey, budget: u64, expansions: u64, dearest_run: u64) {
        let ArmKey::Root(Strategy::Beam, width) = key else { return };
        if dearest_run > 0 {
            self.size.learn(width, dearest_run);
            self.arm(key).run_cost = dearest_run;
        } else if expansions >= budget {
            self.size.learn_at_least(width, expansions);
        }
    }

    /// What beams of this instance cost, as a part of what its size alone says; `None` until a worker told.
    pub(in crate::core) fn cost_ratio(&self) -> Option<f64> {
        self.size.ratio()
    }

    /// What [`Frontier::cost_ratio`] is in another instance of the game: better than nothing.
    pub(in crate::core) fn assume_cost_ratio(&mut self, ratio: f64) {
        self.size.assume(ratio);
    }

    /// The instance's best play has so many moves.
    pub(in crate::core) fn learn_length(&mut self, moves: usize) {
        self.size.learn_moves(moves);
    }

    /// The instance's durable best is this score now. States that cannot lead to a better one go; those on lease are
    /// closed.
    pub(in crate::core) fn note_best(&mut self, score: i64) {
        let merit = self.direction.merit(score);
        if self.best.is_some_and(|best| best >= merit) {
            return;
        }
        if self.best.is_none() {
            #[allow(clippy::cast_precision_loss, reason = "an estimate")]
            let magnitude = merit.unsigned_abs() as f64;
            self.spread = self.spread.max(magnitude / 100.0);
        }
        self.best = Some(merit);
        let hopeless: Vec<_> = self.bounds.iter().take_while(|(bound, _)| *bound <= merit).map(|&(_, id)| id).collect();
        for id in hopeless {
            if self.states.get(&id).is_some_and(|state| state.out > 0) {
                self.change(id, |state| state.exhausted = true);
            } else {
                self.remove(id);
            }
        }
    }

    /// Whether a lease of this state could still lead to a better best.
    pub(in crate::core) fn is_worthwhile(&self, id: StateId, key: ArmKey) -> bool {
        let open_arm = self.arms.get(&key).is_none_or(Arm::is_open);
        self.states.get(&id).is_some_and(|state| {
            let hopeless = state.kind != StateKind::Window && self.best.is_some_and(|best| state.bound <= best);
            !state.exhausted && !hopeless && (id != StateId::ROOT || open_arm)
        })
    }

    fn arm(&mut self, key: ArmKey) -> &mut Arm {
        self.dirty_arms.insert(key);
        self.arms.entry(key).or_default()
    }
}
