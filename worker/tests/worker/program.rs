//! The program itself: signals, kills, exit codes, words.

use crate::fake::{Call, Fake, endless_lease, lease};
use cascade_proto::Code;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A program that takes longer than this to end hangs. Far beyond the 10 s it has, so that a busy machine does no harm.
const HANGS: Duration = Duration::from_secs(40);

fn program(fake: &Fake, data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cascade-worker"));
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["--coordinator", &format!("http://{}", fake.address), "--name", "attic", "--threads", "1", "--data"]);
    command.arg(data);
    command
}

fn terminate(child: &Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("signalled");
}

fn end_of(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().expect("waited").is_none() {
        if begun.elapsed() > HANGS {
            child.kill().expect("killed");
            panic!("the worker does not end: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("read")
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_gives_the_lease_back_and_ends_well() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(endless_lease(1));
    let child = program(&fake, data.path()).spawn().expect("started");
    fake.until("a report", |script| !script.reports.is_empty()).await;
    terminate(&child);
    let output = end_of(child);
    assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(fake.script().goodbyes[0].unfinished.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn sigterm_ends_the_worker_also_when_the_coordinator_is_gone_or_mute() {
    for gone in [true, false] {
        let (mut fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
        fake.script().leases.push_back(endless_lease(1));
        let child = program(&fake, data.path()).spawn().expect("started");
        fake.until("a report", |script| !script.reports.is_empty()).await;
        if gone {
            fake.stop();
        } else {
            fake.script().mute = true;
        }
        terminate(&child);
        let output = end_of(child);
        assert_eq!(output.status.code(), Some(0), "{}", words(&output));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_worker_reports_after_its_restart_what_was_on_disk() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().failures = vec![(Call::Report, Code::StoreUnavailable); 1000];
    fake.script().leases.push_back(endless_lease(1));
    let mut child = program(&fake, data.path()).spawn().expect("started");
    fake.until("a failed report", |script| script.failures.len() < 1000).await;
    child.kill().expect("killed");
    child.wait().expect("waited");
    assert!(fake.script().reports.is_empty());
    fake.script().failures.clear();
    let child = program(&fake, data.path()).spawn().expect("started");
    fake.until("the report", |script| !script.reports.is_empty()).await;
    assert!(fake.script().hellos[1].held.is_empty(), "a short lease is simply run again");
    terminate(&child);
    assert_eq!(end_of(child).status.code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_worker_on_the_same_directory_is_refused() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(lease(1, 10, 1000));
    let child = program(&fake, data.path()).spawn().expect("started");
    fake.until("the end", |script| script.finishes.len() == 1).await;
    let second = program(&fake, data.path()).output().expect("ended");
    assert_eq!(second.status.code(), Some(3));
    assert!(words(&second).contains(&format!("process {}", child.id())), "{}", words(&second));
    terminate(&child);
    assert_eq!(end_of(child).status.code(), Some(0));
}

#[test]
fn each_trouble_has_its_exit_code_and_its_words() {
    for (code, exit, said) in [
        (Code::Unauthenticated, 5, "token"),
        (Code::VersionMismatch, 6, "do not fit together"),
        (Code::BadInput, 2, "refuses this worker"),
        (Code::SetAside, 1, "set this worker aside"),
    ] {
        let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
        fake.script().failures = vec![(Call::Hello, code)];
        let output = end_of(program(&fake, data.path()).spawn().expect("started"));
        assert_eq!(output.status.code(), Some(exit), "{}", words(&output));
        assert!(words(&output).contains(said), "{}", words(&output));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_coordinator_out_of_reach_is_named_when_the_worker_gives_up() {
    let (mut fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.stop();
    let child = program(&fake, data.path()).args(["--give-up-after", "1ms"]).spawn().expect("started");
    let output = end_of(child);
    assert_eq!(output.status.code(), Some(4));
    assert!(words(&output).contains(&fake.address.to_string()), "{}", words(&output));
}

#[test]
fn wrong_usage_is_named_with_exit_code_2() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    for arguments in [["--threads", "0"], ["--log-level", "a=b=c"], ["--coordinator", "ftp://x"], ["--no-such", "x"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_cascade-worker"))
            .env_clear()
            .args(["--data"])
            .arg(data.path())
            .args(arguments)
            .output()
            .expect("ended");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", words(&output));
    }
    drop(fake);
}

#[test]
fn the_help_has_an_example_and_every_option_has_its_variable() {
    let output = Command::new(env!("CARGO_BIN_EXE_cascade-worker")).arg("--help").output().expect("ended");
    let help = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(help.contains("Example:\n  cascade-worker --coordinator"), "{help}");
    let options = help.lines().filter(|line| line.trim_start().starts_with("--")).count();
    assert_eq!(options, help.matches("[env: CASCADE_").count(), "{help}");
}
