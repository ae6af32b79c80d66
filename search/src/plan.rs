//! What to search, completely: a plan can be run again to the same end.

use serde::{Deserialize, Serialize};

/// The kinds of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// Beam search, restarted with further seeds while budget is left.
    Beam,
    /// Single-player Monte-Carlo search.
    Mcts,
}

impl Strategy {
    /// The name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beam => "beam",
            Self::Mcts => "mcts",
        }
    }
}

/// A search from one partial state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The partial state: encoded moves from the instance's start.
    pub prefix: Vec<u32>,
    /// The kind of search.
    pub strategy: Strategy,
    /// Beam width in states, or tree size in nodes (MCTS). At least 1.
    pub width: u32,
    /// Seed of all randomness. Run `i` of a restarted search uses a seed derived from this and `i`.
    pub seed: u64,
    /// Budget in expansions; the search ends at the first block boundary where it is spent.
    pub expansions: u64,
    /// Search only part of a play anew.
    pub window: Option<Window>,
}

/// Part of a known play to be searched anew: `length` moves after the prefix; then `suffix` is replayed, leaving
/// out what has become illegal, and the play counts as that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// Number of moves to search.
    pub length: u32,
    /// Encoded moves of the known play after the window.
    pub suffix: Vec<u32>,
}
