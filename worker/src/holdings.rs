//! What this worker holds: the running search, finished leases not yet acknowledged, and suspended ones.

use crate::checkpoint::Suspended;
use crate::lease::LeaseKey;
use crate::observer::SearchView;
use cascade_games::Direction;
use cascade_proto::v1;
use cascade_search::{Progress, StopFlag};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::Span;

/// The search that runs, seen from the control side.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) key: LeaseKey,
    pub(crate) view: SearchView,
    /// Ends the search when raised.
    pub(crate) stop: StopFlag,
    direction: Direction,
    dropped: AtomicBool,
    progress: Mutex<Progress>,
    known_best: Mutex<Option<i64>>,
    begun: Instant,
    /// Spent on the lease before it was suspended.
    before: Duration,
    /// The lease in traces.
    pub(crate) span: Span,
}

impl Running {
    pub(crate) fn new(
        key: LeaseKey,
        view: SearchView,
        direction: Direction,
        known_best: Option<i64>,
        before: Duration,
        span: Span,
    ) -> Self {
        Self {
            key,
            view,
            stop: StopFlag::default(),
            direction,
            dropped: AtomicBool::new(false),
            progress: Mutex::default(),
            known_best: Mutex::new(known_best),
            begun: Instant::now(),
            before,
            span,
        }
    }

    /// The lease is not this worker's any more: its search ends and nothing is said of it.
    pub(crate) fn drop_lease(&self) {
        self.dropped.store(true, Ordering::Relaxed);
        self.stop.stop();
    }

    pub(crate) fn is_dropped(&self) -> bool {
        self.dropped.load(Ordering::Relaxed)
    }

