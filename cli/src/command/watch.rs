//! `cascade watch`: the farm as it works.

use super::best::all;
use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, Farm, full_name, with_farm};
use crate::dashboard;
use crate::exit::{Exit, Failure};
use crate::farm_view::{FarmView, Figures};
use crate::interrupt;
use crate::output::{self, OutputOptions};
use crate::settings::Settings;
use cascade_proto::json;
use cascade_proto::v1::WatchBestsRequest;
use clap::Args;
use clap::builder::BoolishValueParser;
use serde::{Deserialize, Serialize};
use std::io::IsTerminal;
use std::time::Duration;
use tokio_stream::StreamExt;

/// How often the figures are asked for.
const REFRESH: Duration = Duration::from_secs(1);

const NOTES: &str = "\
On a terminal this is a dashboard, which tells its keys at the bottom and all of them at '?'. Elsewhere, with --plain and \
     with --json, it writes a line for each improvement.";

/// Show the farm at work until you leave it: a dashboard, or improvements line by line
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade watch", &format!("{NOTES}\n\n{CONNECTION_HELP}")))]
pub(crate) struct WatchArguments {
    /// Only this instance
    #[arg(value_name = "INSTANCE")]
    instance: Option<String>,
    #[command(flatten)]
    options: WatchOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct WatchOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    /// Write lines also on a terminal
    #[arg(long, env = "CASCADE_PLAIN", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<bool>,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &WatchArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = arguments.instance.as_deref().map(full_name).transpose()?.unwrap_or_default();
    let is_plain = options.plain.unwrap_or(false) || options.output.json() || !is_screen();
    with_farm(&options.connection, async |farm| {
        let task = async {
            if is_plain {
                watch(farm, instance, options.output.json()).await
            } else {
                dashboard::run(farm, &options.connection, &instance).await
            }
        };
        tokio::select! {
            ended = task => ended,
            signal = interrupt::signalled() => signal,
        }
    })?;
    Ok(Exit::Done)
}

/// Whether there is a terminal that can show a dashboard.
fn is_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal() && !is_dumb
}

async fn watch(mut farm: Farm, instance: String, json: bool) -> Result<(), Failure> {
    let mut view = FarmView::new();
    if !json && instance.is_empty() {
        all(&mut farm).await?.iter().for_each(|best| view.know(best));
    }
    let answer = farm.query.watch_bests(WatchBestsRequest { instance: instance.clone() }).await;
    let mut bests = farm.answered_about(&instance, answer).await?;
    let mut refresh = tokio::time::interval(REFRESH);
    loop {
        tokio::select! {
            best = bests.next() => match best {
                Some(Ok(best)) if json => output::print_json_line(&json::Best::from(&best))?,
                Some(Ok(best)) => view.improved(&best),
                Some(Err(status)) => return Err(farm.failure(&status)),
                None => {
                    return Err(Failure::say(Exit::Unreachable, "the coordinator ended the stream: it is stopping"));
                }
            },
            _ = refresh.tick(), if !json => {
                let rate = farm.status().await?.expansions_per_second;
                let instances = farm.instances().await?;
                view.show(&Figures::of(&instances).line(rate, None));
            }
        }
    }
}
