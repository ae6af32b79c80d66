//! Reports of found sequences and of ended leases, each until the coordinator has acknowledged it.

use super::Session;
use crate::error::Trouble;
use crate::link::Link;
use crate::observer::WorkerEvent;
use crate::worker::Worker;
use backon::{BackoffBuilder, ExponentialBuilder};
use cascade_proto::v1;
use cascade_proto::v1::report_verdict::Outcome;
use std::time::Duration;
use tokio::time::{sleep, timeout};
use tracing::{Instrument, Span, error, info, warn};

/// Sequences in one report.
const BATCH: usize = 64;
/// Bytes in one report, far below the largest message.
const BATCH_BYTES: usize = 2 * 1024 * 1024;
/// Time between reports of a search that goes on.
const BETWEEN_REPORTS: Duration = Duration::from_millis(250);

/// Reports until the session breaks.
pub(super) async fn report(worker: &Worker, link: &Link) -> Trouble {
    let patience = ExponentialBuilder::default()
        .with_jitter()
        .with_min_delay(Duration::from_secs(1))
        .with_max_delay(Duration::from_secs(15))
        .without_max_times();
    let mut delays = patience.build();
    loop {
        match send_all(worker, link).await {
            Ok(()) => {
                delays = patience.build();
                // What is found meanwhile travels together; the end of a lease does not wait for that.
                let _ended = timeout(BETWEEN_REPORTS, worker.holdings.some_finished()).await;
                if worker.spool.is_empty() {
                    tokio::select! {
                        () = worker.spool.added() => {}
                        () = worker.holdings.some_finished() => {}
                    }
                }
            }
            Err(Trouble::Later(reason) | Trouble::Request(reason)) => {
                let delay = delays.next().unwrap_or(BETWEEN_REPORTS);
                warn!(reason, ?delay, "the coordinator cannot take reports now");
                sleep(delay).await;
            }
            Err(trouble) => return trouble,
        }
    }
}

/// Reports all that waits, once, as the last thing a worker does before its goodbye.
pub(crate) async fn flush(worker: &Worker, session: &Session) -> Result<(), Trouble> {
    send_all(worker, &session.link).await
}

/// Sends what waits in the spool, then the leases that have ended and of which nothing waits any more.
async fn send_all(worker: &Worker, link: &Link) -> Result<(), Trouble> {
    loop {
        let batch = worker.spool.batch(BATCH, BATCH_BYTES);
        if batch.is_empty() {
            break;
        }
        let lease = batch.first().and_then(|improvement| improvement.lease);
        let span = lease.map_or_else(Span::none, |lease| worker.holdings.span(lease.into()));
        match link.report(batch.clone()).instrument(span).await {
            Ok(answer) => settle(worker, &batch, answer)?,
            Err(Trouble::Request(_)) if batch.len() > 1 => one_by_one(worker, link, batch).await?,
            Err(Trouble::Request(reason)) => batch.iter().for_each(|one| worker.spool.refused(&one.report_id, &reason)),
            Err(trouble) => return Err(trouble),
        }
    }
    for (key, finish) in worker.holdings.finished() {
        if !worker.spool.is_clear_of(&key.into()) || is_returned(&finish.request) {
            continue;
        }
        match link.finish(finish.request).instrument(finish.span).await {
            Ok(_) => worker.finish_acknowledged(key),
            Err(Trouble::Request(reason)) => {
                error!(lease = %key, reason, "the coordinator refuses the end of a lease");
                worker.finish_acknowledged(key);
            }
            Err(trouble) => return Err(trouble),
        }
    }
    Ok(())
}

/// Leases that are given back are told by the goodbye.
fn is_returned(finish: &v1::FinishRequest) -> bool {
    finish.ending() == v1::finish_request::Ending::Returned
}

/// Finds out which of a refused batch it is.
async fn one_by_one(worker: &Worker, link: &Link, batch: Vec<v1::Improvement>) -> Result<(), Trouble> {
    for improvement in batch {
        let alone = vec![improvement];
        match link.report(alone.clone()).await {
            Ok(answer) => settle(worker, &alone, answer)?,
            Err(Trouble::Request(reason)) => alone.iter().for_each(|one| worker.spool.refused(&one.report_id, &reason)),
            Err(trouble) => return Err(trouble),
        }
    }
    Ok(())
}

/// Does as the verdicts say.
fn settle(worker: &Worker, batch: &[v1::Improvement], answer: v1::ReportResponse) -> Result<(), Trouble> {
    for improvement in batch {
        let id = &improvement.report_id;
        let Some(verdict) = answer.verdicts.iter().find(|verdict| verdict.report_id == *id) else {
            return Err(Trouble::Later(format!("the report {id} was left unanswered")));
        };
        let instance = improvement.instance.as_ref().map_or("", |instance| instance.name.as_str());
        match verdict.outcome() {
            Outcome::NewBest => {
                info!(instance, score = improvement.score, "new best");
                worker.count_new_best();
                worker.spool.acknowledged(id);
                let instance = instance.to_owned();
                worker.observer.event(&WorkerEvent::NewBest { instance, score: improvement.score });
            }
            Outcome::NotBetter => worker.spool.acknowledged(id),
            Outcome::Refused => worker.spool.refused(id, &verdict.reason),
            Outcome::UnknownInstance => worker.spool.refused(id, &format!("unknown instance: {}", verdict.reason)),
            Outcome::Unspecified => {
                return Err(Trouble::Later(format!("the report {id} was answered without a verdict this build knows")));
            }
        }
        if let (Some(best), Some(running)) = (verdict.best_score, worker.holdings.running())
            && running.view.instance == instance
        {
            running.learn_best(best);
        }
    }
    Ok(())
}
