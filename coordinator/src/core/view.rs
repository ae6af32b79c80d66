//! What readers get to see.

use super::change::{ArmKey, StateKind};
use super::id::{Epoch, StateId, UnixMillis};
use cascade_games::{Digest, GameId, InstanceName, Origin};
use std::collections::BTreeMap;
use std::time::Duration;

/// The farm in figures.
#[derive(Clone, Debug, PartialEq)]
pub struct StatusView {
    /// The coordinator's term of office.
    pub epoch: Epoch,
    /// Time since this term began.
    pub uptime: Duration,
    /// Instances known.
    pub instances: usize,
    /// Of these, with a best.
    pub instances_with_best: usize,
    /// Workers with a live session.
    pub workers_connected: usize,
    /// Leases that workers hold.
    pub leases_out: usize,
    /// Expansions counted, over all instances.
    pub total_expansions: u64,
    /// Over the last minute.
    pub expansions_per_second: f64,
    /// When a best was last improved.
    pub last_improvement: Option<UnixMillis>,
    /// The whole farm is paused.
    pub paused: bool,
    /// The store's words, when it last refused a commit and has not recovered.
    pub store_problem: Option<String>,
}

/// An instance as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceView {
    /// The name.
    pub name: InstanceName,
    /// Digest of the content.
    pub digest: Digest,
    /// The game.
    pub game: GameId,
    /// Where it comes from.
    pub origin: Origin,
    /// No leases while set.
    pub paused: bool,
    /// 100 is usual, 0 never.
    pub priority: u32,
    /// The best score.
    pub best_score: Option<i64>,
    /// When the best was found.
    pub best_found_at: Option<UnixMillis>,
    /// No play is better.
    pub bound: i64,
    /// The argument behind the bound.
    pub bound_name: &'static str,
    /// Expansions counted.
    pub expansions: u64,
    /// Leases that workers hold.
    pub leases_out: usize,
    /// The mark that the best earns, where known.
    pub marks: Option<u8>,
    /// The best is proved to be so.
    pub optimal: bool,
    /// Workers whose searches proved the bound.
    pub proved_by: Vec<String>,
}

/// Whether a worker works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerState {
    /// It has a live session.
    Connected,
    /// It signed off.
    Gone,
    /// It fell silent.
    Lost,
    /// It is asked to stop, or did so.
    Drained,
    /// It gets no leases.
    SetAside,
}

impl WorkerState {
    /// Every state.
    pub const ALL: [Self; 5] = [Self::Connected, Self::Gone, Self::Lost, Self::Drained, Self::SetAside];

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connected => "connected",
            Self::Gone => "gone",
            Self::Lost => "lost",
            Self::Drained => "drained",
            Self::SetAside => "set-aside",
        }
    }
}

/// A worker as a list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerView {
    /// The name.
    pub name: String,
    /// Whether it works.
    pub state: WorkerState,
    /// Why it is in this state, where that needs words.
    pub reason: String,
    /// Threads it searches with.
    pub threads: u32,
    /// Expansions a second by game.
    pub speed: BTreeMap<GameId, f64>,
    /// Instances of the leases it holds.
    pub leases: Vec<InstanceName>,
    /// Leases finished.
    pub finished: u64,
    /// Leases failed.
    pub failed: u64,
    /// Reports the judge refused.
    pub refused: u64,
    /// Expansions counted.
    pub expansions: u64,
    /// Time since it was last heard of; absent when not in this term.
    pub last_seen: Option<Duration>,
    /// What it runs.
    pub software: String,
}

/// Why an instance is searched the way it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The instance.
    pub instance: InstanceView,
    /// One sentence: why it gets work, or why not.
    pub summary: String,
    /// The ways to search it.
    pub arms: Vec<ArmView>,
    /// Partial states, the most promising first; a short list.
    pub states: Vec<StateView>,
    /// How many partial states there are.
    pub states_total: usize,
    /// How the last leases ended, newest first.
    pub endings: Vec<String>,
}

/// One way to search.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmView {
    /// Which.
    pub arm: ArmKey,
    /// The next seed (root arms).
    pub next_seed: u64,
    /// Leases finished.
    pub finished: u64,
    /// Expansions spent.
    pub expansions: u64,
    /// Leases out.
    pub out: u32,
    /// The best score that came of it.
    pub best: Option<i64>,
    /// Expected gain for effort, relative to other arms of the instance.
    pub value: f64,
}

/// One partial state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateView {
    /// Number within the instance.
    pub id: StateId,
    /// Moves from the start.
    pub depth: u32,
    /// What made it.
    pub kind: StateKind,
    /// Expansions spent.
    pub expansions: u64,
    /// Leases out.
    pub out: u32,
    /// The best score known to be reachable from it.
    pub best: Option<i64>,
    /// Expected gain for effort, relative to other states of the instance.
    pub value: f64,
}
