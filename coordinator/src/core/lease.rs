//! Leases: work that is out.

use super::change::{ArmKey, EndReason, LeaseRecord};
use super::frontier::Work;
use super::id::{CommitId, Epoch, LeaseId, SessionId, StateId};
use cascade_games::Digest;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Attempts whose end is remembered, so that it is counted once.
const ENDED_KEPT: usize = 20_000;
/// Ids of one epoch.
pub(super) const EPOCH_SHIFT: u32 = 32;

/// What a worker said the result of a search was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Traced {
    pub(super) worker: String,
    pub(super) trace: Vec<u8>,
}

/// One piece of work and its current attempt.
#[derive(Clone, Debug)]
pub(super) struct Lease {
    pub(super) id: LeaseId,
    /// Index of the instance.
    pub(super) at: usize,
    pub(super) work: Work,
    pub(super) worker: String,
    pub(super) session: SessionId,
    pub(super) granted_at: Duration,
    pub(super) expected: Duration,
    pub(super) checkpoint: bool,
    /// Expansions known to be spent in this attempt and not counted yet.
    pub(super) spent: u64,
    pub(super) progress_at: Duration,
    pub(super) failures: u32,
    pub(super) disconnects: u32,
    /// This attempt improved a best that was there before.
    pub(super) improved: bool,
    /// Results of the same search by others, when this is a rerun.
    pub(super) audit: Vec<Traced>,
}

impl Lease {
    pub(super) fn record(&self, instance: Digest) -> LeaseRecord {
        LeaseRecord {
            lease: self.id,
            instance,
            state: self.work.state,
            arm: self.work.arm,
            plan: self.work.plan.clone(),
            worker: self.worker.clone(),
            expansions: self.spent,
            expected: self.expected,
            failures: self.failures,
            disconnects: self.disconnects,
        }
    }

    /// Whether others searched the same before.
    pub(super) fn is_rerun(&self) -> bool {
        !self.audit.is_empty()
    }

    pub(super) fn state(&self) -> StateId {
        self.work.state
    }

    pub(super) fn arm(&self) -> ArmKey {
        self.work.arm
    }
}

/// A lease that nobody holds now.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) lease: Lease,
    /// Its last attempt is not over yet: the worker may come back and go on with it.
    pub(super) claimable: bool,
    /// From when on others may have it.
    pub(super) free_at: Duration,
    /// Why it is here.
    pub(super) reason: EndReason,
}

/// How far the end of an attempt is on its way to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// In this commit.
    InCommit(CommitId),
    /// Its commit failed; it is to be written again.
    Unsaved,
    /// Durable.
    Durable,
}

/// All leases.
#[derive(Debug, Default)]
pub(super) struct Leases {
    next: u64,
    /// Held by workers.
    pub(super) active: BTreeMap<u64, Lease>,
    /// Held by nobody.
    pub(super) waiting: BTreeMap<u64, Waiting>,
    ended: BTreeMap<LeaseId, Ended>,
    ended_order: VecDeque<LeaseId>,
}

impl Leases {
    pub(super) fn new(epoch: Epoch) -> Self {
        Self { next: (epoch.0 << EPOCH_SHIFT) | 1, ..Self::default() }
    }

    /// An id never used before.
    pub(super) fn next_id(&mut self) -> u64 {
        let id = self.next;
        self.next += 1;
        id
    }

    /// The end of this attempt is on its way.
    pub(super) fn note_ended(&mut self, lease: LeaseId, commit: CommitId) {
        if self.ended.insert(lease, Ended::InCommit(commit)).is_none() {
            self.ended_order.push_back(lease);
        }
        while self.ended_order.len() > ENDED_KEPT {
            if let Some(oldest) = self.ended_order.pop_front() {
                self.ended.remove(&oldest);
            }
        }
    }

    /// The commit of this end came through, or failed.
    pub(super) fn note_commit(&mut self, lease: LeaseId, commit: CommitId, durable: bool) {
        if let Some(ended) = self.ended.get_mut(&lease).filter(|ended| **ended == Ended::InCommit(commit)) {
            *ended = if durable { Ended::Durable } else { Ended::Unsaved };
        }
    }

    /// The written-again end of this attempt is on its way.
    pub(super) fn note_rewritten(&mut self, lease: LeaseId, commit: CommitId) {
        if let Some(ended) = self.ended.get_mut(&lease) {
            *ended = Ended::InCommit(commit);
        }
    }

    /// What is known of the end of this attempt.
    pub(super) fn ended(&self, lease: LeaseId) -> Option<Ended> {
        self.ended.get(&lease).copied()
    }
}
