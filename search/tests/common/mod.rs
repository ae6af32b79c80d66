//! Two small games that nothing outside these tests knows: searches work for any game.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "a test")]

pub mod strip;
pub mod walk;

use cascade_search::{Checkpoint, Clock, Found, Limits, Observer, Progress, StopFlag};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that goes one millisecond further each time it is looked at.
#[derive(Default)]
pub struct CountingClock(AtomicU64);

impl Clock for CountingClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Remembers all it is told; raises a stop flag when `stop_after` expansions are reported.
#[derive(Default)]
pub struct Recorder {
    pub found: Mutex<Vec<Found>>,
    pub checkpoints: Mutex<Vec<Checkpoint>>,
    pub progress: Mutex<Vec<Progress>>,
    pub stop: StopFlag,
    pub stop_after: Option<u64>,
}

impl Observer for Recorder {
    fn improved(&self, found: &Found) {
        self.found.lock().unwrap().push(found.clone());
    }
    fn progress(&self, progress: &Progress) {
        self.progress.lock().unwrap().push(*progress);
        if self.stop_after.is_some_and(|limit| progress.expansions >= limit) {
            self.stop.stop();
        }
    }
    fn checkpoint(&self, checkpoint: Checkpoint) {
        self.checkpoints.lock().unwrap().push(checkpoint);
    }
}

/// Limits that never end a search.
pub fn unlimited(clock: &dyn Clock) -> Limits<'_> {
    Limits { clock, deadline: None, stop: StopFlag::default(), checkpoint_every: None }
}

/// Runs `work` in a pool of `threads`.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
