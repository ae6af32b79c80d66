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
mod markup;
mod narration;
mod output;
mod period;
mod picture;
mod play;
mod player;
mod progress;
mod replay_page;
mod report;
mod screen;
mod settings;
mod target;
mod window;

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
