//! The instances of a farm: the built-in ones, and what directories add.

use cascade_games::Catalog;
use cascade_games::catalog::CatalogError;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Folders of a directory that are searched too.
const FOLDERS: [&str; 2] = ["tetris", "tritown"];

/// The largest file that is read: a 16x16 grid has 272 bytes, and a case of 100,000 levels some 200,000.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The instances cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum InstancesError {
    /// A directory or file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The directory or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is too large to be an instance.
    #[error("{path}: found {found} bytes, expected at most {LARGEST}")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size in bytes.
        found: u64,
    },
    /// A file is not of its format, or gives a name twice.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// The built-in instances and, on top, those of each of `directories`: `NAME.txt`, `tritownN.in` and `tritownN.ans` in
/// it or in its folders `tetris` and `tritown`. Other files are left out with a line in the log.
///
/// # Errors
/// When a directory or file cannot be read, is not of its format, or gives a name twice.
pub fn load(directories: &[impl AsRef<Path>]) -> Result<Catalog, InstancesError> {
    let mut catalog = Catalog::built_in()?;
    for directory in directories {
        add_directory(&mut catalog, directory.as_ref())?;
    }
    Ok(catalog)
}

fn add_directory(catalog: &mut Catalog, directory: &Path) -> Result<(), InstancesError> {
    let mut files = list(directory)?;
    for folder in FOLDERS.map(|name| directory.join(name)) {
        if folder.is_dir() {
            files.extend(list(&folder)?);
        }
    }
    // Marks come after the cases they belong to.
    files.sort_by_key(|path| (has_ending(path, "ans"), path.clone()));
    let mut added = 0;
    for path in files {
        if is_instance(&path) {
            catalog.add_file(&path.display().to_string(), &read(&path)?)?;
            added += 1;
        } else {
            tracing::info!("{}: left out, since it is no NAME.txt, tritownN.in or tritownN.ans", path.display());
        }
    }
    if added == 0 {
        tracing::warn!("{}: no instances there", directory.display());
    }
    Ok(())
}

fn list(directory: &Path) -> Result<Vec<PathBuf>, InstancesError> {
    let unreadable = |source| InstancesError::Unreadable { path: directory.to_owned(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<String, InstancesError> {
    let unreadable = |source| InstancesError::Unreadable { path: path.to_owned(), source };
    let found = path.metadata().map_err(unreadable)?.len();
    if found > LARGEST {
        return Err(InstancesError::TooLarge { path: path.to_owned(), found });
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

fn is_instance(path: &Path) -> bool {
    let case = path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("tritown"));
    has_ending(path, "txt") || (case && (has_ending(path, "in") || has_ending(path, "ans")))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension() == Some(OsStr::new(ending))
}
