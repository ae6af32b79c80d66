//! The farm of one process: starts coordinator and worker, shows them at work, ends them in good order.

use super::meter::Meter;
use super::summary::summary;
use crate::command::best::all;
use crate::command::status::stand_in_note;
use crate::connection::{Farm, reachable};
use crate::exit::{Exit, Failure, OrExit};
use crate::farm_view::{FarmView, Figures};
use crate::interrupt;
use crate::output::{self, grouped};
use crate::period::rounded;
use cascade_coordinator::{Running, StartError};
use cascade_proto::traces::Traces;
use cascade_proto::v1::WatchBestsRequest;
use cascade_worker::{Summary, WorkerError};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinError;
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// How often the figures are brought up to date.
const REFRESH: Duration = Duration::from_millis(500);

/// Runs the farm until `limit` has passed or a signal comes.
pub(super) async fn run(
    coordinator: cascade_coordinator::Config,
    worker: cascade_worker::Config,
    limit: Option<Duration>,
) -> Result<(), Failure> {
    let view = FarmView::new();
    let traces = Traces::from_environment("cascade-local").or_exit(Exit::Usage)?;
    log_above(&view, traces.as_ref());
    let ended = run_shown(coordinator, worker, limit, view).await;
    if let Some(traces) = traces
        && tokio::task::spawn_blocking(|| traces.close()).await.is_err()
    {
        tracing::warn!("the last traces may be lost");
    }
    ended
}

/// Runs the farm and shows it in `view`.
async fn run_shown(
    coordinator: cascade_coordinator::Config,
    mut worker: cascade_worker::Config,
    limit: Option<Duration>,
    mut view: FarmView,
) -> Result<(), Failure> {
    let started = Instant::now();
    let (data, token) = (coordinator.data.clone(), coordinator.token.clone());
    let stop_coordinator = CancellationToken::new();
    let running = cascade_coordinator::start(coordinator, stop_coordinator.clone()).await.map_err(cannot_start)?;
    let address = reachable(running.address());
    let mut farm = Farm::connect_to(address.to_string(), token.as_ref()).await?;
    view.say(&format!("listening on {}, data in {}", running.address(), data.display()));
    if let Some(page) = running.page() {
        view.say(&format!("page on http://{}", reachable(page)));
    }
    greet(&mut farm, &mut view).await?;

    worker.coordinator = format!("http://{address}");
    let stop_worker = CancellationToken::new();
    let meter = Arc::new(Meter::default());
    let mut searching = tokio::spawn(cascade_worker::run(worker, stop_worker.clone(), meter.clone()));
    let ended = tokio::select! {
        ended = follow(&mut farm, &mut view, &meter, started, limit) => ended.map(|()| None),
        signal = interrupt::signalled() => signal.map(|()| None),
        // A worker that ends by itself has met something that only a person can put right.
        worker = &mut searching => Ok(Some(worker)),
    };
    view.show("stopping: the search is told to end, what was found is kept");
    stop_worker.cancel();
    let worker = match ended {
        Ok(Some(worker)) => worker,
        Ok(None) => searching.await,
        Err(failure) => {
            end(running, stop_coordinator).await;
            return Err(failure);
        }
    };
    let instances = farm.instances().await;
    view.finish();
    drop(farm);
    end(running, stop_coordinator).await;

    let instances = instances?;
    output::print(&summary(&instances))?;
    let figures = Figures::of(&instances);
    eprintln!("{}", figures.line(meter.expansions() as f64 / started.elapsed().as_secs_f64(), None));
    eprintln!(
        "{} expansions in {}; everything is kept in {}: run again to go on",
        grouped(meter.expansions()),
        rounded(started.elapsed()),
        data.display()
    );
    worker_result(worker)
}

/// Logs warnings and worse, above the status line, and sends spans to `traces`.
fn log_above(view: &FarmView, traces: Option<&Traces>) {
    let filter = EnvFilter::try_from_env("CASCADE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let writer = view.log_writer();
    // Otherwise a line that cannot be written, its reader being gone, would end the thread that logs it.
    let lines = tracing_subscriber::fmt::layer()
        .with_target(false)
        .with_ansi(false)
        .log_internal_errors(false)
        .with_writer(move || writer.clone());
    // A log that is set already is as good.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.map(Traces::layer)).try_init();
}

/// Says what there is: whether it goes on or begins, and that stand-ins are such.
async fn greet(farm: &mut Farm, view: &mut FarmView) -> Result<(), Failure> {
    let bests = all(farm).await?;
    bests.iter().for_each(|best| view.know(best));
    let figures = Figures::of(&farm.instances().await?);
    let status = farm.status().await?;
    let bests = bests.len();
    if status.epoch > 1 {
        view.say(&format!("resuming: {bests} bests, {} expansions spent", grouped(status.total_expansions)));
    } else if bests > 0 {
        view.say(&format!("starting: {} instances, {bests} bests from the records", figures.instances));
    } else {
        view.say(&format!("starting: {} instances, no bests yet", figures.instances));
    }
    if figures.stand_ins > 0 {
        view.say(&stand_in_note(figures.stand_ins));
    }
    Ok(())
}

/// Shows the farm at work until `limit` has passed since `started`.
async fn follow(
    farm: &mut Farm,
    view: &mut FarmView,
    meter: &Meter,
    started: Instant,
    limit: Option<Duration>,
) -> Result<(), Failure> {
    let answer = farm.query.watch_bests(WatchBestsRequest { instance: String::new() }).await;
    let mut bests = farm.answered(answer)?;
    let mut refresh = tokio::time::interval(REFRESH);
    loop {
        tokio::select! {
            best = bests.next() => match best {
                Some(Ok(best)) => view.improved(&best),
                Some(Err(status)) => return Err(farm.failure(&status)),
                None => return Err(Failure::say(Exit::Internal, "the coordinator ended by itself")),
            },
            _ = refresh.tick() => {
                let left = limit.map(|limit| limit.saturating_sub(started.elapsed()));
                if left == Some(Duration::ZERO) {
                    return Ok(());
                }
                let mut line = Figures::of(&farm.instances().await?).line(meter.rate(Instant::now()), left);
                if let Some(doing) = meter.doing() {
                    line.push_str("  ");
                    line.push_str(&doing);
                }
                view.show(&line);
            }
        }
    }
}

async fn end(running: Running, stop: CancellationToken) {
    stop.cancel();
    if let Err(error) = running.wait().await {
        tracing::warn!(%error, "the coordinator did not end in good order; nothing acknowledged is lost");
    }
}

fn cannot_start(error: StartError) -> Failure {
    Failure::new(if error.is_usage() { Exit::Usage } else { Exit::BadInput }, error)
}

fn worker_result(worker: Result<Result<Summary, WorkerError>, JoinError>) -> Result<(), Failure> {
    let exit = |error: &WorkerError| match error {
        WorkerError::DataDir(_) | WorkerError::Config(_) => Exit::BadInput,
        _ => Exit::Internal,
    };
    match worker.or_exit(Exit::Internal)? {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::new(exit(&error), error)),
    }
}
