//! Keeps the orderings of the frontier in step with its states: every change of a state goes through here.

use super::Frontier;
use super::state::State;
use crate::core::change::StateKind;
use crate::core::id::StateId;
use std::cmp::Reverse;

impl Frontier {
    /// Changes a state and everything that is sorted by it, in the store too. Nothing happens when there is no such
    /// state.
    pub(super) fn change(&mut self, id: StateId, change: impl FnOnce(&mut State)) {
        self.adjust(id, change);
        self.dirty_states.insert(id);
    }

    /// As [`Frontier::change`], for what the store need not know.
    pub(super) fn adjust(&mut self, id: StateId, change: impl FnOnce(&mut State)) {
        let Some(mut state) = self.states.remove(&id) else { return };
        self.unindex(id, &state);
        change(&mut state);
        self.index(id, &state);
        self.states.insert(id, state);
    }

    /// Adds a state under its parent.
    pub(super) fn insert(&mut self, id: StateId, state: State) {
        if let Some(parent) = state.parent {
            self.adjust(parent, |parent| {
                parent.children.insert(id);
            });
        }
        self.index(id, &state);
        self.states.insert(id, state);
        self.dirty_states.insert(id);
    }

    /// Takes a state out; its effort and its children go to its parent. Neither the root nor a state on lease may go.
    pub(super) fn remove(&mut self, id: StateId) {
        if self.states.get(&id).is_none_or(|state| state.parent.is_none() || state.out > 0) {
            return;
        }
        let Some(gone) = self.states.remove(&id) else { return };
        self.unindex(id, &gone);
        self.dirty_states.insert(id);
        for &child in &gone.children {
            self.change(child, |child| {
                child.parent = gone.parent;
                child.since = gone.since.iter().chain(&child.since).copied().collect();
            });
        }
        if let Some(parent) = gone.parent {
            self.change(parent, |parent| {
                parent.children.remove(&id);
                parent.children.extend(&gone.children);
                parent.spent = parent.spent.saturating_add(gone.spent);
                parent.best = parent.best.max(gone.best);
            });
        }
    }

    fn index(&mut self, id: StateId, state: &State) {
        self.moves_held += state.moves_held();
        self.untried += usize::from(state.is_untried());
        if let Some(arm) = state.arm.filter(|_| state.is_open()) {
            self.rank.insert((arm, state.promise(), state.load()), id);
        }
        if has_position(state) {
            self.positions.entry(state.key).or_default().insert(id);
            self.bounds.insert((state.bound, id));
        }
        if state.parent.is_some() && state.children.is_empty() {
            self.leaves.insert((state.promise(), Reverse(state.spent), id));
        }
    }

    fn unindex(&mut self, id: StateId, state: &State) {
        self.moves_held -= state.moves_held();
        self.untried -= usize::from(state.is_untried());
        if let Some(arm) = state.arm.filter(|_| state.is_open()) {
            self.rank.remove((arm, state.promise(), state.load()), id);
        }
        if has_position(state) {
            if let Some(same) = self.positions.get_mut(&state.key) {
                same.remove(&id);
                if same.is_empty() {
                    self.positions.remove(&state.key);
                }
            }
            self.bounds.remove(&(state.bound, id));
        }
        if state.parent.is_some() && state.children.is_empty() {
            self.leaves.remove(&(state.promise(), Reverse(state.spent), id));
        }
    }
}

/// Whether the state is one position (a window is more than that).
fn has_position(state: &State) -> bool {
    matches!(state.kind, StateKind::Cut | StateKind::Promising)
}
