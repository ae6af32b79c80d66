//! Bounds that workers' searches prove.
//!
//! That a search looked at everything cannot be judged, so a proof is its worker's word until another worker has run the
//! same search to the same result. It counts from the first word on; a better play, or another result, takes it back.

use super::Core;
use super::change::{ArmKey, Change, ProofRecord};
use super::commit::Then;
use super::effect::Effect;
use super::frontier::Work;
use super::id::StateId;
use super::instance::Entry;
use super::journal::Line;
use super::lease::{Lease, Traced};
use super::plan::Plan;

impl Entry {
    /// Whether a play of `score` is better than is said to be possible.
    pub(super) fn contradicts_proof(&self, score: i64) -> bool {
        self.proof.as_ref().is_some_and(|proof| self.direction.is_better(score, proof.bound))
    }

    /// Whether the instance's proof is that of the search `plan`, and only one worker's word as yet.
    pub(super) fn awaits_confirmation(&self, plan: &Plan) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.confirmed_by.is_none() && proof.plan == *plan)
    }
}

impl Core {
    /// A worker says that its search, which is done, proved that no play is better than `bound`.
    pub(super) fn claim_proof(&mut self, lease: &Lease, bound: i64, trace: &[u8]) {
        let entry = &self.instances[lease.at];
        let plan = &lease.work.plan;
        if lease.state() != StateId::ROOT || !plan.prefix.is_empty() || plan.window.is_some() {
            return;
        }
        let name = entry.name().clone();
        if let Some(best) = entry.best_known().filter(|best| entry.direction.is_better(best.score, bound)) {
            let detail = format!("said that no play is better than {bound}, yet one has {}", best.score);
            self.log(Line::warning("proof-refused", detail).of(&name).by(&lease.worker));
            return self.note_refusal(&lease.worker, &format!("what it proved of {name} is not so"));
        }
        let record = match &entry.proof {
            Some(proof) if proof.bound == bound && proof.confirmed_by.is_none() && proof.worker != lease.worker => {
                // Another search, but the same result.
                ProofRecord { confirmed_by: Some(lease.worker.clone()), ..proof.clone() }
            }
            Some(proof) if !entry.direction.is_better(proof.bound, bound) => return,
            _ => ProofRecord {
                instance: entry.digest,
                bound,
                worker: lease.worker.clone(),
                plan: plan.clone(),
                trace: trace.to_vec(),
                proved_at: self.now.wall,
                confirmed_by: None,
            },
        };
        self.stage_proof(record);
    }

    fn stage_proof(&mut self, record: ProofRecord) {
        let record = Box::new(record);
        self.commits.stage(Change::Proved(record.clone()));
        self.commits.then(Then::Proved(record));
    }

    /// A proof is durable.
    pub(super) fn apply_proof(&mut self, record: ProofRecord) {
        let Some(&at) = self.by_digest.get(&record.instance) else { return };
        let name = self.instances[at].name().clone();
        let known = self.instances[at].proof.replace(record.clone());
        if let Some(best) = self.instances[at].best_known().map(|best| best.score)
            && self.instances[at].contradicts_proof(best)
        {
            return self.refute_proof(at, best);
        }
        let ProofRecord { bound, worker, confirmed_by, .. } = &record;
        let unit = self.instances[at].puzzle.game().score_unit();
        if known.is_none_or(|known| known.bound != record.bound) {
            let detail = format!("no play is better than {bound} {unit}: exhaustive search");
            self.log(Line::info("proved", detail).of(&name).by(worker));
            self.tell_bound(at);
        }
        match confirmed_by {
            Some(other) => {
                let detail = format!("no play is better than {bound} {unit}: as {worker} found");
                self.log(Line::info("proof-confirmed", detail).of(&name).by(other));
            }
            None => self.have_confirmed(at),
        }
        self.take_back_pointless(at);
    }

    /// A worker ran the search `plan` again, to the same result.
    pub(super) fn confirm_proof(&mut self, at: usize, plan: &Plan, worker: &str) {
        let entry = &self.instances[at];
        if !entry.awaits_confirmation(plan) {
            return;
        }
        if let Some(proof) = entry.proof.clone().filter(|proof| proof.worker != worker) {
            self.stage_proof(ProofRecord { confirmed_by: Some(worker.to_owned()), ..proof });
        }
    }

    /// A judged play of `score` is better than what a worker said it had proved.
    pub(super) fn refute_proof(&mut self, at: usize, score: i64) {
        let entry = &self.instances[at];
        let Some(proof) = &entry.proof else { return };
        let reason =
            format!("it said that no play of {} is better than {}, yet one has {score}", entry.name(), proof.bound);
        let worker = proof.worker.clone();
        self.withdraw_proof(at, &format!("a play has {score}"));
        self.set_worker_aside(&worker, reason);
    }

    /// What was said to be proved is in doubt, or wrong.
    pub(super) fn withdraw_proof(&mut self, at: usize, why: &str) {
        let Some(proof) = self.instances[at].proof.take() else { return };
        self.commits.stage(Change::ProofWithdrawn(proof.instance));
        let detail = format!("that no play is better than {} is withdrawn: {why}", proof.bound);
        let line = Line::error("proof-withdrawn", detail).of(self.instances[at].name()).by(&proof.worker);
        self.log(line);
        self.tell_bound(at);
    }

    /// Takes in what the store holds.
    pub(super) fn restore_proofs(&mut self, proofs: Vec<ProofRecord>) {
        for proof in proofs {
            let Some(&at) = self.by_digest.get(&proof.instance) else { continue };
            self.instances[at].proof = Some(proof);
            match self.instances[at].best_score().filter(|&best| self.instances[at].contradicts_proof(best)) {
                Some(best) => self.refute_proof(at, best),
                None => self.have_confirmed(at),
            }
            self.tell_bound(at);
        }
    }

    /// Has the proof's search run again by another worker, unless that was done.
    fn have_confirmed(&mut self, at: usize) {
        let proof = self.instances[at].proof.as_ref();
        let Some(proof) = proof.filter(|proof| proof.confirmed_by.is_none() && !proof.trace.is_empty()) else { return };
        if self.config.audit_every == 0 {
            return;
        }
        let arm = ArmKey::Root(proof.plan.strategy, proof.plan.width);
        let work = Work { state: StateId::ROOT, arm, plan: proof.plan.clone() };
        let result = Traced { worker: proof.worker.clone(), trace: proof.trace.clone() };
        self.rerun(at, work, vec![result]);
    }

    /// Tells readers of the instance's bound.
    pub(super) fn tell_bound(&mut self, at: usize) {
        let entry = &self.instances[at];
        self.effects.push(Effect::Bound(entry.name().clone(), entry.bound()));
    }
}
