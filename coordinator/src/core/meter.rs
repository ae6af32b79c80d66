//! How much the farm searches just now.

use std::collections::VecDeque;
use std::time::Duration;

/// The rate is over so many seconds.
const SECONDS: u64 = 60;

/// Expansions of the last minute, second by second.
#[derive(Debug, Default)]
pub(super) struct Meter {
    seconds: VecDeque<(u64, u64)>,
    started: Option<Duration>,
}

impl Meter {
    /// So many more expansions are known.
    pub(super) fn add(&mut self, expansions: u64, now: Duration) {
        self.started.get_or_insert(now);
        let second = now.as_secs();
        match self.seconds.back_mut() {
            Some((last, sum)) if *last == second => *sum = sum.saturating_add(expansions),
            _ => self.seconds.push_back((second, expansions)),
        }
        while self.seconds.front().is_some_and(|&(first, _)| first + SECONDS < second) {
            self.seconds.pop_front();
        }
    }

    /// Expansions a second over the last minute, or since the first ones.
    #[allow(clippy::cast_precision_loss, reason = "a figure for people")]
    pub(super) fn rate(&self, now: Duration) -> f64 {
        let Some(started) = self.started else { return 0.0 };
        let span = now.saturating_sub(started).as_secs_f64().clamp(1.0, SECONDS as f64);
        let from = now.as_secs().saturating_sub(SECONDS);
        let sum: u64 = self.seconds.iter().filter(|&&(second, _)| second >= from).map(|&(_, sum)| sum).sum();
        sum as f64 / span
    }
}
