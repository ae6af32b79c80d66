//! `cascade explain`: why an instance is searched the way it is, or not at all.

use super::status;
use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, Column, OutputOptions, grouped, short};
use crate::settings::Settings;
use cascade_proto::json::{self, rfc3339, strategy_name};
use cascade_proto::v1::{ArmInfo, ExplainRequest, ExplainResponse, HistoryEntry, HistoryRequest, StateInfo};
use clap::Args;
use serde::{Deserialize, Serialize};

/// Tell why an instance is searched the way it is, or not at all
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade explain tetris/baba", CONNECTION_HELP))]
pub(crate) struct ExplainArguments {
    /// The instance
    #[arg(value_name = "INSTANCE")]
    instance: String,
    #[command(flatten)]
    options: ExplainOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ExplainOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &ExplainArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let name = full_name(&arguments.instance)?;
    let (explained, history) = with_farm(&options.connection, async |mut farm| {
        let answer = farm.query.explain(ExplainRequest { instance: name.clone() }).await;
        let explained = farm.answered_about(&name, answer).await?;
        let answer = farm.query.history(HistoryRequest { instance: name.clone() }).await;
        Ok((explained, farm.answered(answer)?.entries))
    })?;
    if options.output.json() {
        output::print_json(&json::Explanation::new(&explained, &history))?;
    } else {
        output::print(&text(&explained, &history))?;
    }
    Ok(Exit::Done)
}

fn text(explained: &ExplainResponse, history: &[HistoryEntry]) -> String {
    let mut parts = vec![explained.summary.clone()];
    if let Some(info) = &explained.instance {
        parts.push(status::instance_table(std::slice::from_ref(info)));
    }
    if !explained.arms.is_empty() {
        parts.push(format!("Ways to search\n{}", arms(&explained.arms)));
    }
    if !explained.states.is_empty() {
        let (shown, total) = (explained.states.len(), grouped(explained.states_total));
        parts.push(format!("Partial states, {shown} of {total}\n{}", states(&explained.states)));
    }
    if !explained.endings.is_empty() {
        parts.push(format!("Last leases, newest first\n{}", explained.endings.join("\n")));
    }
    if !history.is_empty() {
        parts.push(format!("Improvements\n{}", improvements(history)));
    }
    parts.join("\n\n")
}

fn score(score: Option<i64>) -> String {
    score.map_or_else(|| "-".to_owned(), |score| score.to_string())
}

fn arms(arms: &[ArmInfo]) -> String {
    let columns = [
        Column::Text("SEARCH"),
        Column::Figure("NEXT SEED"),
        Column::Figure("FINISHED"),
        Column::Figure("OUT"),
        Column::Figure("EXPANSIONS"),
        Column::Figure("BEST"),
        Column::Figure("VALUE"),
    ];
    let rows = arms.iter().map(|arm| {
        vec![
            arm.name.clone(),
            arm.next_seed.to_string(),
            arm.finished.to_string(),
            arm.out.to_string(),
            short(arm.expansions as f64),
            score(arm.best),
            format!("{:.4}", arm.value),
        ]
    });
    output::table(&columns, rows)
}

fn states(states: &[StateInfo]) -> String {
    let columns = [
        Column::Figure("STATE"),
        Column::Text("KIND"),
        Column::Figure("DEPTH"),
        Column::Figure("OUT"),
        Column::Figure("EXPANSIONS"),
        Column::Figure("BEST"),
        Column::Figure("VALUE"),
    ];
    let rows = states.iter().map(|state| {
        vec![
            state.id.to_string(),
            state.kind.clone(),
            state.depth.to_string(),
            state.out.to_string(),
            short(state.expansions as f64),
            score(state.best),
            format!("{:.4}", state.value),
        ]
    });
    output::table(&columns, rows)
}

fn improvements(history: &[HistoryEntry]) -> String {
    let columns = [
        Column::Text("TIME"),
        Column::Figure("SCORE"),
        Column::Text("WORKER"),
        Column::Text("STRATEGY"),
        Column::Figure("WIDTH"),
        Column::Figure("SEED"),
        Column::Figure("EXPANSIONS"),
    ];
    let rows = history.iter().map(|entry| {
        vec![
            entry.found_at.as_ref().map_or_else(String::new, rfc3339),
            entry.score.to_string(),
            entry.worker.clone(),
            strategy_name(entry.strategy()).to_owned(),
            entry.width.to_string(),
            entry.seed.to_string(),
            short(entry.total_expansions as f64),
        ]
    });
    output::table(&columns, rows)
}
