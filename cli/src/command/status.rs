//! `cascade status`: the farm at a glance.

use crate::arguments::after_help;
use crate::best::ago;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, Column, OutputOptions, grouped, short};
use crate::period;
use crate::settings::Settings;
use cascade_games::{Direction, GameId};
use cascade_proto::json;
use cascade_proto::v1::{InstanceInfo, StatusResponse};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Show the farm and every instance at a glance
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade status --json", CONNECTION_HELP))]
pub(crate) struct StatusArguments {
    #[command(flatten)]
    options: StatusOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct StatusOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &StatusArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let (status, instances) =
        with_farm(&options.connection, async |mut farm| Ok((farm.status().await?, farm.instances().await?)))?;
    if options.output.json() {
        output::print_json(&json::Status::new(&status, &instances))?;
    } else {
        output::print(&format!("{}\n\n{}", instance_table(&instances), summary(&status, &instances)))?;
    }
    Ok(Exit::Done)
}

/// All of `instances` as a table.
pub(crate) fn instance_table(instances: &[InstanceInfo]) -> String {
    let columns = [
        Column::Text("INSTANCE"),
        Column::Figure("BEST"),
        Column::Figure("BOUND"),
        Column::Text("STATE"),
        Column::Figure("PRIORITY"),
        Column::Figure("LEASES"),
        Column::Figure("EXPANSIONS"),
        Column::Text("IMPROVED"),
        Column::Text("ORIGIN"),
    ];
    let rows = instances.iter().map(|info| {
        vec![
            name(info).to_owned(),
            info.best_score.map_or_else(|| "-".to_owned(), |score| score.to_string()),
            info.bound.to_string(),
            state(info).to_owned(),
            info.priority.to_string(),
            info.leases_out.to_string(),
            short(info.expansions as f64),
            info.best_found_at.as_ref().map_or_else(String::new, ago),
            info.origin.clone(),
        ]
    });
    output::table(&columns, rows)
}

fn state(info: &InstanceInfo) -> &'static str {
    match info {
        InstanceInfo { optimal: true, .. } => "optimal",
        InstanceInfo { paused: true, .. } => "paused",
        InstanceInfo { priority: 0, .. } => "never",
        InstanceInfo { leases_out: 0, .. } => "waiting",
        _ => "searched",
    }
}

fn summary(status: &StatusResponse, instances: &[InstanceInfo]) -> String {
    let stand_ins = instances.iter().filter(|info| info.origin == STAND_IN).count();
    let mut lines = vec![
        format!("{}, epoch {}, up for {}", status.software, status.epoch, period::rounded(uptime(status))),
        format!("store: {}", status.store),
        format!("{} of {} instances have a best", status.instances_with_best, status.instances),
        format!(
            "{} workers, {} leases out, {} expansions, {}/s over the last minute",
            status.workers_connected,
            status.leases_out,
            grouped(status.total_expansions),
            short(status.expansions_per_second),
        ),
        match &status.last_improvement {
            Some(at) => format!("last improvement {}", ago(at)),
            None => "no improvement yet".to_owned(),
        },
    ];
    if !status.page.is_empty() {
        lines.push(format!("page: {}", status.page));
    }
    if status.paused {
        lines.push("the whole farm is paused: `cascade resume` takes that back".to_owned());
    }
    if stand_ins > 0 {
        lines.push(stand_in_note(stand_ins));
    }
    lines.join("\n")
}

/// The origin of an instance that stands in for an official one.
pub(crate) const STAND_IN: &str = "stand-in";

/// Says plainly that `count` tritown cases are not the official ones.
pub(crate) fn stand_in_note(count: usize) -> String {
    format!(
        "note: {count} tritown cases are stand-ins made for this project, not the official ones; put the official \
         tritownN.in into a directory and give it by --instances"
    )
}

/// How long the coordinator has been at work.
pub(crate) fn uptime(status: &StatusResponse) -> Duration {
    let uptime =
        status.uptime.as_ref().and_then(|uptime| cascade_proto::convert::from_wire_duration(uptime, "uptime").ok());
    uptime.unwrap_or_default()
}

/// The instance's name.
pub(crate) fn name(info: &InstanceInfo) -> &str {
    info.instance.as_ref().map_or("", |instance| instance.name.as_str())
}

/// The share of the bound that the best of `info` reaches, where more is better.
pub(crate) fn share(info: &InstanceInfo) -> Option<f64> {
    let wants_more = GameId::from_name(&info.game).is_some_and(|game| game.direction() == Direction::Maximize);
    let score = info.best_score.filter(|_| wants_more && info.bound > 0)?;
    Some(score as f64 / info.bound as f64)
}

/// The instance's name without its game.
pub(crate) fn short_name(info: &InstanceInfo) -> &str {
    name(info).split_once('/').map_or_else(|| name(info), |(_, name)| name)
}
