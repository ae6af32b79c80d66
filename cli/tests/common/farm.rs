//! A `cascade local` at work in a directory of its own.

use super::{Run, cascade, run};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

/// How often something is looked at until it is so.
const TRIES: u32 = 1200;
const PAUSE: Duration = Duration::from_millis(100);

/// A running `cascade local`; killed when dropped.
pub(crate) struct Local {
    child: Child,
}

impl Local {
    /// Starts one in `directory` that knows no records and waits until it listens.
    pub(crate) fn start(directory: &Path, arguments: &[&str]) -> Self {
        Self::start_with_records(directory, &[&["--no-records"], arguments].concat())
    }

    /// Starts one in `directory` and waits until it listens.
    pub(crate) fn start_with_records(directory: &Path, arguments: &[&str]) -> Self {
        let address = directory.join("cascade-data/coordinator.address");
        // One that was killed leaves its address behind.
        let _ = std::fs::remove_file(&address);
        let mut command = cascade(directory);
        command.arg("local").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut local = Self { child: command.spawn().expect("local starts") };
        until("it listens", || {
            assert!(local.child.try_wait().expect("known").is_none(), "local ended: {:?}", local.output());
            address.exists()
        });
        local
    }

    /// Kills it as a power cut would.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// Sends it a signal by name and returns what it said.
    #[cfg(unix)]
    pub(crate) fn signal(mut self, name: &str) -> Run {
        let sent = std::process::Command::new("sh").args(["-c", &format!("kill -{name} {}", self.child.id())]).status();
        assert!(sent.expect("the shell runs").success());
        self.output()
    }

    fn output(&mut self) -> Run {
        use std::io::Read;
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
        self.child.stdout.take().expect("piped").read_to_string(&mut stdout).expect("UTF-8");
        Run { code: self.child.wait().expect("ended").code(), stdout, stderr }
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // It may have ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `condition` holds.
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    for _ in 0..TRIES {
        if condition() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
    panic!("waited in vain until {what}");
}

/// All bests that the farm in `directory` has acknowledged: instance and score.
pub(crate) fn bests(directory: &Path) -> Vec<(String, i64)> {
    let run = run(directory, &["best", "--json"]);
    let json = run.json();
    let best = |best: &serde_json::Value| {
        (best["instance"].as_str().expect("a name").to_owned(), best["score"].as_i64().expect("a score"))
    };
    json.as_array().expect("an array").iter().map(best).collect()
}
