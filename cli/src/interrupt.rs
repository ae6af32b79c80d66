//! Ctrl-C and SIGTERM: the first asks for an orderly end, the second ends the program at once.

use crate::exit::{Exit, Failure, OrExit};
use anyhow::Context;
use cascade_search::StopFlag;

/// The exit code of a program ended by Ctrl-C, as shells count it.
const ENDED_BY_SIGNAL: i32 = 130;

/// Raises `stop` at the first signal.
pub(crate) fn stop_on_signal(stop: StopFlag) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        if stop.is_stopped() {
            std::process::exit(ENDED_BY_SIGNAL);
        }
        stop.stop();
    })
    .context("cannot listen for signals")
    .or_exit(Exit::Internal)
}

/// Returns at the first signal; the second ends the program.
pub(crate) async fn signalled() -> Result<(), Failure> {
    let stop = tokio_util::sync::CancellationToken::new();
    let asked = stop.clone();
    ctrlc::set_handler(move || {
        if asked.is_cancelled() {
            std::process::exit(ENDED_BY_SIGNAL);
        }
        asked.cancel();
    })
    .context("cannot listen for signals")
    .or_exit(Exit::Internal)?;
    stop.cancelled().await;
    Ok(())
}
