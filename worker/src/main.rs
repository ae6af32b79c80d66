//! The program `cascade-worker`.

use cascade_worker::{Config, ConfigError, LogFormat, WorkerError};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

/// Whatever hangs, the program is gone so long after it was asked to end.
const LAST_RESORT: Duration = Duration::from_millis(9_500);

fn main() -> ExitCode {
    let config = match Config::load(std::env::args_os()) {
        Ok(config) => config,
        Err(ConfigError::CommandLine(error)) => error.exit(),
        Err(error) => return failure(&error.into()),
    };
    if let Err(reason) = start_log(&config) {
        eprintln!("error: --log-level '{}': {reason}", config.log_level);
        return ExitCode::from(2);
    }
    match serve(config) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure(&error),
    }
}

fn failure(error: &WorkerError) -> ExitCode {
    eprintln!("error: {error}");
    error.exit_code()
}

fn serve(config: Config) -> Result<(), WorkerError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| WorkerError::Threads(error.to_string()))?;
    let shutdown = CancellationToken::new();
    let result = runtime.block_on(async {
        tokio::spawn(end_on_signal(shutdown.clone()));
        cascade_worker::run(config, shutdown, Arc::new(())).await
    });
    runtime.shutdown_background();
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

fn start_log(config: &Config) -> Result<(), tracing_subscriber::filter::ParseError> {
    // Otherwise a line that cannot be written, its reader being gone, would end the thread that logs it.
    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_new(&config.log_level)?)
        .with_writer(std::io::stderr)
        .log_internal_errors(false);
    match config.log_format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
