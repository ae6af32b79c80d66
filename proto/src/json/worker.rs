//! A worker.

use super::named;
use crate::convert::from_wire_duration;
use crate::v1;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Worker {
    /// Its name.
    pub name: String,
    /// `connected`, `gone`, `lost`, `drained` or `set-aside`.
    pub state: String,
    /// Why it is in this state, where that needs words.
    pub reason: Option<String>,
    /// Threads it searches with.
    pub threads: u32,
    /// Expansions a second by game.
    pub speed: BTreeMap<String, f64>,
    /// Instances of the leases it holds.
    pub leases: Vec<String>,
    /// Leases finished.
    pub finished: u64,
    /// Leases failed.
    pub failed: u64,
    /// Reports the judge refused.
    pub refused: u64,
    /// Expansions counted.
    pub expansions: u64,
    /// Seconds since it was last heard of; null when not since the coordinator started.
    pub last_seen_seconds: Option<f64>,
    /// What it runs.
    pub software: String,
}

impl From<&v1::WorkerInfo> for Worker {
    fn from(worker: &v1::WorkerInfo) -> Self {
        let last_seen = worker.last_seen.as_ref().and_then(|past| from_wire_duration(past, "last_seen").ok());
        Self {
            name: worker.name.clone(),
            state: worker.state.clone(),
            reason: named(&worker.reason),
            threads: worker.threads,
            speed: worker.speed.iter().map(|(game, speed)| (game.clone(), *speed)).collect(),
            leases: worker.leases.clone(),
            finished: worker.finished,
            failed: worker.failed,
            refused: worker.refused,
            expansions: worker.expansions,
            last_seen_seconds: last_seen.map(|past| past.as_secs_f64()),
            software: worker.software.clone(),
        }
    }
}
