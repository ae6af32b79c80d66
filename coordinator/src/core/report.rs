//! Sequences handed in: judged, compared, made durable, served.

use super::Core;
use super::change::{Best, Change, EndReason};
use super::commit::Then;
use super::effect::{Effect, Imported, Outcome, Refusal, Reply, Verdict};
use super::event::{Import, Improvement, Report};
use super::id::{CommitId, ReplyId};
use super::instance::Candidate;
use super::journal::Line;
use super::plan::Plan;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The longest id of a report that is taken, in bytes.
const LONGEST_ID: usize = 200;

impl Core {
    pub(super) fn report(&mut self, reply: ReplyId, report: Report) {
        // A worker whose session was fenced or lost may still have found something. Whoever it was, the judge decides.
        if let Err(refusal) = self.touch(report.session)
            && (matches!(refusal, Refusal::WrongEpoch { .. })
                || self.sessions.worker_of(report.session.session).is_none())
        {
            return self.answer(reply, Err(refusal));
        }
        let worker = self.sessions.worker_of(report.session.session).unwrap_or_default().to_owned();
        let mut waits = BTreeSet::new();
        let verdicts = report.improvements.into_iter().map(|found| self.verdict(&worker, found, &mut waits)).collect();
        self.commits.answer_after(reply, Reply::Verdicts(verdicts), waits);
    }

    /// The verdict on one sequence; it holds once the commits in `waits`, and the current one, are durable.
    fn verdict(&mut self, worker: &str, found: Improvement, waits: &mut BTreeSet<CommitId>) -> Verdict {
        let known = self.workers.get(worker).and_then(|worker| worker.verdict(&found.report_id)).cloned();
        let at = self.by_name.get(&found.instance).copied();
        let at = at.filter(|&at| self.instances[at].digest == found.digest);
        if let Some(known) = known {
            let best_score = at.and_then(|at| self.instances[at].best_score());
            return Verdict { best_score, ..known };
        }
        let Some(at) = at else {
            let reason = format!("there is no instance {} with digest {}", found.instance, found.digest.short());
            let report_id = found.report_id;
            return Verdict { report_id, outcome: Outcome::UnknownInstance, reason, best_score: None };
        };
        match self.judge(at, &found) {
            Err(reason) => self.refuse(worker, at, found.report_id, reason),
            Ok(()) => self.compare(worker, at, found, waits),
        }
    }

    /// Whether a reported sequence is what its worker says.
    fn judge(&self, at: usize, found: &Improvement) -> Result<(), String> {
        if found.report_id.is_empty() || found.report_id.len() > LONGEST_ID {
            return Err(format!("its report id is not of 1 to {LONGEST_ID} bytes"));
        }
        if !found.moves.starts_with(&found.plan.prefix) {
            return Err("the sequence does not begin with the partial state it is said to come from".to_owned());
        }
        let judged = self.instances[at].puzzle.judge(&found.moves).map_err(|error| error.to_string())?;
        if judged.score != found.score {
            return Err(format!("it scores {} by the judge, not {} as claimed", judged.score, found.score));
        }
        if judged.complete { Ok(()) } else { Err("it does not end as the game wants".to_owned()) }
    }

    fn refuse(&mut self, worker: &str, at: usize, report_id: String, reason: String) -> Verdict {
        let entry = &self.instances[at];
        let best_score = entry.best_score();
        let name = entry.name().clone();
        self.log(
            Line::warning("report-refused", format!("a reported sequence is refused: {reason}")).of(&name).by(worker),
        );
        self.note_refusal(worker, &format!("of a report of {name}: {reason}"));
        let verdict = Verdict { report_id, outcome: Outcome::Refused, reason, best_score };
        self.commits.then(Then::Remember(worker.to_owned(), verdict.clone()));
        verdict
    }

    fn compare(&mut self, worker: &str, at: usize, found: Improvement, waits: &mut BTreeSet<CommitId>) -> Verdict {
        if let Some(reporter) = self.workers.get_mut(worker) {
            reporter.refusals_in_row = 0;
        }
        let Improvement { report_id, lease, plan, moves, score, .. } = found;
        let entry = &self.instances[at];
        let on_its_way = entry.candidates.iter().find(|candidate| candidate.report_id.as_ref() == Some(&report_id));
        if let Some(candidate) = on_its_way.filter(|candidate| candidate.best.worker == worker) {
            waits.insert(candidate.commit);
            let best_score = entry.best_known().map(|best| best.score);
            return Verdict { report_id, outcome: Outcome::NewBest, reason: String::new(), best_score };
        }
        if !entry.is_better(score) {
            // It is no better than something that may not be durable yet, and then the answer must wait.
            waits.extend(entry.candidates.iter().map(|candidate| candidate.commit));
            let best = entry.best_known().map(|best| best.score);
            let reason = best.map_or_else(String::new, |best| format!("the best is {best}"));
            return Verdict { report_id, outcome: Outcome::NotBetter, reason, best_score: best };
        }
        let had_best = entry.best_known().is_some();
        let mut in_hand = 0;
        if let Some(lease) = lease.and_then(|id| self.leases.active.get_mut(&id.id).filter(|lease| lease.id == id))
            && lease.at == at
        {
            lease.improved |= had_best;
            in_hand = lease.spent;
        }
        self.stage_best(at, worker, Some(report_id.clone()), Some(plan), moves, score, in_hand);
        let verdict = Verdict { report_id, outcome: Outcome::NewBest, reason: String::new(), best_score: Some(score) };
        self.commits.then(Then::Remember(worker.to_owned(), verdict.clone()));
        verdict
    }

