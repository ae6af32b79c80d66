//! What a search tells while it runs.

use crate::outcome::Checkpoint;
use crate::plan::Plan;
use serde::{Deserialize, Serialize};

/// A complete play better than all before it in this search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Encoded moves from the instance's start, prefix included.
    pub moves: Vec<u32>,
    /// Its score.
    pub score: i64,
    /// Expansions spent in this search when it was found.
    pub expansions: u64,
    /// A plan whose run ends with exactly this play as its best.
    pub plan: Plan,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Expansions spent.
    pub expansions: u64,
    /// Runs finished (restarts).
    pub runs: u64,
    /// Layer the current beam is in; depth of the tree (MCTS).
    pub layer: u32,
    /// Best complete score so far.
    pub best: Option<i64>,
}

/// Listens to a search. Called from one thread at a time, between blocks of work; must be quick.
pub trait Observer: Sync {
    /// A better complete play was found.
    fn improved(&self, found: &Found);
    /// At least at every layer or batch.
    fn progress(&self, _progress: &Progress) {}
    /// A state from which [`crate::run`] goes on to the same end.
    fn checkpoint(&self, _checkpoint: Checkpoint) {}
}
