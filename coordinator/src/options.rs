//! The command line of `cascade-coordinator`, and how settings from all sources come together.

use crate::config::{Config, LogFormat};
use cascade_proto::Token;
use cascade_proto::token::TokenError;
use clap::Parser;
use clap::builder::BoolishValueParser;
use figment::Figment;
use figment::providers::{Format, Serialized, Toml};
use serde::Serialize;
use std::net::SocketAddr;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  Serve workers on this machine, with your own grids on top of the built-in instances:
    cascade-coordinator --data ./cascade-data --instances ./grids

  Serve workers elsewhere, with a shared token:
    head -c 24 /dev/urandom | base64 > token
    cascade-coordinator --listen 0.0.0.0:7400 --token-file token

A flag wins over its environment variable, that over the configuration file, that over the default.
The token can also be given as CASCADE_TOKEN; it has no flag, since other users could read it.

Exit codes: 0 stopped as asked; 2 usage; 3 bad input (a file of instances, a damaged store).";

/// Knows every puzzle instance, leases partial states to workers, judges what they find and keeps the best.
#[derive(Debug, Parser, Serialize)]
#[command(name = "cascade-coordinator", version, after_help = EXAMPLES)]
#[serde(rename_all = "kebab-case")]
pub struct Options {
    /// Read settings from this TOML file (configs/coordinator.toml shows every key)
    #[arg(long, env = "CASCADE_COORDINATOR_CONFIG", value_name = "FILE")]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Address to listen on; port 0 takes a free one [default: 127.0.0.1:7400]
    #[arg(long, env = "CASCADE_LISTEN", value_name = "ADDR:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,

    /// Address of the page, its JSON and the metrics [default: port 7480 beside --listen]
    #[arg(long, env = "CASCADE_WEB", value_name = "ADDR:PORT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web: Option<SocketAddr>,

    /// Serve no page
    #[arg(long, env = "CASCADE_NO_WEB", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_web: Option<bool>,

    /// Site whose pages may read the JSON from a browser, as https://farm.example; may be repeated.
    /// In the variable, sites are separated by blanks
    #[arg(long, env = "CASCADE_WEB_ORIGINS", value_name = "URL", value_delimiter = ' ')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub web_origins: Vec<String>,

    /// Directory of the store, the best files and the lock; made if absent [default: ./cascade-data]
    #[arg(long, env = "CASCADE_DATA", value_name = "DIR")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,

    /// Directory with grid files (NAME.txt) and cases (tritownN.in, tritownN.ans); may be repeated.
    /// In the variable, directories are separated by ':'
    #[arg(long, env = "CASCADE_INSTANCES", value_name = "DIR", value_delimiter = ':')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<PathBuf>,

    /// File that holds the token every client must send
    #[arg(long, env = "CASCADE_TOKEN_FILE", value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<PathBuf>,

    /// Listen beyond this machine without a token: anyone who reaches the port may do anything
    #[arg(long, env = "CASCADE_INSECURE", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insecure: Option<bool>,

    /// Leave the shipped record sequences out of an empty store
    #[arg(long, env = "CASCADE_NO_RECORDS", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_records: Option<bool>,

    /// Program to run for each new best, the sequence on its standard input, CASCADE_INSTANCE, CASCADE_SCORE and
    /// CASCADE_WORKER in its environment. Arguments are given by repeating the flag, as in
    /// --on-best notify-send --on-best "new best"; in the variable there is room for the program alone
    #[arg(long, env = "CASCADE_ON_BEST", value_name = "WORD", allow_hyphen_values = true)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub on_best: Vec<String>,

    /// Form of the log lines on standard error [default: text]
    #[arg(long, env = "CASCADE_LOG_FORMAT", value_enum)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_format: Option<LogFormat>,

    /// What to log: error, warn, info, debug, trace, or levels by module [default: info]
    #[arg(long, env = "CASCADE_LOG_LEVEL", value_name = "LEVEL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_level: Option<String>,

    /// The token, from the environment only.
    #[arg(skip = std::env::var("CASCADE_TOKEN").ok())]
    #[serde(skip)]
    pub token: Option<String>,
}

