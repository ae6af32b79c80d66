//! Commits on their way to the store, and who waits for them.

use super::Core;
use super::change::{Change, ProofRecord, SettingsRecord};
use super::effect::{Effect, Refusal, Reply, Verdict};
use super::id::{CommitId, LeaseId, ReplyId};
use super::journal::Line;
use cascade_games::Instance;
use std::collections::{BTreeMap, BTreeSet};

/// Facts kept for a store that takes nothing; beyond that the oldest log lines are dropped.
const UNSAVED_KEPT: usize = 20_000;

/// What happens once a commit is durable.
#[derive(Debug)]
pub(super) enum Then {
    /// The bests of this instance that were in the commit are served.
    Publish(usize),
    /// The end of an attempt counts.
    LeaseEnded(LeaseId),
    /// A proof counts.
    Proved(Box<ProofRecord>),
    /// A verdict is remembered.
    Remember(String, Verdict),
    /// Settings take effect.
    Settings(usize, SettingsRecord),
    /// The farm is paused or goes on.
    FarmPaused(bool),
    /// Instances are there.
    Add(Vec<Instance>),
    /// A worker is to stop.
    Drain(String),
}

/// Who waits, and for which commits.
#[derive(Debug)]
struct Waiter {
    reply: ReplyId,
    answer: Reply,
    left: BTreeSet<CommitId>,
}

/// A commit that was handed out.
#[derive(Debug, Default)]
struct Open {
    /// What is to be written again if it fails.
    rewrite: Vec<Change>,
    then: Vec<Then>,
}

/// The store's side of the core.
#[derive(Debug)]
pub(super) struct Commits {
    current: CommitId,
    changes: Vec<Change>,
    then: Vec<Then>,
    /// The newest commit that failed.
    failed: Option<CommitId>,
    /// Someone waits for what was staged.
    pressed: bool,
    open: BTreeMap<CommitId, Open>,
    waiters: Vec<Waiter>,
    unsaved: Vec<Change>,
    /// The store's words, when it refused a commit and has taken none since.
    pub(super) problem: Option<String>,
}

impl Commits {
    pub(super) const fn new() -> Self {
        Self {
            current: CommitId(1),
            changes: Vec::new(),
            then: Vec::new(),
            failed: None,
            pressed: false,
            open: BTreeMap::new(),
            waiters: Vec::new(),
            unsaved: Vec::new(),
            problem: None,
        }
    }

    /// The commit that what is staged now will be part of.
    pub(super) const fn current(&self) -> CommitId {
        self.current
    }

    /// Adds a change to the current commit.
    pub(super) fn stage(&mut self, change: Change) {
        self.changes.push(change);
    }

    /// Adds what happens after the current commit.
    pub(super) fn then(&mut self, then: Then) {
        self.then.push(then);
    }

    /// Answers once the current commit and `others` are durable.
    pub(super) fn answer_after(&mut self, reply: ReplyId, answer: Reply, mut others: BTreeSet<CommitId>) {
        others.retain(|commit| self.open.contains_key(commit));
        others.insert(self.current);
        self.pressed = true;
        self.waiters.push(Waiter { reply, answer, left: others });
    }

    /// Whether a commit is on its way.
    pub(super) fn is_open(&self, commit: CommitId) -> bool {
        self.open.contains_key(&commit)
    }
}

impl Core {
    /// Hands out what was staged while one event was handled. While the store takes nothing, only what someone waits
    /// for, or time, tries again.
    pub(super) fn flush(&mut self, is_tick: bool) {
        let retry = is_tick && self.commits.open.is_empty();
        if self.commits.problem.is_none() || self.commits.pressed || retry {
            self.stage_figures();
            let mut changes = std::mem::take(&mut self.commits.unsaved);
            for change in &changes {
                match change {
                    Change::LeaseEnded(ended) => {
                        self.leases.note_rewritten(ended.lease, self.commits.current);
                        self.commits.then.push(Then::LeaseEnded(ended.lease));
                    }
                    Change::Proved(proof) => self.commits.then.push(Then::Proved(proof.clone())),
                    _ => {}
                }
            }
            changes.append(&mut self.commits.changes);
            self.hand_out(changes);
        } else {
            let staged = std::mem::take(&mut self.commits.changes);
            let rewrite = staged.iter().filter_map(rewritten).collect();
            self.keep_unsaved(rewrite);
            let then = std::mem::take(&mut self.commits.then);
            let current = self.commits.current;
            self.undo(then, current);
        }
    }

    /// Whole rows of what changed since the last time.
    fn stage_figures(&mut self) {
        for at in std::mem::take(&mut self.dirty_instances) {
            if let Some(entry) = self.instances.get_mut(at) {
                entry.frontier.take_changes(&mut self.commits.changes);
            }
        }
        for name in std::mem::take(&mut self.dirty_workers) {
            if let Some(worker) = self.workers.get(&name) {
                self.commits.changes.push(Change::Worker(worker.row()));
            }
        }
    }

    fn hand_out(&mut self, changes: Vec<Change>) {
        self.commits.pressed = false;
        let id = self.commits.current;
        if changes.is_empty() {
            for then in std::mem::take(&mut self.commits.then) {
                self.carry_out(then, id);
            }
            return self.settle_waiters(id);
        }
        self.commits.current.0 += 1;
        let rewrite = changes.iter().filter_map(rewritten).collect();
        let then = std::mem::take(&mut self.commits.then);
        self.commits.open.insert(id, Open { rewrite, then });
        self.effects.push(Effect::Commit { id, knows: self.commits.failed, changes });
    }

