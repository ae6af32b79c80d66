//! Two small games that nothing outside these tests knows: searches work for any game.
#![allow(dead_code, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "a test")]

pub mod strip;
pub mod walk;

use cascade_games::Game;
use cascade_search::{
    Checkpoint, Clock, Ending, Found, Limits, Observer, Outcome, Plan, Progress, StopFlag, SystemClock, run,
};
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

/// Carries out `plan` without limits.
pub fn search<G: Game>(game: &G, plan: &Plan) -> Outcome {
    run(game, plan, None, &unlimited(&SystemClock::start()), &Recorder::default()).unwrap()
}

/// Every improvement must come with a plan that ends in it.
pub fn check_reproduction<G: Game>(game: &G, plan: &Plan) {
    let recorder = Recorder::default();
    let outcome = run(game, plan, None, &unlimited(&SystemClock::start()), &recorder).unwrap();
    let found = recorder.found.into_inner().unwrap();
    assert_eq!(found.last(), outcome.best.as_ref());
    assert!(!found.is_empty());
    for improvement in &found {
        let again = search(game, &improvement.plan).best.expect("the plan finds a play");
        assert_eq!((again.score, &again.moves), (improvement.score, &improvement.moves));
    }
    for pair in found.windows(2) {
        assert!(G::DIRECTION.is_better(pair[1].score, pair[0].score));
    }
}

/// Stops the search again and again, each time a little later, and goes on from what it left.
pub fn check_suspension<G: Game>(game: &G, plan: &Plan, step: u64) {
    let whole = search(game, plan);
    let mut checkpoint = None;
    let mut stops = 0;
    for limit in (1..).map(|index| index * step) {
        let recorder = Recorder { stop_after: Some(limit), ..Recorder::default() };
        let clock = SystemClock::start();
        let mut limits = unlimited(&clock);
        limits.stop = recorder.stop.clone();
        let outcome = run(game, plan, checkpoint.as_ref(), &limits, &recorder).unwrap();
        if outcome.checkpoint.is_none() {
            assert_eq!(format!("{outcome:?}"), format!("{whole:?}"));
            break;
        }
        assert_eq!(outcome.ending, Ending::Stopped);
        let bytes = postcard::to_stdvec(&outcome.checkpoint.unwrap()).unwrap();
        checkpoint = Some(postcard::from_bytes(&bytes).unwrap());
        stops += 1;
    }
    assert!(stops > 3, "stopped only {stops} times");
}
