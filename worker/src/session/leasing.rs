//! Getting work: goes on with suspended leases, then asks for new ones, one at a time.

use super::Drained;
use crate::error::Trouble;
use crate::lease::{Assignment, LeaseKey};
use crate::link::Link;
use crate::observer::WorkerEvent;
use crate::worker::Worker;
use cascade_proto::convert::from_wire_duration;
use cascade_proto::traces::TARGET;
use cascade_proto::v1;
use cascade_proto::v1::lease_response::Outcome;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use tracing::field::Empty;
use tracing::{Instrument, Span, error, trace_span, warn};

/// How long the next lease waits for the end of the last one to be acknowledged: the coordinator chooses better
/// when it knows what came of it, but a slow store must not leave the cores idle.
const ACKNOWLEDGEMENT: Duration = Duration::from_secs(1);
/// How long the worker waits when the coordinator gives neither work nor a delay.
const USUAL_DELAY: Duration = Duration::from_secs(2);

/// Works on leases until the session breaks or the worker is drained.
pub(super) async fn lease(worker: &Worker, link: &Link) -> Result<Drained, Trouble> {
    loop {
        worker.holdings.idle().await;
        let _known_or_not = timeout(ACKNOWLEDGEMENT, worker.holdings.all_acknowledged()).await;
        if worker.is_draining() {
            return Ok(Drained);
        }
        if let Some((key, suspended)) = worker.holdings.take_suspended() {
            begin(worker, key, suspended.lease, Some(suspended.elapsed), lease_span());
            continue;
        }
        tokio::select! {
            () = worker.delay.over() => {}
            () = worker.drain_asked() => continue,
        }
        let span = lease_span();
        match link.lease().instrument(span.clone()).await {
            Ok(answer) => heed(worker, answer, span),
            Err(Trouble::Later(reason) | Trouble::Request(reason)) => {
                warn!(reason, "the coordinator gives no lease now");
                sleep(USUAL_DELAY).await;
            }
            Err(trouble) => return Err(trouble),
        }
    }
}

/// The span of a lease, from the call that asks for it to the call that tells its end.
fn lease_span() -> Span {
    trace_span!(target: TARGET, "lease", lease = Empty, instance = Empty)
}

fn heed(worker: &Worker, answer: v1::LeaseResponse, span: Span) {
    match answer.outcome {
        Some(Outcome::Lease(lease)) => match lease.lease {
            Some(key) => begin(worker, key.into(), lease, None, span),
            None => {
                error!("the coordinator gave a lease without a number");
                worker.delay.order(USUAL_DELAY);
            }
        },
        Some(Outcome::Wait(wait)) => {
            let ordered = wait.retry_after.and_then(|delay| from_wire_duration(&delay, "retry_after").ok());
            let retry_in = ordered.unwrap_or(USUAL_DELAY).max(Duration::from_millis(50));
            worker.delay.order(retry_in);
            worker.observer.event(&WorkerEvent::Waiting { reason: wait.reason, retry_in });
            if wait.drain {
                worker.drain();
            }
        }
        None => worker.delay.order(USUAL_DELAY),
    }
}

/// Begins the search of a lease, or ends the lease with the reason why it cannot be searched.
fn begin(worker: &Worker, key: LeaseKey, lease: v1::Lease, suspended_after: Option<Duration>, span: Span) {
    span.record("lease", tracing::field::display(key));
    match Assignment::parse(lease) {
        Ok(assignment) => {
            span.record("instance", tracing::field::display(&assignment.instance));
            worker.search(assignment, suspended_after, span);
        }
        Err(fault) => {
            error!(lease = %key, %fault, "the lease cannot be searched");
            worker.holdings.fail(key, fault.to_string());
        }
    }
}
