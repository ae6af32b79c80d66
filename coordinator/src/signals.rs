//! SIGTERM and SIGINT.

use std::io;
use std::process::exit;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

/// What a shell reports of a program that a signal ended.
const EXIT_ON_SECOND_SIGNAL: i32 = 130;

/// Cancels `shutdown` at the first SIGTERM or SIGINT; a second one ends the process at once.
pub(crate) fn cancel_on_signal(shutdown: CancellationToken) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    tokio::spawn(async move {
        for again in [false, true] {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if again {
                exit(EXIT_ON_SECOND_SIGNAL);
            }
            shutdown.cancel();
            tracing::info!("stopping; a second signal stops at once");
        }
    });
    Ok(())
}
