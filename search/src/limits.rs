//! When a search must end before its budget is spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A clock that only goes forward. Searches get it as an argument.
pub trait Clock: Sync {
    /// Time since some fixed moment.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock, from its creation.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that starts at zero now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Raised by anyone to end a search at its next block.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks for the end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the end was asked for.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Limits beside the plan's budget.
pub struct Limits<'a> {
    /// The clock.
    pub clock: &'a dyn Clock,
    /// The moment of `clock` at which the search ends.
    pub deadline: Option<Duration>,
    /// Ends the search when raised.
    pub stop: StopFlag,
    /// How often [`crate::Observer::checkpoint`] is called; never when absent.
    pub checkpoint_every: Option<Duration>,
}
