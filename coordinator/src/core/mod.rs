//! The pure core of the coordinator: `(state, event, now) -> effects`.
//!
//! No clock, no I/O, no locks, no async inside. One task of the shell owns a [`Core`], hands it events one by one and
//! carries out the effects in order. What must outlive the process goes into [`Effect::Commit`]; a reply that
//! promises durability and [`Effect::Publish`] come only after [`Event::Committed`].

mod change;
mod config;
mod effect;
mod event;
mod id;
mod plan;
mod restore;
mod view;

pub use change::*;
pub use config::CoreConfig;
pub use effect::*;
pub use event::*;
pub use id::{CommitId, Epoch, LeaseId, Now, ReplyId, SessionId, StateId, UnixMillis};
pub use plan::{Plan, Strategy, Window};
pub use restore::Restored;
pub use view::*;

/// The coordinator's state and its rules.
#[derive(Debug)]
pub struct Core;

impl Core {
    /// The core of a coordinator that starts with what its store holds. The effects are those of the start: bests to
    /// publish, repairs to commit.
    #[must_use]
    pub fn restore(_restored: Restored, _config: CoreConfig, _now: Now) -> (Self, Vec<Effect>) {
        (Self, Vec::new())
    }

    /// Handles one event.
    pub fn handle(&mut self, _event: Event, _now: Now) -> Vec<Effect> {
        Vec::new()
    }
}
