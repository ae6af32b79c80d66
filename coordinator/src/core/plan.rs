//! What a lease asks a worker to search.

use std::fmt;

/// The kinds of search a worker knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Beam search.
    Beam,
    /// Single-player Monte-Carlo tree search.
    Mcts,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 2] = [Self::Beam, Self::Mcts];

    /// The name used on the command line and in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Beam => "beam",
            Self::Mcts => "mcts",
        }
    }

    /// The strategy called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name)
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Part of a known play to be searched anew; the rest is replayed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Window {
    /// Number of moves to search after the prefix.
    pub length: u32,
    /// Moves of the known play after the window.
    pub suffix: Vec<u32>,
}

/// A search from one partial state, complete enough to be run again to the same end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The partial state: moves from the instance's start.
    pub prefix: Vec<u32>,
    /// The kind of search.
    pub strategy: Strategy,
    /// Beam width in states, or tree size in nodes (MCTS).
    pub width: u32,
    /// Seed of all randomness.
    pub seed: u64,
    /// The budget.
    pub expansions: u64,
    /// Search only part of a play anew.
    pub window: Option<Window>,
    /// A score to beat: states that cannot end better are not kept, and only better plays count.
    pub beat: Option<i64>,
}
