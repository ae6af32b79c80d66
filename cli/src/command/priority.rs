//! `cascade priority`: how much of the farm's effort an instance gets.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::settings::Settings;
use cascade_proto::v1::SetPriorityRequest;
use clap::Args;
use serde::{Deserialize, Serialize};

/// Set how much of the farm's effort an instance gets
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade priority tetris/baba 400", CONNECTION_HELP))]
pub(crate) struct PriorityArguments {
    /// The instance
    #[arg(value_name = "INSTANCE")]
    instance: String,
    /// Its weight: 100 is usual, 200 twice the usual share, 0 never
    #[arg(value_name = "N")]
    priority: u32,
    #[command(flatten)]
    options: PriorityOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct PriorityOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
}

pub(crate) fn run(arguments: &PriorityArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = full_name(&arguments.instance)?;
    let priority = arguments.priority;
    with_farm(&options.connection, async |mut farm| {
        let answer = farm.admin.set_priority(SetPriorityRequest { instance: instance.clone(), priority }).await;
        farm.answered_about(&instance, answer).await
    })?;
    eprintln!("{instance}: priority {priority}");
    Ok(Exit::Done)
}
