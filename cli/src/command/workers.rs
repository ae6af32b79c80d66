//! `cascade workers`: who searches.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, Column, OutputOptions, short};
use crate::period;
use crate::settings::Settings;
use cascade_proto::convert::from_wire_duration;
use cascade_proto::v1::{ListWorkersRequest, WorkerInfo};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// List the workers
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade workers", CONNECTION_HELP))]
pub(crate) struct WorkersArguments {
    #[command(flatten)]
    options: WorkersOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct WorkersOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// A worker for programs.
#[derive(Serialize)]
struct WorkerJson {
    name: String,
    state: String,
    /// Why it is in this state, where that needs words.
    reason: Option<String>,
    threads: u32,
    /// Expansions a second by game.
    speed: BTreeMap<String, f64>,
    /// Instances of the leases it holds.
    leases: Vec<String>,
    finished: u64,
    failed: u64,
    refused: u64,
    expansions: u64,
    last_seen_seconds: Option<f64>,
    software: String,
}

impl From<&WorkerInfo> for WorkerJson {
    fn from(worker: &WorkerInfo) -> Self {
        Self {
            name: worker.name.clone(),
            state: worker.state.clone(),
            reason: Some(worker.reason.clone()).filter(|reason| !reason.is_empty()),
            threads: worker.threads,
            speed: worker.speed.iter().map(|(game, speed)| (game.clone(), *speed)).collect(),
            leases: worker.leases.clone(),
            finished: worker.finished,
            failed: worker.failed,
            refused: worker.refused,
            expansions: worker.expansions,
            last_seen_seconds: last_seen(worker).map(|past| past.as_secs_f64()),
            software: worker.software.clone(),
        }
    }
}

pub(crate) fn run(arguments: &WorkersArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let workers =
        with_farm(&options.connection, async |mut farm| match farm.query.list_workers(ListWorkersRequest {}).await {
            Ok(answer) => Ok(answer.into_inner().workers),
            Err(status) => Err(farm.failure(&status)),
        })?;
    if options.output.json() {
        output::print_json(&workers.iter().map(WorkerJson::from).collect::<Vec<_>>())?;
    } else {
        output::print(&table(&workers))?;
    }
    Ok(Exit::Done)
}

fn table(workers: &[WorkerInfo]) -> String {
    let columns = [
        Column::Text("WORKER"),
        Column::Text("STATE"),
        Column::Figure("THREADS"),
        Column::Text("SPEED"),
        Column::Figure("FINISHED"),
        Column::Figure("FAILED"),
        Column::Figure("REFUSED"),
        Column::Figure("EXPANSIONS"),
        Column::Text("SEEN"),
        Column::Text("SEARCHES"),
    ];
    let rows = workers.iter().map(|worker| {
        let speed: BTreeMap<_, _> = worker.speed.iter().collect();
        let speed: Vec<_> = speed.into_iter().map(|(game, speed)| format!("{game} {}/s", short(*speed))).collect();
        vec![
            worker.name.clone(),
            state(worker),
            worker.threads.to_string(),
            speed.join(", "),
            worker.finished.to_string(),
            worker.failed.to_string(),
            worker.refused.to_string(),
            short(worker.expansions as f64),
            last_seen(worker).map_or_else(String::new, |past| format!("{} ago", period::rounded(past))),
            worker.leases.join(", "),
        ]
    });
    output::table(&columns, rows)
}

fn last_seen(worker: &WorkerInfo) -> Option<Duration> {
    worker.last_seen.as_ref().and_then(|past| from_wire_duration(past, "last_seen").ok())
}

fn state(worker: &WorkerInfo) -> String {
    if worker.reason.is_empty() { worker.state.clone() } else { format!("{}: {}", worker.state, worker.reason) }
}