    pub(crate) fn progress(&self) -> Progress {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set_progress(&self, progress: Progress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
    }

    /// Takes note of a score that the farm, or this search, has. Returns whether it is better than what was known.
    pub(crate) fn learn_best(&self, score: i64) -> bool {
        let mut known = self.known_best.lock().unwrap_or_else(PoisonError::into_inner);
        let better = known.is_none_or(|known| self.direction.is_better(score, known));
        if better {
            *known = Some(score);
        }
        better
    }

    /// Time spent on the lease, before it was suspended too.
    pub(crate) fn elapsed(&self) -> Duration {
        self.before + self.elapsed_now()
    }

    /// Time spent since this search began or went on.
    pub(crate) fn elapsed_now(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// What the worker holds. All methods return at once, but for the waiting ones.
#[derive(Debug)]
pub(crate) struct Holdings {
    held: Mutex<Held>,
    changed: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Held {
    running: Option<Arc<Running>>,
    finished: BTreeMap<LeaseKey, Finished>,
    suspended: BTreeMap<LeaseKey, Suspended>,
}

/// The end of a lease, to be told to the coordinator.
#[derive(Clone, Debug)]
pub(crate) struct Finished {
    pub(crate) request: v1::FinishRequest,
    /// The lease in traces.
    pub(crate) span: Span,
}

impl Holdings {
    pub(crate) fn new(suspended: impl IntoIterator<Item = (LeaseKey, Suspended)>) -> Self {
        let held = Held { suspended: suspended.into_iter().collect(), ..Held::default() };
        Self { held: Mutex::new(held), changed: watch::Sender::new(()) }
    }

    /// Every lease held, to be offered at a hello.
    pub(crate) fn keys(&self) -> Vec<LeaseKey> {
        let held = self.lock();
        let mut keys: Vec<LeaseKey> = held.finished.keys().chain(held.suspended.keys()).copied().collect();
        keys.extend(held.running.as_ref().map(|running| running.key));
        keys.sort();
        keys
    }

    /// What was spent on each lease held, for heartbeats.
    pub(crate) fn progress(&self) -> Vec<v1::LeaseProgress> {
        let held = self.lock();
        let line = |key: LeaseKey, expansions| v1::LeaseProgress { lease: Some(key.into()), expansions };
        let finished = held.finished.iter().map(|(key, finish)| line(*key, finish.request.expansions));
        let suspended = held.suspended.iter().map(|(key, suspended)| line(*key, suspended.expansions));
        let running = held.running.iter().map(|running| line(running.key, running.progress().expansions));
        finished.chain(suspended).chain(running).collect()
    }

    /// The search that runs, if any.
    pub(crate) fn running(&self) -> Option<Arc<Running>> {
        self.lock().running.clone()
    }

    pub(crate) fn begin(&self, running: Arc<Running>) {
        self.lock().running = Some(running);
        self.changed.send_replace(());
    }

    /// The running search ended; `finish` is told to the coordinator, if anything is to be told.
    pub(crate) fn end(&self, key: LeaseKey, finish: Option<v1::FinishRequest>) {
        {
            let mut held = self.lock();
            let ended = held.running.take_if(|running| running.key == key);
            if let Some(request) = finish {
                let span = ended.map_or_else(Span::none, |running| running.span.clone());
                held.finished.insert(key, Finished { request, span });
            }
        }
        self.changed.send_replace(());
    }

    /// A lease that ends without having been searched.
    pub(crate) fn fail(&self, key: LeaseKey, reason: String) {
        self.end(key, Some(failed(key, reason)));
    }

    /// Finished leases that the coordinator does not know of yet.
    pub(crate) fn finished(&self) -> Vec<(LeaseKey, Finished)> {
        self.lock().finished.iter().map(|(key, finish)| (*key, finish.clone())).collect()
    }

    /// A lease in traces, as long as it is held.
    pub(crate) fn span(&self, key: LeaseKey) -> Span {
        let held = self.lock();
        let running = held.running.as_ref().filter(|running| running.key == key).map(|running| &running.span);
        let finished = held.finished.get(&key).map(|finish| &finish.span);
        running.or(finished).cloned().unwrap_or_else(Span::none)
    }

    /// The coordinator knows of this end.
    pub(crate) fn acknowledged(&self, key: LeaseKey) {
        self.lock().finished.remove(&key);
        self.changed.send_replace(());
    }

    /// Takes the next suspended lease, to be gone on with.
    pub(crate) fn take_suspended(&self) -> Option<(LeaseKey, Suspended)> {
        self.lock().suspended.pop_first()
    }

    /// A lease is not this worker's any more.
    pub(crate) fn drop_lease(&self, key: LeaseKey) {
        {
            let mut held = self.lock();
            held.finished.remove(&key);
            held.suspended.remove(&key);
            if let Some(running) = held.running.as_ref().filter(|running| running.key == key) {
                running.drop_lease();
            }
        }
        self.changed.send_replace(());
    }

    /// Every lease held as given back, for a goodbye; finished ones say how they ended.
    pub(crate) fn give_back(&self) -> Vec<v1::FinishRequest> {
        let held = self.lock();
        let returned = |key: LeaseKey, expansions| v1::FinishRequest {
            lease: Some(key.into()),
            ending: v1::finish_request::Ending::Returned.into(),
            expansions,
            ..Default::default()
        };
        let suspended = held.suspended.iter().map(|(key, suspended)| returned(*key, suspended.expansions));
        let running = held.running.iter().map(|running| returned(running.key, running.progress().expansions));
        held.finished.values().map(|finish| finish.request.clone()).chain(suspended).chain(running).collect()
    }

    /// Waits until no search runs.
    pub(crate) async fn idle(&self) {
        self.wait_until(|held| held.running.is_none()).await;
    }

    /// Waits until the coordinator knows of every finished lease.
    pub(crate) async fn all_acknowledged(&self) {
        self.wait_until(|held| held.finished.is_empty()).await;
    }

    /// Waits until some lease is finished that the coordinator does not know of.
    pub(crate) async fn some_finished(&self) {
        self.wait_until(|held| !held.finished.is_empty()).await;
    }

    async fn wait_until(&self, condition: impl Fn(&Held) -> bool) {
        let mut changes = self.changed.subscribe();
        while !condition(&self.lock()) {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The end of a lease that this worker could not search.
pub(crate) fn failed(key: LeaseKey, reason: String) -> v1::FinishRequest {
    v1::FinishRequest {
        lease: Some(key.into()),
        ending: v1::finish_request::Ending::Failed.into(),
        failure: reason,
        ..Default::default()
    }
}
