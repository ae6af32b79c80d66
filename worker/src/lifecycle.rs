//! A worker from its start to its end: connects again and again, and leaves in good order.

use crate::config::Config;
use crate::error::{Trouble, WorkerError};
use crate::link::Link;
use crate::observer::{Observer, WorkerEvent};
use crate::session::{self, Drained, Session};
use crate::worker::Worker;
use backon::{BackoffBuilder, ExponentialBuilder};
use cascade_proto::endpoint::endpoint;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use tonic::transport::Endpoint;
use tracing::{info, warn};

/// A session that lasted so long ends the growth of the delays between attempts.
const STEADY: Duration = Duration::from_secs(10);
/// A second fence within this time means that another worker of the same name is alive.
const LIVE_FIGHT: Duration = Duration::from_secs(60);
/// From the wish to end to the end, whatever the network does; the issue asks for 10 s.
const LEAVING: Duration = Duration::from_secs(8);
/// The part of it that the search may take to stop and suspend itself.
const STOPPING: Duration = Duration::from_secs(4);
/// How often progress is shown.
const SHOWING: Duration = Duration::from_millis(250);

/// What a worker did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its name.
    pub name: String,
    /// Leases whose end the coordinator acknowledged.
    pub finished: u64,
    /// Sequences that the coordinator made an instance's best.
    pub new_bests: u64,
    /// Sequences that are on disk still, to be reported after the next start.
    pub unreported: usize,
}

/// Runs a worker until `shutdown` is cancelled, the coordinator drains it, or something is wrong that only a person can
/// put right. Leaves within 10 s of the wish: the search is stopped and suspended, what was found is reported, leases
/// are given back. Nothing of the worker outlives this.
///
/// # Errors
/// What only a person can put right.
pub async fn run(
    config: Config,
    shutdown: CancellationToken,
    observer: Arc<dyn Observer>,
) -> Result<Summary, WorkerError> {
    let endpoint = endpoint(&config.coordinator)?;
    if endpoint.uri().scheme_str() == Some("https") {
        return Err(WorkerError::TlsAddress(config.coordinator));
    }
    let worker = Worker::open(&config, observer)?;
    let live = Mutex::new(None);
    let end = tokio::select! {
        end = serve(&config, &endpoint, &worker, &live) => end,
        () = shutdown.cancelled() => {
            info!("asked to end");
            Ok(Drained)
        }
        never = show_progress(&worker) => match never {},
    };
    let session = live.into_inner().unwrap_or_else(PoisonError::into_inner);
    leave(worker, session, end).await
}

/// Connects, works until the session breaks, and does what its trouble calls for, until that is to end.
async fn serve(
    config: &Config,
    endpoint: &Endpoint,
    worker: &Worker,
    live: &Mutex<Option<Arc<Session>>>,
) -> Result<Drained, WorkerError> {
    let patience = ExponentialBuilder::default()
        .with_jitter()
        .with_min_delay(Duration::from_millis(250))
        .with_max_delay(Duration::from_secs(10))
        .without_max_times();
    let set_live = |session| *live.lock().unwrap_or_else(PoisonError::into_inner) = session;
    let mut delays = patience.build();
    let mut out_of_reach_since = None;
    let mut fenced_at: Option<Instant> = None;
    loop {
        let begun = Instant::now();
        let trouble = match sign_on(config, endpoint, worker).await {
            Ok(session) => {
                out_of_reach_since = None;
                let session = Arc::new(session);
                set_live(Some(session.clone()));
                match session.work(worker).await {
                    Ok(drained) => return Ok(drained),
                    Err(trouble) => trouble,
                }
            }
            Err(trouble) => trouble,
        };
        set_live(None);
        if begun.elapsed() > STEADY {
            delays = patience.build();
        }
        let reason = match trouble {
            Trouble::Connection(reason) | Trouble::Later(reason) => {
                let since = *out_of_reach_since.get_or_insert_with(Instant::now);
                if config.give_up_after.is_some_and(|limit| since.elapsed() >= limit) {
                    let address = config.coordinator.clone();
                    return Err(WorkerError::Unreachable { address, tried_for: since.elapsed(), reason });
                }
                reason
            }
            Trouble::Session(reason) => reason,
            Trouble::Fenced => {
                if fenced_at.replace(Instant::now()).is_some_and(|before| before.elapsed() < LIVE_FIGHT) {
                    return Err(WorkerError::Fenced { name: worker.name.clone() });
                }
                format!("another worker signed on as '{}'", worker.name)
            }
            Trouble::Credentials(reason) => return Err(WorkerError::Credentials(reason)),
            Trouble::Versions(reason) => return Err(WorkerError::Versions(reason)),
            Trouble::SetAside(reason) => return Err(WorkerError::SetAside(reason)),
            Trouble::Request(reason) => return Err(WorkerError::Refused(reason)),
        };
        let retry_in = delays.next().unwrap_or(STEADY);
        warn!(coordinator = config.coordinator, reason, ?retry_in, "no session; the search goes on");
        worker.observer.event(&WorkerEvent::Disconnected { reason, retry_in });
        sleep(retry_in).await;
    }
}

