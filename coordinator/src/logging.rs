//! Log lines on standard error, and traces where a collector is configured.

use cascade_coordinator::Config;
use cascade_coordinator::config::LogFormat;
use cascade_proto::traces::Traces;
use std::io::IsTerminal;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

/// Starts logging as the settings say, and traces as the environment says; the error is for people. Must be called within
/// the runtime. What is returned is to be closed at the end.
pub(crate) fn start(config: &Config) -> Result<Option<Traces>, String> {
    let filter = EnvFilter::try_new(&config.log_level).map_err(|error| {
        format!("log level '{}': {error}; expected as in 'info' or 'warn,cascade_coordinator=debug'", config.log_level)
    })?;
    let traces = Traces::from_environment("cascade-coordinator").map_err(|error| error.to_string())?;
    // Otherwise a line that cannot be written, its reader being gone, would end the thread that logs it.
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let lines = match config.log_format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).with_target(false).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    tracing_subscriber::registry()
        .with(lines.with_filter(filter))
        .with(traces.as_ref().map(Traces::layer))
        .try_init()
        .map_err(|error| format!("cannot start logging: {error}"))?;
    Ok(traces)
}
