//! `cascade import`: hands a sequence from elsewhere to the farm.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure, OrExit};
use crate::output::{self, OutputOptions};
use crate::settings::Settings;
use anyhow::Context;
use cascade_proto::v1::ImportSequenceRequest;
use clap::Args;
use serde::{Deserialize, Serialize};

/// Hand a sequence to the farm, which judges it and keeps it if it is better
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade import tetris/baba baba.txt", CONNECTION_HELP))]
pub(crate) struct ImportArguments {
    /// The instance
    #[arg(value_name = "INSTANCE")]
    instance: String,
    /// The sequence in the contest's own format; '-' reads standard input
    #[arg(value_name = "FILE")]
    file: String,
    #[command(flatten)]
    options: ImportOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ImportOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// What came of it, for programs.
#[derive(Serialize)]
struct Imported {
    instance: String,
    score: i64,
    new_best: bool,
    best_score: Option<i64>,
}

pub(crate) fn run(arguments: &ImportArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let name = full_name(&arguments.instance)?;
    let text = if arguments.file == "-" {
        std::io::read_to_string(std::io::stdin().lock())
    } else {
        std::fs::read_to_string(&arguments.file)
    };
    let text = text.with_context(|| format!("cannot read {}", arguments.file)).or_exit(Exit::BadInput)?;
    let answer = with_farm(&options.connection, async |mut farm| {
        let answer = farm.admin.import_sequence(ImportSequenceRequest { instance: name.clone(), text }).await;
        farm.answered_about(&name, answer).await
    })?;
    let imported =
        Imported { instance: name, score: answer.score, new_best: answer.new_best, best_score: answer.best_score };
    if options.output.json() {
        output::print_json(&imported)?
    } else {
        eprintln!("{}", words(&imported))
    }
    Ok(Exit::Done)
}

fn words(imported: &Imported) -> String {
    let Imported { instance, score, new_best, best_score } = imported;
    match best_score {
        _ if *new_best => format!("{instance}: {score} is the new best"),
        Some(best) => format!("{instance}: {score} is not better than the best, {best}"),
        None => format!("{instance}: {score} was not kept"),
    }
}
