//! `cascade check`: judges a sequence.

use crate::arguments::after_help;
use crate::exit::{Exit, Failure, OrExit};
use crate::marks;
use crate::output::{self, OutputOptions};
use crate::settings::Settings;
use crate::target::{TARGET_HELP, TargetOptions};
use anyhow::Context;
use cascade_games::{GameId, Instance};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Read};
use std::path::Path;

/// Judge a sequence
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade check tetris/baba baba.txt", TARGET_HELP))]
pub(crate) struct CheckArguments {
    /// The instance that was played
    #[arg(value_name = "INSTANCE|FILE")]
    target: String,
    /// The sequence in the contest's own format; '-' reads standard input
    #[arg(value_name = "SEQUENCE_FILE")]
    sequence: String,
    #[command(flatten)]
    options: CheckOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct CheckOptions {
    #[command(flatten)]
    #[serde(flatten)]
    target: TargetOptions,
    /// Size in bytes of the contest entry that printed the sequence: each counts a point (tetris)
    #[arg(long, value_name = "BYTES", env = "CASCADE_ENTRY_BYTES")]
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_bytes: Option<u64>,
    #[command(flatten)]
    #[serde(flatten)]
    output: OutputOptions,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Verdict {
    instance: String,
    correct: bool,
    score: Option<i64>,
    verdict: String,
    line: Option<usize>,
    points: Option<i64>,
    marks: Option<u8>,
}

pub(crate) fn run(arguments: &CheckArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let instance = options.target.resolve(&arguments.target)?;
    let Some(text) = read_sequence(&arguments.sequence)? else {
        return missing(&instance, &arguments.sequence, options.output.json());
    };
    let source = if arguments.sequence == "-" { "<stdin>" } else { &arguments.sequence };
    let report = instance.puzzle().check(&text, source, options.entry_bytes.unwrap_or(0));
    let exit = if report.correct { Exit::Done } else { Exit::NotCorrect };
    if options.output.json() {
        output::print_json(&Verdict {
            instance: instance.name.to_string(),
            correct: report.correct,
            score: report.score,
            verdict: report.verdict,
            line: report.line,
            points: report.points,
            marks: report.marks,
        })?;
    } else {
        output::print(&report.verdict)?;
        if let Some(earned) = report.marks {
            let score = report.score.filter(|_| report.correct);
            eprintln!("{}", marks::describe(earned, score.and_then(|score| instance.puzzle().next_mark(score))));
        }
    }
    Ok(exit)
}

/// The text of the sequence, or `None` when there is no such file.
fn read_sequence(path: &str) -> Result<Option<String>, Failure> {
    let mut bytes = Vec::new();
    let read = if path == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(Path::new(path)).map(|read| bytes = read)
    };
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {path}")).or_exit(Exit::BadInput),
        // What is not text is judged as text that is wrong at that very place.
        Ok(()) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
    }
}

/// A sequence that is not there is judged as the organisers' checker does.
fn missing(instance: &Instance, path: &str, json: bool) -> Result<Exit, Failure> {
    let verdict = "Output File Do Not Exist";
    if json {
        output::print_json(&Verdict {
            instance: instance.name.to_string(),
            correct: false,
            score: None,
            verdict: verdict.to_owned(),
            line: None,
            points: None,
            marks: instance.puzzle().marks(0),
        })?;
    } else if instance.name.game() == GameId::Tritown {
        output::print(verdict)?;
    }
    eprintln!("error: there is no file {path}");
    Ok(Exit::NotCorrect)
}
