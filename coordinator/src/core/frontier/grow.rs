//! How good plays become partial states.

use super::state::State;
use super::{Frontier, key_hash};
use crate::core::change::{ArmKey, StateKind};
use crate::core::id::StateId;
use crate::core::plan::Window;
use cascade_games::mix::mix2;
use cascade_games::{IllegalMove, Position};
use std::collections::BTreeSet;

/// Plays at least this long are also searched in windows.
const WINDOWS_FROM: usize = 64;
/// Windows of one play.
const WINDOWS: usize = 8;
/// The shortest and the longest window, in moves.
const WINDOW_LENGTH: (usize, usize) = (16, 400);
/// Most moves that an instance's states hold together.
const MOVES_HELD: usize = 2_000_000;

/// Where a new state hangs.
struct Branch {
    parent: StateId,
    since: Vec<u32>,
}

impl Frontier {
    /// Takes in the instance's best play, once: its cuts at a quarter, half and three quarters and, if it is long, its
    /// windows. Whether it is new.
    pub(in crate::core) fn learn_best(&mut self, play: &[u32], score: i64) -> bool {
        if self.learned.as_deref() == Some(play) {
            return false;
        }
        self.learned = Some(play.to_vec());
        self.learn_length(play.len());
        // Judged already: every prefix is legal.
        let _legal = self.learn(play, score, StateKind::Cut);
        if play.len() >= WINDOWS_FROM {
            self.cut_windows(play, score);
        }
        true
    }

    /// Takes in the best play of an instance much like this one, as far as its moves are legal here. It promises no more
    /// than this instance's own best.
    pub(in crate::core) fn learn_from_kin(&mut self, play: &[u32], score: i64) {
        let merit = self.direction.merit(score);
        let promise = self.best.map_or(merit, |best| merit.min(best));
        // What comes before a move that is not legal here was taken in.
        let _legal = self.learn(play, self.direction.merit(promise), StateKind::Kin);
    }

    /// Takes in another good play, of this score by the judge.
    ///
    /// # Errors
    /// The first move that the rules forbid.
    pub(in crate::core) fn learn(&mut self, play: &[u32], score: i64, kind: StateKind) -> Result<(), IllegalMove> {
        let source = self.direction.merit(score);
        let mut from = 0;
        let mut parent = StateId::ROOT;
        let mut parent_merit = self.root().merit;
        for quarter in 1..=3_u8 {
            let to = play.len() * usize::from(quarter) / 4;
            if to <= from {
                continue;
            }
            let position = self.puzzle.position(&play[..to])?;
            let own_merit = self.direction.merit(position.score);
            let branch = Branch { parent, since: play[from..to].to_vec() };
            // The parent may stand for a better prefix than this play's.
            let ahead = self.states[&parent].merit.saturating_sub(parent_merit);
            if let Some(id) = self.add(branch, &position, ahead, kind, quarter, source) {
                (from, parent, parent_merit) = (to, id, own_merit);
            }
        }
        self.evict();
        Ok(())
    }

