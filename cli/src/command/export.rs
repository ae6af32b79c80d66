//! `cascade export`: every best as a file in the contest's own format.

use super::best::all;
use crate::arguments::after_help;
use crate::best::name;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, with_farm};
use crate::exit::{Exit, Failure, OrExit};
use crate::output;
use crate::settings::Settings;
use anyhow::Context;
use cascade_games::{GameId, InstanceName};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const NOTES: &str = "\
Writes tritownN.out and tetris_FILL.txt; files of these names are replaced, each at once.";

/// Write every best into a directory, in the contest's own format
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade export bests", &format!("{NOTES}\n\n{CONNECTION_HELP}")))]
pub(crate) struct ExportArguments {
    /// The directory; made if absent
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    options: ExportOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ExportOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
}

pub(crate) fn run(arguments: &ExportArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let bests = with_farm(&options.connection, async |mut farm| all(&mut farm).await)?;
    let directory = &arguments.directory;
    let unwritable = || format!("cannot write into {}", directory.display());
    std::fs::create_dir_all(directory).with_context(unwritable).or_exit(Exit::BadInput)?;
    for best in &bests {
        let name = name(best);
        let name: InstanceName = name.parse().with_context(|| format!("instance {name}")).or_exit(Exit::Internal)?;
        output::write_file(&directory.join(file_name(&name)), &best.text)
            .with_context(unwritable)
            .or_exit(Exit::BadInput)?;
    }
    eprintln!("{} bests written into {}", bests.len(), directory.display());
    Ok(Exit::Done)
}

fn file_name(name: &InstanceName) -> String {
    let ending = name.game().sequence_ending();
    match name.game() {
        GameId::Tetris => format!("tetris_{}.{ending}", name.name()),
        GameId::Tritown => format!("tritown{}.{ending}", name.name()),
    }
}
