//! An event.

use super::{named, rfc3339};
use crate::v1;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something that happened on the farm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Grows from event to event.
    pub number: u64,
    /// When.
    pub at: Option<String>,
    /// `info`, `warning` or `error`.
    pub severity: String,
    /// What kind of thing, in one word: `new-best`, `worker-lost`.
    pub kind: String,
    /// The instance it is about, if it is about one.
    pub instance: Option<String>,
    /// The worker it is about, if it is about one.
    pub worker: Option<String>,
    /// In words.
    pub detail: String,
}

impl From<&v1::Event> for Event {
    fn from(event: &v1::Event) -> Self {
        Self {
            number: event.number,
            at: event.at.as_ref().map(rfc3339),
            severity: event.severity.clone(),
            kind: event.kind.clone(),
            instance: named(&event.instance),
            worker: named(&event.worker),
            detail: event.detail.clone(),
        }
    }
}
