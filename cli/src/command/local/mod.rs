//! `cascade local`: coordinator and worker in one process.

mod farm;
mod meter;
mod summary;

use crate::arguments::after_help;
use crate::connection::{USUAL_DATA, token};
use crate::exit::{Exit, Failure, OrExit};
use crate::period::Period;
use crate::settings::Settings;
use anyhow::Context;
use clap::Args;
use clap::builder::BoolishValueParser;
use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const NOTES: &str = "\
Run again with the same data directory, it goes on from where it was. Other commands in the same directory find it by \
themselves: try `cascade watch` or `cascade best` beside it. Ctrl-C ends it; nothing is lost either way. More workers \
may join: give --listen an address they reach.";

/// Search every instance on this machine: a coordinator and a worker in one process
#[derive(Args, Debug)]
#[command(after_help = after_help("cascade local --for 10m", NOTES))]
pub(crate) struct LocalArguments {
    #[command(flatten)]
    options: LocalOptions,
}

#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
struct LocalOptions {
    /// Directory that keeps everything; made if absent [default: ./cascade-data]
    #[arg(long, value_name = "DIR", env = "CASCADE_DATA")]
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<PathBuf>,
    /// End after so long, as in 90s, 10m, 8h [default: at Ctrl-C]
    #[arg(long = "for", value_name = "TIME", env = "CASCADE_FOR")]
    #[serde(rename = "for", skip_serializing_if = "Option::is_none")]
    duration: Option<Period>,
    /// Threads that search [default: all cores]
    #[arg(long, value_name = "N", env = "CASCADE_THREADS")]
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<NonZeroUsize>,
    /// Address to listen on; port 0 takes a free one [default: 127.0.0.1:0]
    #[arg(long, value_name = "ADDR:PORT", env = "CASCADE_LISTEN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    listen: Option<SocketAddr>,
    /// Address of the page, its JSON and the metrics; port 0 takes a free one [default: beside --listen]
    #[arg(long, value_name = "ADDR:PORT", env = "CASCADE_WEB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    web: Option<SocketAddr>,
    /// Serve no page
    #[arg(long, env = "CASCADE_NO_WEB", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    no_web: Option<bool>,
    /// Directory with more instances; may be given several times
    #[arg(long, value_name = "DIR", env = "CASCADE_INSTANCES", value_delimiter = ':')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    instances: Vec<PathBuf>,
    /// Leave the record sequences that come with the program out of an empty store
    #[arg(long, env = "CASCADE_NO_RECORDS", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    no_records: Option<bool>,
    /// File that holds the token that other commands and workers must send
    #[arg(long, value_name = "FILE", env = "CASCADE_TOKEN_FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    token_file: Option<PathBuf>,
    /// Listen beyond this machine without a token: anyone who reaches the port may do anything
    #[arg(long, env = "CASCADE_INSECURE", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    insecure: Option<bool>,
}

pub(crate) fn run(arguments: &LocalArguments, settings: &Settings) -> Result<Exit, Failure> {
    let options = settings.complete(&arguments.options)?;
    let token = token(options.token_file.as_deref())?;
    let data = options.data.unwrap_or_else(|| PathBuf::from(USUAL_DATA));
    let coordinator = cascade_coordinator::Config {
        listen: options.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
        web: options.web,
        no_web: options.no_web.unwrap_or(false),
        data: data.clone(),
        instances: options.instances,
        token: token.clone(),
        insecure: options.insecure.unwrap_or(false),
        no_records: options.no_records.unwrap_or(false),
        ..cascade_coordinator::Config::default()
    };
    let worker = cascade_worker::Config {
        name: Some("local".to_owned()),
        threads: options.threads,
        data: data.join("worker"),
        token,
        ..cascade_worker::Config::default()
    };
    // The search has threads of its own: these only talk.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the runtime")
        .or_exit(Exit::Internal)?;
    let ended = runtime.block_on(farm::run(coordinator, worker, options.duration.map(|period| period.0)));
    runtime.shutdown_background();
    ended.map(|()| Exit::Done)
}
