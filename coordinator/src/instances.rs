//! The instances of a farm: the built-in ones, and what directories add.

use cascade_games::catalog::CatalogError;
use cascade_games::{Catalog, Digest, Instance, InstanceName, Origin};
use std::collections::BTreeMap;
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

/// The instances of `catalog`, each content once: a file that repeats what the program or another file holds gives way,
/// with a line in the log.
#[must_use]
pub fn distinct(catalog: &Catalog) -> Vec<Instance> {
    let mut by_origin = catalog.instances();
    by_origin.sort_by_key(|instance| matches!(instance.origin, Origin::File(_)));
    let mut holders: BTreeMap<Digest, &InstanceName> = BTreeMap::new();
    let mut repeated: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for instance in by_origin {
        let holder = *holders.entry(instance.puzzle().digest()).or_insert(&instance.name);
        if let Origin::File(file) = &instance.origin
            && *holder != instance.name
        {
            repeated.entry(file).or_default().push(format!("{} is {holder}", instance.name));
        }
    }
    for (file, names) in repeated {
        tracing::warn!("{file}: {} of its instances are served under another name ({}, ...)", names.len(), names[0]);
    }
    let is_holder = |instance: &&Instance| holders.get(&instance.puzzle().digest()) == Some(&&instance.name);
    catalog.instances().into_iter().filter(is_holder).cloned().collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A directory of these files.
    fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        for (path, text) in files {
            let path = directory.path().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, text).expect("written");
        }
        directory
    }

    fn origin(catalog: &Catalog, name: &str) -> Origin {
        catalog.get(&name.parse().expect("a name")).expect("an instance").origin.clone()
    }

    const CASE: &str = "2 2\n1 1\n..\n..\n3\n1 1 1\n";

    #[test]
    fn files_come_on_top_and_official_cases_in_place_of_stand_ins() {
        let mine = directory(&[
            ("small.txt", "abcd\nbcda\n"),
            ("tetris/other.txt", "abc?\nbcda\n"),
            ("tritown/tritown7.ans", "9\n8\n7\n6\n5\n4\n3\n2\n1\n"),
            ("tritown/tritown7.in", CASE),
            ("README.md", "left out"),
            ("deeper/down/odd.txt", "left out"),
        ]);
        let catalog = load(&[mine.path()]).expect("loads");
        assert!(matches!(origin(&catalog, "tetris/small"), Origin::File(_)));
        assert!(matches!(origin(&catalog, "tetris/other-a"), Origin::File(_)));
        assert!(matches!(origin(&catalog, "tritown/7"), Origin::File(_)));
        assert_eq!(origin(&catalog, "tritown/8"), Origin::StandIn);
        assert_eq!(origin(&catalog, "tetris/baba"), Origin::BuiltIn);
    }

    #[test]
    fn a_name_given_twice_is_refused_with_both_files() {
        let (first, second) = (directory(&[("a.txt", "abcd\n")]), directory(&[("tetris/a.txt", "bcda\n")]));
        let error = load(&[first.path(), second.path()]).expect_err("refused").to_string();
        for place in [first.path(), second.path()] {
            assert!(error.contains(&place.display().to_string()), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let missing = Path::new("/nowhere/at/all");
        let error = load(&[missing]).expect_err("refused").to_string();
        assert!(error.contains("/nowhere/at/all"), "{error}");
        let binary = directory(&[("a.txt", "")]);
        fs::write(binary.path().join("a.txt"), [0xff, 0xfe, 0]).expect("written");
        let error = load(&[binary.path()]).expect_err("refused").to_string();
        assert!(error.contains("a.txt"), "{error}");
    }

    #[test]
    fn a_repeated_content_keeps_the_name_that_the_program_gives_it() {
        let copy = directory(&[("another.txt", cascade_games::tetris::CONTEST_GRID), ("own.txt", "abcd\n")]);
        let catalog = load(&[copy.path()]).expect("loads");
        let names: Vec<String> = distinct(&catalog).iter().map(|instance| instance.name.to_string()).collect();
        assert_eq!(names.len(), 91 + 10 + 1);
        assert!(names.contains(&"tetris/baba".to_owned()) && names.contains(&"tetris/own".to_owned()));
    }
}
