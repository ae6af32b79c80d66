//! Everything that can be set.

use cascade_proto::Token;
use serde::{Deserialize, Serialize};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

/// The usual port of the page.
const WEB_PORT: u16 = 7480;

/// The settings of a coordinator. Each has a flag, an environment variable and a key of the same name in the
/// configuration file; see [`crate::options::Options`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address to serve the page, its JSON and the metrics on; without one, port 7480 beside `listen`, or a free one
    /// where that takes a free one.
    pub web: Option<SocketAddr>,
    /// Serve no page.
    pub no_web: bool,
    /// Pages of other sites that may read the JSON from a browser, as `https://host`.
    pub web_origins: Vec<String>,
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
    /// A program and its arguments to run for each new best. The environment has `CASCADE_INSTANCE`, `CASCADE_SCORE`
    /// and `CASCADE_WORKER`; the sequence comes on standard input.
    pub on_best: Vec<String>,
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

impl Config {
    /// Where the page is to be served, if it is.
    #[must_use]
    pub fn web_address(&self) -> Option<SocketAddr> {
        let beside = || {
            let port = if self.listen.port() == 0 { 0 } else { WEB_PORT };
            SocketAddr::new(self.listen.ip(), port)
        };
        (!self.no_web).then(|| self.web.unwrap_or_else(beside))
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7400)),
            web: None,
            no_web: false,
            web_origins: Vec::new(),
            data: PathBuf::from("cascade-data"),
            instances: Vec::new(),
            token_file: None,
            token: None,
            insecure: false,
            no_records: false,
            on_best: Vec::new(),
            log_format: LogFormat::Text,
            log_level: "info".to_owned(),
        }
    }
}
