//! What the core wants done.

use super::change::{Best, Change, EventRecord};
use super::event::Versions;
use super::id::{CommitId, Epoch, LeaseId, ReplyId, SessionId};
use super::plan::Plan;
use super::view::{Explanation, InstanceView, StatusView, WorkerView};
use cascade_games::{Bound, Digest, GameId, Instance, InstanceName};
use std::sync::Arc;
use std::time::Duration;

/// One thing for the shell to do, in the order given.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Answer a request.
    Reply(ReplyId, Result<Reply, Refusal>),
    /// Make all of these durable or none, in the order of ids, then say [`super::Event::Committed`] or
    /// [`super::Event::CommitFailed`], in the order of ids. Several commits may share one transaction.
    ///
    /// Rows hold running totals, so a commit says also what those before it said: once one failed, those behind it must
    /// fail too, up to the first that was made in the knowledge of the failure.
    Commit {
        /// Comes back in the event.
        id: CommitId,
        /// The newest failed commit that was known when this one was made; it must fail if a newer one failed before it.
        knows: Option<CommitId>,
        /// In order; a later change of the same row wins.
        changes: Vec<Change>,
    },
    /// This durable best is the instance's best now: serve it, tell watchers, write its plain file.
    Publish(Arc<Best>),
    /// No play of the instance is better than this: tell readers.
    Bound(InstanceName, Bound),
    /// For the log of the process; the same line is also a [`Change::Event`].
    Log(EventRecord),
}

/// The answer to a request, one kind each.
#[derive(Clone, Debug)]
pub enum Reply {
    /// To Hello.
    Welcome(Welcome),
    /// To Lease: work.
    Granted(Box<Grant>),
    /// To Lease: nothing to do now.
    Wait(Wait),
    /// To Heartbeat.
    Heartbeat(HeartbeatReply),
    /// To Report: one verdict for each improvement, in order.
    Verdicts(Vec<Verdict>),
    /// To Finish.
    Finished {
        /// False: this attempt was counted before, or is not this worker's.
        counted: bool,
    },
    /// To Goodbye, SetPriority, Pause, Resume and Drain.
    Done,
    /// To AddInstances.
    Added(Vec<Instance>),
    /// To Import.
    Imported(Imported),
    /// To Status.
    Status(StatusView),
    /// To Instances.
    Instances(Vec<InstanceView>),
    /// To Workers.
    Workers(Vec<WorkerView>),
    /// To Events, oldest first.
    Events(Vec<EventRecord>),
    /// To Explain.
    Explanation(Box<Explanation>),
}

/// A request that is not carried out.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Refusal {
    /// The session is unknown here: say hello again, offering what is held.
    #[error("this session is not known: say hello again")]
    SessionUnknown,
    /// The session is of another epoch: say hello again, offering what is held.
    #[error("this session is of epoch {theirs}, the coordinator is in epoch {ours}: say hello again")]
    WrongEpoch {
        /// The worker's.
        theirs: Epoch,
        /// The coordinator's.
        ours: Epoch,
    },
    /// Another process signed on under the same name.
    #[error("another process has signed on as '{worker}' since: names must be unique")]
    Fenced {
        /// The name.
        worker: String,
    },
    /// The two cannot work together.
    #[error(
        "versions do not fit: the worker ({}) speaks protocol {} to {} with rules {}, the coordinator ({}) speaks protocol {} to {} with rules {}",
        theirs.software, theirs.protocol_min, theirs.protocol_max, theirs.rules,
        ours.software, ours.protocol_min, ours.protocol_max, ours.rules
    )]
    Versions {
        /// The worker's.
        theirs: Box<Versions>,
        /// The coordinator's.
        ours: Box<Versions>,
    },
    /// No such instance.
    #[error("there is no instance {0}")]
    UnknownInstance(InstanceName),
    /// No such worker.
    #[error("there is no worker '{0}'")]
    UnknownWorker(String),
    /// The request cannot be understood or would break a rule; the words say what was found and expected.
    #[error("{0}")]
    BadInput(String),
    /// It could not be made durable; nothing was changed. Ask again later.
    #[error("the store does not accept writes: {0}")]
    StoreUnavailable(String),
}

/// The answer to Hello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// The coordinator's term of office.
    pub epoch: Epoch,
    /// The new session.
    pub session: SessionId,
    /// The protocol to speak.
    pub protocol: u32,
    /// How often to show life.
    pub heartbeat_interval: Duration,
    /// A worker silent for longer is taken for lost.
    pub silence_limit: Duration,
    /// For each lease offered, in order: whether to go on with it.
    pub held: Vec<(LeaseId, bool)>,
}

/// One partial state given to one worker for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Which attempt at which lease.
    pub lease: LeaseId,
    /// The instance's name.
    pub instance: InstanceName,
    /// Digest of its content.
    pub digest: Digest,
    /// Its game.
    pub game: GameId,
    /// Its canonical text.
    pub content: Arc<str>,
    /// What to search.
    pub plan: Plan,
    /// Only better sequences are worth reporting.
    pub best_score: Option<i64>,
    /// How long it should take this worker.
    pub expected: Duration,
    /// Long enough to be worth a checkpoint on disk.
    pub checkpoint: bool,
}

/// Nothing to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// When to ask again.
    pub retry_after: Duration,
    /// Why.
    pub reason: String,
    /// The worker is to stop for good.
    pub drain: bool,
}

/// The answer to a heartbeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeartbeatReply {
    /// Not this worker's any more: stop and forget.
    pub drop: Vec<LeaseId>,
    /// The worker is to finish what it holds and stop.
    pub drain: bool,
    /// The best scores of the instances it searches.
    pub bests: Vec<(LeaseId, i64)>,
}

/// What became of one reported sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The worker's id of it.
    pub report_id: String,
    /// The verdict.
    pub outcome: Outcome,
    /// Why, for people; empty for a new best.
    pub reason: String,
    /// The instance's best now.
    pub best_score: Option<i64>,
}

/// The kinds of verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is, or was when it came, the best of the instance.
    NewBest,
    /// It is right, and no better than what is known.
    NotBetter,
    /// It does not replay, does not end as it must, or scores otherwise than claimed.
    Refused,
    /// No instance of this name and content.
    UnknownInstance,
}

/// The answer to Import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Whether it is the instance's best now.
    pub new_best: bool,
    /// Its score by the judge.
    pub score: i64,
    /// The instance's best score now.
    pub best_score: Option<i64>,
}
