//! `cascade explain`: why an instance is searched the way it is, or not at all.

use super::status::{self, InstanceJson};
use crate::arguments::after_help;
use crate::best::strategy_name;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure};
use crate::output::{self, Column, OutputOptions, grouped, short};
use crate::settings::Settings;
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

#[derive(Serialize)]
struct ExplainJson {
    #[serde(flatten)]
    instance: Option<InstanceJson>,
    summary: String,
    arms: Vec<ArmJson>,
    states: Vec<StateJson>,
    states_total: u64,
    endings: Vec<String>,
    history: Vec<HistoryJson>,
}

#[derive(Serialize)]
struct ArmJson {
    name: String,
    next_seed: u64,
    finished: u64,
    expansions: u64,
    out: u32,
    best: Option<i64>,
    value: f64,
}

#[derive(Serialize)]
struct StateJson {
    id: u64,
    depth: u32,
    kind: String,
    expansions: u64,
    out: u32,
    best: Option<i64>,
    value: f64,
}

#[derive(Serialize)]
struct HistoryJson {
    score: i64,
    worker: String,
    strategy: &'static str,
    width: u32,
    seed: u64,
    found_at: Option<String>,
    total_expansions: u64,
}

pub(crate) fn run(arguments: &ExplainArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let name = full_name(&arguments.instance)?;
    let (explained, history) = with_farm(&options.connection, async |mut farm| {
        let explained = match farm.query.explain(ExplainRequest { instance: name.clone() }).await {
            Ok(answer) => answer.into_inner(),
            Err(status) => return Err(farm.failure_about(&name, &status).await),
        };
        match farm.query.history(HistoryRequest { instance: name.clone() }).await {
            Ok(answer) => Ok((explained, answer.into_inner().entries)),
            Err(status) => Err(farm.failure(&status)),
        }
    })?;
    if options.output.json() {
        output::print_json(&json(explained, &history))?;
    } else {
        output::print(&text(&explained, &history))?;
    }
    Ok(Exit::Done)
}

fn json(explained: ExplainResponse, history: &[HistoryEntry]) -> ExplainJson {
    let arm = |arm: ArmInfo| ArmJson {
        name: arm.name,
        next_seed: arm.next_seed,
        finished: arm.finished,
        expansions: arm.expansions,
        out: arm.out,
        best: arm.best,
        value: arm.value,
    };
    let state = |state: StateInfo| StateJson {
        id: state.id,
        depth: state.depth,
        kind: state.kind,
        expansions: state.expansions,
        out: state.out,
        best: state.best,
        value: state.value,
    };
    let entry = |entry: &HistoryEntry| HistoryJson {
        score: entry.score,
        worker: entry.worker.clone(),
        strategy: strategy_name(entry.strategy()),
        width: entry.width,
        seed: entry.seed,
        found_at: entry.found_at.as_ref().map(crate::best::rfc3339),
        total_expansions: entry.total_expansions,
    };
    ExplainJson {
        instance: explained.instance.as_ref().map(InstanceJson::from),
        summary: explained.summary,
        arms: explained.arms.into_iter().map(arm).collect(),
        states: explained.states.into_iter().map(state).collect(),
        states_total: explained.states_total,
        endings: explained.endings,
        history: history.iter().map(entry).collect(),
    }
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
            entry.found_at.as_ref().map_or_else(String::new, crate::best::rfc3339),
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
