//! What the store held when the coordinator started.

use super::change::{ArmRecord, Best, EventRecord, LeaseRecord, SettingsRecord, StateRecord, WorkerRecord};
use super::id::Epoch;
use cascade_games::Instance;

/// Everything the store holds, and the instances there are. Rows of instances that are not among these are left
/// alone: they belong to content that is not served now.
#[derive(Clone, Debug, Default)]
pub struct Restored {
    /// This term of office: one more than the last, and durable already.
    pub epoch: Epoch,
    /// The catalog, and instances that an administrator added.
    pub instances: Vec<Instance>,
    /// The whole farm is paused.
    pub farm_paused: bool,
    /// Priorities and pauses.
    pub settings: Vec<SettingsRecord>,
    /// The stored bests; [`Best::text`] is left empty.
    pub bests: Vec<Best>,
    /// Partial states in any order.
    pub states: Vec<StateRecord>,
    /// Arms in any order.
    pub arms: Vec<ArmRecord>,
    /// Leases that were out.
    pub leases: Vec<LeaseRecord>,
    /// Workers seen before.
    pub workers: Vec<WorkerRecord>,
    /// The newest events of the store, oldest first; a thousand or so, for readers.
    pub events: Vec<EventRecord>,
    /// Rows that could not be read, in words: each becomes a loud event.
    pub problems: Vec<String>,
}
