//! The pure core of the coordinator: `(state, event, now) -> effects`.
//!
//! No clock, no I/O, no locks, no async inside. One task of the shell owns a [`Core`], hands it events one by one and
//! carries out the effects in order. What must outlive the process goes into [`Effect::Commit`]; a reply that
//! promises durability and [`Effect::Publish`] come only after [`Event::Committed`].
//!
//! Figures (effort, partial states, workers) change at once and are written again until the store takes them. What
//! people rely on (bests, settings, added instances) changes only after its commit and is refused when that fails.

mod admin;
mod audit;
mod change;
mod commit;
mod config;
mod effect;
mod event;
mod finish;
mod frontier;
mod grant;
mod hello;
mod id;
mod instance;
mod journal;
mod kin;
mod lease;
mod meter;
mod plan;
mod proof;
mod query;
mod report;
mod restore;
mod sanity;
mod session;
mod sweep;
mod view;
mod worker;

pub use change::*;
pub use config::CoreConfig;
pub use effect::*;
pub use event::*;
pub use id::{CommitId, Epoch, LeaseId, Now, ReplyId, SessionId, StateId, UnixMillis};
pub use plan::{Plan, Strategy, Window};
pub use restore::Restored;
pub use view::*;

use audit::Audit;
use cascade_games::{Digest, GameId, InstanceName};
use commit::Commits;
use instance::Entry;
use journal::Journal;
use lease::Leases;
use meter::Meter;
use session::Sessions;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use worker::Worker;

/// The coordinator's state and its rules.
#[derive(Debug)]
pub struct Core {
    config: CoreConfig,
    epoch: Epoch,
    started: Duration,
    now: Now,
    farm_paused: bool,
    /// In the order of names.
    instances: Vec<Entry>,
    by_name: BTreeMap<InstanceName, usize>,
    by_digest: BTreeMap<Digest, usize>,
    /// Instances whose addition is on its way to the store.
    being_added: BTreeMap<InstanceName, Digest>,
    workers: BTreeMap<String, Worker>,
    sessions: Sessions,
    leases: Leases,
    journal: Journal,
    meter: Meter,
    /// What beams cost in each game, as a part of what an instance's size says, by the last lease that told.
    cost_ratios: BTreeMap<GameId, f64>,
    last_improvement: Option<UnixMillis>,
    commits: Commits,
    /// Finished searches to be rerun elsewhere.
    audits: VecDeque<Audit>,
    /// What is to be written: instances whose frontier changed, and workers.
    dirty_instances: BTreeSet<usize>,
    dirty_workers: BTreeSet<String>,
    effects: Vec<Effect>,
}

impl Core {
    /// Handles one event.
    pub fn handle(&mut self, event: Event, now: Now) -> Vec<Effect> {
        self.wake(now);
        let is_tick = matches!(event, Event::Tick);
        match event {
            Event::Request(reply, request) => self.request(reply, request),
            Event::Committed(commit) => self.committed(commit),
            Event::CommitFailed { commit, reason } => self.commit_failed(commit, &reason),
            Event::Tick => self.sweep(),
        }
        self.flush(is_tick);
        std::mem::take(&mut self.effects)
    }

    fn request(&mut self, reply: ReplyId, request: Request) {
        match request {
            Request::Hello(hello) => self.hello(reply, hello),
            Request::Lease(session) => self.lease(reply, session),
            Request::Heartbeat(heartbeat) => self.heartbeat(reply, &heartbeat),
            Request::Report(report) => self.report(reply, report),
            Request::Finish(session, finish) => self.finish(reply, session, finish),
            Request::Goodbye(session, unfinished) => self.goodbye(reply, session, unfinished),
            Request::AddInstances(instances) => self.add_instances(reply, instances),
            Request::SetPriority(name, priority) => self.set_priority(reply, &name, priority),
            Request::Pause(name) => self.set_paused(reply, name.as_ref(), true),
            Request::Resume(name) => self.set_paused(reply, name.as_ref(), false),
            Request::Import(import) => self.import(reply, &import),
            Request::Drain(worker) => self.drain(reply, worker),
            Request::Status => self.answer(reply, Ok(Reply::Status(self.status()))),
            Request::Instances => self.answer(reply, Ok(Reply::Instances(self.instance_views()))),
            Request::Workers => self.answer(reply, Ok(Reply::Workers(self.worker_views()))),
            Request::Events(wanted) => self.answer(reply, Ok(Reply::Events(self.journal.list(&wanted)))),
            Request::Explain(name) => {
                let explanation = self.explain(&name).map(|explanation| Reply::Explanation(Box::new(explanation)));
                self.answer(reply, explanation);
            }
        }
    }

    /// Answers at once.
    fn answer(&mut self, reply: ReplyId, answer: Result<Reply, Refusal>) {
        self.effects.push(Effect::Reply(reply, answer));
    }

    /// The index of the instance called `name`.
    fn find(&self, name: &InstanceName) -> Result<usize, Refusal> {
        self.by_name.get(name).copied().ok_or_else(|| Refusal::UnknownInstance(name.clone()))
    }

    /// Writes a line of the event log.
    fn log(&mut self, line: journal::Line) {
        let record = self.journal.add(line, self.now.wall);
        self.commits.stage(Change::Event(record.clone()));
        self.effects.push(Effect::Log(record));
    }
}
