//! What a worker tells the program it runs in.

use cascade_search::Strategy;
use std::time::Duration;

/// Something happened that a person watching would want to see.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkerEvent {
    /// Signed on.
    Connected {
        /// The coordinator's software.
        software: String,
        /// Its term of office.
        epoch: u64,
    },
    /// The coordinator is out of reach; the search goes on.
    Disconnected {
        /// Why.
        reason: String,
        /// When the next attempt is made.
        retry_in: Duration,
    },
    /// There is nothing to do.
    Waiting {
        /// The coordinator's reason.
        reason: String,
        /// When the worker asks again.
        retry_in: Duration,
    },
    /// A search began.
    SearchStarted(SearchView),
    /// A search goes on; several times a second.
    SearchProgress {
        /// Which.
        search: SearchView,
        /// Expansions spent.
        expansions: u64,
        /// Expansions a second since the last such event.
        rate: f64,
        /// The best complete score of this search.
        best: Option<i64>,
    },
    /// A search found a play better than the farm's best as far as the worker knows.
    Found {
        /// The instance's name.
        instance: String,
        /// The play's score.
        score: i64,
    },
    /// The coordinator made a found play the farm's best.
    NewBest {
        /// The instance's name.
        instance: String,
        /// The play's score.
        score: i64,
    },
    /// A search ended.
    SearchEnded {
        /// Which.
        search: SearchView,
        /// Expansions spent.
        expansions: u64,
        /// How long it took.
        elapsed: Duration,
        /// The best complete score of this search.
        best: Option<i64>,
    },
}

/// The search of one lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchView {
    /// The instance's name.
    pub instance: String,
    /// The kind of search.
    pub strategy: Strategy,
    /// Its width.
    pub width: u32,
    /// Its budget in expansions.
    pub budget: u64,
    /// Moves of the partial state it starts from.
    pub depth: usize,
}

/// Listens to a worker. Called from several threads; must be quick.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn event(&self, event: &WorkerEvent);
}

/// Nobody listens.
impl Observer for () {
    fn event(&self, _event: &WorkerEvent) {}
}
