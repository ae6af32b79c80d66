//! `cascade workers`: who searches.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, Column, OutputOptions, short};
use crate::period;
use crate::settings::Settings;
use cascade_proto::convert::from_wire_duration;
use cascade_proto::json;
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

pub(crate) fn run(arguments: &WorkersArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let workers = with_farm(&options.connection, async |mut farm| {
        let answer = farm.query.list_workers(ListWorkersRequest {}).await;
        Ok(farm.answered(answer)?.workers)
    })?;
    if options.output.json() {
        output::print_json(&workers.iter().map(json::Worker::from).collect::<Vec<_>>())?;
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
