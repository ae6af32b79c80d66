//! `cascade`, the command people type.

mod arguments;
mod best;
mod command;
mod connection;
mod dashboard;
mod exit;
mod farm_view;
mod interrupt;
mod marks;
mod output;
mod period;
mod progress;
mod settings;
mod target;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match arguments::Cli::parse().run() {
        Ok(exit) => exit.into(),
        Err(failure) => {
            eprintln!("error: {failure}");
            failure.exit.into()
        }
    }
}