    /// A judged sequence, better than all that is known, is on its way to the store.
    #[allow(clippy::too_many_arguments, reason = "the parts of one record")]
    fn stage_best(
        &mut self,
        at: usize,
        finder: &str,
        report_id: Option<String>,
        plan: Option<Plan>,
        moves: Vec<u32>,
        score: i64,
        in_hand: u64,
    ) {
        let commit = self.commits.current();
        let entry = &mut self.instances[at];
        let best = Arc::new(Best {
            instance: entry.name().clone(),
            digest: entry.digest,
            game: entry.puzzle.game(),
            score,
            text: entry.puzzle.format(&moves),
            moves,
            worker: finder.to_owned(),
            plan,
            found_at: self.now.wall,
            total_expansions: entry.frontier.spent().saturating_add(in_hand),
        });
        if !entry.candidates.iter().any(|candidate| candidate.commit == commit) {
            self.commits.then(Then::Publish(at));
        }
        entry.candidates.push(Candidate { commit, best: best.clone(), report_id });
        self.commits.stage(Change::Best(best));
    }

    /// The bests of this instance in `commit` are durable: the better one is served.
    pub(super) fn publish(&mut self, at: usize, commit: CommitId) {
        let entry = &mut self.instances[at];
        let durable: Vec<_> = entry.candidates.extract_if(.., |candidate| candidate.commit == commit).collect();
        let direction = entry.direction;
        let Some(best) =
            durable.into_iter().map(|candidate| candidate.best).max_by_key(|best| direction.merit(best.score))
        else {
            return;
        };
        let before = entry.best_score();
        if before.is_some_and(|score| !direction.is_better(best.score, score)) {
            return;
        }
        entry.best = Some(best.clone());
        entry.frontier.note_best(best.score);
        if entry.contradicts_proof(best.score) {
            self.refute_proof(at, best.score);
        }
        let entry = &self.instances[at];
        let optimal = if entry.is_optimal() { ", which is proved to be optimal" } else { "" };
        let unit = best.game.score_unit();
        let detail = match before {
            Some(before) => format!("{} {unit}, {before} before{optimal}", best.score),
            None => format!("{} {unit}, the first{optimal}", best.score),
        };
        self.last_improvement = Some(self.now.wall);
        self.dirty_instances.insert(at);
        self.log(Line::info("new-best", detail).of(&best.instance).by(&best.worker));
        self.effects.push(Effect::Publish(best));
        self.take_back_pointless(at);
    }

    /// Leases that cannot lead to a better best any more end; their workers hear of it with the next heartbeat.
    pub(super) fn take_back_pointless(&mut self, at: usize) {
        let entry = &self.instances[at];
        let settled = entry.is_settled();
        let pointless = |work: &super::frontier::Work| settled || !entry.frontier.is_worthwhile(work.state, work.arm);
        let active = entry.active.iter().copied();
        let confirms = |lease: &super::lease::Lease| lease.is_rerun() && entry.awaits_confirmation(&lease.work.plan);
        let active: Vec<_> = active
            .filter(|id| self.leases.active.get(id).is_some_and(|lease| pointless(&lease.work) && !confirms(lease)))
            .collect();
        let waiting = entry.waiting.iter().copied();
        let waiting: Vec<_> = waiting
            .filter(|id| self.leases.waiting.get(id).is_some_and(|waiting| pointless(&waiting.lease.work)))
            .collect();
        for id in active {
            if let Some(mut lease) = self.take_back(id) {
                self.close_attempt(&mut lease, EndReason::Pointless, None);
                self.release(&lease);
            }
        }
        for id in waiting {
            if let Some(mut waiting) = self.unshelve(id) {
                if waiting.claimable {
                    self.close_attempt(&mut waiting.lease, EndReason::Pointless, None);
                }
                self.release(&waiting.lease);
            }
        }
    }

    pub(super) fn import(&mut self, reply: ReplyId, import: &Import) {
        let at = match self.find(&import.instance) {
            Ok(at) => at,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        let entry = &self.instances[at];
        let read = entry.puzzle.parse(&import.text, &import.source).map_err(|error| error.to_string());
        let judged = read.and_then(|moves| {
            let judged = entry.puzzle.judge(&moves).map_err(|error| format!("{}: {error}", import.source))?;
            match judged.complete {
                true => Ok((moves, judged.score)),
                false => Err(format!("{}: the sequence does not end as the game wants", import.source)),
            }
        });
        let (moves, score) = match judged {
            Ok(judged) => judged,
            Err(reason) => return self.answer(reply, Err(Refusal::BadInput(reason))),
        };
        let new_best = entry.is_better(score);
        let mut waits = BTreeSet::new();
        if new_best {
            self.stage_best(at, &import.source, None, None, moves, score, 0);
        } else {
            waits.extend(entry.candidates.iter().map(|candidate| candidate.commit));
        }
        let best_score = self.instances[at].best_known().map(|best| best.score);
        self.commits.answer_after(reply, Reply::Imported(Imported { new_best, score, best_score }), waits);
    }
}
