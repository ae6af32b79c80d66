//! Everything that can be set.

use cascade_proto::Token;
use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// The settings of a coordinator. Each has a flag, an environment variable and a key of the same name in the
/// configuration file; see [`crate::options::Options`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The directory of the store, the best files and the lock. Made if absent.
    pub data: PathBuf,
    /// Directories whose grid files and cases come on top of the built-in instances.
    pub instances: Vec<PathBuf>,
    /// A file that holds the token every client must send.
    pub token_file: Option<PathBuf>,
    /// The token itself, from the environment. Wins over the file.
    #[serde(skip)]
    pub token: Option<Token>,
    /// Listen beyond this machine without a token.
    pub insecure: bool,
    /// Leave the shipped record sequences out of an empty store.
    pub no_records: bool,
    /// The form of log lines.
    pub log_format: LogFormat,
    /// What is logged: a level (`info`), or levels by module as tracing writes them (`warn,cascade_coordinator=debug`).
    pub log_level: String,
}

/// The form of log lines on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7400)),
            data: PathBuf::from("cascade-data"),
            instances: Vec::new(),
            token_file: None,
            token: None,
            insecure: false,
            no_records: false,
            log_format: LogFormat::Text,
            log_level: "info".to_owned(),
        }
    }
}
