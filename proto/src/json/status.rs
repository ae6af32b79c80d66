//! The farm and its instances.

use super::rfc3339;
use crate::convert::from_wire_duration;
use crate::v1;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The farm at a glance, every instance with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Status {
    /// The farm in figures.
    #[serde(flatten)]
    pub farm: Farm,
    /// Every instance.
    pub instances: Vec<Instance>,
}

/// The farm in figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Farm {
    /// What the coordinator runs.
    pub software: String,
    /// The coordinator's term of office.
    pub epoch: u64,
    /// Seconds since this term began.
    pub uptime_seconds: f64,
    /// Workers with a live session.
    pub workers_connected: u64,
    /// Leases that workers hold.
    pub leases_out: u64,
    /// Expansions counted, over all instances.
    pub total_expansions: u64,
    /// Over the last minute.
    pub expansions_per_second: f64,
    /// When a best was last improved.
    pub last_improvement: Option<String>,
    /// The kind of store, and whether it accepts writes.
    pub store: String,
    /// The whole farm is paused.
    pub paused: bool,
    /// Where the coordinator's page is served; null where it is not.
    pub page: Option<String>,
}

/// An instance as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Instance {
    /// The name.
    pub instance: String,
    /// `built-in`, `stand-in`, `added`, or the file it was read from.
    pub origin: String,
    /// No leases while set.
    pub paused: bool,
    /// 100 is usual, 0 never.
    pub priority: u32,
    /// The best score; null while there is none.
    pub best_score: Option<i64>,
    /// When the best was found.
    pub best_found_at: Option<String>,
    /// No play is better.
    pub bound: i64,
    /// The argument behind the bound.
    pub bound_name: String,
    /// The best is proved to be so.
    pub optimal: bool,
    /// Workers whose searches proved the bound; none where no search was needed.
    pub proved_by: Vec<String>,
    /// The mark from 0 to 10 that the best earns, where it is known.
    pub marks: Option<u32>,
    /// Expansions counted.
    pub expansions: u64,
    /// Leases that workers hold.
    pub leases_out: u32,
}

impl Status {
    /// The farm's figures and `instances`.
    #[must_use]
    pub fn new(status: &v1::StatusResponse, instances: &[v1::InstanceInfo]) -> Self {
        Self { farm: status.into(), instances: instances.iter().map(Instance::from).collect() }
    }
}

impl From<&v1::StatusResponse> for Farm {
    fn from(status: &v1::StatusResponse) -> Self {
        let uptime = status.uptime.as_ref().and_then(|uptime| from_wire_duration(uptime, "uptime").ok());
        Self {
            software: status.software.clone(),
            epoch: status.epoch,
            uptime_seconds: uptime.unwrap_or_default().as_secs_f64(),
            workers_connected: status.workers_connected,
            leases_out: status.leases_out,
            total_expansions: status.total_expansions,
            expansions_per_second: status.expansions_per_second,
            last_improvement: status.last_improvement.as_ref().map(rfc3339),
            store: status.store.clone(),
            paused: status.paused,
            page: super::named(&status.page),
        }
    }
}

impl From<&v1::InstanceInfo> for Instance {
    fn from(info: &v1::InstanceInfo) -> Self {
        Self {
            instance: info.instance.as_ref().map_or_else(String::new, |instance| instance.name.clone()),
            origin: info.origin.clone(),
            paused: info.paused,
            priority: info.priority,
            best_score: info.best_score,
            best_found_at: info.best_found_at.as_ref().map(rfc3339),
            bound: info.bound,
            bound_name: info.bound_name.clone(),
            optimal: info.optimal,
            proved_by: info.proved_by.clone(),
            marks: info.marks,
            expansions: info.expansions,
            leases_out: info.leases_out,
        }
    }
}