    /// Adds the state at the end of `branch`, or finds the one that is the same position: of the two prefixes the one
    /// with the better score stands for both. `None` when nothing better than the best can come of it.
    fn add(
        &mut self,
        branch: Branch,
        position: &Position,
        ahead: i64,
        kind: StateKind,
        quarter: u8,
        source: i64,
    ) -> Option<StateId> {
        let merit = self.direction.merit(position.score).saturating_add(ahead);
        let bound = self.direction.merit(position.bound).saturating_add(ahead);
        let key = key_hash(&position.key);
        if let Some(known) = self.find(key, &position.key) {
            self.improve_prefix(known, branch, merit);
            self.change(known, |state| state.source = state.source.max(Some(source)));
            return Some(known);
        }
        if self.best.is_some_and(|best| bound <= best) {
            return None;
        }
        let id = StateId(self.next_state);
        self.next_state += 1;
        let parent_layer = self.states.get(&branch.parent).map_or(0, |parent| parent.layer);
        let state = State {
            parent: Some(branch.parent),
            children: BTreeSet::new(),
            layer: layer_after(parent_layer, &branch.since),
            since: branch.since,
            kind,
            arm: Some(ArmKey::Quarter(quarter)),
            window: None,
            merit,
            bound,
            key,
            source: Some(source),
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
        self.insert(id, state);
        Some(id)
    }

    /// The state of this very position.
    fn find(&self, hash: u64, key: &[u8]) -> Option<StateId> {
        let same_hash = self.positions.get(&hash)?;
        same_hash
            .iter()
            .copied()
            .find(|&id| self.puzzle.position(&self.prefix(id)).is_ok_and(|position| position.key == key))
    }

    /// Lets `branch` stand for the position of `id`, if it gets there with more merit.
    fn improve_prefix(&mut self, id: StateId, branch: Branch, merit: i64) {
        let Some(state) = self.states.get(&id) else { return };
        let gained = merit.saturating_sub(state.merit);
        let parent_layer = self.states.get(&branch.parent).map_or(u32::MAX, |parent| parent.layer);
        if gained <= 0 || layer_after(parent_layer, &branch.since) != state.layer {
            return;
        }
        if let Some(old_parent) = state.parent {
            self.adjust(old_parent, |parent| {
                parent.children.remove(&id);
            });
        }
        self.adjust(branch.parent, |parent| {
            parent.children.insert(id);
        });
        self.change(id, |state| {
            state.parent = Some(branch.parent);
            state.since = branch.since;
            state.verified = true;
        });
        let mut below = vec![id];
        while let Some(next) = below.pop() {
            self.change(next, |state| {
                state.merit = state.merit.saturating_add(gained);
                state.bound = state.bound.saturating_add(gained);
            });
            below.extend(self.states.get(&next).into_iter().flat_map(|state| &state.children));
        }
    }

    /// Windows of the best play take the place of those of the play before it.
    fn cut_windows(&mut self, play: &[u32], score: i64) {
        let old: Vec<_> = self.states.iter().filter(|(_, s)| s.kind == StateKind::Window).map(|(&id, _)| id).collect();
        for id in old {
            self.change(id, |state| state.exhausted = true);
            self.remove(id);
        }
        let length = (play.len() / WINDOWS).clamp(WINDOW_LENGTH.0, WINDOW_LENGTH.1);
        let stride = (play.len() / WINDOWS).max(1);
        let salt = play.iter().fold(0, |hash, &mv| mix2(hash, u64::from(mv)));
        let offset = usize::try_from(salt % stride as u64).unwrap_or(0);
        for start in (offset..).step_by(stride).take_while(|start| start + length <= play.len()) {
            let (prefix, rest) = play.split_at(start);
            let window = Window { length: u32::try_from(length).unwrap_or(u32::MAX), suffix: rest[length..].to_vec() };
            let id = StateId(self.next_state);
            self.next_state += 1;
            let state = State {
                parent: Some(StateId::ROOT),
                children: BTreeSet::new(),
                layer: layer_after(0, prefix),
                since: prefix.to_vec(),
                kind: StateKind::Window,
                arm: Some(ArmKey::Window),
                window: Some(window),
                merit: self.root().merit,
                bound: i64::MAX,
                key: 0,
                source: Some(self.direction.merit(score)),
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
            self.insert(id, state);
        }
        self.evict();
    }

    /// The least promising leaves give way while there are too many states.
    fn evict(&mut self) {
        while self.states.len() > self.most_states.max(1) || self.moves_held > MOVES_HELD {
            let idle = |id: &StateId| self.states.get(id).is_some_and(|state| state.out == 0);
            let Some(id) = self.leaves.iter().map(|&(_, _, id)| id).find(idle) else { break };
            self.remove(id);
        }
    }
}

fn layer_after(layer: u32, moves: &[u32]) -> u32 {
    layer.saturating_add(u32::try_from(moves.len()).unwrap_or(u32::MAX))
}
