//! What a running search hands out, on its way to the disk: a search never waits for one.

use cascade_search::{Checkpoint, Found};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Holds the newest find and the newest checkpoint; each find is better than those before it, so one is enough.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    content: Mutex<Content>,
    changed: Condvar,
}

/// What was handed out since the last look.
#[derive(Debug, Default)]
pub(crate) struct Content {
    pub(crate) found: Option<Found>,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// The search has ended: nothing follows.
    pub(crate) closed: bool,
}

impl Outbox {
    pub(crate) fn found(&self, found: Found) {
        self.lock().found = Some(found);
        self.changed.notify_one();
    }

    pub(crate) fn checkpoint(&self, checkpoint: Checkpoint) {
        self.lock().checkpoint = Some(checkpoint);
        self.changed.notify_one();
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_one();
    }

    /// Waits for something, and takes it.
    pub(crate) fn take(&self) -> Content {
        let empty = |content: &mut Content| content.found.is_none() && content.checkpoint.is_none() && !content.closed;
        let mut content = self.changed.wait_while(self.lock(), empty).unwrap_or_else(PoisonError::into_inner);
        let closed = content.closed;
        Content { closed, ..std::mem::take(&mut *content) }
    }

    /// Waits for `pause`, or less when the search ends.
    pub(crate) fn pause(&self, pause: Duration) {
        let open = |content: &mut Content| !content.closed;
        drop(self.changed.wait_timeout_while(self.lock(), pause, open));
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
