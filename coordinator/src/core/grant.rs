//! Handing out leases, and taking them back.

use super::Core;
use super::change::{Change, EndReason, EndedRecord};
use super::effect::{Grant, Reply, Wait};
use super::event::SessionRef;
use super::frontier::Budget;
use super::id::{LeaseId, ReplyId, SessionId};
use super::instance::Entry;
use super::journal::Line;
use super::lease::{Lease, Waiting};
use cascade_games::GameId;
use cascade_games::mix::mix2;
use std::collections::BTreeMap;
use std::time::Duration;

/// Most leases that one session may hold.
const LEASES_HELD: usize = 16;
/// An instance that has no best after so many leases no longer comes before all others.
const FIRST_TRIES: u64 = 3;
/// An instance whose best is further from its bound than usual in its game promises more, by at most so much.
const ROOM: (f64, f64) = (0.5, 2.0);
/// How long a lease that failed rests before it is tried again.
const REST: Duration = Duration::from_secs(10);

impl Core {
    pub(super) fn lease(&mut self, reply: ReplyId, given: SessionRef) {
        let session = match self.touch(given) {
            Ok(session) => session,
            Err(refusal) => return self.answer(reply, Err(refusal)),
        };
        let name = self.sessions.live[&session].worker.clone();
        let answer = match self.hold_back(&name, session) {
            Some(wait) => Reply::Wait(wait),
            None => match self.next_lease(session, &name) {
                Some(grant) => Reply::Granted(Box::new(grant)),
                None => {
                    let reason = "every instance is paused, of priority 0, or searched through";
                    Reply::Wait(self.wait(&name, Duration::from_secs(5), reason))
                }
            },
        };
        self.answer(reply, Ok(answer));
    }

    /// Why this worker gets nothing now, if so.
    fn hold_back(&mut self, name: &str, session: SessionId) -> Option<Wait> {
        let now = self.now.clock;
        let worker = self.workers.get_mut(name)?;
        if worker.aside_until.is_some_and(|until| until <= now) {
            worker.aside_until = None;
            worker.record.set_aside = None;
            self.dirty_workers.insert(name.to_owned());
            self.log(Line::info("worker-tried-again", "is no longer set aside").by(name));
        }
        let worker = self.workers.get(name)?;
        let held = self.sessions.live.get(&session).map_or(0, |live| live.leases.len());
        if worker.record.draining {
            let wait = self.wait(name, Duration::from_secs(5), "this worker is asked to stop");
            return Some(Wait { drain: true, ..wait });
        }
        let (delay, reason) = if let (Some(until), Some(aside)) = (worker.aside_until, &worker.record.set_aside) {
            (until - now, format!("this worker is set aside: {}", aside.reason))
        } else if worker.slowed_until > now {
            (worker.slowed_until - now, "this worker's last leases failed".to_owned())
        } else if self.farm_paused {
            (Duration::from_secs(5), "the farm is paused".to_owned())
        } else if held >= LEASES_HELD {
            (Duration::from_secs(5), format!("this worker holds {held} leases"))
        } else {
            return None;
        };
        Some(self.wait(name, delay.min(Duration::from_secs(300)), &reason))
    }

    /// An order to wait, spread so that workers do not come back all at once.
    fn wait(&mut self, name: &str, delay: Duration, reason: &str) -> Wait {
        let salt = self.workers.get_mut(name).map_or(0, |worker| {
            worker.waits += 1;
            let name = name.bytes().fold(0, |hash, byte| mix2(hash, byte.into()));
            mix2(name, worker.waits)
        });
        let spread = u32::try_from(salt % 512).unwrap_or(0);
        Wait { retry_after: delay + delay / 1024 * spread, reason: reason.to_owned(), drain: false }
    }

    /// What leases of an instance may cost a worker of this speed.
    fn budget(&self, entry: &Entry, speed: f64) -> Budget {
        let doublings = entry.frontier.finished().min(20);
        let grown = self.config.first_lease * 2_u32.pow(u32::try_from(doublings).unwrap_or(20));
        let target = grown.min(self.config.usual_lease);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; saturates")]
        let expansions = |time: Duration| ((speed * time.as_secs_f64()) as u64).max(1);
        let least = expansions(self.config.first_lease);
        Budget { least, usual: expansions(target), longest: expansions(self.config.longest_lease) }
    }

