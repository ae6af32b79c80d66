//! The program `cascade-coordinator`.

mod logging;
mod open_files;
mod signals;

use cascade_coordinator::options::{Options, OptionsError};
use cascade_coordinator::{Config, StartError};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use tokio_util::sync::CancellationToken;

/// Exit code of a command line or a setting that cannot be used.
const USAGE: u8 = 2;
/// Exit code of a fault while running, among them a damaged store.
const BAD_INPUT: u8 = 3;

fn main() -> ExitCode {
    let config = match Options::parse().into_config() {
        Ok(config) => config,
        Err(error) => return fail(options_code(&error), &explain_options(&error)),
    };
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(BAD_INPUT, &format!("cannot start threads: {error}")),
    };
    let entered = runtime.enter();
    let traces = match logging::start(&config) {
        Ok(traces) => traces,
        Err(message) => return fail(USAGE, &message),
    };
    drop(entered);
    open_files::raise_limit();
    let code = runtime.block_on(serve(config));
    if let Some(traces) = traces {
        traces.close();
    }
    // Whatever still runs had its time.
    runtime.shutdown_background();
    code
}

async fn serve(config: Config) -> ExitCode {
    let shutdown = CancellationToken::new();
    if let Err(error) = signals::cancel_on_signal(shutdown.clone()) {
        return fail(BAD_INPUT, &format!("cannot listen for signals: {error}"));
    }
    let running = match cascade_coordinator::start(config, shutdown).await {
        Ok(running) => running,
        Err(error) => return fail(exit_code(&error), &error.to_string()),
    };
    let mut stdout = std::io::stdout();
    let page = running.page().map_or_else(String::new, |page| format!("page on http://{page}\n"));
    if let Err(error) = write!(stdout, "listening on {}\n{page}", running.address()).and_then(|()| stdout.flush()) {
        tracing::warn!(%error, "cannot say on standard output where this listens");
    }
    match running.wait().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(BAD_INPUT, &error.to_string()),
    }
}

fn explain_options(error: &OptionsError) -> String {
    format!("{error}\n\nFor more information, try '--help'.")
}

/// A setting that is wrong stands in the file: what was typed is checked before.
fn options_code(error: &OptionsError) -> u8 {
    match error {
        OptionsError::Setting(_) => BAD_INPUT,
        OptionsError::Token(_) => USAGE,
    }
}

fn exit_code(error: &StartError) -> u8 {
    if error.is_usage() { USAGE } else { BAD_INPUT }
}

fn fail(code: u8, message: &str) -> ExitCode {
    // Nobody may be there to read it; the exit code says the rest.
    let _ = writeln!(std::io::stderr(), "error: {message}");
    ExitCode::from(code)
}
