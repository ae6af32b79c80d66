//! One partial state.

use crate::core::change::{ArmKey, StateKind, StateRecord};
use crate::core::id::StateId;
use crate::core::plan::Window;
use cascade_games::{Digest, Direction};
use std::collections::BTreeSet;

/// A partial state of an instance. Merits are scores turned so that more is better.
#[derive(Clone, Debug)]
pub(in crate::core) struct State {
    pub(super) parent: Option<StateId>,
    pub(super) children: BTreeSet<StateId>,
    pub(super) since: Vec<u32>,
    pub(super) kind: StateKind,
    /// On whose account effort goes; absent for the root, whose arms have accounts of their own.
    pub(super) arm: Option<ArmKey>,
    pub(super) window: Option<Window>,
    /// Moves from the start.
    pub(super) layer: u32,
    /// Merit so far.
    pub(super) merit: i64,
    /// No play from here has more merit.
    pub(super) bound: i64,
    pub(super) key: u64,
    /// Merit of the play it was taken from.
    pub(super) source: Option<i64>,
    /// Merit of the best that came of it.
    pub(super) best: Option<i64>,
    pub(super) spent: u64,
    pub(super) finished: u32,
    pub(super) next_seed: u64,
    pub(super) exhausted: bool,
    pub(super) faults: u32,
    /// Leases out, and their budgets together.
    pub(super) out: u32,
    pub(super) out_budget: u64,
    /// Its moves were replayed in this run of the program.
    pub(super) verified: bool,
}

/// A state no worker comes through is closed after so many leases were set aside.
const FAULTS: u32 = 2;

impl State {
    /// Merit of the best play known to start here.
    pub(super) fn promise(&self) -> i64 {
        self.source.max(self.best).unwrap_or(i64::MIN)
    }

    /// Expansions spent and on lease.
    pub(super) fn load(&self) -> u64 {
        self.spent.saturating_add(self.out_budget)
    }

    /// Whether it may be leased at all.
    pub(super) fn is_open(&self) -> bool {
        !self.exhausted && self.faults < FAULTS
    }

    /// Whether it may be leased and never was.
    pub(super) fn is_untried(&self) -> bool {
        self.arm.is_some() && self.is_open() && self.finished == 0 && self.out == 0
    }

    /// Moves held in memory for it.
    pub(super) fn moves_held(&self) -> usize {
        self.since.len() + self.window.as_ref().map_or(0, |window| window.suffix.len())
    }

    pub(super) fn record(&self, instance: Digest, id: StateId, direction: Direction) -> StateRecord {
        StateRecord {
            instance,
            id,
            parent: self.parent,
            since: self.since.clone(),
            kind: self.kind,
            window: self.window.clone(),
            key: self.key,
            score: direction.merit(self.merit),
            bound: direction.merit(self.bound),
            source_score: self.source.map(|merit| direction.merit(merit)),
            spent: self.spent,
            finished: self.finished,
            best: self.best.map(|merit| direction.merit(merit)),
            next_seed: self.next_seed,
            exhausted: self.exhausted,
            faults: self.faults,
        }
    }
}
