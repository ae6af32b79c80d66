//! `cascade bound`: what no play can beat.

use crate::arguments::after_help;
use crate::exit::{Exit, Failure};
use crate::output::{self, OutputOptions};
use crate::settings::Settings;
use crate::target::{TARGET_HELP, TargetOptions};
use cascade_games::{Bound, GameId, Instance};
use clap::Args;
use clap::builder::BoolishValueParser;
use serde::{Deserialize, Serialize};

/// Show the tightest proven bound of an instance, and its name
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade bound tritown/4", TARGET_HELP))]
pub(crate) struct BoundArguments {
    /// The instance to bound
    #[arg(value_name = "INSTANCE|FILE")]
    target: String,
    #[command(flatten)]
    options: BoundOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct BoundOptions {
    #[command(flatten)]
    #[serde(flatten)]
    target: TargetOptions,
    /// Always the counting bound (tritown), even where another is tighter
    #[arg(long, env = "CASCADE_COUNTING", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    counting: Option<bool>,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// A bound for programs.
#[derive(Serialize)]
struct Shown {
    instance: String,
    bound: i64,
    name: &'static str,
}

pub(crate) fn run(arguments: &BoundArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = options.target.resolve(&arguments.target)?;
    let bound = choose(&instance, options.counting.unwrap_or(false))?;
    if options.output.json() {
        let instance = instance.name.to_string();
        output::print_json(&Shown { instance, bound: bound.value, name: bound.name })?;
    } else {
        output::print(&format!("{} {}", bound.value, bound.name))?;
    }
    Ok(Exit::Done)
}

fn choose(instance: &Instance, counting: bool) -> Result<Bound, Failure> {
    let wanted = |bound: &Bound| !counting || bound.name == "counting";
    instance.puzzle().bounds().into_iter().find(wanted).ok_or_else(|| {
        let (name, game) = (&instance.name, instance.name.game());
        let why = match game {
            GameId::Tritown => format!("the counting bound of {name} takes too long to be had exactly"),
            GameId::Tetris => format!("{game} has no counting bound"),
        };
        Failure::say(Exit::Usage, format!("{why}; without --counting its tightest is shown"))
    })
}
