//! `cascade replay`: shows a play move by move.

use super::best::one;
use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, Farm, full_name, with_farm};
use crate::exit::{Exit, Failure, OrExit};
use crate::output::{self, OutputOptions};
use crate::picture::Film;
use crate::play::Play;
use crate::player;
use crate::replay_page;
use crate::settings::Settings;
use crate::target::{TARGET_HELP, TargetOptions};
use anyhow::Context;
use cascade_games::{AnyGame, GameId, Instance, InstanceName, Puzzle};
use cascade_proto::json::replay::Replay;
use clap::Args;
use clap::builder::BoolishValueParser;
use serde::{Deserialize, Serialize};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Boards of a film strip.
const MOST_BOARDS: usize = 60;

const NOTES: &str = "\
An instance is the coordinator's, and without SEQUENCE the play is its best. When no coordinator answers, SEQUENCE is \
     played on the instance of that name that is known here. FILE needs SEQUENCE.

Keys: space plays and pauses, left and right step by move, ',' and '.' (or shift with left and right) by scene, home \
     and end, + and - for the speed, q leaves.";

fn notes() -> String {
    format!("{NOTES}\n\n{TARGET_HELP}\n\n{CONNECTION_HELP}")
}

/// Show a play move by move: in the terminal, as a picture, or as a page
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade replay tetris/baba baba.txt", &notes()))]
pub(crate) struct ReplayArguments {
    /// The instance that is played
    #[arg(value_name = "INSTANCE|FILE")]
    target: String,
    /// The sequence in the contest's own format; '-' reads standard input [default: the farm's best]
    #[arg(value_name = "SEQUENCE_FILE")]
    sequence: Option<String>,
    #[command(flatten)]
    options: ReplayOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ReplayOptions {
    /// Print the boards one after another, as is done where standard output is no terminal
    #[arg(long, env = "CASCADE_PLAIN", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    plain: Option<bool>,
    /// Write a film strip of the play, an SVG picture of at most 60 boards
    #[arg(long, value_name = "FILE", env = "CASCADE_SVG")]
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<PathBuf>,
    /// Write a page that plays it, one file that needs nothing else
    #[arg(long, value_name = "FILE", env = "CASCADE_HTML")]
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    #[command(flatten)]
    #[serde(flatten)]
    target: TargetOptions,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

pub(crate) fn run(arguments: &ReplayArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let play = find(&arguments.target, arguments.sequence.as_deref(), &options)?;
    if let Some(path) = &options.svg {
        write(path, &Film::of(&play, MOST_BOARDS).document())?;
    }
    if let Some(path) = &options.html {
        write(path, &replay_page::page(&play)?)?;
    }
    if options.output.json() {
        output::print_json_line(&Replay::new(&play.name, &play.replay))?;
    } else if options.svg.is_none() && options.html.is_none() {
        show(&play, options.plain.unwrap_or(false))?;
    }
    Ok(Exit::Done)
}

fn show(play: &Play, plain: bool) -> Result<(), Failure> {
    if plain || !std::io::stdout().is_terminal() { output::print(&player::text(play)) } else { player::watch(play) }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let shown = path.display();
    output::write_file(path, text).with_context(|| format!("cannot write {shown}")).or_exit(Exit::BadInput)?;
    eprintln!("{shown} written");
    Ok(())
}

fn find(target: &str, sequence: Option<&str>, options: &ReplayOptions) -> Result<Play, Failure> {
    if options.target.is_file(target)? {
        let Some(sequence) = sequence else {
            let message =
                format!("{target} is a file: give the sequence to play there; only the farm's instances have a best");
            return Err(Failure::say(Exit::Usage, message));
        };
        let Instance { name, game, .. } = options.target.resolve(target)?;
        return Play::of_file(name, game.puzzle().as_ref(), sequence);
    }
    let name = full_name(target)?;
    match sequence {
        None => with_farm(&options.connection, async |mut farm| {
            let best = one(&mut farm, &name).await?;
            let (name, puzzle) = instance(&mut farm, &name).await?;
            let moves = best.sequence.map(|sequence| sequence.moves).unwrap_or_default();
            Play::of_moves(name, puzzle.as_ref(), &moves)
        }),
        Some(sequence) => {
            let (name, puzzle) = with_farm(&options.connection, async |mut farm| instance(&mut farm, &name).await)
                .or_else(|failure| known_here(target, options, failure))?;
            Play::of_file(name, puzzle.as_ref(), sequence)
        }
    }
}

/// What the coordinator has under `name`.
pub(crate) async fn instance(farm: &mut Farm, name: &str) -> Result<(InstanceName, Arc<dyn Puzzle>), Failure> {
    let held = farm.content(name).await?;
    let Some(game) = GameId::from_name(&held.game) else {
        return Err(Failure::say(Exit::Versions, format!("{name}: this command does not know the game {}", held.game)));
    };
    let source = format!("the coordinator's {name}");
    let game = AnyGame::parse(game, &held.content, &source).or_exit(Exit::Internal)?;
    Ok((name.parse().or_exit(Exit::BadInput)?, game.puzzle()))
}

/// The instance that is known here as `target`, where the coordinator cannot be asked or does not know it.
fn known_here(
    target: &str,
    options: &ReplayOptions,
    failure: Failure,
) -> Result<(InstanceName, Arc<dyn Puzzle>), Failure> {
    if !matches!(failure.exit, Exit::Unreachable | Exit::BadInput) {
        return Err(failure);
    }
    // Where it is known nowhere, what the coordinator was or said comes first.
    let Ok(Instance { name, game, .. }) = options.target.resolve(target) else { return Err(failure) };
    eprintln!("note: {name} as it is known here, not at a coordinator");
    Ok((name, game.puzzle()))
}
