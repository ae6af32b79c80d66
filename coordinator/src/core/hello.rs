//! Signing on, showing life, signing off.

use super::Core;
use super::change::EndReason;
use super::effect::{HeartbeatReply, Refusal, Reply, Welcome};
use super::event::{Finish, Heartbeat, Hello, SessionRef, Versions};
use super::id::{LeaseId, ReplyId, SessionId};
use super::journal::Line;
use super::session::Over;
use super::worker::{Presence, Worker};
use std::collections::BTreeSet;

/// The longest name of a worker, in characters.
const LONGEST_NAME: usize = 100;

impl Core {
    pub(super) fn hello(&mut self, reply: ReplyId, hello: Hello) {
        let protocol = match self.common_protocol(&hello) {
            Ok(protocol) => protocol,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        let name = hello.worker.clone();
        let now = self.now.clock;
        let worker = self.workers.entry(name.clone()).or_insert_with(|| Worker::new(&name));
        let former = worker.session();
        worker.introduce(&hello);
        worker.last_seen = Some(now);
        let session = self.sessions.open(&name, now);
        worker.presence = Presence::Connected(session);
        self.dirty_workers.insert(name.clone());
        let held: Vec<_> = hello.held.iter().map(|&lease| (lease, self.keep(lease, &name, session))).collect();
        match former {
            Some(former) => {
                self.log(Line::info("worker-back", "signed on anew; its session before is fenced").by(&name));
                self.end_session(former, Over::Fenced, EndReason::Abandoned);
            }
            None => self.log(Line::info("worker-on", format!("signed on with {} threads", hello.threads)).by(&name)),
        }
        let welcome = Welcome {
            epoch: self.epoch,
            session,
            protocol,
            heartbeat_interval: self.config.heartbeat_interval,
            silence_limit: self.config.silence_limit,
            held,
        };
        self.answer(reply, Ok(Reply::Welcome(welcome)));
    }

    fn common_protocol(&self, hello: &Hello) -> Result<u32, Refusal> {
        let name_fits = !hello.worker.trim().is_empty()
            && hello.worker.chars().count() <= LONGEST_NAME
            && !hello.worker.chars().any(char::is_control);
        if !name_fits {
            return Err(Refusal::BadInput(format!(
                "found {:?} as a worker's name, expected 1 to {LONGEST_NAME} characters that can be printed",
                hello.worker.chars().take(LONGEST_NAME).collect::<String>()
            )));
        }
        let (ours, theirs) = (&self.config.versions, &hello.versions);
        let protocol = ours.protocol_max.min(theirs.protocol_max);
        let common = protocol >= ours.protocol_min.max(theirs.protocol_min);
        if common && ours.rules == theirs.rules {
            return Ok(protocol);
        }
        let boxed = |versions: &Versions| Box::new(versions.clone());
        Err(Refusal::Versions { theirs: boxed(theirs), ours: boxed(ours) })
    }

    /// Whether a worker may go on with a lease it offers; if so it holds it under `session` from now on.
    fn keep(&mut self, offered: LeaseId, worker: &str, session: SessionId) -> bool {
        let now = self.now.clock;
        let active = self.leases.active.get(&offered.id).is_some_and(|l| l.id == offered && l.worker == worker);
        let mut lease = if active {
            match self.take_back(offered.id) {
                Some(lease) => lease,
                None => return false,
            }
        } else {
            let claimable = |waiting: &super::lease::Waiting| {
                waiting.claimable && waiting.lease.id == offered && waiting.lease.worker == worker
            };
            if !self.leases.waiting.get(&offered.id).is_some_and(claimable) {
                return false;
            }
            match self.unshelve(offered.id) {
                Some(waiting) => waiting.lease,
                None => return false,
            }
        };
        lease.session = session;
        lease.progress_at = now;
        self.hold(lease);
        true
    }

    pub(super) fn heartbeat(&mut self, reply: ReplyId, heartbeat: &Heartbeat) {
        let session = match self.touch(heartbeat.session) {
            Ok(session) => session,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        let now = self.now.clock;
        let mut answer = HeartbeatReply::default();
        let mut mentioned = BTreeSet::new();
        for progress in &heartbeat.leases {
            let lease = self.leases.active.get_mut(&progress.lease.id);
            let Some(lease) = lease.filter(|lease| lease.id == progress.lease && lease.session == session) else {
                answer.drop.push(progress.lease);
                continue;
            };
            mentioned.insert(lease.id.id);
            let expansions = progress.expansions.min(most_counted(lease.work.plan.expansions));
            if expansions > lease.spent {
                self.meter.add(expansions - lease.spent, now);
                lease.spent = expansions;
                lease.progress_at = now;
            }
            if let Some(score) = self.instances[lease.at].best_score() {
                answer.bests.push((lease.id, score));
            }
        }
        self.take_back_unmentioned(session, &mentioned);
        let worker = self.sessions.live.get(&session).map(|live| live.worker.as_str());
        answer.drain = worker.and_then(|name| self.workers.get(name)).is_some_and(|worker| worker.record.draining);
        self.answer(reply, Ok(Reply::Heartbeat(answer)));
    }

    /// A lease that its worker does not speak of never arrived there.
    fn take_back_unmentioned(&mut self, session: SessionId, mentioned: &BTreeSet<u64>) {
        let patience = self.config.heartbeat_interval * 2;
        let Some(live) = self.sessions.live.get(&session) else { return };
        let silent: Vec<_> = live.leases.difference(mentioned).copied().collect();
        for id in silent {
            let since = self.leases.active.get(&id).map_or(self.now.clock, |lease| lease.progress_at);
            if since + patience < self.now.clock
                && let Some(lease) = self.take_back(id)
            {
                self.shelve(lease, EndReason::Abandoned, true);
            }
        }
    }

    pub(super) fn goodbye(&mut self, reply: ReplyId, given: SessionRef, unfinished: Vec<Finish>) {
        let session = match self.touch(given) {
            Ok(session) => session,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        let mut waits = BTreeSet::new();
        for finish in unfinished {
            waits.extend(self.end_attempt(session, finish).waits_for);
        }
        self.end_session(session, Over::Ended, EndReason::Returned);
        self.commits.answer_after(reply, Reply::Done, waits);
    }

    /// A session is over; what it held goes back.
    pub(super) fn end_session(&mut self, id: SessionId, over: Over, reason: EndReason) {
        let Some(session) = self.sessions.live.get(&id) else { return };
        let held: Vec<_> = session.leases.iter().copied().collect();
        for lease in held {
            if let Some(mut lease) = self.take_back(lease) {
                lease.disconnects += u32::from(reason != EndReason::Returned);
                self.shelve(lease, reason, true);
            }
        }
        let Some(session) = self.sessions.close(id, over) else { return };
        let Some(worker) = self.workers.get_mut(&session.worker) else { return };
        if worker.session() != Some(id) {
            return;
        }
        self.dirty_workers.insert(session.worker.clone());
        let line = match reason {
            EndReason::Returned if worker.record.draining => {
                worker.record.draining = false;
                worker.presence = Presence::Drained;
                Line::info("worker-drained", "stopped as it was told to")
            }
            EndReason::Returned => {
                worker.presence = Presence::Gone;
                Line::info("worker-off", "signed off")
            }
            _ => {
                worker.presence = Presence::Lost;
                Line::warning("worker-lost", "was silent for too long; what it held is given to others")
            }
        };
        self.log(line.by(&session.worker));
    }

    /// Number of connected workers, by whether they are the one called `name`.
    pub(super) fn others_connected(&self, name: &str) -> bool {
        let mut names = self.sessions.live.values().map(|session| session.worker.as_str());
        names.any(|worker| worker != name)
    }
}

/// No attempt is believed to have spent more than this for a budget.
pub(super) fn most_counted(budget: u64) -> u64 {
    budget.saturating_mul(4).saturating_add(1_000_000)
}
