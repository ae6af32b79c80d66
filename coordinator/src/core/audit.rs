//! Effort cannot be judged, so now and then a finished search is rerun elsewhere. Searches are deterministic: workers
//! whose results differ cannot both be right. A third one decides, and the one who stands alone is set aside.

use super::Core;
use super::frontier::Work;
use super::id::{LeaseId, SessionId};
use super::instance::Entry;
use super::journal::Line;
use super::lease::{Lease, Traced};
use cascade_games::mix::mix;
use std::time::Duration;

/// Reruns that wait for a worker; beyond that the oldest is forgotten.
const KEPT: usize = 64;

/// A finished search and the results that workers gave of it.
#[derive(Clone, Debug)]
pub(super) struct Audit {
    at: usize,
    work: Work,
    results: Vec<Traced>,
}

impl Core {
    /// Notes a finished lease for a rerun, one in so many.
    pub(super) fn propose_audit(&mut self, lease: &Lease, result: Traced) {
        let chosen = mix(lease.id.id).checked_rem(self.config.audit_every) == Some(0);
        if chosen && !result.trace.is_empty() && lease.expected <= self.config.usual_lease * 2 {
            self.rerun(lease.at, lease.work.clone(), vec![result]);
        }
    }

    /// Has a search run again by a worker that had no part in it; once is enough, whatever it is wanted for.
    pub(super) fn rerun(&mut self, at: usize, work: Work, results: Vec<Traced>) {
        if let Some(same) = self.audits.iter_mut().find(|audit| audit.at == at && audit.work.search() == work.search())
        {
            if results.len() > same.results.len() {
                same.results = results;
            }
            return;
        }
        self.audits.push_back(Audit { at, work, results });
        if self.audits.len() > KEPT {
            self.audits.pop_front();
        }
    }

    /// A rerun for this worker, if one waits that it had no part in.
    pub(super) fn next_audit(&mut self, session: SessionId, name: &str) -> Option<Lease> {
        let fits = |audit: &Audit| {
            let entry = &self.instances[audit.at];
            let open = !entry.settings.paused && entry.settings.priority > 0;
            let worthwhile = !entry.is_settled() && entry.frontier.is_worthwhile(audit.work.state, audit.work.arm);
            open && (worthwhile || entry.awaits_confirmation(&audit.work.plan))
                && audit.results.iter().all(|result| result.worker != name)
                && !self.is_out(entry, &audit.work)
        };
        let place = self.audits.iter().position(fits)?;
        let Audit { at, work, results } = self.audits.remove(place)?;
        self.instances[at].frontier.take(&work);
        let now = self.now.clock;
        Some(Lease {
            id: LeaseId { id: self.leases.next_id(), attempt: 1 },
            at,
            work,
            worker: name.to_owned(),
            session,
            granted_at: now,
            expected: Duration::ZERO,
            checkpoint: false,
            spent: 0,
            progress_at: now,
            failures: 0,
            disconnects: 0,
            improved: false,
            audit: results,
        })
    }

    /// Whether the search `work` is leased or waits to be.
    fn is_out(&self, entry: &Entry, work: &Work) -> bool {
        let active = entry.active.iter().filter_map(|id| self.leases.active.get(id));
        let waiting = entry.waiting.iter().filter_map(|id| self.leases.waiting.get(id)).map(|waiting| &waiting.lease);
        active.chain(waiting).any(|lease| lease.work.search() == work.search())
    }

    /// A rerun is finished: what do the results say?
    pub(super) fn compare_results(&mut self, lease: Lease, result: Traced) {
        let name = self.instances[lease.at].name().clone();
        let mut results = lease.audit;
        results.push(result);
        let agree = |left: &Traced, right: &Traced| left.trace == right.trace;
        let workers = results.iter().map(|result| result.worker.as_str()).collect::<Vec<_>>().join(", ");
        if results.windows(2).all(|pair| agree(&pair[0], &pair[1])) {
            self.log(Line::info("audit-passed", format!("{workers} have the same result of one search")).of(&name));
            self.confirm_proof(lease.at, &lease.work.plan, &lease.worker);
        } else if let [first, second, third] = results.as_slice() {
            let odd = if agree(first, second) {
                third
            } else if agree(first, third) {
                second
            } else if agree(second, third) {
                first
            } else {
                let detail = format!("{workers} have three results of one search: it does not repeat");
                return self.log(Line::error("audit-undecided", detail).of(&name));
            };
            let reason = format!("its result of a search of {name} differs from that of two others ({workers})");
            let odd = odd.worker.clone();
            self.set_worker_aside(&odd, reason);
        } else {
            let detail = format!("{workers} have different results of one search: a third worker is asked");
            self.log(Line::warning("audit-differs", detail).of(&name));
            if self.instances[lease.at].awaits_confirmation(&lease.work.plan) {
                self.withdraw_proof(lease.at, "another worker came to another result");
            }
            self.rerun(lease.at, lease.work, results);
        }
    }
}