/// The settings do not come together.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// A source holds something unknown or of the wrong kind.
    #[error("{}", Self::place(.0))]
    Setting(Box<figment::Error>),
    /// The token in the environment cannot be used.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl OptionsError {
    /// What is wrong, the key and the file.
    fn place(error: &figment::Error) -> String {
        let source = error.metadata.as_ref().and_then(|metadata| metadata.source.as_ref());
        let file = source.map(|source| format!("{source}: ")).unwrap_or_default();
        let key = if error.path.is_empty() { String::new() } else { format!("key '{}': ", error.path.join(".")) };
        format!("{file}{key}{}", error.kind)
    }
}

impl Options {
    /// The settings: these options over the configuration file over the defaults.
    ///
    /// # Errors
    /// When the file cannot be read or holds an unknown key or a wrong value; the message names file and key.
    pub fn into_config(self) -> Result<Config, OptionsError> {
        let mut figment = Figment::from(Serialized::defaults(Config::default()));
        if let Some(file) = &self.config {
            figment = figment.merge(Toml::file_exact(file));
        }
        let mut config: Config = figment
            .merge(Serialized::defaults(&self))
            .extract()
            .map_err(|error| OptionsError::Setting(Box::new(error)))?;
        config.token = self.token.as_deref().map(|text| Token::new(text, "CASCADE_TOKEN")).transpose()?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::io::Write;

    fn config(arguments: &[&str], file: &str) -> Result<Config, OptionsError> {
        let mut written = tempfile::NamedTempFile::with_suffix(".toml").expect("a file");
        written.write_all(file.as_bytes()).expect("written");
        let path = written.path().display().to_string();
        let arguments = ["cascade-coordinator", "--config", &path].into_iter().chain(arguments.iter().copied());
        Options::try_parse_from(arguments).expect("arguments parse").into_config()
    }

    #[test]
    fn the_command_is_well_formed() {
        Options::command().debug_assert();
    }

    #[test]
    fn a_flag_wins_over_the_file_and_the_file_over_the_default() {
        let config = config(&["--listen", "127.0.0.1:1"], "listen = '127.0.0.1:2'\ndata = 'elsewhere'").expect("fits");
        assert_eq!(config.listen.port(), 1);
        assert_eq!(config.data, PathBuf::from("elsewhere"));
        assert!(!config.insecure);
    }

    #[test]
    fn flags_without_a_value_and_repeated_ones_are_taken() {
        let config =
            config(&["--insecure", "--no-records=false", "--instances", "a", "--instances", "b:c"], "").expect("fits");
        assert!(config.insecure && !config.no_records);
        assert_eq!(config.instances, ["a", "b", "c"].map(PathBuf::from));
    }

    #[test]
    fn an_unknown_key_and_a_wrong_value_are_refused_with_file_and_key() {
        for (file, key) in [("lisen = '127.0.0.1:2'", "lisen"), ("insecure = 'perhaps'", "insecure")] {
            let error = config(&[], file).expect_err("refused").to_string();
            assert!(error.contains(key) && error.contains(".toml"), "{error}");
        }
    }

    #[test]
    fn a_missing_file_is_refused_by_name() {
        let options = Options::try_parse_from(["cascade-coordinator", "--config", "/nowhere/c.toml"]).expect("parses");
        let error = options.into_config().expect_err("refused").to_string();
        assert!(error.contains("/nowhere/c.toml"), "{error}");
    }

    #[test]
    fn the_commented_example_holds_every_key_with_its_default() {
        let example = include_str!("../../configs/coordinator.toml");
        let uncommented: String = example
            .lines()
            .filter_map(|line| line.strip_prefix("# ").filter(|key| key.contains(" = ")).or(Some(line)))
            .filter(|line| !line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        let from_example = config(&[], &uncommented).expect("the example is valid");
        let keys = |config: &Config| serde_json::to_value(config).expect("serialises");
        let (mut example, default) = (keys(&from_example), keys(&Config::default()));
        for optional in ["instances", "token-file", "web", "web-origins", "on-best"] {
            assert_ne!(example[optional], default[optional], "the example shows {optional}");
            example[optional] = default[optional].clone();
        }
        assert_eq!(example, default);
        for key in default.as_object().expect("an object").keys() {
            assert!(uncommented.contains(&format!("{key} = ")), "the example lacks {key}");
        }
    }
}
