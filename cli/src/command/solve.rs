//! `cascade solve`: searches one instance in this process.

use crate::arguments::after_help;
use crate::exit::{Exit, Failure, OrExit};
use crate::interrupt;
use crate::marks;
use crate::output::{self, OutputOptions, grouped, short};
use crate::progress::SearchProgress;
use crate::settings::Settings;
use crate::target::{TARGET_HELP, TargetOptions};
use anyhow::Context;
use cascade_games::{Bound, Game, GameVisitor, Instance};
use cascade_search::{Choice, Clock, Ending, Found, Limits, Observer, Outcome, Proof, StopFlag, SystemClock};
use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a search runs when nothing limits it.
const USUAL_SECONDS: f64 = 60.0;

/// Memory for the positions of a proof in MiB, unless another size is asked for.
const USUAL_MEMORY: u32 = 1024;

/// Expansions of the search for a good play that goes before a proof.
const EXPANSIONS_BEFORE_PROOF: u64 = 200_000;

const NOTES: &str = "\
Without a limit the search ends after 60 seconds; with both, at whichever comes first. The same --seed and --expansions \
     give the same sequence with any number of threads. Ctrl-C ends the search and prints the best so far.

With --prove the search goes on until every play is looked at or ruled out by a bound: 'cascade solve tritown/1 --prove'. \
     Only small instances come to that end. Without a limit nothing but Ctrl-C cuts it short; then the best so far, \
     'not proved' and the best bound known are told. What does not fit --memory is searched in parts, which takes \
     longer.";

/// Search one instance in this process, without a farm
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade solve tetris/baba --seconds 10", &format!("{NOTES}\n\n{TARGET_HELP}")))]
pub(crate) struct SolveArguments {
    /// The instance to search
    #[arg(value_name = "INSTANCE|FILE")]
    target: String,
    #[command(flatten)]
    options: SolveOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct SolveOptions {
    #[command(flatten)]
    #[serde(flatten)]
    target: TargetOptions,
    /// End after so many seconds
    #[arg(long, value_name = "S", env = "CASCADE_SECONDS", value_parser = seconds)]
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    /// End after so many expansions
    #[arg(long, value_name = "N", env = "CASCADE_EXPANSIONS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    expansions: Option<u64>,
    /// Kind of search [default: auto]
    #[arg(long, env = "CASCADE_STRATEGY")]
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<StrategyChoice>,
    /// Beam width in states, or tree size in nodes [default: growing]
    #[arg(long, value_name = "W", env = "CASCADE_WIDTH")]
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<NonZeroU32>,
    /// Seed of all randomness [default: 0]
    #[arg(long, value_name = "N", env = "CASCADE_SEED")]
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", env = "CASCADE_THREADS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<NonZeroU32>,
    /// Go on until it is proved that no play is better
    #[arg(long, env = "CASCADE_PROVE", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    prove: Option<bool>,
    /// Memory for the positions of a proof in MiB, about [default: 1024]
    #[arg(long, value_name = "MIB", env = "CASCADE_MEMORY")]
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<NonZeroU32>,
    /// Write the sequence to a file instead of standard output
    #[arg(long, value_name = "FILE", env = "CASCADE_OUT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// The kinds of search a person may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StrategyChoice {
    /// The mix that does best
    #[default]
    Auto,
    /// Beam search
    Beam,
    /// Single-player Monte-Carlo search
    Mcts,
}

impl From<StrategyChoice> for Choice {
    fn from(choice: StrategyChoice) -> Self {
        match choice {
            StrategyChoice::Auto => Self::Auto,
            StrategyChoice::Beam => Self::Beam,
            StrategyChoice::Mcts => Self::Mcts,
        }
    }
}

/// A number of seconds greater than zero.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && Duration::try_from_secs_f64(seconds).is_ok() => Ok(seconds),
        _ => Err("expected a number of seconds greater than 0".to_owned()),
    }
}

