//! The dashboard of `cascade watch` on a terminal, which util-linux's `script` makes.

#![cfg(unix)]

mod common;

use common::directory;
use common::farm::{Local, until};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};

const TAKE: &str = "\u{1b}[?1049h";
const GIVE_BACK: &str = "\u{1b}[?1049l";

/// A command on a terminal of 80 columns and 24 lines.
struct OnTerminal {
    script: Child,
    keys: ChildStdin,
    shown: Arc<Mutex<Vec<u8>>>,
}

impl OnTerminal {
    /// Starts `cascade` with `arguments`; none where there is no `script`.
    fn start(directory: &Path, arguments: &str, variables: &[(&str, &str)]) -> Option<Self> {
        let line = format!(
            "stty cols 80 rows 24; before=$(stty -g); sh -c 'echo pid=$$.; exec \"{}\" {arguments}'; code=$?; \
             test \"$before\" = \"$(stty -g)\" && echo as before; exit $code",
            env!("CARGO_BIN_EXE_cascade")
        );
        let mut script = Command::new("script");
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CASCADE_")) {
            script.env_remove(name);
        }
        script.args(["-qec", &line, "/dev/null"]).current_dir(directory).env("TERM", "xterm").envs(variables.to_vec());
        script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let Ok(mut script) = script.spawn() else {
            eprintln!("skipped: there is no 'script', which makes terminals");
            return None;
        };
        let keys = script.stdin.take().expect("piped");
        let mut output = script.stdout.take().expect("piped");
        let shown = Arc::new(Mutex::new(Vec::new()));
        let read = shown.clone();
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(length @ 1..) = output.read(&mut part) {
                read.lock().expect("whole").extend_from_slice(&part[..length]);
            }
        });
        Some(Self { script, keys, shown })
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().expect("whole")).into_owned()
    }

    /// Waits until `part` was shown: a word, as the blanks between words may be left out on a screen.
    fn shows(&self, part: &str) {
        until(part, || self.text().contains(part));
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("typed");
        self.keys.flush().expect("typed");
    }

    fn signal(&self, name: &str) {
        let text = self.text();
        let pid = text.split("pid=").nth(1).and_then(|rest| rest.split('.').next()).expect("told");
        let sent = Command::new("sh").args(["-c", &format!("kill -{name} {pid}")]).status();
        assert!(sent.expect("the shell runs").success());
    }

    /// Waits for the end; the terminal must be as it was. What was shown, and the exit code.
    fn end(mut self) -> (String, Option<i32>) {
        let code = self.script.wait().expect("ends").code();
        until("everything is read", || self.text().contains("as before") || self.text().contains("error"));
        let text = self.text();
        let (taken, given_back) = (text.find(TAKE).expect("taken"), text.rfind(GIVE_BACK).expect("given back"));
        assert!(taken < given_back, "{text:?}");
        (text, code)
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

#[test]
fn keys_lead_through_it_and_q_leaves_the_terminal_as_it_was() {
    let directory = directory();
    let _local = Local::start(directory.path(), &["--threads", "1"]);
    let Some(mut watch) = OnTerminal::start(directory.path(), "watch", &[]) else { return };
    watch.shows("instances");
    watch.press("\r");
    watch.shows("Replay");
    watch.press("q");
    let (text, code) = watch.end();
    assert_eq!(code, Some(0), "{text:?}");
    assert!(text.contains("as before"), "{text:?}");
}

#[test]
fn an_instance_is_shown_at_once_and_a_signal_leaves_the_terminal_as_it_was() {
    let directory = directory();
    let _local = Local::start(directory.path(), &["--threads", "1"]);
    let Some(watch) = OnTerminal::start(directory.path(), "watch baba", &[]) else { return };
    watch.shows("Searches");
    watch.signal("TERM");
    let (text, code) = watch.end();
    assert_eq!(code, Some(0), "{text:?}");
    assert!(text.contains("as before"), "{text:?}");
}

#[test]
fn it_goes_on_with_a_coordinator_that_was_started_again_and_ends_with_one_that_refuses() {
    let directory = directory();
    let at = directory.path();
    let token = |name: &str| common::write(at, "token", &format!("the-{name}-token-of-the-farm\n"));
    token("first");
    let arguments = ["--threads", "1", "--token-file", "token"];
    let local = Local::start(at, &arguments);
    let variables = [("CASCADE_TOKEN", "the-first-token-of-the-farm")];
    let Some(watch) = OnTerminal::start(at, "watch", &variables) else { return };
    watch.shows("arrows");
    local.kill();
    watch.shows("reconnecting");
    let local = Local::start(at, &arguments);
    until("the keys stand again where the trouble was told", || {
        let text = watch.text();
        text.rfind("arrows") > text.rfind("reconnecting")
    });
    local.kill();
    token("second");
    let _local = Local::start(at, &arguments);
    let (text, code) = watch.end();
    assert_eq!(code, Some(5), "{text:?}");
    let error = text.rfind("error: ").expect("told");
    assert!(text.rfind(GIVE_BACK).expect("given back") < error, "{text:?}");
    assert!(text[error..].contains("token"), "{text:?}");
}

#[test]
fn plain_lines_are_written_where_they_are_asked_for() {
    let directory = directory();
    let _local = Local::start(directory.path(), &["--threads", "1"]);
    let Some(watch) = OnTerminal::start(directory.path(), "watch --plain", &[]) else { return };
    watch.shows("have a best");
    watch.signal("INT");
    let text = watch.text();
    assert!(!text.contains(TAKE), "{text:?}");
}

#[test]
fn the_line_of_a_search_tells_rate_best_and_time_left_and_only_to_a_terminal() {
    let directory = directory();
    let Some(solve) = OnTerminal::start(directory.path(), "solve tritown/2 --seconds 2 --threads 1", &[]) else {
        return;
    };
    for part in ["best ", "expansions, ", "/s", " s left"] {
        solve.shows(part);
    }
    drop(solve);
    let run = common::run(directory.path(), &["solve", "tritown/2", "--seconds", "1", "--threads", "1"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(!run.stderr.contains(['\r', '\u{1b}']) && !run.stderr.contains(" left"), "{run:?}");
    let local = common::run(directory.path(), &["local", "--for", "2s", "--threads", "1"]);
    assert_eq!(local.code, Some(0), "{local:?}");
    assert!(!local.stderr.contains(['\r', '\u{1b}']), "{local:?}");
}
