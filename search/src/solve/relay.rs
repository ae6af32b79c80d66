//! One piece's search, told as part of the whole.

use crate::observer::{Found, Observer, Progress};

/// Adds what was spent before to what a piece's search tells.
pub(super) struct Relay<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) expansions: u64,
    pub(super) runs: u64,
    pub(super) best: Option<i64>,
}

impl Observer for Relay<'_> {
    fn improved(&self, found: &Found) {
        self.observer.improved(&Found { expansions: self.expansions + found.expansions, ..found.clone() });
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
