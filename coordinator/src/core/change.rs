//! What the store keeps. Records are whole rows: writing one replaces the row of the same key.

use super::id::{LeaseId, StateId, UnixMillis};
use super::plan::{Plan, Strategy, Window};
use cascade_games::{Digest, GameId, InstanceName, Origin};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// One change to the store.
#[derive(Clone, Debug)]
pub enum Change {
    /// The instance's best is this one now; it is also an entry of the instance's history.
    Best(Arc<Best>),
    /// A stored best does not stand up to the judge: it is no longer the best of the instance, but is kept aside.
    BestSetAside {
        /// Of which instance.
        instance: Digest,
        /// What the judge said.
        reason: String,
    },
    /// A search proved a bound of an instance, or another worker confirmed it; its key is the instance.
    Proved(Box<ProofRecord>),
    /// The proof of this instance does not stand.
    ProofWithdrawn(Digest),
    /// An instance that an administrator added.
    InstanceAdded(InstanceRecord),
    /// An instance's priority or pause.
    Settings(SettingsRecord),
    /// Whether the whole farm is paused.
    FarmPaused(bool),
    /// A partial state, new or with new figures; its key is (instance, id).
    State(StateRecord),
    /// A partial state that gave way.
    StateRemoved {
        /// Of which instance.
        instance: Digest,
        /// Which.
        id: StateId,
    },
    /// The figures of one way to search; its key is (instance, arm).
    Arm(ArmRecord),
    /// A lease long enough to be worth going on with after a restart; its key is the lease's id. Nobody waits for
    /// this to be durable.
    LeaseHeld(LeaseRecord),
    /// An attempt is over; the row of [`Change::LeaseHeld`] with the same id, if any, goes, and this is added to the
    /// record of finished leases, whose key is (id, attempt): counted once.
    LeaseEnded(EndedRecord),
    /// A worker's figures; its key is the name.
    Worker(WorkerRecord),
    /// One line of the event log.
    Event(EventRecord),
}

/// The best judged sequence of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// The instance's name.
    pub instance: InstanceName,
    /// Digest of its content: the key in the store.
    pub digest: Digest,
    /// Its game.
    pub game: GameId,
    /// The judge's score.
    pub score: i64,
    /// The sequence.
    pub moves: Vec<u32>,
    /// The sequence in the contest's own format. Not stored: made from the moves.
    pub text: String,
    /// Who found it, or the source of an import.
    pub worker: String,
    /// The search that finds it; absent for an imported sequence.
    pub plan: Option<Plan>,
    /// When the coordinator took it.
    pub found_at: UnixMillis,
    /// Expansions spent on the instance when it was found.
    pub total_expansions: u64,
}

/// A bound that a worker's search of a whole instance proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofRecord {
    /// The instance: the key.
    pub instance: Digest,
    /// No play ends better than this.
    pub bound: i64,
    /// Whose word it is.
    pub worker: String,
    /// The search.
    pub plan: Plan,
    /// Digest of the search's result: whoever runs it again must come to the same.
    pub trace: Vec<u8>,
    /// When the coordinator heard of it.
    pub proved_at: UnixMillis,
    /// Another worker that ran the search again to the same result.
    pub confirmed_by: Option<String>,
}

/// An instance added while the farm ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceRecord {
    /// The name.
    pub name: InstanceName,
    /// Digest of the content: the key.
    pub digest: Digest,
    /// Canonical text.
    pub content: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// What an operator set for an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingsRecord {
    /// The instance: the key.
    pub instance: Digest,
    /// 100 is usual, 0 never.
    pub priority: u32,
    /// No leases while set.
    pub paused: bool,
}

/// What made a partial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateKind {
    /// The start of the instance.
    Root,
    /// A prefix of a play that was the instance's best.
    Cut,
    /// A prefix of another good play.
    Promising,
    /// Some moves in the middle of the best play.
    Window,
    /// A prefix of the best play of another instance that is much like this one.
    Kin,
}

impl StateKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Root, Self::Cut, Self::Promising, Self::Window, Self::Kin];

    /// The name used in the store and for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Cut => "cut",
            Self::Promising => "promising",
            Self::Window => "window",
            Self::Kin => "kin",
        }
    }

    /// The kind called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// One partial state: its parent, the moves since, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRecord {
    /// The instance.
    pub instance: Digest,
    /// Number within the instance.
    pub id: StateId,
    /// The state it hangs under; absent for the root.
    pub parent: Option<StateId>,
    /// Moves from the parent to here.
    pub since: Vec<u32>,
    /// What made it.
    pub kind: StateKind,
    /// For a window: its length and what follows.
    pub window: Option<Window>,
    /// Hash of the position's key; with the two below it spares the replay of every state at start. A state is
    /// replayed before it is first leased.
    pub key: u64,
    /// The score so far.
    pub score: i64,
    /// An optimistic final score.
    pub bound: i64,
    /// The score of the play it was taken from.
    pub source_score: Option<i64>,
    /// Expansions spent here, and those of states that gave way to it.
    pub spent: u64,
    /// Leases finished.
    pub finished: u32,
    /// The best score that came of it.
    pub best: Option<i64>,
    /// The next seed to use (not used for the root: its arms have their own).
    pub next_seed: u64,
    /// Everything below was searched.
    pub exhausted: bool,
    /// Leases of it that were set aside because no worker came through.
    pub faults: u32,
}