async fn sign_on(config: &Config, endpoint: &Endpoint, worker: &Worker) -> Result<Session, Trouble> {
    let link = Link::connect(endpoint, config.token.as_ref()).await?;
    Session::begin(worker, link).await
}

/// Stops the search, reports, gives leases back. Takes at most [`LEAVING`].
async fn leave(
    worker: Worker,
    session: Option<Arc<Session>>,
    end: Result<Drained, WorkerError>,
) -> Result<Summary, WorkerError> {
    let deadline = Instant::now() + LEAVING;
    if let Some(running) = worker.holdings.running() {
        running.stop.stop();
    }
    let stopped = timeout(STOPPING, worker.holdings.idle()).await.is_ok();
    if !stopped {
        warn!("the search did not stop in time; its lease is given back unsuspended");
    }
    if let (Some(session), Ok(Drained)) = (session, &end) {
        match timeout_at(deadline, say_goodbye(&worker, &session)).await {
            Ok(Ok(())) => info!("reported and gave leases back"),
            Ok(Err(trouble)) => warn!(?trouble, "could not give leases back; the coordinator will notice"),
            Err(_) => warn!("no time left to give leases back; the coordinator will notice"),
        }
    }
    let unreported = worker.spool.len();
    if unreported > 0 {
        info!(unreported, "sequences stay on disk, to be reported after the next start");
    }
    let summary =
        Summary { name: worker.name.clone(), finished: worker.finished(), new_bests: worker.new_bests(), unreported };
    let closing = tokio::task::spawn_blocking(move || worker.close());
    if timeout_at(deadline.max(Instant::now() + Duration::from_secs(1)), closing).await.is_err() {
        warn!("the search thread does not end");
    }
    end.map(|Drained| summary)
}

async fn say_goodbye(worker: &Worker, session: &Session) -> Result<(), Trouble> {
    session::flush(worker, session).await?;
    session.link.goodbye(worker.holdings.give_back()).await
}

/// Tells the observer how the running search goes.
async fn show_progress(worker: &Worker) -> std::convert::Infallible {
    let mut last = None;
    loop {
        sleep(SHOWING).await;
        let Some(running) = worker.holdings.running() else {
            last = None;
            continue;
        };
        let (now, progress) = (Instant::now(), running.progress());
        let (since, before) = match last {
            Some((key, since, before)) if key == running.key => (since, before),
            _ => (now - running.elapsed_now().min(SHOWING), 0),
        };
        let seconds = (now - since).as_secs_f64().max(1e-3);
        let rate = progress.expansions.saturating_sub(before) as f64 / seconds;
        last = Some((running.key, now, progress.expansions));
        worker.observer.event(&WorkerEvent::SearchProgress {
            search: running.view.clone(),
            expansions: progress.expansions,
            rate,
            best: progress.best,
        });
    }
}
