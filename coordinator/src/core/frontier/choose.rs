//! Which search of an instance is next.

use super::arm::{self, Arm};
use super::state::State;
use super::{Frontier, key_hash, width};
use crate::core::change::{ArmKey, StateKind};
use crate::core::id::StateId;
use crate::core::plan::{Plan, Strategy};

/// How much a lease may cost, in expansions.
#[derive(Clone, Copy, Debug)]
pub(in crate::core) struct Budget {
    /// The shortest lease worth its way.
    pub(in crate::core) least: u64,
    /// A lease of the usual length.
    pub(in crate::core) usual: u64,
    /// The longest lease, for wide searches of instances that had much effort already.
    pub(in crate::core) longest: u64,
}

/// A search to be leased.
#[derive(Clone, Debug)]
pub(in crate::core) struct Work {
    /// The partial state.
    pub(in crate::core) state: StateId,
    /// On whose account it goes.
    pub(in crate::core) arm: ArmKey,
    /// The search.
    pub(in crate::core) plan: Plan,
}

impl Work {
    /// What tells searches of an instance apart: the same is never out twice.
    pub(in crate::core) const fn search(&self) -> (StateId, Strategy, u32, u64) {
        (self.state, self.plan.strategy, self.plan.width, self.plan.seed)
    }
}

/// A search longer than a usual lease must cost at most one part in so many of what was spent before.
const STRETCH: u64 = 8;
/// The first lease of a partial state is this part of a usual one; each further one is twice as long, up to a usual one.
/// Many states get a look, and those that bring something get more.
const FIRST_LOOK: u64 = 64;
/// A beam of which a lease holds so many runs is outgrown: a wider one is the better use of a lease.
const RESTARTS: u64 = 8;
/// Monte-Carlo search joins in after so many leases.
const MCTS_AFTER: u64 = 4;

impl Frontier {
    /// The search that promises most for its cost, or `None` when there is nothing left to search.
    pub(in crate::core) fn choose(&mut self, budget: Budget) -> Option<Work> {
        if self.root().exhausted {
            return None;
        }
        self.open_arms(budget);
        let mut offers: Vec<_> = self
            .arms
            .iter()
            .filter(|&(&key, arm)| arm.is_open() && self.affords(key, budget) && !self.is_dominated(key, arm, budget))
            .map(|(&key, arm)| (arm.value(self.best, self.spread, self.cost(key, budget)), key))
            .collect();
        offers.sort_by(|left, right| {
            let turn = |key| arm::turn(key, self.finished);
            right.0.total_cmp(&left.0).then_with(|| turn(left.1).cmp(&turn(right.1)))
        });
        offers.into_iter().find_map(|(_, key)| match key {
            ArmKey::Root(strategy, width) => Some(self.root_work(strategy, width, budget)),
            ArmKey::Quarter(_) | ArmKey::Window => self.state_work(key, budget),
        })
    }

    /// Makes room for what may be tried next: at first the widest beam that fits, then, once the widest was tried, what
    /// fits by then or the next wider one, a narrower one where the narrowest does as well as any, and Monte-Carlo search
    /// after a while.
    fn open_arms(&mut self, budget: Budget) {
        let beams = || {
            self.arms.iter().filter_map(|(key, arm)| match key {
                ArmKey::Root(Strategy::Beam, width) => Some((*width, arm)),
                _ => None,
            })
        };
        let mut open = Vec::new();
        let fitting = width::fitting(self.size.unit, budget.usual);
        if !beams().any(|(width, arm)| arm.is_open() && self.affords(ArmKey::Root(Strategy::Beam, width), budget)) {
            open.push(ArmKey::Root(Strategy::Beam, fitting));
        } else {
            let next_wider = beams()
                .next_back()
                .filter(|(_, widest)| widest.finished > 0)
                .and_then(|(width, _)| width::wider(width))
                .map(|wider| wider.max(fitting));
            let next_narrower = beams()
                .next()
                .filter(|(_, narrowest)| narrowest.finished > 1 && narrowest.best == self.best)
                .and_then(|(width, _)| width::narrower(width))
                .filter(|&narrower| !self.is_outgrown(narrower, budget));
            let wanted = next_wider.into_iter().chain(next_narrower);
            open.extend(
                wanted.map(|width| ArmKey::Root(Strategy::Beam, width)).filter(|&key| self.affords(key, budget)),
            );
        }
        if self.finished >= MCTS_AFTER {
            open.push(ArmKey::Root(Strategy::Mcts, width::fitting_nodes(self.size.unit, budget.usual)));
        }
        open.extend(self.rank.arms());
        for key in open {
            self.arms.entry(key).or_default();
        }
    }