/// A way to search an instance. All of them compete on what they gain for what they cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ArmKey {
    /// From the root, with this strategy and width.
    Root(Strategy, u32),
    /// From a partial state about so many quarters (1, 2 or 3) into a good play.
    Quarter(u8),
    /// A window of the best play.
    Window,
}

/// The figures of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmRecord {
    /// The instance.
    pub instance: Digest,
    /// Which way.
    pub arm: ArmKey,
    /// The next seed to use (root arms only).
    pub next_seed: u64,
    /// Leases finished.
    pub finished: u64,
    /// Expansions spent.
    pub spent: u64,
    /// The best score that came of it.
    pub best: Option<i64>,
    /// Recent improvements, older ones forgotten bit by bit.
    pub gains: f64,
    /// Expansions of a beam's run from the start to the end, as the last lease that told had it; 0 if none did.
    pub run_cost: u64,
    /// Leases of it that were set aside because no worker came through.
    pub faults: u32,
}

/// A lease that is out, for the time after a restart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseRecord {
    /// Which attempt; the id is the key.
    pub lease: LeaseId,
    /// The instance.
    pub instance: Digest,
    /// The partial state.
    pub state: StateId,
    /// On which arm's account.
    pub arm: ArmKey,
    /// What is searched.
    pub plan: Plan,
    /// Who holds it.
    pub worker: String,
    /// Expansions known to be spent in this attempt.
    pub expansions: u64,
    /// How long it should take.
    pub expected: Duration,
    /// Attempts that failed.
    pub failures: u32,
    /// Attempts whose worker was lost.
    pub disconnects: u32,
}

/// Why an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndReason {
    /// The budget was spent or the space exhausted.
    Done,
    /// Given back by its worker.
    Returned,
    /// Its worker could not search it.
    Failed,
    /// Its worker fell silent.
    Lost,
    /// Its worker signed on anew and did not offer it, or was fenced.
    Abandoned,
    /// It made no progress.
    Stalled,
    /// It cannot lead to a better best any more.
    Pointless,
    /// It was left over from before a restart and nobody came for it.
    Unclaimed,
}

impl EndReason {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::Done,
        Self::Returned,
        Self::Failed,
        Self::Lost,
        Self::Abandoned,
        Self::Stalled,
        Self::Pointless,
        Self::Unclaimed,
    ];

    /// The name used in the store and for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Returned => "returned",
            Self::Failed => "failed",
            Self::Lost => "lost",
            Self::Abandoned => "abandoned",
            Self::Stalled => "stalled",
            Self::Pointless => "pointless",
            Self::Unclaimed => "unclaimed",
        }
    }
}

/// An attempt that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedRecord {
    /// Which: the key.
    pub lease: LeaseId,
    /// The instance.
    pub instance: Digest,
    /// The partial state.
    pub state: StateId,
    /// What kind of search.
    pub strategy: Strategy,
    /// Its width.
    pub width: u32,
    /// Its seed.
    pub seed: u64,
    /// Who had it.
    pub worker: String,
    /// Why it ended.
    pub reason: EndReason,
    /// Expansions spent in this attempt.
    pub expansions: u64,
    /// Time spent in this attempt, as the worker tells, or from the grant to the end.
    pub elapsed: Duration,
    /// The best complete score it saw.
    pub best_found: Option<i64>,
    /// Digest of the search's result, when there is one.
    pub trace: Vec<u8>,
    /// When it ended.
    pub ended_at: UnixMillis,
}

/// Why a worker gets no leases although it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// In words.
    pub reason: String,
    /// When.
    pub at: UnixMillis,
}

/// A worker as the store keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerRecord {
    /// The name: the key.
    pub name: String,
    /// What it ran last.
    pub software: String,
    /// Threads it searched with.
    pub threads: u32,
    /// Expansions a second by game.
    pub speed: BTreeMap<GameId, f64>,
    /// Leases finished.
    pub finished: u64,
    /// Leases failed.
    pub failed: u64,
    /// Reports the judge refused.
    pub refused: u64,
    /// Expansions counted.
    pub expansions: u64,
    /// It is to stop, and has not said goodbye yet.
    pub draining: bool,
    /// Set when it gets no leases.
    pub set_aside: Option<SetAside>,
}

/// How loud an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The usual run of things.
    Info,
    /// Somebody should know.
    Warning,
    /// Somebody should act.
    Error,
}

impl Severity {
    /// Every severity.
    pub const ALL: [Self; 3] = [Self::Info, Self::Warning, Self::Error];

    /// The name used in the store and for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// One line of the event log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventRecord {
    /// From 1, without gaps in one store: the key.
    pub number: u64,
    /// When.
    pub at: UnixMillis,
    /// How loud.
    pub severity: Severity,
    /// A short fixed word: `new-best`, `worker-lost`.
    pub kind: Cow<'static, str>,
    /// About which instance.
    pub instance: Option<InstanceName>,
    /// About which worker.
    pub worker: Option<String>,
    /// In words.
    pub detail: String,
}
