//! What happens to the core.

use super::id::{CommitId, Epoch, LeaseId, ReplyId, SessionId};
use super::plan::Plan;
use cascade_games::{Digest, GameId, Instance, InstanceName};
use std::collections::BTreeMap;
use std::time::Duration;

/// One thing that happened. The core handles them one by one.
#[derive(Clone, Debug)]
pub enum Event {
    /// Somebody asks; exactly one [`super::Effect::Reply`] with this id answers, at once or after a commit.
    Request(ReplyId, Request),
    /// The changes of this [`super::Effect::Commit`] are durable.
    Committed(CommitId),
    /// None of its changes are in the store.
    CommitFailed {
        /// Which.
        commit: CommitId,
        /// The store's words.
        reason: String,
    },
    /// Time passes; comes every [`super::CoreConfig::tick_interval`].
    Tick,
}

/// What workers, operators and readers ask.
#[derive(Clone, Debug)]
pub enum Request {
    /// A worker signs on.
    Hello(Hello),
    /// A worker asks for work.
    Lease(SessionRef),
    /// A worker shows life.
    Heartbeat(Heartbeat),
    /// A worker hands in improving sequences.
    Report(Report),
    /// A worker ends a lease.
    Finish(SessionRef, Finish),
    /// A worker signs off; leases it does not mention are given back with the progress last heard.
    Goodbye(SessionRef, Vec<Finish>),
    /// New instances; all of them or none are added.
    AddInstances(Vec<Instance>),
    /// Sets an instance's priority: 100 is usual, 0 never.
    SetPriority(InstanceName, u32),
    /// No more leases of an instance, or of the whole farm.
    Pause(Option<InstanceName>),
    /// Undoes [`Request::Pause`].
    Resume(Option<InstanceName>),
    /// A sequence from outside the farm.
    Import(Import),
    /// A worker is to finish what it holds and stop.
    Drain(String),
    /// The farm in figures.
    Status,
    /// Every instance in the order of names.
    Instances,
    /// Every worker in the order of names.
    Workers,
    /// The newest events.
    Events(EventsRequest),
    /// Why an instance is searched the way it is.
    Explain(InstanceName),
}

impl Request {
    /// The kind of request in one word.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "hello",
            Self::Lease(_) => "lease",
            Self::Heartbeat(_) => "heartbeat",
            Self::Report(_) => "report",
            Self::Finish(..) => "finish",
            Self::Goodbye(..) => "goodbye",
            Self::AddInstances(_) => "add",
            Self::SetPriority(..) => "priority",
            Self::Pause(_) => "pause",
            Self::Resume(_) => "resume",
            Self::Import(_) => "import",
            Self::Drain(_) => "drain",
            Self::Status => "status",
            Self::Instances => "instances",
            Self::Workers => "workers",
            Self::Events(_) => "events",
            Self::Explain(_) => "explain",
        }
    }
}

/// A worker's session as it understands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionRef {
    /// Given by Hello.
    pub session: SessionId,
    /// The epoch it was given in.
    pub epoch: Epoch,
}

/// Software and rules that must fit together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// Oldest protocol spoken.
    pub protocol_min: u32,
    /// Newest protocol spoken.
    pub protocol_max: u32,
    /// Version of the rules and searches.
    pub rules: u32,
    /// For people.
    pub software: String,
}

/// Signing on.
#[derive(Clone, Debug)]
pub struct Hello {
    /// The worker's name, unique in the farm.
    pub worker: String,
    /// What it runs.
    pub versions: Versions,
    /// Threads it searches with.
    pub threads: u32,
    /// Leases it could go on with.
    pub held: Vec<LeaseId>,
    /// Measured expansions a second by game.
    pub speed: BTreeMap<GameId, f64>,
}

/// Life and progress.
#[derive(Clone, Debug)]
pub struct Heartbeat {
    /// Whose.
    pub session: SessionRef,
    /// What it holds.
    pub leases: Vec<Progress>,
}

/// How far a lease is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Which.
    pub lease: LeaseId,
    /// Expansions spent in this attempt so far.
    pub expansions: u64,
}

/// Sequences handed in.
#[derive(Clone, Debug)]
pub struct Report {
    /// Whose.
    pub session: SessionRef,
    /// In the order found.
    pub improvements: Vec<Improvement>,
}

/// A sequence better than what the worker knew.
#[derive(Clone, Debug)]
pub struct Improvement {
    /// Chosen by the worker; the same id is counted once.
    pub report_id: String,
    /// The instance's name.
    pub instance: InstanceName,
    /// Digest of the content it was searched with.
    pub digest: Digest,
    /// Under which lease it was found, if any.
    pub lease: Option<LeaseId>,
    /// Reruns to this sequence.
    pub plan: Plan,
    /// The sequence.
    pub moves: Vec<u32>,
    /// As the worker counts it.
    pub score: i64,
}

/// How an attempt ended, as the worker tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The budget is spent or the space exhausted.
    Done,
    /// Given back unfinished.
    Returned,
    /// This worker could not search it, and why.
    Failed(String),
}

/// The end of an attempt.
#[derive(Clone, Debug)]
pub struct Finish {
    /// Which.
    pub lease: LeaseId,
    /// How.
    pub ending: Ending,
    /// Expansions spent in this attempt.
    pub expansions: u64,
    /// Time spent in this attempt.
    pub elapsed: Duration,
    /// The best complete score the attempt saw, better than known or not.
    pub best_found: Option<i64>,
    /// Everything below the partial state was searched.
    pub exhausted: bool,
    /// No play of the instance is better than this, if the search was of all of it and proved that.
    pub proved_bound: Option<i64>,
    /// Expansions of the dearest run that came to its end, 0 if none did; `None` from a worker that does not tell.
    pub dearest_run: Option<u64>,
    /// Distinct good plays, best first.
    pub promising: Vec<Vec<u32>>,
    /// Digest of the search's result; empty when there is none.
    pub trace: Vec<u8>,
}

/// A sequence from outside the farm, in the contest's own format.
#[derive(Clone, Debug)]
pub struct Import {
    /// For which instance.
    pub instance: InstanceName,
    /// The text.
    pub text: String,
    /// Where it comes from: stands in errors and as the finder of the best (`import`, `record`).
    pub source: String,
}

/// Which events to list.
#[derive(Clone, Debug)]
pub struct EventsRequest {
    /// The newest so many.
    pub limit: usize,
    /// Only of this instance.
    pub instance: Option<InstanceName>,
    /// Only with a greater number.
    pub after: u64,
}