/// The result for programs.
#[derive(Serialize)]
struct Solved {
    instance: String,
    score: i64,
    sequence: Vec<String>,
    expansions: u64,
    seconds: f64,
    expansions_per_second: f64,
    strategy: StrategyChoice,
    seed: u64,
    width: Option<u32>,
    threads: usize,
    optimal: bool,
    bound: i64,
    bound_name: &'static str,
    ending: &'static str,
    marks: Option<u8>,
    found_by: FoundBy,
}

/// The search that found the sequence.
#[derive(Serialize)]
struct FoundBy {
    strategy: &'static str,
    width: u32,
    seed: u64,
    expansions: u64,
}

pub(crate) fn run(arguments: &SolveArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = options.target.resolve(&arguments.target)?;
    let out = options.out.as_deref().map(OutFile::open).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.map_or(0, |threads| threads.get() as usize))
        .build()
        .context("cannot start the threads that search")
        .or_exit(Exit::Internal)?;

    let clock = SystemClock::start();
    let is_proof = options.prove.unwrap_or(false);
    let deadline = match (options.seconds, options.expansions) {
        (None, None) if !is_proof => Some(USUAL_SECONDS),
        (seconds, _) => seconds,
    }
    .map(Duration::from_secs_f64);
    let stop = StopFlag::default();
    interrupt::stop_on_signal(stop.clone())?;
    let progress = SearchProgress::new(&instance.name.to_string(), deadline);
    let known = instance.puzzle().tightest_bound();
    let Proof { outcome, bound } = pool.install(|| {
        instance.game.visit(Solve {
            options: cascade_search::SolveOptions {
                strategy: options.strategy.unwrap_or_default().into(),
                width: options.width.map(NonZeroU32::get),
                seed: options.seed.unwrap_or(0),
                expansions: options.expansions,
                bound: Some(known.value),
            },
            memory: is_proof.then(|| options.memory.map_or(USUAL_MEMORY, NonZeroU32::get)),
            limits: Limits { clock: &clock, deadline, stop, checkpoint_every: None },
            observer: &progress,
        })
    });
    let seconds = clock.now().as_secs_f64();
    progress.finish();

    let best = judged(&instance, &outcome)?;
    let text = instance.puzzle().format(&best.moves);
    let bound = known.or_proved(bound, instance.name.game().direction());
    let solved = describe(&instance, &options, &outcome, best, &bound, &text, seconds, pool.current_num_threads());
    eprintln!("{}", summary(&instance, &solved));
    if let Some(earned) = solved.marks {
        eprintln!("{}", marks::describe(earned, instance.puzzle().next_mark(solved.score)));
    }
    if is_proof && !solved.optimal {
        eprintln!("{}", not_proved(&instance, &outcome, &solved));
    }
    if let Some(out) = out {
        out.keep(&text)?;
        if !options.output.json() {
            return Ok(Exit::Done);
        }
    }
    if options.output.json() {
        output::print_json(&solved)?
    } else {
        output::print(&text)?
    }
    Ok(Exit::Done)
}

/// Runs the search once the game is known.
struct Solve<'a> {
    options: cascade_search::SolveOptions,
    /// If the result is to be proved, the memory for that in MiB.
    memory: Option<u32>,
    limits: Limits<'a>,
    observer: &'a dyn Observer,
}

impl GameVisitor for Solve<'_> {
    type Output = Proof;

    fn visit<G: Game>(self, game: &G) -> Proof {
        if let Some(memory) = self.memory {
            let options = cascade_search::ProveOptions {
                solve: self.options,
                first_expansions: EXPANSIONS_BEFORE_PROOF,
                memory: u64::from(memory) << 20,
            };
            return cascade_search::prove(game, &options, &self.limits, self.observer);
        }
        let outcome = cascade_search::solve(game, &self.options, &self.limits, self.observer);
        let bound = outcome.best.as_ref().filter(|_| outcome.proved).map(|best| best.score);
        Proof { outcome, bound }
    }
}

