//! All bests of a farm as a page in one file.

mod page;
mod table;

use crate::play::Play;
use cascade_proto::v1::{Best, InstanceInfo};
use std::time::SystemTime;

/// What is reported.
pub(crate) struct Report {
    /// When it is made.
    pub(crate) made_at: SystemTime,
    /// What the coordinator runs.
    pub(crate) software: String,
    /// Every instance, in the coordinator's order.
    pub(crate) entries: Vec<Entry>,
}

/// An instance, its best, and the play of it.
pub(crate) struct Entry {
    pub(crate) info: InstanceInfo,
    pub(crate) best: Option<Best>,
    pub(crate) play: Option<Play>,
}

impl Report {
    /// The page.
    pub(crate) fn page(&self) -> String {
        page::page(self)
    }
}
