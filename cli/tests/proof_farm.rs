//! A farm that proves a small case optimal says so, and keeps it.

#![cfg(unix)]

mod common;

use common::farm::{Local, until};
use common::{BELOW_ITS_BOUND, directory, run, write};
use serde_json::Value;
use std::path::Path;

fn best(directory: &Path) -> Value {
    let best = run(directory, &["best", "tritown/99", "--json"]);
    if best.code == Some(0) { best.json() } else { Value::Null }
}

#[test]
fn an_added_case_is_proved_optimal_by_exhaustive_search_and_stays_so() {
    let directory = directory();
    let at = directory.path();
    write(at, "tritown99.in", BELOW_ITS_BOUND);
    let local = Local::start(at, &["--threads", "1"]);
    assert_eq!(run(at, &["add", "tritown99.in"]).code, Some(0));
    assert_eq!(run(at, &["priority", "tritown/99", "10000"]).code, Some(0));
    until("it is proved", || best(at)["optimal"] == true);
    local.kill();
    let _local = Local::start(at, &["--threads", "1"]);
    let best = best(at);
    assert_eq!((&best["score"], &best["bound"]), (&1150.into(), &1150.into()));
    assert_eq!((&best["optimal"], &best["bound_name"]), (&true.into(), &"exhaustive search".into()));
    let table = run(at, &["best"]).stdout;
    assert!(table.lines().any(|line| line.starts_with("tritown/99") && line.contains("exhaustive search, optimal")));
    let why = run(at, &["explain", "tritown/99"]).stdout;
    assert!(why.contains("exhaustive search, by local alone"), "{why}");
    let status = run(at, &["status"]).stdout;
    assert!(status.lines().any(|line| line.starts_with("tritown/99") && line.contains("optimal")), "{status}");
}
