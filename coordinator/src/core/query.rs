//! What readers ask.

use super::Core;
use super::change::ProofRecord;
use super::effect::Refusal;
use super::instance::Entry;
use super::view::{Explanation, InstanceView, StatusView, WorkerState, WorkerView};
use super::worker::{Presence, Worker};
use cascade_games::{Bound, InstanceName};

/// Partial states shown in an explanation.
const STATES_SHOWN: usize = 20;

impl Core {
    pub(super) fn status(&self) -> StatusView {
        StatusView {
            epoch: self.epoch,
            uptime: self.now.clock.saturating_sub(self.started),
            instances: self.instances.len(),
            instances_with_best: self.instances.iter().filter(|entry| entry.best.is_some()).count(),
            workers_connected: self.sessions.live.len(),
            leases_out: self.leases.active.len(),
            total_expansions: self.instances.iter().fold(0, |sum, entry| sum.saturating_add(entry.frontier.spent())),
            expansions_per_second: self.meter.rate(self.now.clock),
            last_improvement: self.last_improvement,
            paused: self.farm_paused,
            store_problem: self.commits.problem.clone(),
        }
    }

    pub(super) fn instance_views(&self) -> Vec<InstanceView> {
        let mut entries: Vec<_> = self.instances.iter().collect();
        entries.sort_by_key(|entry| {
            let name = entry.name();
            (name.game(), name.name().parse::<u64>().ok(), name)
        });
        entries.into_iter().map(instance_view).collect()
    }

    pub(super) fn worker_views(&self) -> Vec<WorkerView> {
        self.workers.values().map(|worker| self.worker_view(worker)).collect()
    }

    fn worker_view(&self, worker: &Worker) -> WorkerView {
        let record = &worker.record;
        let (state, reason) = match (&record.set_aside, record.draining, worker.presence) {
            (Some(aside), _, _) => (WorkerState::SetAside, aside.reason.clone()),
            (None, true, _) => (WorkerState::Drained, "asked to stop".to_owned()),
            (None, false, Presence::Drained) => (WorkerState::Drained, "stopped as it was asked".to_owned()),
            (None, false, Presence::Connected(_)) if worker.slowed_until > self.now.clock => {
                let reason = format!("slowed: its last {} leases failed", worker.failures_in_row);
                (WorkerState::Connected, reason)
            }
            (None, false, Presence::Connected(_)) => (WorkerState::Connected, String::new()),
            (None, false, Presence::Gone) => (WorkerState::Gone, String::new()),
            (None, false, Presence::Lost) => (WorkerState::Lost, String::new()),
            (None, false, Presence::Unseen) => (WorkerState::Lost, "not heard of since the last start".to_owned()),
        };
        let session = worker.session().and_then(|id| self.sessions.live.get(&id));
        let held = session.into_iter().flat_map(|session| &session.leases);
        WorkerView {
            name: record.name.clone(),
            state,
            reason,
            threads: record.threads,
            speed: record.speed.clone(),
            leases: held
                .filter_map(|id| self.leases.active.get(id))
                .map(|lease| self.instances[lease.at].name().clone())
                .collect(),
            finished: record.finished,
            failed: record.failed,
            refused: record.refused,
            expansions: record.expansions,
            last_seen: worker.last_seen.map(|seen| self.now.clock.saturating_sub(seen)),
            software: record.software.clone(),
        }
    }

    pub(super) fn explain(&self, name: &InstanceName) -> Result<Explanation, Refusal> {
        let entry = &self.instances[self.find(name)?];
        let endings = entry.endings.iter().map(|ended| {
            let best = ended.best_found.map_or_else(String::new, |score| format!(", best {score}"));
            format!(
                "{} of width {}, seed {}, from partial state {} by {}: {} after {} expansions{best}",
                ended.strategy,
                ended.width,
                ended.seed,
                ended.state,
                ended.worker,
                ended.reason.name(),
                ended.expansions
            )
        });
        Ok(Explanation {
            instance: instance_view(entry),
            summary: self.summary(entry),
            arms: entry.frontier.arm_views(),
            states: entry.frontier.state_views(STATES_SHOWN),
            states_total: entry.frontier.states_total(),
            endings: endings.collect(),
        })
    }

    /// One sentence: why an instance gets work, or why not.
    fn summary(&self, entry: &Entry) -> String {
        let out = entry.active.len();
        let waiting = entry.waiting.len();
        if entry.is_optimal() {
            let proof = match entry.proof.as_ref().filter(|proof| proof.bound == entry.bound().value) {
                None => format!("the {} bound", entry.bound().name),
                Some(ProofRecord { worker, confirmed_by: Some(other), .. }) => {
                    format!("exhaustive search, by {worker} and again by {other}")
                }
                Some(ProofRecord { worker, .. }) => {
                    format!("exhaustive search, by {worker} alone so far: another worker is to run it again")
                }
            };
            return format!("It gets no leases: its best is proved to be optimal by {proof}.");
        }
        if entry.frontier.is_exhausted() {
            return "It gets no leases: workers searched all of it.".to_owned();
        }
        let stopped = if self.farm_paused {
            Some("the whole farm is paused".to_owned())
        } else if entry.settings.paused {
            Some("it is paused".to_owned())
        } else if entry.settings.priority == 0 {
            Some("its priority is 0".to_owned())
        } else if self.sessions.live.is_empty() {
            Some("no worker is connected".to_owned())
        } else {
            None
        };
        match stopped {
            Some(reason) if out > 0 => format!("It gets no new leases: {reason}; {out} are still out."),
            Some(reason) => format!("It gets no leases: {reason}."),
            None if out > 0 => format!("{out} leases are out and {waiting} wait to be handed out again."),
            None if waiting > 0 => format!("{waiting} leases wait to be handed out again."),
            None if entry.best.is_none() => "It has no best yet and comes before those that have one.".to_owned(),
            None => {
                let idle = "No lease is out: others promise more for their effort just now";
                format!("{idle}; it had {} leases.", entry.frontier.finished())
            }
        }
    }
}

fn instance_view(entry: &Entry) -> InstanceView {
    let bound = entry.bound();
    let proof = entry.proof.as_ref().filter(|_| bound.name == Bound::EXHAUSTIVE_SEARCH);
    let proved_by = proof.map(|proof| [Some(&proof.worker), proof.confirmed_by.as_ref()]);
    InstanceView {
        name: entry.name().clone(),
        digest: entry.digest,
        game: entry.puzzle.game(),
        origin: entry.instance.origin.clone(),
        paused: entry.settings.paused,
        priority: entry.settings.priority,
        best_score: entry.best_score(),
        best_found_at: entry.best.as_ref().map(|best| best.found_at),
        bound: bound.value,
        bound_name: bound.name,
        expansions: entry.frontier.spent(),
        leases_out: entry.active.len(),
        marks: entry.best_score().and_then(|score| entry.puzzle.marks(score)),
        optimal: entry.is_optimal(),
        proved_by: proved_by.into_iter().flatten().flatten().cloned().collect(),
    }
}