    /// Instances that may be leased, the most deserving first: those without a best and without a lease out, then by
    /// priority and by where effort still pays: where little was spent, gains were made lately, and the bound is far.
    fn candidates(&self, name: &str) -> Vec<(usize, Budget)> {
        let Some(worker) = self.workers.get(name) else { return Vec::new() };
        let mut first = Vec::new();
        let mut others = Vec::new();
        let usual_room = self.usual_room();
        for (at, entry) in self.instances.iter().enumerate() {
            if entry.settings.paused || entry.settings.priority == 0 || entry.is_settled() {
                continue;
            }
            let speed = worker.speed(entry.puzzle.game());
            let budget = self.budget(entry, speed);
            let tries = entry.frontier.finished();
            if entry.best_known().is_none() && entry.active.is_empty() && tries <= FIRST_TRIES {
                first.push(((tries, u32::MAX - entry.settings.priority, entry.place), at, budget));
            } else {
                let usual = usual_room.get(&entry.puzzle.game()).copied().filter(|&usual| usual > 0.0);
                let room = entry.room().zip(usual).map_or(1.0, |(room, usual)| room / usual);
                let promise = entry.frontier.value(budget.usual) * (room * room).clamp(ROOM.0, ROOM.1);
                let value = promise * speed * f64::from(entry.settings.priority) / 100.0;
                others.push((value, at, budget));
            }
        }
        // The games take turns.
        first.sort_by_key(|&(order, at, _)| (order, at));
        others.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let first = first.into_iter().map(|(_, at, budget)| (at, budget));
        first.chain(others.into_iter().map(|(_, at, budget)| (at, budget))).collect()
    }

    /// For each game, how far bests are from their bounds on average.
    fn usual_room(&self) -> BTreeMap<GameId, f64> {
        let mut sums: BTreeMap<GameId, (f64, f64)> = BTreeMap::new();
        for entry in &self.instances {
            if let Some(room) = entry.room() {
                let (sum, count) = sums.entry(entry.puzzle.game()).or_default();
                *sum += room;
                *count += 1.0;
            }
        }
        sums.into_iter().map(|(game, (sum, count))| (game, sum / count)).collect()
    }

    fn next_lease(&mut self, session: SessionId, name: &str) -> Option<Grant> {
        if let Some(lease) = self.next_audit(session, name) {
            return Some(self.grant(lease));
        }
        for (at, budget) in self.candidates(name) {
            if let Some(id) = self.waiting_for(at, name, budget)
                && let Some(waiting) = self.unshelve(id)
            {
                return Some(self.grant_again(waiting, session, name));
            }
            let entry = &mut self.instances[at];
            if let Some(&ratio) = self.cost_ratios.get(&entry.puzzle.game()) {
                entry.frontier.assume_cost_ratio(ratio);
            }
            let work = entry.frontier.choose(budget);
            for problem in entry.frontier.take_dropped() {
                self.dirty_instances.insert(at);
                let line = Line::warning("state-dropped", problem).of(&self.instances[at].instance.name);
                self.log(line);
            }
            let Some(work) = work else { continue };
            self.instances[at].frontier.take(&work);
            let now = self.now.clock;
            let lease = Lease {
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
                audit: Vec::new(),
            };
            return Some(self.grant(lease));
        }
        None
    }

    /// A lease of this instance that waits for a worker and may go to this one.
    fn waiting_for(&self, at: usize, name: &str, budget: Budget) -> Option<u64> {
        let alone = !self.others_connected(name);
        self.instances[at].waiting.iter().copied().find(|id| {
            self.leases.waiting.get(id).is_some_and(|waiting| {
                let failed_here =
                    waiting.lease.worker == name && matches!(waiting.reason, EndReason::Failed | EndReason::Stalled);
                let fits = waiting.lease.work.plan.expansions <= budget.longest.max(budget.usual);
                let audited = waiting.lease.audit.iter().any(|result| result.worker == name);
                waiting.free_at <= self.now.clock && !audited && (alone || !failed_here) && fits
            })
        })
    }

    /// Hands a lease out once more; the attempt before is over for good.
    fn grant_again(&mut self, waiting: Waiting, session: SessionId, name: &str) -> Grant {
        let Waiting { mut lease, claimable, reason, .. } = waiting;
        if claimable {
            self.close_attempt(&mut lease, reason, None);
        }
        let now = self.now.clock;
        lease.id.attempt += 1;
        name.clone_into(&mut lease.worker);
        lease.session = session;
        lease.granted_at = now;
        lease.progress_at = now;
        lease.improved = false;
        self.grant(lease)
    }

    fn grant(&mut self, mut lease: Lease) -> Grant {
        let entry = &self.instances[lease.at];
        let game = entry.puzzle.game();
        let speed = self.workers.get(&lease.worker).map_or(1.0, |worker| worker.speed(game));
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let seconds = lease.work.plan.expansions as f64 / speed;
        lease.expected = Duration::try_from_secs_f64(seconds).unwrap_or(self.config.longest_lease);
        lease.checkpoint = lease.expected >= self.config.checkpoint_from;
        if lease.checkpoint {
            self.commits.stage(Change::LeaseHeld(lease.record(entry.digest)));
        }
        let grant = Grant {
            lease: lease.id,
            instance: entry.name().clone(),
            digest: entry.digest,
            game,
            content: entry.content.clone(),
            plan: lease.work.plan.clone(),
            best_score: entry.best_score(),
            expected: lease.expected,
            checkpoint: lease.checkpoint,
        };
        self.hold(lease);
        grant
    }

    /// The lease is in its worker's hands now.
    pub(super) fn hold(&mut self, lease: Lease) {
        if let Some(session) = self.sessions.live.get_mut(&lease.session) {
            session.leases.insert(lease.id.id);
        }
        self.instances[lease.at].active.insert(lease.id.id);
        self.leases.active.insert(lease.id.id, lease);
    }

