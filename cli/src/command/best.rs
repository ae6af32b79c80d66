//! `cascade best`: the best of one instance, or of all.

use crate::arguments::after_help;
use crate::best;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, Farm, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, OutputOptions};
use crate::settings::Settings;
use cascade_proto::json;
use cascade_proto::v1::{Best, GetBestRequest, ListBestsRequest};
use clap::Args;
use serde::{Deserialize, Serialize};

/// Print the best sequence of an instance, or a table of all bests
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade best tetris/baba", CONNECTION_HELP))]
pub(crate) struct BestArguments {
    /// The instance; without one, a table of all
    #[arg(value_name = "INSTANCE")]
    instance: Option<String>,
    #[command(flatten)]
    options: BestOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct BestOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &BestArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    match arguments.instance.as_deref().map(full_name).transpose()? {
        Some(name) => {
            let best = with_farm(&options.connection, async |mut farm| one(&mut farm, &name).await)?;
            if options.output.json() {
                output::print_json(&json::Best::from(&best))?
            } else {
                output::print(&best.text)?
            }
        }
        None => {
            let bests = with_farm(&options.connection, async |mut farm| all(&mut farm).await)?;
            if options.output.json() {
                output::print_json(&bests.iter().map(json::Best::from).collect::<Vec<_>>())?;
            } else {
                output::print(&best::table(&bests))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// The best of the instance called `name`; that it has none yet is a failure.
pub(crate) async fn one(farm: &mut Farm, name: &str) -> Result<Best, Failure> {
    let answer = farm.query.get_best(GetBestRequest { instance: name.to_owned() }).await;
    let best = farm.answered_about(name, answer).await?.best;
    best.ok_or_else(|| Failure::say(Exit::NotCorrect, format!("{name} has no best yet")))
}

/// The bests of all instances that have one.
pub(crate) async fn all(farm: &mut Farm) -> Result<Vec<Best>, Failure> {
    let answer = farm.query.list_bests(ListBestsRequest {}).await;
    Ok(farm.answered(answer)?.bests)
}
