//! One piece's search, told as part of the whole.

use crate::observer::{Found, Observer, Progress};
use cascade_games::Direction;

/// Adds what was spent before to what a piece's search tells, and keeps to itself what is no better than the best.
pub(super) struct Relay<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) direction: Direction,
    pub(super) expansions: u64,
    pub(super) runs: u64,
    pub(super) best: Option<i64>,
}

impl Observer for Relay<'_> {
    fn improved(&self, found: &Found) {
        if self.best.is_none_or(|best| self.direction.is_better(found.score, best)) {
            self.observer.improved(&Found { expansions: self.expansions + found.expansions, ..found.clone() });
        }
    }

    fn progress(&self, progress: &Progress) {
        self.observer.progress(&Progress {
            expansions: self.expansions + progress.expansions,
            runs: self.runs + progress.runs,
            layer: progress.layer,
            best: progress.best.or(self.best),
        });
    }
}
