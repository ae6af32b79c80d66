//! The limits as a running search sees them.

use crate::limits::Limits;
use crate::outcome::Ending;
use std::time::Duration;

/// Says when to stop before the budget is spent, and when a checkpoint is due.
pub(crate) struct Gate<'a> {
    limits: &'a Limits<'a>,
    next_checkpoint: Option<Duration>,
}

impl<'a> Gate<'a> {
    pub(crate) fn new(limits: &'a Limits<'a>) -> Self {
        let next_checkpoint = limits.checkpoint_every.map(|every| limits.clock.now() + every);
        Self { limits, next_checkpoint }
    }

    /// Why the search must end now, if it must. Cheap enough to ask every few hundred expansions, from any thread.
    pub(crate) fn interrupted(&self) -> Option<Ending> {
        if self.limits.stop.is_stopped() {
            return Some(Ending::Stopped);
        }
        match self.limits.deadline {
            Some(deadline) if self.limits.clock.now() >= deadline => Some(Ending::Deadline),
            _ => None,
        }
    }

    /// Whether a checkpoint is due; if so the next one is due a whole interval from now.
    pub(crate) fn checkpoint_due(&mut self) -> bool {
        let (Some(due), Some(every)) = (self.next_checkpoint, self.limits.checkpoint_every) else { return false };
        let now = self.limits.clock.now();
        if now < due {
            return false;
        }
        self.next_checkpoint = Some(now + every);
        true
    }
}
