//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts `content` at `path` by writing a neighbour, syncing it and renaming it: a reader, or a start after a crash, sees
/// the old content or the new one. The directory is made if absent.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(directory)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let neighbour = directory.join(name);
    let mut file = File::create(&neighbour)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&neighbour, path)?;
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_is_replaced_and_no_neighbour_stays() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("new/folder/best.txt");
        for content in ["first", "second, and longer", "3"] {
            write(&path, content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("readable"), content);
        }
        assert_eq!(fs::read_dir(path.parent().expect("a parent")).expect("listed").count(), 1);
    }
}
