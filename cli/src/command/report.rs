//! `cascade report`: all bests of the farm as a page.

use super::best::all;
use super::replay::instance;
use crate::arguments::after_help;
use crate::best::name;
use crate::command::status;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, Farm, with_farm};
use crate::exit::{Exit, Failure, OrExit};
use crate::output;
use crate::play::Play;
use crate::report::{Entry, Report};
use crate::settings::Settings;
use anyhow::Context;
use cascade_proto::v1::Best;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

/// Write all bests of the farm with pictures of the plays as a page, one file that needs nothing else
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade report bests.html", CONNECTION_HELP))]
pub(crate) struct ReportArguments {
    /// The file; replaced when the page is whole
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    options: ReportOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ReportOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
}

pub(crate) fn run(arguments: &ReportArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let report = with_farm(&options.connection, async |mut farm| gather(&mut farm).await)?;
    let shown = arguments.file.display();
    output::write_file(&arguments.file, &report.page())
        .with_context(|| format!("cannot write {shown}"))
        .or_exit(Exit::BadInput)?;
    let bests = report.entries.iter().filter(|entry| entry.best.is_some()).count();
    eprintln!("{bests} bests written into {shown}");
    Ok(Exit::Done)
}

async fn gather(farm: &mut Farm) -> Result<Report, Failure> {
    let software = farm.status().await?.software;
    let bests = all(farm).await?;
    let mut bests: BTreeMap<String, Best> = bests.into_iter().map(|best| (name(&best).to_owned(), best)).collect();
    let mut entries = Vec::new();
    for mut info in farm.instances().await? {
        let best = bests.remove(status::name(&info));
        // One that was improved meanwhile is reported as it was.
        info.best_score = best.as_ref().map(|best| best.score);
        info.optimal = best.as_ref().is_some_and(|best| best.optimal);
        let play = match &best {
            Some(best) => Some(play(farm, best).await?),
            None => None,
        };
        entries.push(Entry { info, best, play });
    }
    Ok(Report { made_at: SystemTime::now(), software, entries })
}

async fn play(farm: &mut Farm, best: &Best) -> Result<Play, Failure> {
    let (name, puzzle) = instance(farm, name(best)).await?;
    let moves = best.sequence.as_ref().map_or(&[][..], |sequence| &sequence.moves);
    Play::of_moves(name, puzzle.as_ref(), moves)
}
