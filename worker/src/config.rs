//! How a worker is set up: flags, environment, a TOML file, defaults, in this order of precedence.

use cascade_proto::Token;
use cascade_proto::token::TokenError;
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};
use figment::Figment;
use figment::providers::{Format, Serialized, Toml};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The environment variable that may hold the token itself.
const TOKEN_VARIABLE: &str = "CASCADE_TOKEN";

/// Everything a worker can be told. Keys of the TOML file have the same names, with dashes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The coordinator: `HOST:PORT` or a URL.
    pub coordinator: String,
    /// The worker's name, unique in the farm. Absent: the host's name and a suffix kept in the data directory.
    pub name: Option<String>,
    /// Search threads. Absent: all cores.
    pub threads: Option<NonZeroUsize>,
    /// The directory for sequences not yet acknowledged and for checkpoints.
    pub data: PathBuf,
    /// A file that holds the farm's token and nothing else.
    pub token_file: Option<PathBuf>,
    /// The token itself; never from the TOML file.
    #[serde(skip)]
    pub token: Option<Token>,
    /// How often a long search is checkpointed.
    #[serde(with = "readable_duration")]
    pub checkpoint_every: Duration,
    /// The largest checkpoint kept, compressed, in MiB.
    pub checkpoint_limit: u32,
    /// How long the coordinator may be out of reach before the worker gives up. Absent: for ever.
    #[serde(with = "readable_duration::optional")]
    pub give_up_after: Option<Duration>,
    /// What is logged: a level, or levels by module in the words of the `tracing` crate's filters.
    pub log_level: String,
    /// How log lines look.
    pub log_format: LogFormat,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            coordinator: "http://127.0.0.1:7400".to_owned(),
            name: None,
            threads: None,
            data: PathBuf::from("cascade-worker-data"),
            token_file: None,
            token: None,
            checkpoint_every: Duration::from_secs(30),
            checkpoint_limit: 64,
            give_up_after: None,
            log_level: "info".to_owned(),
            log_format: LogFormat::Text,
        }
    }
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Signs on to a coordinator and searches what it leases.
///
/// Sequences that the coordinator has not acknowledged yet are kept on disk and reported after a restart.
/// SIGTERM or Ctrl-C stops the search, reports, gives leases back and ends within 10 seconds.
#[derive(Debug, Parser, Serialize)]
#[command(
    name = "cascade-worker",
    version,
    after_help = "\
Example:
  cascade-worker --coordinator http://farm.example:7400 --name attic --threads 8 --data /var/lib/cascade-worker

Exit codes:
  0 ended as asked, 2 usage (also: another worker took this name), 3 bad input (also: the data directory cannot be used),
  4 coordinator unreachable (only with --give-up-after), 5 credentials, 6 versions"
)]
#[serde(rename_all = "kebab-case")]
struct Options {
    /// A TOML file with any of these options; flags and environment variables win over it.
    #[arg(long, env = "CASCADE_WORKER_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// The coordinator: HOST:PORT or a URL [default: http://127.0.0.1:7400].
    #[arg(long, env = "CASCADE_COORDINATOR", value_name = "URL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    coordinator: Option<String>,
    /// The worker's name, unique in the farm [default: the host's name and a suffix kept in the data directory].
    #[arg(long, env = "CASCADE_WORKER_NAME", value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Search threads [default: all cores].
    #[arg(long, env = "CASCADE_THREADS", value_name = "T")]
    #[serde(skip_serializing_if = "Option::is_none")]
    threads: Option<NonZeroUsize>,
    /// The directory for sequences not yet acknowledged and for checkpoints [default: ./cascade-worker-data].
    #[arg(long, env = "CASCADE_WORKER_DATA", value_name = "DIR")]
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<PathBuf>,
    /// A file that holds the farm's token; the token itself may stand in the variable CASCADE_TOKEN instead.
    #[arg(long, env = "CASCADE_TOKEN_FILE", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    token_file: Option<PathBuf>,
    /// How often a long search is checkpointed [default: 30s].
    #[arg(long, env = "CASCADE_CHECKPOINT_EVERY", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(skip_serializing_if = "Option::is_none", with = "readable_duration::optional")]
    checkpoint_every: Option<Duration>,
    /// The largest checkpoint kept, compressed, in MiB; a search with a larger one starts anew after a restart [default: 64].
    #[arg(long, env = "CASCADE_CHECKPOINT_LIMIT", value_name = "MIB")]
    #[serde(skip_serializing_if = "Option::is_none")]
    checkpoint_limit: Option<u32>,
    /// How long the coordinator may be out of reach before the worker ends with exit code 4 [default: for ever].
    #[arg(long, env = "CASCADE_GIVE_UP_AFTER", value_name = "DURATION", value_parser = humantime::parse_duration)]
    #[serde(skip_serializing_if = "Option::is_none", with = "readable_duration::optional")]
    give_up_after: Option<Duration>,
    /// What to log: error, warn, info, debug, trace, or levels by module [default: info].
    #[arg(long, env = "CASCADE_LOG_LEVEL", value_name = "LEVEL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log_level: Option<String>,
    /// How log lines look [default: text].
    #[arg(long, env = "CASCADE_LOG_FORMAT", value_name = "FORMAT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    log_format: Option<LogFormat>,
}

