//! Options from the file given by `--config`, under those of the command line and the environment.
//!
//! One rule for all: the option `--token-file` is `CASCADE_TOKEN_FILE` in the environment and `token-file` in the file.

use crate::command::solve::StrategyChoice;
use crate::exit::{Exit, Failure, OrExit};
use crate::period::Period;
use anyhow::Context;
use figment::Figment;
use figment::providers::{Format, Serialized, Toml};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// Every key that the file may hold. Absent ones leave the option at its default.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Keys {
    /// URL of the coordinator.
    pub(crate) coordinator: Option<String>,
    /// Data directory of a local farm; a running one is found by the address it keeps there.
    pub(crate) data: Option<PathBuf>,
    /// File that holds the token the coordinator wants.
    pub(crate) token_file: Option<PathBuf>,
    /// Directories with more instances.
    pub(crate) instances: Option<Vec<PathBuf>>,
    /// Letters for the `?` of a grid file.
    pub(crate) fill: Option<String>,
    /// Print JSON.
    pub(crate) json: Option<bool>,
    /// Plain lines and boards, also on a terminal.
    pub(crate) plain: Option<bool>,
    /// Limit of a search in seconds.
    pub(crate) seconds: Option<f64>,
    /// Limit of a search in expansions.
    pub(crate) expansions: Option<u64>,
    /// Kind of search.
    pub(crate) strategy: Option<StrategyChoice>,
    /// Beam width, or tree size.
    pub(crate) width: Option<NonZeroU32>,
    /// Seed of all randomness.
    pub(crate) seed: Option<u64>,
    /// Threads that search.
    pub(crate) threads: Option<NonZeroU32>,
    /// Search until the best is proved.
    pub(crate) prove: Option<bool>,
    /// Memory for the positions of a proof in MiB.
    pub(crate) memory: Option<NonZeroU32>,
    /// File for the sequence.
    pub(crate) out: Option<PathBuf>,
    /// Size of the contest entry in bytes.
    pub(crate) entry_bytes: Option<u64>,
    /// Always the counting bound.
    pub(crate) counting: Option<bool>,
    /// How long a local farm runs.
    #[serde(rename = "for")]
    pub(crate) duration: Option<Period>,
    /// Address a local farm listens on.
    pub(crate) listen: Option<String>,
    /// Address of the page of a local farm.
    pub(crate) web: Option<String>,
    /// A local farm serves no page.
    pub(crate) no_web: Option<bool>,
    /// Listen beyond this machine without a token.
    pub(crate) insecure: Option<bool>,
    /// Do not start from the records that come with the program.
    pub(crate) no_records: Option<bool>,
    /// How many events to list.
    pub(crate) limit: Option<u32>,
    /// File for a picture of a play.
    pub(crate) svg: Option<PathBuf>,
    /// File for a page that plays a play.
    pub(crate) html: Option<PathBuf>,
}

/// The file of options, or none.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    file: Figment,
}

impl Settings {
    /// Reads `path`, refusing keys that are no options.
    pub(crate) fn read(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::default()) };
        let shown = path.display();
        std::fs::metadata(path).with_context(|| format!("cannot read {shown}")).or_exit(Exit::BadInput)?;
        let file = Figment::from(Toml::file_exact(path));
        match file.extract::<Keys>() {
            Ok(_) => Ok(Self { file }),
            Err(error) => Err(Failure::say(Exit::BadInput, format!("{shown}: {}", describe(error)))),
        }
    }

    /// The options `given` on the command line or in the environment, those left open filled from the file.
    pub(crate) fn complete<T: Serialize + DeserializeOwned>(&self, given: &T) -> Result<T, Failure> {
        let figment = self.file.clone().merge(Serialized::defaults(given));
        figment.extract().context("cannot use these options").or_exit(Exit::BadInput)
    }
}

/// What is wrong with each key, and what was expected.
fn describe(error: figment::Error) -> String {
    let reason = |error: figment::Error| match error.path.join(".") {
        key if key.is_empty() => error.kind.to_string(),
        key => format!("{key}: {}", error.kind),
    };
    error.into_iter().map(reason).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commented_example_holds_every_key() {
        let example = include_str!("../../configs/cascade.toml");
        let keys: String = example
            .lines()
            .filter_map(|line| line.strip_prefix('#').filter(|key| !key.starts_with([' ', '-'])))
            .map(|line| format!("{line}\n"))
            .collect();
        let read: Keys = Figment::from(Toml::string(&keys)).extract().expect("the example is valid");
        let read = serde_json::to_value(read).expect("serialises");
        for (key, value) in read.as_object().expect("an object") {
            assert!(!value.is_null(), "the example lacks {key}");
        }
    }

    #[test]
    fn the_page_on_configuration_tells_of_every_key() {
        let page = include_str!("../../docs/configuration.md");
        let keys = serde_json::to_value(Keys::default()).expect("serialises");
        for key in keys.as_object().expect("an object").keys() {
            assert!(page.contains(&format!("| `{key}` |")), "the page lacks {key}");
        }
    }
}
