//! What must always hold in the core.

use super::Core;
use super::worker::Presence;
use std::collections::BTreeSet;

impl Core {
    /// Every invariant. Tests call this after each event.
    ///
    /// # Errors
    /// Which invariant is broken, in words.
    pub fn sanity_check(&self) -> Result<(), String> {
        self.check_leases()?;
        self.check_sessions()?;
        for (at, entry) in self.instances.iter().enumerate() {
            let name = entry.name();
            entry.frontier.sanity_check().map_err(|problem| format!("{name}: {problem}"))?;
            if self.by_name.get(name) != Some(&at) || self.by_digest.get(&entry.digest) != Some(&at) {
                return Err(format!("{name} is not found under its name and digest"));
            }
            let out = entry.active.len() + entry.waiting.len();
            if out != entry.frontier.out() as usize {
                return Err(format!("{name} has {out} leases, but its frontier counts {}", entry.frontier.out()));
            }
            if let Some(best) = &entry.best {
                let judged = entry.puzzle.judge(&best.moves).map_err(|error| format!("the best of {name}: {error}"))?;
                if judged.score != best.score || !judged.complete {
                    return Err(format!("the best of {name} is not what the judge says"));
                }
                if entry.candidates.iter().any(|c| !self.commits.is_open(c.commit)) {
                    return Err(format!("a best of {name} waits for a commit that is not on its way"));
                }
            }
        }
        Ok(())
    }

    fn check_leases(&self) -> Result<(), String> {
        for (&id, lease) in &self.leases.active {
            let session = self.sessions.live.get(&lease.session);
            if !session.is_some_and(|session| session.leases.contains(&id) && session.worker == lease.worker) {
                return Err(format!("lease {} is out, but no session of {} holds it", lease.id, lease.worker));
            }
            if !self.instances.get(lease.at).is_some_and(|entry| entry.active.contains(&id)) {
                return Err(format!("lease {} is out, but its instance does not know", lease.id));
            }
            if self.leases.waiting.contains_key(&id) {
                return Err(format!("lease {} is out and waits", lease.id));
            }
        }
        let held: usize = self.sessions.live.values().map(|session| session.leases.len()).sum();
        let active: usize = self.instances.iter().map(|entry| entry.active.len()).sum();
        let waiting: usize = self.instances.iter().map(|entry| entry.waiting.len()).sum();
        if held != self.leases.active.len() || active != held || waiting != self.leases.waiting.len() {
            let (out, shelf) = (self.leases.active.len(), self.leases.waiting.len());
            return Err(format!(
                "workers hold {held} leases, instances have {active} out and {waiting} waiting, known are {out} and {shelf}"
            ));
        }
        let mut searches = BTreeSet::new();
        let active = self.leases.active.values();
        for lease in active.chain(self.leases.waiting.values().map(|waiting| &waiting.lease)) {
            if !searches.insert((lease.at, lease.work.search())) {
                return Err(format!("lease {} is the same search as another", lease.id));
            }
        }
        Ok(())
    }

    fn check_sessions(&self) -> Result<(), String> {
        for (&id, session) in &self.sessions.live {
            let presence = self.workers.get(&session.worker).map(|worker| worker.presence);
            if presence != Some(Presence::Connected(id)) {
                return Err(format!("session {id} of {} is live, but the worker is elsewhere", session.worker));
            }
        }
        let connected = self.workers.values().filter(|worker| worker.session().is_some()).count();
        if connected != self.sessions.live.len() {
            return Err(format!("{connected} workers are connected with {} sessions", self.sessions.live.len()));
        }
        Ok(())
    }
}
