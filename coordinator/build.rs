//! Builds the record sequences of `configs/records` into the coordinator.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const FOLDERS: [(&str, &str); 2] = [("tetris", "txt"), ("tritown", "out")];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/records").canonicalize()?;
    println!("cargo::rerun-if-changed={}", records.display());
    let mut list = String::from("&[\n");
    for (game, ending) in FOLDERS {
        let folder = records.join(game);
        if !folder.is_dir() {
            continue;
        }
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|found| found == ending)) {
            let name = file.file_stem().and_then(|stem| stem.to_str()).ok_or("a record's name is not UTF-8")?;
            writeln!(list, "({:?}, include_str!({:?})),", format!("{game}/{name}"), file.display().to_string())?;
        }
    }
    list.push(']');
    fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("records.rs"), list)?;
    Ok(())
}
