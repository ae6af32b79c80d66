//! Running the real command and holding what it says against files in `golden/`.

#![allow(dead_code, reason = "each test file uses some of this")]

pub(crate) mod farm;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A tritown case whose optimum, 1150, lies below its bounds.
pub(crate) const BELOW_ITS_BOUND: &str = "1 5\n1 1\n1..1.\n14\n3 2 2 3 1 3 1 2 2 1 2 3 1 2\n";

/// The command, in `directory`, with nothing of the caller's environment that would change what it does.
pub(crate) fn cascade(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cascade"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("CASCADE_") {
            command.env_remove(name);
        }
    }
    command.current_dir(directory).stdin(Stdio::null());
    command
}

/// What a run of the command came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Run {
    /// The JSON on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

/// Runs the command in `directory` to its end.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Run {
    cascade(directory).args(arguments).output().expect("the command runs").into()
}

/// As [`run`], with `input` on standard input.
pub(crate) fn run_with_input(directory: &Path, arguments: &[&str], input: &str) -> Run {
    let mut command = cascade(directory);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // The command may end without reading all of it.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends").into()
}

/// Holds exit code, standard output and standard error of `run` against `golden/NAME`. Run the tests with
/// `CASCADE_GOLDEN=write` to write the files anew, and read the difference before it is committed.
pub(crate) fn golden(name: &str, run: &Run) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let code = run.code.map_or_else(|| "signal".to_owned(), |code| code.to_string());
    let found = format!("exit code {code}\n--- stdout\n{}--- stderr\n{}", run.stdout, run.stderr);
    if std::env::var_os("CASCADE_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, &found).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(found, expected, "{} differs", path.display());
}

/// Panics unless the elements of `xml` are nested as they must be, and nothing in it is a bare `&`.
pub(crate) fn well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some((text, after)) = rest.split_once('<') {
        let is_entity = |part: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| part.starts_with(entity));
        assert!(text.split('&').skip(1).all(is_entity), "{text}");
        let (tag, after) = after.split_once('>').unwrap_or_else(|| panic!("no end of <{after}"));
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.starts_with(['?', '!']) && !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
}

/// An empty directory to run in.
pub(crate) fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

/// Writes `text` to `name` in `directory`.
pub(crate) fn write(directory: &Path, name: &str, text: &str) {
    std::fs::write(directory.join(name), text).expect("the file can be written");
}

/// The example of the statement of Triple Town, and its play of 824 points.
pub(crate) const EXAMPLE_CASE: &str = "2 3\n1 1\n..1\n221\n2\n1 3\n";
pub(crate) const EXAMPLE_PLAY: &str = "PUT 1 2\nPUT 1 1\nSTAR 2 1\nEND\n";

/// A play that clears `tetris/baba` in 22 removals.
pub(crate) const BABA_IN_22: &str = "c0 9f f4 f2 d7 cf ef fb de ee f3 fe f7 e3 ff f3 fc fb f2 f2 f1 fe\n";
