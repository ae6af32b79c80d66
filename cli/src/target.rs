//! `INSTANCE|FILE`: which instance a command is about.

use crate::exit::{Exit, Failure, OrExit};
use anyhow::Context;
use cascade_games::catalog::LookupError;
use cascade_games::instance::NameError;
use cascade_games::{AnyGame, Catalog, GameId, Instance, InstanceName, Origin, tetris, tritown};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// How the argument is described in every help text.
pub(crate) const TARGET_HELP: &str = "\
INSTANCE is a name: tetris/baba, tritown/7, or short: baba, tritown7. FILE is a grid file (rows of a-d and ?), or a \
     tritown case (.in). A name that is known comes first: write ./baba for a file called baba.";

/// Options that help find the instance.
#[derive(Args, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TargetOptions {
    /// Letters for the '?' of a grid file, in reading order; FILE-LETTERS says the same
    #[arg(long, value_name = "LETTERS", env = "CASCADE_FILL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fill: Option<String>,
    /// Directory with more instances; may be given several times
    #[arg(long, value_name = "DIR", env = "CASCADE_INSTANCES", value_delimiter = ':')]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) instances: Vec<PathBuf>,
}

impl TargetOptions {
    /// The instance that `text` stands for.
    pub(crate) fn resolve(&self, text: &str) -> Result<Instance, Failure> {
        let catalog = catalog(&self.instances)?;
        let name = text.parse::<InstanceName>();
        if let Ok(name) = &name {
            match catalog.get(name) {
                Ok(instance) => return Ok(instance.clone()),
                Err(error @ LookupError::Illegal { .. }) => return Err(error).or_exit(Exit::BadInput),
                Err(LookupError::Unknown(_)) => {}
            }
        }
        if let Some((path, fill)) = self.file(text) {
            return read_file(&path, fill.as_deref());
        }
        Err(Failure::say(Exit::BadInput, unknown(text, name, &catalog)))
    }

    /// Whether `text` names a file and no instance that is known here.
    pub(crate) fn is_file(&self, text: &str) -> Result<bool, Failure> {
        let catalog = catalog(&self.instances)?;
        let known = |name: InstanceName| !matches!(catalog.get(&name), Err(LookupError::Unknown(_)));
        Ok(!text.parse().is_ok_and(known) && self.file(text).is_some())
    }

    /// The file that `text` names, and the fill: `FILE`, or `FILE-LETTERS`.
    fn file(&self, text: &str) -> Option<(PathBuf, Option<String>)> {
        let path = Path::new(text);
        if path.is_file() {
            return Some((path.to_owned(), self.fill.clone()));
        }
        if let Some((file, fill)) = text.rsplit_once('-')
            && self.fill.is_none()
            && Path::new(file).is_file()
        {
            return Some((PathBuf::from(file), Some(fill.to_owned())));
        }
        let is_path = path.extension().is_some() || text.split_once('/').is_some_and(|(first, _)| is_folder(first));
        is_path.then(|| (path.to_owned(), self.fill.clone()))
    }
}

/// Whether what stands before the first slash is a folder's name, not a game's.
fn is_folder(first: &str) -> bool {
    GameId::from_name(first).is_none()
}

/// The built-in instances and those of `directories`.
pub(crate) fn catalog(directories: &[PathBuf]) -> Result<Catalog, Failure> {
    cascade_coordinator::instances::load(directories).or_exit(Exit::BadInput)
}

fn read_file(path: &Path, fill: Option<&str>) -> Result<Instance, Failure> {
    let shown = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}")).or_exit(Exit::BadInput)?;
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let is_case = path.extension().is_some_and(|extension| extension == "in");
    let (label, game) = if is_case {
        if fill.is_some() {
            return Err(Failure::say(Exit::Usage, format!("{shown} is a tritown case: a fill is for grids")));
        }
        let label = stem.strip_prefix("tritown").filter(|number| !number.is_empty()).unwrap_or(&stem);
        (label.to_owned(), read_case(path, &shown, &text)?)
    } else {
        let game = read_grid(&shown, &text, fill)?;
        (fill.map_or_else(|| stem.clone(), |fill| format!("{stem}-{fill}")), game)
    };
    let name = InstanceName::new(game.id(), &as_name(&label)).or_exit(Exit::Internal)?;
    Ok(Instance { name, origin: Origin::File(shown), game })
}

fn read_case(path: &Path, shown: &str, text: &str) -> Result<AnyGame, Failure> {
    let case = tritown::TritownGame::parse(text, shown).or_exit(Exit::BadInput)?;
    let marks = path.with_extension("ans");
    if !marks.is_file() {
        return Ok(AnyGame::Tritown(case.into()));
    }
    let shown = marks.display().to_string();
    let text = fs::read_to_string(&marks).with_context(|| format!("cannot read {shown}")).or_exit(Exit::BadInput)?;
    let marks = tritown::Marks::parse(&text, &shown).or_exit(Exit::BadInput)?;
    Ok(AnyGame::Tritown(case.with_marks(marks).into()))
}

fn read_grid(shown: &str, text: &str, fill: Option<&str>) -> Result<AnyGame, Failure> {
    let grid = tetris::Grid::parse(text, shown).or_exit(Exit::BadInput)?;
    let fills = grid.fills();
    let letters = fills.first().map_or(0, |first| first.letters.len());
    match fill {
        None if letters > 0 => {
            return Err(Failure::say(
                Exit::Usage,
                format!("{shown} has {letters} '?': give a letter for each, as in --fill {}", "a".repeat(letters)),
            ));
        }
        Some(_) if letters == 0 => {
            return Err(Failure::say(Exit::Usage, format!("{shown} has no '?' to fill")));
        }
        _ => {}
    }
    let wanted = fill.unwrap_or_default();
    let Some(found) = fills.into_iter().find(|candidate| candidate.letters == wanted) else {
        let message =
            format!("'{wanted}' does not fill {shown}: expected one of a, b, c, d for each of its {letters} '?'");
        return Err(Failure::say(Exit::BadInput, message));
    };
    let context = || match fill {
        Some(fill) => format!("{shown} filled with {fill} is not a legal instance"),
        None => format!("{shown} is not a legal instance"),
    };
    let game = found.game.with_context(context).or_exit(Exit::BadInput)?;
    Ok(AnyGame::Tetris(game.into()))
}

/// `label` as the second part of an instance's name.
fn as_name(label: &str) -> String {
    let usable = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = label.trim_start_matches('.').chars().map(usable).take(100).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

fn unknown(text: &str, name: Result<InstanceName, NameError>, catalog: &Catalog) -> String {
    let name = match name {
        Ok(name) => name.to_string(),
        Err(error) => return format!("{error}; and there is no file {text}"),
    };
    let mut message = format!("there is no instance {name}, and no file {text}");
    let near = nearest(&name, catalog.instances().into_iter().map(|instance| instance.name.to_string()));
    if !near.is_empty() {
        message.push_str(&format!("; near names: {}", near.join(", ")));
    }
    message
}

/// Up to three of the `known` names that look like `name`, the nearest first.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    const FARTHEST: usize = 2;
    let mut near: Vec<_> = known
        .map(|known| (strsim::damerau_levenshtein(name, &known), known))
        .filter(|(distance, _)| *distance <= FARTHEST)
        .collect();
    near.sort();
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_names() {
        for (label, name) in [("r01", "r01"), ("my grid", "my-grid"), (".hidden", "hidden"), ("", "unnamed")] {
            assert_eq!(as_name(label), name);
        }
    }
}
