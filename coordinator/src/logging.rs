//! Log lines on standard error.

use cascade_coordinator::Config;
use cascade_coordinator::config::LogFormat;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging as the settings say; the error is for people.
pub(crate) fn start(config: &Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(&config.log_level).map_err(|error| {
        format!("log level '{}': {error}; expected as in 'info' or 'warn,cascade_coordinator=debug'", config.log_level)
    })?;
    // Otherwise a line that cannot be written, its reader being gone, would end the thread that logs it.
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    let started = match config.log_format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).with_target(false).try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    started.map_err(|error| format!("cannot start logging: {error}"))
}
