//! What things are called inside the coordinator.

use std::fmt;
use std::time::Duration;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// The coordinator's term of office, one more at each start.
    Epoch
}
number! {
    /// One worker's sign-on. Unique in the store's life: the epoch is part of it.
    SessionId
}
number! {
    /// A partial state within its instance; 0 is the root.
    StateId
}
number! {
    /// One group of changes on its way to the store.
    CommitId
}
number! {
    /// Who waits for an answer; chosen by the shell, used for one request.
    ReplyId
}
number! {
    /// Milliseconds since 1970 in UTC, for the record only: nothing is ever computed from it.
    UnixMillis
}

impl StateId {
    /// The start of the instance.
    pub const ROOT: Self = Self(0);
}

/// One attempt at a lease. The id is unique in the store's life; each handing out of it has its own attempt, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaseId {
    /// The piece of work.
    pub id: u64,
    /// How often it was handed out.
    pub attempt: u32,
}

impl fmt::Display for LeaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.id, self.attempt)
    }
}

/// The moment at which an event is handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Now {
    /// On the coordinator's monotonic clock, from a fixed moment of this run. All durations come from it.
    pub clock: Duration,
    /// What the calendar said, for records.
    pub wall: UnixMillis,
}
