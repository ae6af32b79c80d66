//! One sign-on to the coordinator: hello, then heartbeats, reports and leases side by side until something breaks.

mod heartbeat;
mod leasing;
mod reporting;

use crate::error::Trouble;
use crate::link::Link;
use crate::observer::WorkerEvent;
use crate::worker::Worker;
use cascade_proto::convert::from_wire_duration;
use cascade_proto::{v1, version};
use std::time::Duration;
use tracing::info;

pub(crate) use reporting::flush;

/// The interval between heartbeats when the coordinator orders none that can be kept.
const USUAL_INTERVAL: Duration = Duration::from_secs(5);

/// The coordinator asked the worker to stop for good, and its last lease has ended.
#[derive(Debug)]
pub(crate) struct Drained;

/// A live session.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) link: Link,
    heartbeat_interval: Duration,
}

impl Session {
    /// Says hello, offering every lease held, and does as the verdicts say.
    pub(crate) async fn begin(worker: &Worker, mut link: Link) -> Result<Self, Trouble> {
        let offered = worker.holdings.keys();
        let answer = link
            .hello(v1::HelloRequest {
                worker: worker.name.clone(),
                versions: Some(v1::Versions::of(software())),
                threads: u32::try_from(worker.threads).unwrap_or(u32::MAX),
                held: offered.iter().map(|key| (*key).into()).collect(),
                speed: worker.speed.by_game(),
            })
            .await?;
        if !(version::PROTOCOL_MIN..=version::PROTOCOL_MAX).contains(&answer.protocol) {
            return Err(Trouble::Versions(format!(
                "{} wants to speak protocol {}, {} speaks {} to {}",
                answer.coordinator_software,
                answer.protocol,
                software(),
                version::PROTOCOL_MIN,
                version::PROTOCOL_MAX
            )));
        }
        let kept =
            |key| answer.held.iter().any(|verdict| verdict.keep && verdict.lease == Some(v1::LeaseId::from(key)));
        let (keep, drop): (Vec<_>, Vec<_>) = offered.into_iter().partition(|key| kept(*key));
        drop.iter().for_each(|key| worker.drop_lease(*key));
        info!(
            worker = worker.name,
            coordinator = answer.coordinator_software,
            epoch = answer.epoch,
            kept = keep.len(),
            dropped = drop.len(),
            "signed on"
        );
        worker.observer.event(&WorkerEvent::Connected { software: answer.coordinator_software, epoch: answer.epoch });
        let interval = answer.heartbeat_interval.and_then(|interval| from_wire_duration(&interval, "interval").ok());
        let heartbeat_interval = interval.filter(|interval| !interval.is_zero()).unwrap_or(USUAL_INTERVAL);
        Ok(Self { link, heartbeat_interval })
    }

    /// Works until the session breaks or the worker is drained. The three sides never wait for one another.
    pub(crate) async fn work(&self, worker: &Worker) -> Result<Drained, Trouble> {
        tokio::select! {
            trouble = heartbeat::beat(worker, &self.link, self.heartbeat_interval) => Err(trouble),
            trouble = reporting::report(worker, &self.link) => Err(trouble),
            end = leasing::lease(worker, &self.link) => end,
        }
    }
}

/// Name and version of this program, for the other side.
pub(crate) fn software() -> String {
    format!("cascade-worker {}", env!("CARGO_PKG_VERSION"))
}
