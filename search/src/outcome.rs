//! How a search ended.

use crate::observer::Found;
use serde::{Deserialize, Serialize};

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// The budget of expansions is spent.
    Budget,
    /// Nothing is left to look at: every listed play from the partial state was considered, or the bound is reached.
    Exhausted,
    /// The deadline passed.
    Deadline,
    /// The stop flag was raised.
    Stopped,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// Whether it is proved that no play from the partial state (and within the window) is better than the best, or,
    /// without a best, that none beats what the plan had to beat.
    pub proved: bool,
    /// The best complete play, if any was reached.
    pub best: Option<Found>,
    /// Expansions spent, those before a resumed checkpoint included.
    pub expansions: u64,
    /// Expansions of the dearest run that came to its end; 0 if none did.
    pub dearest_run: u64,
    /// Distinct good plays, best first, the best included: material for deeper partial states. At most 16.
    pub promising: Vec<Vec<u32>>,
    /// Equal for equal searches: a digest over what was found.
    pub trace: u64,
    /// Where to go on from, when it ended by deadline or stop.
    pub checkpoint: Option<Checkpoint>,
}

/// A suspended search, opaque outside this crate; serialise it with any serde format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Expansions spent before it.
    pub expansions: u64,
    /// Of plan, instance and version.
    pub(crate) fingerprint: u64,
    pub(crate) checksum: u64,
    pub(crate) body: Vec<u8>,
}

/// The search cannot be carried out.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum SearchError {
    /// A move of the prefix is not legal.
    #[error("move {0} of the plan's prefix is not legal in this instance")]
    IllegalPrefix(usize),
    /// No width.
    #[error("the width must be at least 1")]
    NoWidth,
    /// The checkpoint belongs to another plan or instance, or is damaged.
    #[error("the checkpoint does not fit the plan: {0}")]
    ForeignCheckpoint(String),
}
