//! How fast the worker of this process searches, and what.

use cascade_worker::{Observer, WorkerEvent};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The rate is measured over so long.
const SPAN: Duration = Duration::from_secs(10);

/// Listens to the worker.
#[derive(Default)]
pub(super) struct Meter {
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Expansions of searches that ended.
    ended: u64,
    /// Expansions of the search that runs.
    running: u64,
    searched: Option<String>,
    trouble: Option<String>,
    samples: VecDeque<(Instant, u64)>,
}

impl Meter {
    /// Expansions a second over the last ten seconds.
    pub(super) fn rate(&self, now: Instant) -> f64 {
        let mut seen = self.lock();
        let total = seen.ended + seen.running;
        seen.samples.push_back((now, total));
        while seen.samples.len() > 2 && seen.samples.front().is_some_and(|(at, _)| now.duration_since(*at) > SPAN) {
            seen.samples.pop_front();
        }
        match seen.samples.front() {
            Some((at, before)) if now > *at => {
                total.saturating_sub(*before) as f64 / now.duration_since(*at).as_secs_f64()
            }
            _ => 0.0,
        }
    }

    /// Expansions since the start of this process.
    pub(super) fn expansions(&self) -> u64 {
        let seen = self.lock();
        seen.ended + seen.running
    }

    /// What the worker does, or what keeps it from its work.
    pub(super) fn doing(&self) -> Option<String> {
        let seen = self.lock();
        seen.trouble.clone().or_else(|| seen.searched.clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Meter {
    fn event(&self, event: &WorkerEvent) {
        let mut seen = self.lock();
        match event {
            WorkerEvent::Connected { .. } => seen.trouble = None,
            WorkerEvent::Disconnected { reason, .. } | WorkerEvent::Waiting { reason, .. } => {
                seen.trouble = Some(reason.clone());
            }
            WorkerEvent::SearchStarted(search) => {
                seen.trouble = None;
                seen.searched = Some(format!("{} by {} {}", search.instance, search.strategy.name(), search.width));
            }
            WorkerEvent::SearchProgress { expansions, .. } => seen.running = *expansions,
            WorkerEvent::SearchEnded { expansions, .. } => {
                seen.ended += expansions;
                seen.running = 0;
            }
            WorkerEvent::Found { .. } | WorkerEvent::NewBest { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_search::Strategy;
    use cascade_worker::SearchView;

    fn search() -> SearchView {
        SearchView { instance: "tetris/baba".into(), strategy: Strategy::Beam, width: 7, budget: 100, depth: 0 }
    }

    #[test]
    fn the_rate_spans_ended_and_running_searches() {
        let meter = Meter::default();
        let start = Instant::now();
        assert_eq!(meter.rate(start), 0.0);
        meter.event(&WorkerEvent::SearchStarted(search()));
        meter.event(&WorkerEvent::SearchEnded {
            search: search(),
            expansions: 100,
            elapsed: Duration::from_secs(1),
            best: None,
        });
        meter.event(&WorkerEvent::SearchProgress { search: search(), expansions: 50, rate: 1.0, best: None });
        assert_eq!(meter.expansions(), 150);
        assert_eq!(meter.rate(start + Duration::from_secs(3)), 50.0);
        assert_eq!(meter.doing().as_deref(), Some("tetris/baba by beam 7"));
    }
}
