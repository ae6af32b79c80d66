//! `cascade events`: what happened.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, Column, OutputOptions};
use crate::settings::Settings;
use cascade_proto::json::{self, rfc3339};
use cascade_proto::v1::ListEventsRequest;
use clap::Args;
use serde::{Deserialize, Serialize};

/// How many events are listed unless told otherwise.
const USUAL_LIMIT: u32 = 100;

/// List what happened, oldest first
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade events tetris/baba --limit 20", CONNECTION_HELP))]
pub(crate) struct EventsArguments {
    /// Only events of this instance
    #[arg(value_name = "INSTANCE")]
    instance: Option<String>,
    #[command(flatten)]
    options: EventsOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct EventsOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    /// The newest so many [default: 100]
    #[arg(long, value_name = "N", env = "CASCADE_LIMIT", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<u32>,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &EventsArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = arguments.instance.as_deref().map(full_name).transpose()?.unwrap_or_default();
    let request =
        ListEventsRequest { limit: options.limit.unwrap_or(USUAL_LIMIT), instance: instance.clone(), after: 0 };
    let events = with_farm(&options.connection, async |mut farm| {
        let answer = farm.query.list_events(request).await;
        Ok(farm.answered_about(&instance, answer).await?.events)
    })?;
    if options.output.json() {
        return events
            .iter()
            .try_for_each(|event| output::print_json_line(&json::Event::from(event)))
            .map(|()| Exit::Done);
    }
    let columns = [
        Column::Text("TIME"),
        Column::Text("SEVERITY"),
        Column::Text("KIND"),
        Column::Text("INSTANCE"),
        Column::Text("WORKER"),
        Column::Text("DETAIL"),
    ];
    let rows = events.iter().map(|event| {
        let at = event.at.as_ref().map_or_else(String::new, rfc3339);
        vec![
            at,
            event.severity.clone(),
            event.kind.clone(),
            event.instance.clone(),
            event.worker.clone(),
            event.detail.clone(),
        ]
    });
    output::print(&output::table(&columns, rows))?;
    Ok(Exit::Done)
}
