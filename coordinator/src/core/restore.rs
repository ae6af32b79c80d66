//! How the core starts from what the store held.

use super::Core;
use super::change::{
    ArmRecord, Best, Change, EndReason, EventRecord, LeaseRecord, ProofRecord, SettingsRecord, StateRecord,
    WorkerRecord,
};
use super::commit::Commits;
use super::config::CoreConfig;
use super::effect::Effect;
use super::frontier::Work;
use super::id::{Epoch, Now, SessionId};
use super::journal::{Journal, Line};
use super::lease::{Lease, Leases, Waiting};
use super::meter::Meter;
use super::session::Sessions;
use super::worker::Worker;
use cascade_games::{Digest, Instance};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Everything the store holds, and the instances there are. Rows of instances that are not among these are left
/// alone: they belong to content that is not served now.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    /// This term of office: one more than the last, and durable already.
    pub epoch: Epoch,
    /// The catalog, and instances that an administrator added. Of two with one name the first is taken.
    pub instances: Vec<Instance>,
    /// The whole farm is paused.
    pub farm_paused: bool,
    /// Priorities and pauses.
    pub settings: Vec<SettingsRecord>,
    /// The stored bests; [`Best::text`] is left empty. There may be several of one instance, as older ones of its
    /// history: the best that stands up to the judge is taken.
    pub bests: Vec<Best>,
    /// What searches proved.
    pub proofs: Vec<ProofRecord>,
    /// Partial states in any order.
    pub states: Vec<StateRecord>,
    /// Arms in any order.
    pub arms: Vec<ArmRecord>,
    /// Leases that were out.
    pub leases: Vec<LeaseRecord>,
    /// Workers seen before.
    pub workers: Vec<WorkerRecord>,
    /// The newest events of the store, oldest first; a thousand or so, for readers.
    pub events: Vec<EventRecord>,
    /// Rows that could not be read, in words: each becomes a loud event.
    pub problems: Vec<String>,
}