    pub(super) fn committed(&mut self, commit: CommitId) {
        let Some(open) = self.commits.open.remove(&commit) else { return };
        if self.commits.problem.take().is_some() {
            self.log(Line::info("store-recovered", "the store accepts writes again"));
        }
        for then in open.then {
            self.carry_out(then, commit);
        }
        self.settle_waiters(commit);
    }

    pub(super) fn commit_failed(&mut self, commit: CommitId, reason: &str) {
        if !self.commits.is_open(commit) {
            return;
        }
        // All that are behind it fail too, and what they hold is written anew together.
        self.commits.failed = Some(commit);
        let failed = self.commits.open.split_off(&commit);
        for (id, open) in failed {
            self.undo(open.then, id);
            self.keep_unsaved(open.rewrite);
            let refused: Vec<_> = self.commits.waiters.extract_if(.., |waiter| waiter.left.contains(&id)).collect();
            for waiter in refused {
                self.answer(waiter.reply, Err(Refusal::StoreUnavailable(reason.to_owned())));
            }
        }
        if self.commits.problem.replace(reason.to_owned()).is_none() {
            self.log(Line::error("store-refuses", format!("the store does not accept writes: {reason}")));
        }
    }

    fn settle_waiters(&mut self, commit: CommitId) {
        for waiter in &mut self.commits.waiters {
            waiter.left.remove(&commit);
        }
        let served: Vec<_> = self.commits.waiters.extract_if(.., |waiter| waiter.left.is_empty()).collect();
        for waiter in served {
            self.answer(waiter.reply, Ok(waiter.answer));
        }
    }

    /// Keeps what did not reach the store: figures are marked to be written as they are by then, facts as they are.
    fn keep_unsaved(&mut self, rewrite: Vec<Change>) {
        for change in rewrite {
            match change {
                Change::State(_) | Change::StateRemoved { .. } | Change::Arm(_) => {
                    let digest = match &change {
                        Change::State(record) => record.instance,
                        Change::Arm(record) => record.instance,
                        Change::StateRemoved { instance, .. } => *instance,
                        _ => continue,
                    };
                    if let Some(&at) = self.by_digest.get(&digest) {
                        self.instances[at].frontier.unsaved(&change);
                        self.dirty_instances.insert(at);
                    }
                }
                Change::Worker(record) => {
                    self.dirty_workers.insert(record.name);
                }
                fact => self.commits.unsaved.push(fact),
            }
        }
        let excess = self.commits.unsaved.len().saturating_sub(UNSAVED_KEPT);
        let mut dropped = 0;
        self.commits.unsaved.retain(|change| {
            let drop = dropped < excess && matches!(change, Change::Event(_));
            dropped += usize::from(drop);
            !drop
        });
    }

    fn carry_out(&mut self, then: Then, commit: CommitId) {
        match then {
            Then::Publish(at) => self.publish(at, commit),
            Then::LeaseEnded(lease) => self.leases.note_commit(lease, commit, true),
            Then::Proved(proof) => self.apply_proof(*proof),
            Then::Remember(worker, verdict) => {
                if let Some(worker) = self.workers.get_mut(&worker) {
                    worker.note_verdict(verdict);
                }
            }
            Then::Settings(at, settings) => self.apply_settings(at, settings),
            Then::FarmPaused(paused) => self.apply_farm_paused(paused),
            Then::Add(instances) => self.apply_added(instances),
            Then::Drain(worker) => self.apply_drain(&worker),
        }
    }

    fn undo(&mut self, then: Vec<Then>, commit: CommitId) {
        for then in then {
            match then {
                Then::Publish(at) => self.instances[at].candidates.retain(|candidate| candidate.commit != commit),
                Then::LeaseEnded(lease) => self.leases.note_commit(lease, commit, false),
                Then::Settings(at, _) => {
                    let entry = &mut self.instances[at];
                    entry.wanted = entry.settings.clone();
                }
                Then::Add(instances) => {
                    for instance in instances {
                        self.being_added.remove(&instance.name);
                    }
                }
                Then::Drain(name) => {
                    if let Some(worker) = self.workers.get_mut(&name) {
                        worker.drain_wanted = false;
                        self.dirty_workers.insert(name);
                    }
                }
                Then::Remember(..) | Then::Proved(_) | Then::FarmPaused(_) => {}
            }
        }
    }
}

/// What of a change is to be written again if its commit fails: figures by their key, facts whole, and nothing of what
/// is refused to those who asked for it or is over by then.
fn rewritten(change: &Change) -> Option<Change> {
    match change {
        Change::State(record) => Some(Change::StateRemoved { instance: record.instance, id: record.id }),
        Change::StateRemoved { .. }
        | Change::Arm(_)
        | Change::LeaseEnded(_)
        | Change::Worker(_)
        | Change::BestSetAside { .. }
        | Change::Proved(_)
        | Change::ProofWithdrawn(_)
        | Change::Event(_) => Some(change.clone()),
        Change::LeaseHeld(_)
        | Change::Best(_)
        | Change::InstanceAdded(_)
        | Change::Settings(_)
        | Change::FarmPaused(_) => None,
    }
}