/// The best play of `outcome`, held against the judge: nothing else is ever printed.
fn judged<'a>(instance: &Instance, outcome: &'a Outcome) -> Result<&'a Found, Failure> {
    let name = &instance.name;
    let Some(best) = &outcome.best else {
        return Err(Failure::say(Exit::Internal, format!("the search of {name} found no complete play")));
    };
    let context = || format!("the judge refuses what the search of {name} found; please report this");
    let judged = instance.puzzle().judge(&best.moves).with_context(context).or_exit(Exit::Internal)?;
    if !judged.complete || judged.score != best.score {
        let (claimed, score, complete) = (best.score, judged.score, judged.complete);
        let found = format!("claimed {claimed}, judged {score}, complete: {complete}");
        return Err(Failure::say(Exit::Internal, format!("{}: {found}", context())));
    }
    Ok(best)
}

#[allow(clippy::too_many_arguments, reason = "the parts of one description")]
fn describe(
    instance: &Instance,
    options: &SolveOptions,
    outcome: &Outcome,
    best: &Found,
    bound: &Bound,
    text: &str,
    seconds: f64,
    threads: usize,
) -> Solved {
    let puzzle = instance.puzzle();
    Solved {
        instance: instance.name.to_string(),
        score: best.score,
        sequence: text.lines().map(str::to_owned).collect(),
        expansions: outcome.expansions,
        seconds,
        expansions_per_second: outcome.expansions as f64 / seconds.max(1e-9),
        strategy: options.strategy.unwrap_or_default(),
        seed: options.seed.unwrap_or(0),
        width: options.width.map(NonZeroU32::get),
        threads,
        optimal: bound.value == best.score,
        bound: bound.value,
        bound_name: bound.name,
        ending: ending_name(outcome.ending),
        marks: puzzle.marks(best.score),
        found_by: FoundBy {
            strategy: best.plan.strategy.name(),
            width: best.plan.width,
            seed: best.plan.seed,
            expansions: best.expansions,
        },
    }
}

fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Budget => "budget",
        Ending::Exhausted => "exhausted",
        Ending::Deadline => "deadline",
        Ending::Stopped => "stopped",
    }
}

fn summary(instance: &Instance, solved: &Solved) -> String {
    let found = &solved.found_by;
    format!(
        "{}: {} {}{} in {:.1} s, {} expansions ({}/s); found by {} of width {}, seed {}",
        solved.instance,
        solved.score,
        instance.name.game().score_unit(),
        if solved.optimal { format!(", proved optimal ({}),", solved.bound_name) } else { String::new() },
        solved.seconds,
        grouped(solved.expansions),
        short(solved.expansions_per_second),
        found.strategy,
        found.width,
        found.seed,
    )
}

/// That a proof was cut short, why, and what is known nevertheless.
fn not_proved(instance: &Instance, outcome: &Outcome, solved: &Solved) -> String {
    let why = match outcome.ending {
        Ending::Budget | Ending::Exhausted => "the expansions are spent",
        Ending::Deadline => "the time is up",
        Ending::Stopped => "it was stopped",
    };
    let (bound, unit, name) = (solved.bound, instance.name.game().score_unit(), solved.bound_name);
    format!("{}: not proved, {why}; no play is better than {bound} {unit} ({name})", solved.instance)
}

/// A file to be: opened before the search, so that a search is never lost to a wrong path, and in place only when whole.
struct OutFile<'a> {
    path: &'a Path,
    file: tempfile::NamedTempFile,
}

impl<'a> OutFile<'a> {
    fn open(path: &'a Path) -> Result<Self, Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = output::new_file(folder)
            .with_context(|| format!("cannot write {}", path.display()))
            .or_exit(Exit::BadInput)?;
        Ok(Self { path, file })
    }

    fn keep(mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.as_file().sync_all());
        written
            .and_then(|()| self.file.persist(self.path).map(drop).map_err(|error| error.error))
            .with_context(|| format!("cannot write {}", self.path.display()))
            .or_exit(Exit::BadInput)
    }
}
