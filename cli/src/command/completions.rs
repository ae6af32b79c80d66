//! `cascade completions`: the script that lets a shell complete commands and options.

use crate::arguments::{Cli, after_help};
use crate::exit::{Exit, Failure};
use crate::output;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print the script that lets a shell complete commands and options
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade completions bash > cascade.bash", ""))]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "cascade", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
