//! `cascade reproduce`: reruns the search that found a best and holds the result against it.

use super::best::one;
use crate::arguments::after_help;
use crate::connection::{CONNECTION_HELP, ConnectionOptions, full_name, with_farm};
use crate::exit::{Exit, Failure, OrExit};
use crate::interrupt;
use crate::output::{self, OutputOptions, grouped};
use crate::progress::SearchProgress;
use crate::settings::Settings;
use crate::target::catalog;
use anyhow::Context;
use cascade_games::{Game, GameVisitor, Instance, InstanceName};
use cascade_proto::v1::Best;
use cascade_search::{Limits, Observer, Outcome, Plan, SearchError, StopFlag, SystemClock};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::path::PathBuf;

const NOTES: &str = "Exit code 0 says that the sequence came out the same, 1 that it differs.";

/// Rerun the search that found an instance's best, and show that it gives the same sequence
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade reproduce tetris/baba", &format!("{NOTES}\n\n{CONNECTION_HELP}")))]
pub(crate) struct ReproduceArguments {
    /// The instance
    #[arg(value_name = "INSTANCE")]
    instance: String,
    #[command(flatten)]
    options: ReproduceOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct ReproduceOptions {
    #[command(flatten)]
    #[serde(flatten)]
    connection: ConnectionOptions,
    /// Directory with more instances; may be given several times
    #[arg(long, value_name = "DIR", env = "CASCADE_INSTANCES", value_delimiter = ':')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    instances: Vec<PathBuf>,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", env = "CASCADE_THREADS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<NonZeroU32>,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// What came of it, for programs.
#[derive(Serialize)]
struct Reproduced {
    instance: String,
    same: bool,
    recorded_score: i64,
    score: Option<i64>,
    strategy: &'static str,
    width: u32,
    seed: u64,
    prefix_moves: usize,
    expansions: u64,
}

pub(crate) fn run(arguments: &ReproduceArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let name = full_name(&arguments.instance)?;
    let best = with_farm(&options.connection, async |mut farm| one(&mut farm, &name).await)?;
    let instance = same_content(&name, &best, &options.instances)?;
    let Some(plan) = &best.plan else {
        let message = format!("the best of {name} was imported: there is no search to run again");
        return Err(Failure::say(Exit::BadInput, message));
    };
    let plan = cascade_worker::plan::from_wire(plan)
        .context("the coordinator's record of the search")
        .or_exit(Exit::Internal)?;
    let outcome = rerun(&instance, &plan, options.threads)?;

    let recorded = best.sequence.as_ref().map_or(&[][..], |sequence| &sequence.moves);
    let found = outcome.best.as_ref();
    let reproduced = Reproduced {
        same: found.is_some_and(|found| found.moves == recorded),
        recorded_score: best.score,
        score: found.map(|found| found.score),
        strategy: plan.strategy.name(),
        width: plan.width,
        seed: plan.seed,
        prefix_moves: plan.prefix.len(),
        expansions: outcome.expansions,
        instance: name,
    };
    if options.output.json() {
        output::print_json(&reproduced)?
    } else {
        output::print(&words(&reproduced))?
    }
    Ok(if reproduced.same { Exit::Done } else { Exit::NotCorrect })
}

/// The instance as this program knows it, once it is sure that the coordinator's has the same content.
fn same_content(name: &str, best: &Best, directories: &[PathBuf]) -> Result<Instance, Failure> {
    let catalog = catalog(directories)?;
    let known = name.parse::<InstanceName>().or_exit(Exit::BadInput)?;
    let instance = catalog.get(&known).context("give its folder by --instances").or_exit(Exit::BadInput)?;
    let digest = instance.puzzle().digest();
    if best.instance.as_ref().is_none_or(|recorded| recorded.digest != digest.as_bytes()) {
        let message = format!("{name} is another puzzle at the coordinator than here: give its folder by --instances");
        return Err(Failure::say(Exit::BadInput, message));
    }
    Ok(instance.clone())
}

fn rerun(instance: &Instance, plan: &Plan, threads: Option<NonZeroU32>) -> Result<Outcome, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, |threads| threads.get() as usize))
        .build()
        .context("cannot start the threads that search")
        .or_exit(Exit::Internal)?;
    let stop = StopFlag::default();
    interrupt::stop_on_signal(stop.clone())?;
    let clock = SystemClock::start();
    let progress = SearchProgress::new(&instance.name.to_string(), None);
    let limits = Limits { clock: &clock, deadline: None, stop: stop.clone(), checkpoint_every: None };
    let outcome = pool.install(|| instance.game.visit(Rerun { plan, limits, observer: &progress }));
    progress.finish();
    if stop.is_stopped() {
        return Err(Failure::say(Exit::NotCorrect, "stopped before the search was through: nothing is shown"));
    }
    outcome.context("cannot run the recorded search").or_exit(Exit::Internal)
}

/// Runs the plan once the game is known.
struct Rerun<'a> {
    plan: &'a Plan,
    limits: Limits<'a>,
    observer: &'a dyn Observer,
}

impl GameVisitor for Rerun<'_> {
    type Output = Result<Outcome, SearchError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        cascade_search::run(game, self.plan, None, &self.limits, self.observer)
    }
}

fn words(reproduced: &Reproduced) -> String {
    let Reproduced { instance, same, recorded_score, score, strategy, width, seed, prefix_moves, expansions } =
        reproduced;
    let origin = match prefix_moves {
        0 => "the start".to_owned(),
        moves => format!("the partial state after {moves} moves"),
    };
    let expansions = grouped(*expansions);
    let search = format!("{strategy} of width {width}, seed {seed}, from {origin}, {expansions} expansions");
    match score {
        _ if *same => format!("{instance}: the same sequence, score {recorded_score} ({search})"),
        Some(score) => format!("{instance}: another sequence: score {score}, recorded {recorded_score} ({search})"),
        None => format!("{instance}: no sequence, recorded {recorded_score} ({search})"),
    }
}
