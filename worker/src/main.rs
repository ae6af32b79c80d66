//! The program `cascade-worker`.

use cascade_proto::traces::Traces;
use cascade_worker::{Config, ConfigError, LogFormat, WorkerError};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Whatever hangs, the program is gone so long after it was asked to end.
const LAST_RESORT: Duration = Duration::from_millis(9_500);

fn main() -> ExitCode {
    let config = match Config::load(std::env::args_os()) {
        Ok(config) => config,
        Err(ConfigError::CommandLine(error)) => error.exit(),
        Err(error) => return failure(&error.into()),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failure(&WorkerError::Threads(error.to_string())),
    };
    let entered = runtime.enter();
    let traces = match start_log(&config) {
        Ok(traces) => traces,
        Err(reason) => {
            eprintln!("error: {reason}");
            return ExitCode::from(2);
        }
    };
    drop(entered);
    let served = serve(&runtime, config);
    if let Some(traces) = traces {
        traces.close();
    }
    runtime.shutdown_background();
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

fn failure(error: &WorkerError) -> ExitCode {
    eprintln!("error: {error}");
    error.exit_code()
}

fn serve(runtime: &Runtime, config: Config) -> Result<(), WorkerError> {
    let shutdown = CancellationToken::new();
    let result = runtime.block_on(async {
        tokio::spawn(end_on_signal(shutdown.clone()));
        cascade_worker::run(config, shutdown, Arc::new(())).await
    });
    let summary = result?;
    tracing::info!(
        worker = summary.name,
        leases = summary.finished,
        new_bests = summary.new_bests,
        unreported = summary.unreported,
        "ended"
    );
    Ok(())
}

/// The first SIGTERM, SIGINT or SIGHUP asks for an orderly end, the second ends at once.
async fn end_on_signal(shutdown: CancellationToken) {
    let (Ok(mut terminate), Ok(mut interrupt), Ok(mut hangup)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()), signal(SignalKind::hangup()))
    else {
        return;
    };
    for asked_before in [false, true] {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hangup.recv() => {}
        }
        if asked_before {
            std::process::exit(1);
        }
        shutdown.cancel();
        std::thread::spawn(|| {
            std::thread::sleep(LAST_RESORT);
            eprintln!("error: something hangs; ending all the same, what was found is on disk");
            std::process::exit(0);
        });
    }
}

/// Starts logging as the settings say, and traces as the environment says; the error is for people.
fn start_log(config: &Config) -> Result<Option<Traces>, String> {
    let filter = EnvFilter::try_new(&config.log_level)
        .map_err(|error| format!("--log-level '{}': {error}", config.log_level))?;
    let traces = Traces::from_environment("cascade-worker").map_err(|error| error.to_string())?;
    // Otherwise a line that cannot be written, its reader being gone, would end the thread that logs it.
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    let filtered = lines.with_filter(filter);
    tracing_subscriber::registry().with(filtered).with(traces.as_ref().map(Traces::layer)).init();
    Ok(traces)
}
