//! Sessions: who is signed on, and who was.

use super::Core;
use super::effect::Refusal;
use super::event::SessionRef;
use super::id::{Epoch, SessionId};
use super::lease::EPOCH_SHIFT;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Ended sessions that are remembered.
const ENDED_KEPT: usize = 10_000;

/// A worker's sign-on.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) worker: String,
    pub(super) last_seen: Duration,
    /// Leases it holds.
    pub(super) leases: BTreeSet<u64>,
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    /// Another process signed on under its name.
    Fenced,
    /// It fell silent, or said goodbye.
    Ended,
}

/// All sessions of this term.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    next: u64,
    pub(super) live: BTreeMap<SessionId, Session>,
    ended: BTreeMap<SessionId, (String, Over)>,
}

impl Sessions {
    pub(super) fn new(epoch: Epoch) -> Self {
        Self { next: (epoch.0 << EPOCH_SHIFT) | 1, ..Self::default() }
    }

    pub(super) fn open(&mut self, worker: &str, now: Duration) -> SessionId {
        let id = SessionId(self.next);
        self.next += 1;
        let session = Session { worker: worker.to_owned(), last_seen: now, leases: BTreeSet::new() };
        self.live.insert(id, session);
        id
    }

    /// Ends a session; hands out what it held.
    pub(super) fn close(&mut self, id: SessionId, over: Over) -> Option<Session> {
        let session = self.live.remove(&id)?;
        self.ended.insert(id, (session.worker.clone(), over));
        while self.ended.len() > ENDED_KEPT {
            self.ended.pop_first();
        }
        Some(session)
    }

    /// The worker of a session that is live or was so in this term.
    pub(super) fn worker_of(&self, id: SessionId) -> Option<&str> {
        let live = self.live.get(&id).map(|session| session.worker.as_str());
        live.or_else(|| self.ended.get(&id).map(|(worker, _)| worker.as_str()))
    }
}

impl Core {
    /// The session if it is live; its worker has shown life.
    pub(super) fn touch(&mut self, given: SessionRef) -> Result<SessionId, Refusal> {
        if given.epoch != self.epoch {
            return Err(Refusal::WrongEpoch { theirs: given.epoch, ours: self.epoch });
        }
        let now = self.now.clock;
        if let Some(session) = self.sessions.live.get_mut(&given.session) {
            session.last_seen = now;
            if let Some(worker) = self.workers.get_mut(&session.worker) {
                worker.last_seen = Some(now);
            }
            return Ok(given.session);
        }
        match self.sessions.ended.get(&given.session) {
            Some((worker, Over::Fenced)) => Err(Refusal::Fenced { worker: worker.clone() }),
            _ => Err(Refusal::SessionUnknown),
        }
    }
}
