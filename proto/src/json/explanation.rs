//! Why an instance is searched the way it is.

use super::{Instance, rfc3339, strategy_name};
use crate::v1;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An instance, how it is searched, and how its best came to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The instance.
    #[serde(flatten)]
    pub instance: Instance,
    /// One sentence: why it gets work, or why not.
    pub summary: String,
    /// The ways to search it.
    pub arms: Vec<Arm>,
    /// Partial states, the most promising first; a short list.
    pub states: Vec<State>,
    /// How many partial states there are.
    pub states_total: u64,
    /// How the last leases ended, newest first.
    pub endings: Vec<String>,
    /// Every best it ever had, oldest first.
    pub history: Vec<Improvement>,
}

/// A way to search an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Arm {
    /// `beam 1000`, `quarter 2`, `window`.
    pub name: String,
    /// The next seed (searches from the start).
    pub next_seed: u64,
    /// Leases finished.
    pub finished: u64,
    /// Expansions spent.
    pub expansions: u64,
    /// Leases out.
    pub out: u32,
    /// The best score that came of it.
    pub best: Option<i64>,
    /// What the next lease is expected to gain, relative to other ways.
    pub value: f64,
}

/// A partial state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Number within the instance.
    pub id: u64,
    /// Moves from the start.
    pub depth: u32,
    /// `root`, `cut`, `promising` or `window`.
    pub kind: String,
    /// Expansions spent.
    pub expansions: u64,
    /// Leases out.
    pub out: u32,
    /// The best score known to be reachable from it.
    pub best: Option<i64>,
    /// What the next lease is expected to gain, relative to other states.
    pub value: f64,
}

/// A best of the past or the present.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Improvement {
    /// Its score.
    pub score: i64,
    /// Who found it.
    pub worker: String,
    /// `beam`, `mcts`, or `unknown` for an imported sequence.
    pub strategy: String,
    /// Beam width or tree size.
    pub width: u32,
    /// The seed.
    pub seed: u64,
    /// When.
    pub found_at: Option<String>,
    /// Expansions spent on the instance until then.
    pub total_expansions: u64,
}

impl Explanation {
    /// The explanation with the history; `None` when it names no instance.
    #[must_use]
    pub fn new(explained: &v1::ExplainResponse, history: &[v1::HistoryEntry]) -> Option<Self> {
        Some(Self {
            instance: explained.instance.as_ref()?.into(),
            summary: explained.summary.clone(),
            arms: explained.arms.iter().map(Arm::from).collect(),
            states: explained.states.iter().map(State::from).collect(),
            states_total: explained.states_total,
            endings: explained.endings.clone(),
            history: history.iter().map(Improvement::from).collect(),
        })
    }
}

impl From<&v1::ArmInfo> for Arm {
    fn from(arm: &v1::ArmInfo) -> Self {
        Self {
            name: arm.name.clone(),
            next_seed: arm.next_seed,
            finished: arm.finished,
            expansions: arm.expansions,
            out: arm.out,
            best: arm.best,
            value: arm.value,
        }
    }
}

impl From<&v1::StateInfo> for State {
    fn from(state: &v1::StateInfo) -> Self {
        Self {
            id: state.id,
            depth: state.depth,
            kind: state.kind.clone(),
            expansions: state.expansions,
            out: state.out,
            best: state.best,
            value: state.value,
        }
    }
}

impl From<&v1::HistoryEntry> for Improvement {
    fn from(entry: &v1::HistoryEntry) -> Self {
        Self {
            score: entry.score,
            worker: entry.worker.clone(),
            strategy: strategy_name(entry.strategy()).to_owned(),
            width: entry.width,
            seed: entry.seed,
            found_at: entry.found_at.as_ref().map(rfc3339),
            total_expansions: entry.total_expansions,
        }
    }
}
