//! `cascade drain`: lets a worker finish and go.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, with_farm};
use crate::exit::{Exit, Failure};
use crate::settings::Settings;
use cascade_proto::v1::DrainWorkerRequest;
use clap::Args;
use serde::{Deserialize, Serialize};

/// Let a worker finish what it holds and then stop
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade drain attic", CONNECTION_HELP))]
pub(crate) struct DrainArguments {
    /// The worker's name, as `cascade workers` lists it
    #[arg(value_name = "WORKER")]
    worker: String,
    #[command(flatten)]
    options: DrainOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct DrainOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
}

pub(crate) fn run(arguments: &DrainArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let worker = arguments.worker.clone();
    with_farm(&options.connection, async |mut farm| {
        let answer = farm.admin.drain_worker(DrainWorkerRequest { worker }).await;
        farm.answered(answer)
    })?;
    eprintln!("{}: drains", arguments.worker);
    Ok(Exit::Done)
}
