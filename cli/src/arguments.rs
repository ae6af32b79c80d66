//! The command line: which commands there are.

use crate::command::*;
use crate::exit::{EXIT_CODES, Exit, Failure};
use crate::settings::Settings;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// Search farm for two puzzles in which one move sets off a chain reaction.
#[derive(Parser, Debug)]
#[command(name = "cascade", version, arg_required_else_help = true, after_help = after_help("cascade local --for 3m", NOTES))]
pub(crate) struct Cli {
    /// File with options, in TOML; the command line and the environment come first
    #[arg(long, value_name = "FILE", env = "CASCADE_CONFIG", global = true)]
    pub(crate) config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

const NOTES: &str = "\
Every option is also an environment variable, and a key of the --config file: --token-file is CASCADE_TOKEN_FILE and \
     token-file. Sequences, verdicts and JSON go to standard output, all else to standard error.";

#[derive(Subcommand, Debug)]
enum Command {
    Local(local::LocalArguments),
    Solve(solve::SolveArguments),
    Check(check::CheckArguments),
    Bound(bound::BoundArguments),
    Status(status::StatusArguments),
    Best(best::BestArguments),
    Workers(workers::WorkersArguments),
    Events(events::EventsArguments),
    Explain(explain::ExplainArguments),
    Watch(watch::WatchArguments),
    Replay(replay::ReplayArguments),
    Report(report::ReportArguments),
    Export(export::ExportArguments),
    Import(import::ImportArguments),
    Add(add::AddArguments),
    Pause(pause::PauseArguments),
    Resume(resume::ResumeArguments),
    Priority(priority::PriorityArguments),
    Drain(drain::DrainArguments),
    Reproduce(reproduce::ReproduceArguments),
    Completions(completions::CompletionsArguments),
}

impl Cli {
    /// Carries out the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let settings = Settings::read(self.config.as_deref())?;
        match &self.command {
            Command::Local(arguments) => local::run(arguments, &settings),
            Command::Solve(arguments) => solve::run(arguments, &settings),
            Command::Check(arguments) => check::run(arguments, &settings),
            Command::Bound(arguments) => bound::run(arguments, &settings),
            Command::Status(arguments) => status::run(arguments, &settings),
            Command::Best(arguments) => best::run(arguments, &settings),
            Command::Workers(arguments) => workers::run(arguments, &settings),
            Command::Events(arguments) => events::run(arguments, &settings),
            Command::Explain(arguments) => explain::run(arguments, &settings),
            Command::Watch(arguments) => watch::run(arguments, &settings),
            Command::Replay(arguments) => replay::run(arguments, &settings),
            Command::Report(arguments) => report::run(arguments, &settings),
            Command::Export(arguments) => export::run(arguments, &settings),
            Command::Import(arguments) => import::run(arguments, &settings),
            Command::Add(arguments) => add::run(arguments, &settings),
            Command::Pause(arguments) => pause::run(arguments, &settings),
            Command::Resume(arguments) => resume::run(arguments, &settings),
            Command::Priority(arguments) => priority::run(arguments, &settings),
            Command::Drain(arguments) => drain::run(arguments, &settings),
            Command::Reproduce(arguments) => reproduce::run(arguments, &settings),
            Command::Completions(arguments) => completions::run(arguments),
        }
    }
}

/// What a command's help ends with: an example that runs as it stands, notes, exit codes.
pub(crate) fn after_help(example: &str, notes: &str) -> String {
    let blank = if notes.is_empty() { "" } else { "\n\n" };
    format!("Example:\n  {example}\n\n{notes}{blank}{EXIT_CODES}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Keys;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    fn commands() -> Vec<clap::Command> {
        Cli::command().get_subcommands().cloned().collect()
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_help_has_an_example_that_parses_and_the_exit_codes() {
        for mut command in commands().into_iter().chain([Cli::command()]) {
            let name = command.get_name().to_owned();
            let help = command.render_long_help().to_string();
            let mut lines = help.lines().skip_while(|line| *line != "Example:");
            let example = lines.nth(1).unwrap_or_else(|| panic!("{name} has no example")).trim();
            let words = example.split(' ').take_while(|word| *word != ">");
            let parsed = Cli::try_parse_from(words);
            assert!(parsed.is_ok(), "{name}: {example}: {parsed:?}");
            assert!(name == "cascade" || example.starts_with(&format!("cascade {name}")), "{name}: {example}");
            assert!(help.contains("Exit codes: 0 done"), "{name}");
        }
    }

    #[test]
    fn every_option_has_a_variable_and_a_key_of_its_own_name() {
        let mut options = BTreeSet::new();
        for command in commands() {
            for argument in command.get_arguments() {
                let Some(long) = argument.get_long().filter(|long| !["help", "version", "config"].contains(long))
                else {
                    continue;
                };
                let variable = format!("CASCADE_{}", long.to_uppercase().replace('-', "_"));
                let env = argument.get_env().map(|env| env.to_string_lossy().into_owned());
                assert_eq!(env.as_deref(), Some(variable.as_str()), "{} --{long}", command.get_name());
                options.insert(long.to_owned());
            }
        }
        let keys = serde_json::to_value(Keys::default()).expect("serialises");
        let keys: BTreeSet<_> = keys.as_object().expect("an object").keys().cloned().collect();
        assert_eq!(options, keys);
    }
}
