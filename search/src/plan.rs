//! What to search, completely: a plan can be run again to the same end.

use cascade_games::Game;
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
    /// Beam width in states, or size of all trees in nodes (MCTS), which rollouts are the wider for. At least 1.
    pub width: u32,
    /// Seed of all randomness. Run 0 of a restarted search uses this seed, run `i` one derived from this and `i`. A
    /// beam with seed 0 plays without noise.
    pub seed: u64,
    /// Budget in expansions; the search ends at the first block boundary where it is spent.
    pub expansions: u64,
    /// Search only part of a play anew.
    pub window: Option<Window>,
    /// A score to beat: only plays better than this count, and states that cannot lead to one are not kept. The same
    /// plan with another `beat` is another search.
    pub beat: Option<i64>,
}

impl Plan {
    /// A search from `prefix` to the end of the play, with nothing to beat.
    #[must_use]
    pub const fn new(prefix: Vec<u32>, strategy: Strategy, width: u32, seed: u64, expansions: u64) -> Self {
        Self { prefix, strategy, width, seed, expansions, window: None, beat: None }
    }

    /// The window's length and the moves to replay after it; what names no move of `game` is left out.
    pub(crate) fn decoded_window<G: Game>(&self, game: &G) -> Option<(u32, Vec<G::Move>)> {
        let Window { length, suffix } = self.window.as_ref()?;
        Some((*length, suffix.iter().filter_map(|&code| game.decode(code)).collect()))
    }
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
