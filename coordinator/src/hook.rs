//! A command of the operator's own for each new best.

use crate::bests::Bests;
use crate::core::Best;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

/// A command that takes longer is ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `command`, a program and its arguments, for each best that comes after those that are there now: one at a time,
/// and when it is slow, for the newest of each instance.
pub(crate) async fn run_for_each(command: Vec<String>, bests: Arc<Bests>) {
    let Some((program, arguments)) = command.split_first() else { return };
    let mut watch = bests.watch();
    // What is there is not new.
    if watch.next().await.is_none() {
        return;
    }
    while let Some(news) = watch.next().await {
        for best in news {
            match timeout(PATIENCE, run(program, arguments, &best)).await {
                Ok(Ok(status)) if status.success() => {}
                Ok(Ok(status)) => {
                    tracing::warn!(%status, program, instance = %best.instance, "the command for a new best failed");
                }
                Ok(Err(error)) => tracing::warn!(%error, program, "cannot run the command for a new best"),
                Err(_) => tracing::warn!(program, "the command for a new best took over {PATIENCE:?} and was ended"),
            }
        }
    }
}

/// One run: what the best is stands in the environment, the sequence comes on standard input.
async fn run(program: &str, arguments: &[String], best: &Best) -> io::Result<ExitStatus> {
    let mut child = Command::new(program)
        .args(arguments)
        .env("CASCADE_INSTANCE", best.instance.to_string())
        .env("CASCADE_SCORE", best.score.to_string())
        .env("CASCADE_WORKER", &best.worker)
        .env_remove("CASCADE_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .kill_on_drop(true)
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A command need not read the sequence.
        let _ = input.write_all(best.text.as_bytes()).await;
    }
    child.wait().await
}
