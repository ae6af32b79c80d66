//! Every instance that is known, by name: built-in ones, and files that come on top.

use crate::error::FormatError;
use crate::instance::{Instance, InstanceName, NameError, Origin};
use crate::registry::{AnyGame, GameId};
use crate::tetris::{self, IllegalFill};
use crate::tritown;
use std::collections::BTreeMap;

/// Instances by name, and the fills that the rules forbid, with the reason.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    instances: BTreeMap<InstanceName, Instance>,
    illegal: BTreeMap<InstanceName, IllegalFill>,
}

/// A file cannot become instances.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Its text is not of its format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Its name makes no instance's name.
    #[error("{file}: {error}")]
    Name {
        /// The file.
        file: String,
        /// What is wrong with the name.
        error: NameError,
    },
    /// Another file, or something built in, has the name already.
    #[error("{file}: the name {name} is taken by {holder}")]
    Duplicate {
        /// The file that came second.
        file: String,
        /// The name both give.
        name: InstanceName,
        /// Who has it.
        holder: String,
    },
    /// The file's name does not tell its format.
    #[error("{0}: expected a file called NAME.txt (a tetris grid), tritownN.in (a case) or tritownN.ans (its marks)")]
    UnknownKind(String),
    /// A marks file without its case.
    #[error("{file}: marks for {name}, but there is no such case")]
    MarksWithoutCase {
        /// The marks file.
        file: String,
        /// The case it is for.
        name: InstanceName,
    },
}

/// A name that the catalog cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The rules forbid the fill.
    #[error("{name} is not a legal instance: {reason}")]
    Illegal {
        /// The name asked for.
        name: InstanceName,
        /// The cluster that makes it so.
        reason: IllegalFill,
    },
    /// Nothing has this name.
    #[error("there is no instance {0}; `cascade status` lists them, and a file is given as a path with a '.' or '/'")]
    Unknown(InstanceName),
}

impl Catalog {
    /// A catalog of nothing.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// The contest grid's fills and the ten stand-in cases.
    ///
    /// # Errors
    /// Never, unless the program was built with damaged instances.
    pub fn built_in() -> Result<Self, CatalogError> {
        let mut catalog = Self::empty();
        catalog.add_grid("<built-in contest grid>", None, tetris::CONTEST_GRID, &Origin::BuiltIn)?;
        for (number, text) in tritown::STAND_INS {
            catalog.add_case("<built-in stand-in>", number, text, Origin::StandIn)?;
        }
        Ok(catalog)
    }

    /// Adds what the file called `path` with content `text` holds. Case and grid files come before marks files.
    ///
    /// # Errors
    /// Where the text is not of its format or a name is given twice. A stand-in gives way to a file.
    pub fn add_file(&mut self, path: &str, text: &str) -> Result<(), CatalogError> {
        let file_name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let unknown = || CatalogError::UnknownKind(path.to_owned());
        let (stem, ending) = file_name.rsplit_once('.').ok_or_else(unknown)?;
        match (stem.strip_prefix("tritown"), ending) {
            (Some(number), "in") => self.add_case(path, number, text, Origin::File(path.to_owned())),
            (Some(number), "ans") => self.add_marks(path, number, text),
            (_, "txt") => self.add_grid(path, Some(stem), text, &Origin::File(path.to_owned())),
            _ => Err(unknown()),
        }
    }

    /// The instance called `name`.
    ///
    /// # Errors
    /// When there is none, or the name is of a fill that the rules forbid.
    pub fn get(&self, name: &InstanceName) -> Result<&Instance, LookupError> {
        if let Some(instance) = self.instances.get(name) {
            return Ok(instance);
        }
        Err(match self.illegal.get(name) {
            Some(reason) => LookupError::Illegal { name: name.clone(), reason: reason.clone() },
            None => LookupError::Unknown(name.clone()),
        })
    }

    /// All instances in the order of their names, numbers by value.
    #[must_use]
    pub fn instances(&self) -> Vec<&Instance> {
        let mut all: Vec<_> = self.instances.values().collect();
        all.sort_by_key(|instance| (instance.name.game(), instance.name.name().parse::<u64>().ok(), &instance.name));
        all
    }

    /// Fills that the rules forbid.
    pub fn illegal(&self) -> impl Iterator<Item = (&InstanceName, &IllegalFill)> {
        self.illegal.iter()
    }

    fn add_grid(&mut self, file: &str, stem: Option<&str>, text: &str, origin: &Origin) -> Result<(), CatalogError> {
        let grid = tetris::Grid::parse(text, file)?;
        for fill in grid.fills() {
            let label = match (stem, fill.letters.is_empty()) {
                (Some(stem), true) => stem.to_owned(),
                (Some(stem), false) => format!("{stem}-{}", fill.letters),
                (None, _) => fill.letters.clone(),
            };
            let name = Self::name(file, GameId::Tetris, &label)?;
            match fill.game {
                Ok(game) => self.insert(file, name, origin.clone(), AnyGame::Tetris(game.into()))?,
                Err(reason) => {
                    self.illegal.insert(name, reason);
                }
            }
        }
        Ok(())
    }

    fn add_case(&mut self, file: &str, number: &str, text: &str, origin: Origin) -> Result<(), CatalogError> {
        let name = Self::name(file, GameId::Tritown, number)?;
        let game = tritown::TritownGame::parse(text, file)?;
        self.insert(file, name, origin, AnyGame::Tritown(game.into()))
    }

    fn add_marks(&mut self, file: &str, number: &str, text: &str) -> Result<(), CatalogError> {
        let name = Self::name(file, GameId::Tritown, number)?;
        let marks = tritown::Marks::parse(text, file)?;
        let Some(instance) = self.instances.get_mut(&name) else {
            return Err(CatalogError::MarksWithoutCase { file: file.to_owned(), name });
        };
        if let AnyGame::Tritown(game) = &instance.game {
            instance.game = AnyGame::Tritown(game.with_marks(marks).into());
        }
        Ok(())
    }

    fn name(file: &str, game: GameId, name: &str) -> Result<InstanceName, CatalogError> {
        InstanceName::new(game, name).map_err(|error| CatalogError::Name { file: file.to_owned(), error })
    }

    fn insert(&mut self, file: &str, name: InstanceName, origin: Origin, game: AnyGame) -> Result<(), CatalogError> {
        if let Some(holder) = self.instances.get(&name).filter(|held| held.origin != Origin::StandIn) {
            let holder = match &holder.origin {
                Origin::File(path) => path.clone(),
                _ => "an instance built into the program".to_owned(),
            };
            return Err(CatalogError::Duplicate { file: file.to_owned(), name, holder });
        }
        self.instances.insert(name.clone(), Instance { name, origin, game });
        Ok(())
    }
}
