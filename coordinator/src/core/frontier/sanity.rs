//! What must always hold in a frontier.

use super::Frontier;
use crate::core::id::StateId;

impl Frontier {
    /// Every invariant; the error says which is broken.
    pub(in crate::core) fn sanity_check(&self) -> Result<(), String> {
        let fail = |what: String| Err(format!("frontier of {}: {what}", self.digest.short()));
        let (mut spent, mut out, mut out_budget) = (0_u64, 0, 0);
        let (mut moves, mut leaves, mut ranked, mut untried) = (0, 0, 0, 0);
        for (&id, state) in &self.states {
            spent += state.spent;
            out += state.out;
            out_budget += state.out_budget;
            moves += state.moves_held();
            leaves += usize::from(state.parent.is_some() && state.children.is_empty());
            untried += usize::from(state.is_untried());
            ranked += usize::from(state.arm.is_some() && state.is_open());
            match state.parent.map(|parent| (parent, self.states.get(&parent))) {
                None if id == StateId::ROOT => {}
                None => return fail(format!("state {id} has no parent")),
                Some((parent, None)) => return fail(format!("the parent {parent} of state {id} does not exist")),
                Some((parent, Some(holder))) => {
                    if !holder.children.contains(&id) {
                        return fail(format!("state {parent} does not know its child {id}"));
                    }
                    if holder.layer as usize + state.since.len() != state.layer as usize {
                        return fail(format!("state {id} is not as deep as its moves say"));
                    }
                }
            }
            if state.children.iter().any(|child| self.states.get(child).is_none_or(|c| c.parent != Some(id))) {
                return fail(format!("state {id} has a child that is not its own"));
            }
            if id.0 >= self.next_state {
                return fail(format!("state {id} has a number that is still to be given"));
            }
        }
        let by_arms = |count: fn(&super::Arm) -> u64| self.arms.values().map(count).sum::<u64>();
        let sums = [
            ("expansions of states", spent, self.spent),
            ("expansions of arms", by_arms(|arm| arm.spent) + self.unattributed, self.spent),
            ("leases out of states", u64::from(out), u64::from(self.out)),
            ("leases out of arms", by_arms(|arm| arm.out.into()), u64::from(self.out)),
            ("budget out of states", out_budget, self.out_budget),
            ("budget out of arms", by_arms(|arm| arm.out_budget), self.out_budget),
            ("leases finished", by_arms(|arm| arm.finished), self.finished),
            ("moves held", moves as u64, self.moves_held as u64),
            ("leaves", leaves as u64, self.leaves.len() as u64),
            ("states never searched", untried as u64, self.untried as u64),
            ("states ranked", ranked as u64, self.rank.len() as u64),
        ];
        match sums.into_iter().find(|(_, left, right)| left != right) {
            Some((what, left, right)) => fail(format!("{what} add up to {left}, but {right} are counted")),
            None => Ok(()),
        }
    }
}
