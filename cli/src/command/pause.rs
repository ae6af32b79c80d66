//! `cascade pause`: no new leases.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::settings::Settings;
use cascade_proto::v1::PauseRequest;
use clap::Args;
use serde::{Deserialize, Serialize};

/// Give out no more work of an instance, or of the whole farm
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade pause tritown/10", CONNECTION_HELP))]
pub(crate) struct PauseArguments {
    /// The instance; without one, the whole farm
    #[arg(value_name = "INSTANCE")]
    instance: Option<String>,
    #[command(flatten)]
    options: PauseOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct PauseOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
}

pub(crate) fn run(arguments: &PauseArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = arguments.instance.as_deref().map(full_name).transpose()?.unwrap_or_default();
    with_farm(&options.connection, async |mut farm| {
        let answer = farm.admin.pause(PauseRequest { instance: instance.clone() }).await;
        farm.answered_about(&instance, answer).await
    })?;
    eprintln!("paused: {}", if instance.is_empty() { "the whole farm" } else { &instance });
    Ok(Exit::Done)
}