    /// The lease is in nobody's hands now; its instance still counts it as out.
    pub(super) fn take_back(&mut self, id: u64) -> Option<Lease> {
        let lease = self.leases.active.remove(&id)?;
        if let Some(session) = self.sessions.live.get_mut(&lease.session) {
            session.leases.remove(&id);
        }
        self.instances[lease.at].active.remove(&id);
        Some(lease)
    }

    /// A lease that waits leaves the shelf.
    pub(super) fn unshelve(&mut self, id: u64) -> Option<Waiting> {
        let waiting = self.leases.waiting.remove(&id)?;
        self.instances[waiting.lease.at].waiting.remove(&id);
        Some(waiting)
    }

    /// Puts a lease back to be handed out again. With `claimable` its attempt is not over: if its worker comes back before
    /// others get it, it may go on. A lease that no worker comes through, or that is of no use any more, is given up.
    pub(super) fn shelve(&mut self, mut lease: Lease, reason: EndReason, claimable: bool) {
        let now = self.now.clock;
        if !claimable {
            self.close_attempt(&mut lease, reason, None);
        }
        let hopeless = lease.failures >= self.config.lease_failures;
        let deadly = lease.disconnects >= self.config.lease_disconnects;
        if hopeless || deadly {
            if claimable {
                self.close_attempt(&mut lease, reason, None);
            }
            return self.set_lease_aside(&lease);
        }
        let entry = &self.instances[lease.at];
        if lease.is_rerun() && entry.awaits_confirmation(&lease.work.plan) {
            if claimable {
                self.close_attempt(&mut lease, reason, None);
            }
            self.release(&lease);
            return self.rerun(lease.at, lease.work, lease.audit);
        }
        if entry.is_settled() || !entry.frontier.is_worthwhile(lease.state(), lease.arm()) {
            if claimable {
                self.close_attempt(&mut lease, EndReason::Pointless, None);
            }
            return self.release(&lease);
        }
        let free_at = match reason {
            _ if claimable && lease.checkpoint => now + self.config.hold,
            EndReason::Failed | EndReason::Stalled => now + REST,
            _ => now,
        };
        if claimable && lease.checkpoint {
            self.commits.stage(Change::LeaseHeld(lease.record(entry.digest)));
        }
        self.instances[lease.at].waiting.insert(lease.id.id);
        self.leases.waiting.insert(lease.id.id, Waiting { lease, claimable, free_at, reason });
    }

    fn set_lease_aside(&mut self, lease: &Lease) {
        let plan = &lease.work.plan;
        let detail = format!(
            "lease {} ({} of width {}, seed {}, from partial state {}) is set aside: {} workers failed at it, {} were lost with it",
            lease.id,
            plan.strategy,
            plan.width,
            plan.seed,
            lease.state(),
            lease.failures,
            lease.disconnects
        );
        let line = Line::error("lease-set-aside", detail).of(self.instances[lease.at].name()).by(&lease.worker);
        self.log(line);
        self.release(lease);
        self.instances[lease.at].frontier.fault(lease.state(), lease.arm());
    }

    /// The lease is out no more.
    pub(super) fn release(&mut self, lease: &Lease) {
        self.instances[lease.at].frontier.release(lease.state(), lease.arm(), lease.work.plan.expansions);
        self.dirty_instances.insert(lease.at);
    }

    /// An attempt is over: its effort counts, and why it ended is written down.
    pub(super) fn close_attempt(&mut self, lease: &mut Lease, reason: EndReason, done: Option<Done>) {
        let done = done.unwrap_or_else(|| Done {
            elapsed: self.now.clock.saturating_sub(lease.granted_at),
            best_found: None,
            trace: Vec::new(),
        });
        let entry = &mut self.instances[lease.at];
        let plan = &lease.work.plan;
        let ended = EndedRecord {
            lease: lease.id,
            instance: entry.digest,
            state: lease.state(),
            strategy: plan.strategy,
            width: plan.width,
            seed: plan.seed,
            worker: lease.worker.clone(),
            reason,
            expansions: lease.spent,
            elapsed: done.elapsed,
            best_found: done.best_found,
            trace: done.trace,
            ended_at: self.now.wall,
        };
        entry.frontier.spend(lease.state(), lease.arm(), lease.spent);
        entry.note_ending(ended.clone());
        self.dirty_instances.insert(lease.at);
        if let Some(worker) = self.workers.get_mut(&lease.worker) {
            worker.record.expansions = worker.record.expansions.saturating_add(lease.spent);
            self.dirty_workers.insert(lease.worker.clone());
        }
        lease.spent = 0;
        self.leases.note_ended(lease.id, self.commits.current());
        self.commits.stage(Change::LeaseEnded(ended));
        self.commits.then(super::commit::Then::LeaseEnded(lease.id));
    }
}

/// What a finished attempt adds to its record.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) elapsed: Duration,
    pub(super) best_found: Option<i64>,
    pub(super) trace: Vec<u8>,
}
