//! `cascade resume`: takes back a pause.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::settings::Settings;
use cascade_proto::v1::ResumeRequest;
use clap::Args;
use serde::{Deserialize, Serialize};

/// Give out work of an instance, or of the whole farm, again
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade resume tritown/10", CONNECTION_HELP))]
pub(crate) struct ResumeArguments {
    /// The instance; without one, the whole farm
    #[arg(value_name = "INSTANCE")]
    instance: Option<String>,
    #[command(flatten)]
    options: ResumeOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ResumeOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
}

pub(crate) fn run(arguments: &ResumeArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = arguments.instance.as_deref().map(full_name).transpose()?.unwrap_or_default();
    with_farm(&options.connection, async |mut farm| {
        let answer = farm.admin.resume(ResumeRequest { instance: instance.clone() }).await;
        farm.answered_about(&instance, answer).await
    })?;
    eprintln!("resumed: {}", if instance.is_empty() { "the whole farm" } else { &instance });
    Ok(Exit::Done)
}
