//! How leases end at their workers' word.

use super::Core;
use super::change::{EndReason, StateKind};
use super::effect::Reply;
use super::event::{Ending, Finish, SessionRef};
use super::frontier::Settled;
use super::grant::Done;
use super::hello::most_counted;
use super::id::{CommitId, ReplyId, SessionId};
use super::journal::Line;
use super::lease::{Ended, Lease, Traced};
use std::time::Duration;

/// Most moves replayed to take in what one finished lease hands back, the first play excepted.
const REPLAYED: usize = 1_000;
/// The longest first play that is taken in.
const LONGEST_PLAY: usize = 5_000;
/// An instance with so many partial states that were never searched takes in one play of a lease, and only if none is
/// better.
const UNTRIED: usize = 64;
/// Delay after the first failures in a row that slow a worker; each further one doubles it.
const SLOWED: Duration = Duration::from_secs(5);
/// The longest such delay.
const SLOWEST: Duration = Duration::from_secs(300);
/// The longest excuse of a worker that is written down, in characters.
const LONGEST_EXCUSE: usize = 500;

/// What came of a worker's Finish.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) counted: bool,
    /// The commit that makes an end told before durable.
    pub(super) waits_for: Option<CommitId>,
}

impl Core {
    pub(super) fn finish(&mut self, reply: ReplyId, given: SessionRef, finish: Finish) {
        let session = match self.touch(given) {
            Ok(session) => session,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        let Finished { counted, waits_for } = self.end_attempt(session, finish);
        self.commits.answer_after(reply, Reply::Finished { counted }, waits_for.into_iter().collect());
    }

    /// Ends the attempt that `finish` speaks of, unless that was done before.
    pub(super) fn end_attempt(&mut self, session: SessionId, finish: Finish) -> Finished {
        let Some(mut lease) = self.attempt_of(session, &finish) else {
            // What is to be written again is part of the next commit, so waiting for that is enough.
            return match self.leases.ended(finish.lease) {
                Some(Ended::InCommit(commit)) => Finished { counted: false, waits_for: Some(commit) },
                Some(Ended::Unsaved) => Finished { counted: true, waits_for: None },
                Some(Ended::Durable) | None => Finished { counted: false, waits_for: None },
            };
        };
        let spent = finish.expansions.min(most_counted(lease.work.plan.expansions)).max(lease.spent);
        self.meter.add(spent - lease.spent, self.now.clock);
        lease.spent = spent;
        match finish.ending {
            Ending::Done => self.end_done(lease, finish),
            Ending::Returned => {
                let claimable = lease.checkpoint;
                self.shelve(lease, EndReason::Returned, claimable);
            }
            Ending::Failed(excuse) => self.end_failed(lease, &excuse),
        }
        Finished { counted: true, waits_for: None }
    }

    /// The attempt, out of its worker's hands: held under this session, or put back while its worker was away.
    fn attempt_of(&mut self, session: SessionId, finish: &Finish) -> Option<Lease> {
        let id = finish.lease.id;
        if self.leases.active.get(&id).is_some_and(|lease| lease.id == finish.lease && lease.session == session) {
            return self.take_back(id);
        }
        let worker = &self.sessions.live.get(&session)?.worker;
        let waiting = self.leases.waiting.get(&id)?;
        if waiting.claimable && waiting.lease.id == finish.lease && waiting.lease.worker == *worker {
            return self.unshelve(id).map(|waiting| waiting.lease);
        }
        None
    }

    fn end_done(&mut self, mut lease: Lease, finish: Finish) {
        let game = self.instances[lease.at].puzzle.game();
        if let Some(worker) = self.workers.get_mut(&lease.worker) {
            worker.record.finished += 1;
            worker.failures_in_row = 0;
            worker.measure(game, finish.expansions, finish.elapsed);
        }
        let traced = Traced { worker: lease.worker.clone(), trace: finish.trace.clone() };
        let settled = Settled { best_found: finish.best_found, improved: lease.improved, exhausted: finish.exhausted };
        let trace = finish.trace.clone();
        let done = Done { elapsed: finish.elapsed, best_found: finish.best_found, trace: finish.trace };
        self.close_attempt(&mut lease, EndReason::Done, Some(done));
        self.release(&lease);
        if !lease.audit.is_empty() {
            return self.compare_results(lease, traced);
        }
        self.propose_audit(&lease, traced);
        if let Some(bound) = finish.proved_bound {
            self.claim_proof(&lease, bound, &trace);
        }
        let entry = &mut self.instances[lease.at];
        entry.frontier.settle(lease.state(), lease.arm(), settled);
        if let Some(dearest_run) = finish.dearest_run {
            let budget = lease.work.plan.expansions;
            entry.frontier.learn_cost(lease.arm(), budget, finish.expansions, dearest_run.min(finish.expansions));
            self.cost_ratios.extend(entry.frontier.cost_ratio().map(|ratio| (game, ratio)));
        }
        self.take_in(&lease, &finish.promising);
        if finish.exhausted {
            self.take_back_pointless(lease.at);
        }
    }

    /// Makes partial states of the instance's best and of the plays that a lease handed back.
    fn take_in(&mut self, lease: &Lease, promising: &[Vec<u32>]) {
        let entry = &mut self.instances[lease.at];
        if let Some(best) = entry.best.clone()
            && entry.frontier.learn_best(&best.moves, best.score)
        {
            self.share_best(lease.at);
        }
        let entry = &mut self.instances[lease.at];
        let best_moves = entry.best.as_ref().map(|best| best.moves.as_slice());
        let mut left = REPLAYED;
        let mut illegal = None;
        let best_score = entry.best_score();
        for (number, play) in promising.iter().filter(|play| Some(play.as_slice()) != best_moves).enumerate() {
            let crowded = entry.frontier.untried() >= UNTRIED;
            // The play itself and its three prefixes.
            let cost = play.len().saturating_mul(5) / 2;
            let fits = if number == 0 { play.len() <= LONGEST_PLAY } else { cost <= left && !crowded };
            if !fits {
                break;
            }
            left = left.saturating_sub(cost);
            let taken = entry.puzzle.judge(play).and_then(|judged| {
                let wanted = judged.complete && (!crowded || Some(judged.score) == best_score);
                if wanted { entry.frontier.learn(play, judged.score, StateKind::Promising) } else { Ok(()) }
            });
            if let Err(error) = taken {
                illegal = Some(error);
                break;
            }
        }
        if let Some(error) = illegal {
            let name = entry.name().clone();
            let detail = format!("handed back a play that is not legal: {error}");
            self.log(Line::warning("play-refused", detail).of(&name).by(&lease.worker));
            self.note_refusal(&lease.worker, &format!("a play it handed back of {name} is not legal"));
        }
    }

    fn end_failed(&mut self, mut lease: Lease, excuse: &str) {
        let excuse: String = excuse.chars().take(LONGEST_EXCUSE).collect();
        let name = self.instances[lease.at].name().clone();
        self.log(Line::warning("lease-failed", excuse).of(&name).by(&lease.worker));
        lease.failures += 1;
        self.note_failure(&lease.worker);
        self.shelve(lease, EndReason::Failed, false);
    }

    /// A worker failed at a lease: after some failures in a row it is slowed, after more it is set aside.
    pub(super) fn note_failure(&mut self, name: &str) {
        let now = self.now.clock;
        let Some(worker) = self.workers.get_mut(name) else { return };
        worker.record.failed += 1;
        worker.failures_in_row += 1;
        self.dirty_workers.insert(name.to_owned());
        let in_row = worker.failures_in_row;
        if in_row >= self.config.set_aside_after {
            // One more failure after it is tried again is enough.
            worker.failures_in_row = self.config.set_aside_after.saturating_sub(1);
            self.set_worker_aside(name, format!("its last {in_row} leases failed"));
        } else if in_row >= self.config.slow_after {
            let doublings = (in_row - self.config.slow_after).min(16);
            worker.slowed_until = now + (SLOWED * 2_u32.pow(doublings)).min(SLOWEST);
            self.log(Line::warning("worker-slowed", format!("its last {in_row} leases failed")).by(name));
        }
    }

    /// The judge refused something of a worker; after some in a row it is set aside.
    pub(super) fn note_refusal(&mut self, name: &str, what: &str) {
        let Some(worker) = self.workers.get_mut(name) else { return };
        worker.record.refused += 1;
        worker.refusals_in_row += 1;
        self.dirty_workers.insert(name.to_owned());
        if worker.refusals_in_row >= self.config.set_aside_after {
            worker.refusals_in_row = self.config.set_aside_after.saturating_sub(1);
            self.set_worker_aside(name, format!("the judge refused what it reported, the last time since {what}"));
        }
    }

    pub(super) fn set_worker_aside(&mut self, name: &str, reason: String) {
        let Some(worker) = self.workers.get_mut(name) else { return };
        worker.aside_until = Some(self.now.clock + self.config.set_aside_for);
        worker.record.set_aside = Some(super::change::SetAside { reason: reason.clone(), at: self.now.wall });
        self.dirty_workers.insert(name.to_owned());
        self.log(Line::error("worker-set-aside", reason).by(name));
    }
}