/// The options cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The command line is wrong, or asks for help or version. Its exit code and stream are the error's own.
    #[error(transparent)]
    CommandLine(#[from] clap::Error),
    /// The file cannot be read.
    #[error("cannot read the configuration file {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file holds what it should not.
    #[error("the configuration file {path}: {reason}")]
    File {
        /// The file.
        path: PathBuf,
        /// The key, what was found and what was expected.
        reason: String,
    },
    /// The token cannot be had.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl Config {
    /// The configuration that `arguments` (the program's name first), the environment and the named file give.
    ///
    /// # Errors
    /// Where any of them is wrong.
    pub fn load(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, ConfigError> {
        let matches = Options::command().try_get_matches_from(arguments)?;
        let options = Options::from_arg_matches(&matches)?;
        let mut config = Self::merge(&options)?;
        let flagged = matches.value_source("token_file") == Some(ValueSource::CommandLine);
        config.token = match (std::env::var(TOKEN_VARIABLE), &config.token_file) {
            (Ok(text), _) if !flagged => Some(Token::new(&text, TOKEN_VARIABLE)?),
            (_, Some(path)) => Some(Token::read(path)?),
            (_, None) => None,
        };
        Ok(config)
    }

    fn merge(options: &Options) -> Result<Self, ConfigError> {
        let mut figment = Figment::from(Serialized::defaults(Self::default()));
        if let Some(path) = &options.config {
            figment = figment.merge(read_file(path)?);
        }
        figment.merge(Serialized::defaults(options)).extract().map_err(|error| ConfigError::File {
            path: options.config.clone().unwrap_or_default(),
            reason: describe(error),
        })
    }
}

/// The file's content, once it is known to be TOML.
fn read_file(path: &Path) -> Result<figment::providers::Data<Toml>, ConfigError> {
    let text =
        std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
    Ok(Toml::string(&text))
}

fn describe(error: figment::Error) -> String {
    let reasons: Vec<String> = error
        .into_iter()
        .map(|error| {
            let key = error.path.join(".");
            if key.is_empty() { error.kind.to_string() } else { format!("{key}: {}", error.kind) }
        })
        .collect();
    reasons.join("; ")
}

/// Durations as people write them: `30s`, `1h 5m`.
mod readable_duration {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        humantime::format_duration(*duration).to_string().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        humantime::parse_duration(&text).map_err(serde::de::Error::custom)
    }

    pub(super) mod optional {
        use serde::{Deserialize, Deserializer, Serializer};
        use std::time::Duration;

        pub(in super::super) fn serialize<S: Serializer>(
            duration: &Option<Duration>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            match duration {
                Some(duration) => serializer.serialize_some(&humantime::format_duration(*duration).to_string()),
                None => serializer.serialize_none(),
            }
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Option<Duration>, D::Error> {
            let text: Option<String> = Option::deserialize(deserializer)?;
            text.map(|text| humantime::parse_duration(&text).map_err(serde::de::Error::custom)).transpose()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(arguments: &[&str]) -> Result<Config, ConfigError> {
        Config::load(std::iter::once("cascade-worker").chain(arguments.iter().copied()).map(OsString::from))
    }

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        file
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let file = file("threads = 3\nname = 'attic'\ncheckpoint-every = '2m'\n");
        let path = file.path().to_str().expect("UTF-8");
        let config = load(&["--config", path, "--name", "cellar"]).expect("good");
        assert_eq!(config.name.as_deref(), Some("cellar"));
        assert_eq!(config.threads.map(NonZeroUsize::get), Some(3));
        assert_eq!(config.checkpoint_every, Duration::from_secs(120));
        assert_eq!(config.coordinator, "http://127.0.0.1:7400");
    }

    #[test]
    fn an_unknown_key_is_named_with_its_file() {
        let file = file("threds = 3\n");
        let path = file.path().to_str().expect("UTF-8");
        let error = load(&["--config", path]).expect_err("unknown key").to_string();
        assert!(error.contains(path) && error.contains("threds") && error.contains("threads"), "{error}");
    }

    #[test]
    fn a_value_of_the_wrong_kind_is_named_with_its_key() {
        for (text, wanted) in [("threads = 0\n", "threads"), ("checkpoint-every = 'soon'\n", "checkpoint-every")] {
            let file = file(text);
            let path = file.path().to_str().expect("UTF-8");
            let error = load(&["--config", path]).expect_err("wrong value").to_string();
            assert!(error.contains(path) && error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn the_token_comes_from_the_file_and_is_hidden() {
        let token = file("0123456789abcdef\n");
        let path = token.path().to_str().expect("UTF-8");
        let config = load(&["--token-file", path]).expect("good");
        assert_eq!(config.token.as_ref().map(Token::secret), Some("0123456789abcdef"));
        assert!(!format!("{config:?}").contains("0123456789"));
    }

    #[test]
    fn the_commented_example_holds_every_key_at_its_default() {
        let example = include_str!("../../configs/worker.toml");
        let uncommented: String = example
            .lines()
            .filter_map(|line| line.strip_prefix("#").filter(|rest| rest.contains('=') && !rest.starts_with(' ')))
            .map(|line| format!("{line}\n"))
            .collect();
        let example: Config = Figment::from(Serialized::defaults(Config::default()))
            .merge(Toml::string(&uncommented))
            .extract()
            .expect("good");
        assert_eq!(example.checkpoint_every, Config::default().checkpoint_every);
        for key in Figment::from(Serialized::defaults(Config::default()))
            .extract::<figment::value::Dict>()
            .expect("keys")
            .keys()
        {
            assert!(uncommented.contains(&format!("{key} =")), "{key} is missing");
        }
    }
}