    /// Whether a lease of this arm may be had within the budget. The narrowest beam always may: it is the least there is.
    fn affords(&self, key: ArmKey, budget: Budget) -> bool {
        match key {
            ArmKey::Root(Strategy::Beam, width) => {
                let needed = width::needed(self.size.unit, width);
                let stretched = needed <= budget.longest && needed <= self.spent / STRETCH;
                width == 1 || needed <= budget.usual || stretched
            }
            ArmKey::Root(Strategy::Mcts, _) => true,
            ArmKey::Quarter(_) | ArmKey::Window => self.rank.arms().any(|ranked| ranked == key),
        }
    }

    /// Whether a usual lease would start such a beam anew again and again.
    fn is_outgrown(&self, width: u32, budget: Budget) -> bool {
        width::needed(self.size.unit, width) <= budget.usual / RESTARTS
    }

    /// Whether this is a beam that leases have outgrown and a wider one did as well as it.
    fn is_dominated(&self, key: ArmKey, arm: &Arm, budget: Budget) -> bool {
        let ArmKey::Root(Strategy::Beam, width) = key else { return false };
        let as_well = |(&other, rival): (&ArmKey, &Arm)| {
            let is_wider = matches!(other, ArmKey::Root(Strategy::Beam, wider) if wider > width);
            is_wider && rival.is_open() && rival.best >= arm.best && self.affords(other, budget)
        };
        self.is_outgrown(width, budget) && self.arms.iter().any(as_well)
    }

    fn cost(&self, key: ArmKey, budget: Budget) -> u64 {
        match key {
            ArmKey::Root(Strategy::Beam, width) => budget.usual.max(width::needed(self.size.unit, width)),
            ArmKey::Root(Strategy::Mcts, _) => budget.usual,
            ArmKey::Quarter(_) | ArmKey::Window => {
                let next = self.leading_state(key, budget).and_then(|id| self.states.get(&id));
                next.map_or(budget.usual, |state| look(state, budget))
            }
        }
    }

    /// The partial state of an arm that promises most.
    fn leading_state(&self, arm: ArmKey, budget: Budget) -> Option<StateId> {
        self.rank.first(arm, self.best.unwrap_or(0), self.spread, budget.usual)
    }

    fn root_work(&self, strategy: Strategy, width: u32, budget: Budget) -> Work {
        let key = ArmKey::Root(strategy, width);
        let arm = self.arms.get(&key);
        // An arm that keeps reaching the best need not show it again: only better plays are of interest.
        let reaches_best = arm.is_some_and(|arm| arm.finished > 1 && arm.best == self.best);
        let beat = self.best.filter(|_| reaches_best && strategy == Strategy::Beam);
        let plan = Plan {
            prefix: Vec::new(),
            strategy,
            width,
            seed: arm.map_or(0, |arm| arm.next_seed),
            expansions: self.cost(key, budget),
            window: None,
            beat: beat.map(|merit| self.direction.merit(merit)),
        };
        Work { state: StateId::ROOT, arm: key, plan }
    }

    fn state_work(&mut self, arm: ArmKey, budget: Budget) -> Option<Work> {
        loop {
            let id = self.leading_state(arm, budget)?;
            if !self.verify(id) {
                continue;
            }
            let state = self.states.get(&id)?;
            let unit = self.size.part(state.layer, state.window.as_ref().map(|window| window.length));
            let look = look(state, budget);
            let width = width::fitting(unit, look);
            let beat = self.best.filter(|_| state.finished > 0);
            let plan = Plan {
                prefix: self.prefix(id),
                strategy: Strategy::Beam,
                width,
                seed: state.next_seed,
                expansions: look.max(width::needed(unit, width)),
                window: state.window.clone(),
                beat: beat.map(|merit| self.direction.merit(merit)),
            };
            return Some(Work { state: id, arm, plan });
        }
    }

    /// Replays a state that came from the store before it is used for the first time; one that is not what the store
    /// said, or can no longer lead to a better best, goes.
    fn verify(&mut self, id: StateId) -> bool {
        let Some(state) = self.states.get(&id) else { return false };
        if state.verified {
            return true;
        }
        let is_window = state.kind == StateKind::Window;
        let (key, merit) = (state.key, state.merit);
        let problem = match self.puzzle.position(&self.prefix(id)) {
            Err(illegal) => Some(illegal.to_string()),
            Ok(_) if is_window => None,
            Ok(position) if key_hash(&position.key) != key => Some("it leads to another position".to_owned()),
            Ok(position) if self.direction.merit(position.score) != merit => Some("its score differs".to_owned()),
            Ok(_) => None,
        };
        match problem {
            None => {
                self.adjust(id, |state| state.verified = true);
                true
            }
            Some(problem) => {
                self.dropped.push(format!("stored partial state {id} is dropped: {problem}"));
                // While a lease is out on it the state cannot go; it gets no more of them.
                self.change(id, |state| state.exhausted = true);
                self.remove(id);
                false
            }
        }
    }
}

/// What the next lease of a partial state may cost.
fn look(state: &State, budget: Budget) -> u64 {
    let first = (budget.usual / FIRST_LOOK).max(budget.least);
    first.saturating_mul(1 << state.finished.min(32)).min(budget.usual)
}
