//! `cascade add`: gives a farm more to search while it runs.

use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, with_farm};
use crate::exit::{Exit, Failure, OrExit};
use crate::output::{self, OutputOptions};
use crate::settings::Settings;
use anyhow::Context;
use cascade_proto::v1::AddInstanceRequest;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const NOTES: &str = "\
FILE is called NAME.txt (a grid; with '?', each legal fill becomes an instance) or tritownN.in (a case).";

/// Add the instances of a file to a running farm, for good
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade add grids/hard.txt", &format!("{NOTES}\n\n{CONNECTION_HELP}")))]
pub(crate) struct AddArguments {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    options: AddOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct AddOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &AddArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let shown = arguments.file.display();
    let text = std::fs::read_to_string(&arguments.file)
        .with_context(|| format!("cannot read {shown}"))
        .or_exit(Exit::BadInput)?;
    let Some(file_name) = arguments.file.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return Err(Failure::say(Exit::BadInput, format!("{shown} is no file")));
    };
    let added = with_farm(&options.connection, async |mut farm| {
        let answer = farm.admin.add_instance(AddInstanceRequest { file_name, text }).await;
        Ok(farm.answered(answer)?.added)
    })?;
    let names: Vec<_> = added.into_iter().map(|instance| instance.name).collect();
    if options.output.json() {
        output::print_json(&names)?
    } else {
        output::print(&names.join("\n"))?
    }
    Ok(Exit::Done)
}