impl Core {
    /// The core of a coordinator that starts with what its store holds. The effects are those of the start: bests to
    /// publish, repairs to commit. Nothing that is stored can stop it: what is broken is set aside with a loud event.
    #[must_use]
    pub fn restore(restored: Restored, config: CoreConfig, now: Now) -> (Self, Vec<Effect>) {
        let Restored {
            epoch,
            instances,
            farm_paused,
            settings,
            bests,
            proofs,
            states,
            arms,
            leases,
            workers,
            events,
            problems,
        } = restored;
        let mut core = Self {
            config,
            epoch,
            started: now.clock,
            now,
            farm_paused,
            instances: Vec::new(),
            by_name: BTreeMap::new(),
            by_digest: BTreeMap::new(),
            being_added: BTreeMap::new(),
            workers: workers.into_iter().map(|record| (record.name.clone(), Worker::restore(record))).collect(),
            sessions: Sessions::new(epoch),
            leases: Leases::new(epoch),
            journal: Journal::restore(events),
            meter: Meter::default(),
            cost_ratios: BTreeMap::new(),
            last_improvement: bests.iter().map(|best| best.found_at).max(),
            commits: Commits::new(),
            audits: VecDeque::new(),
            dirty_instances: BTreeSet::new(),
            dirty_workers: BTreeSet::new(),
            effects: Vec::new(),
        };
        for problem in problems {
            core.log(Line::error("stored-row-unreadable", problem));
        }
        core.restore_instances(instances);
        for record in settings {
            if let Some(&at) = core.by_digest.get(&record.instance) {
                core.instances[at].wanted = record.clone();
                core.instances[at].settings = record;
            }
        }
        core.restore_bests(bests);
        core.restore_proofs(proofs);
        core.restore_frontiers(states, arms);
        for record in leases {
            core.restore_lease(record);
        }
        for worker in core.workers.values_mut() {
            worker.aside_until = worker.record.set_aside.as_ref().map(|_| now.clock + core.config.set_aside_for);
        }
        let known = core.instances.len();
        let served = core.instances.iter().filter(|entry| entry.best.is_some()).count();
        core.log(Line::info("started", format!("epoch {epoch}: {known} instances, {served} with a best")));
        core.flush(true);
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    fn restore_instances(&mut self, instances: Vec<Instance>) {
        for instance in instances {
            let name = instance.name.clone();
            let digest = instance.puzzle().digest();
            if self.by_name.contains_key(&name) || self.by_digest.contains_key(&digest) {
                let detail =
                    format!("{name} (digest {}) is left out: its name or content is there already", digest.short());
                self.log(Line::warning("instance-left-out", detail));
            } else {
                self.insert_instance(instance);
            }
        }
    }

    /// Judges every stored best again.
    fn restore_bests(&mut self, bests: Vec<Best>) {
        let mut broken: BTreeMap<Digest, String> = BTreeMap::new();
        for mut best in bests {
            let Some(&at) = self.by_digest.get(&best.digest) else { continue };
            let entry = &mut self.instances[at];
            let problem = match entry.puzzle.judge(&best.moves) {
                Err(illegal) => illegal.to_string(),
                Ok(judged) if !judged.complete => "it does not end as the game wants".to_owned(),
                Ok(judged) if judged.score != best.score => {
                    format!("it is stored with score {} and scores {}", best.score, judged.score)
                }
                Ok(_) => {
                    let better =
                        entry.best.as_ref().is_none_or(|known| entry.direction.is_better(best.score, known.score));
                    if better {
                        best.text = entry.puzzle.format(&best.moves);
                        best.instance = entry.name().clone();
                        best.game = entry.puzzle.game();
                        entry.best = Some(Arc::new(best));
                    }
                    continue;
                }
            };
            broken.insert(best.digest, problem);
        }
        for (digest, reason) in broken {
            let Some(&at) = self.by_digest.get(&digest) else { continue };
            let name = self.instances[at].name().clone();
            self.log(Line::error("best-set-aside", format!("a stored best is set aside: {reason}")).of(&name));
            self.commits.stage(Change::BestSetAside { instance: digest, reason });
            // An older one that stands is the best again.
            if let Some(best) = self.instances[at].best.clone() {
                self.commits.stage(Change::Best(best));
            }
        }
        for entry in &mut self.instances {
            if let Some(best) = &entry.best {
                entry.frontier.note_best(best.score);
                entry.frontier.learn_length(best.moves.len());
                self.effects.push(Effect::Publish(best.clone()));
            }
        }
    }

    fn restore_frontiers(&mut self, states: Vec<StateRecord>, arms: Vec<ArmRecord>) {
        let mut rows: BTreeMap<usize, (Vec<StateRecord>, Vec<ArmRecord>)> = BTreeMap::new();
        for record in states {
            if let Some(&at) = self.by_digest.get(&record.instance) {
                rows.entry(at).or_default().0.push(record);
            }
        }
        for record in arms {
            if let Some(&at) = self.by_digest.get(&record.instance) {
                rows.entry(at).or_default().1.push(record);
            }
        }
        for (at, (states, arms)) in rows {
            let entry = &mut self.instances[at];
            entry.frontier.load(states, &arms);
            self.cost_ratios.extend(entry.frontier.cost_ratio().map(|ratio| (entry.puzzle.game(), ratio)));
            let dropped = entry.frontier.take_dropped();
            let name = entry.name().clone();
            self.dirty_instances.insert(at);
            for problem in dropped {
                self.log(Line::warning("state-dropped", problem).of(&name));
            }
        }
    }

    /// A lease that was out waits for its worker to come back, and then goes to others.
    fn restore_lease(&mut self, record: LeaseRecord) {
        let Some(&at) = self.by_digest.get(&record.instance) else { return };
        let now = self.now.clock;
        let mut lease = Lease {
            id: record.lease,
            at,
            work: Work { state: record.state, arm: record.arm, plan: record.plan },
            worker: record.worker,
            session: SessionId(0),
            granted_at: now,
            expected: record.expected,
            checkpoint: true,
            spent: record.expansions,
            progress_at: now,
            failures: record.failures,
            disconnects: record.disconnects,
            improved: false,
            audit: Vec::new(),
        };
        let entry = &mut self.instances[at];
        if entry.is_settled() || !entry.frontier.is_worthwhile(lease.state(), lease.arm()) {
            self.close_attempt(&mut lease, EndReason::Pointless, None);
            return;
        }
        entry.frontier.take(&lease.work);
        entry.waiting.insert(lease.id.id);
        let free_at = now + self.config.hold;
        let reason = EndReason::Unclaimed;
        self.leases.waiting.insert(lease.id.id, Waiting { lease, claimable: true, free_at, reason });
    }
}
