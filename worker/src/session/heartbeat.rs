//! Heartbeats: signs of life with the progress of what is held.

use crate::error::Trouble;
use crate::link::Link;
use crate::worker::Worker;
use cascade_proto::v1;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use tracing::{info, warn};

/// Beats until the session breaks.
pub(super) async fn beat(worker: &Worker, link: &Link, every: Duration) -> Trouble {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match link.heartbeat(worker.holdings.progress()).await {
            Ok(answer) => heed(worker, answer),
            Err(Trouble::Later(reason) | Trouble::Request(reason)) => {
                warn!(reason, "the coordinator did not take a heartbeat");
            }
            Err(trouble) => return trouble,
        }
    }
}

fn heed(worker: &Worker, answer: v1::HeartbeatResponse) {
    for lease in answer.drop {
        info!(lease = lease.id, attempt = lease.attempt, "told to drop a lease");
        worker.drop_lease(lease.into());
    }
    if let Some(running) = worker.holdings.running() {
        for best in answer.bests.iter().filter(|best| best.lease.is_some_and(|lease| running.key == lease.into())) {
            running.learn_best(best.score);
        }
    }
    if answer.drain {
        worker.drain();
    }
}
