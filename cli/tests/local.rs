//! `cascade local`: goes on after any end, and shares its directory with nobody.

#![cfg(unix)]

mod common;

use common::farm::{Local, bests, until};
use common::{directory, run};

#[test]
fn a_killed_farm_goes_on_with_every_best_it_had() {
    let directory = directory();
    let local = Local::start(directory.path(), &["--threads", "1"]);
    until("three instances have a best", || bests(directory.path()).len() >= 3);
    let before = bests(directory.path());
    local.kill();

    let local = Local::start(directory.path(), &["--threads", "1"]);
    let after = bests(directory.path());
    for (instance, score) in &before {
        let now = after.iter().find(|(name, _)| name == instance).map(|(_, score)| *score);
        let kept = now.is_some_and(|now| if instance.starts_with("tetris") { now <= *score } else { now >= *score });
        assert!(kept, "{instance} was {score}, is {now:?}");
    }
    let ended = local.signal("INT");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("resuming: "), "{ended:?}");
    assert!(ended.stdout.contains("tetris, removals") && ended.stdout.contains("tritown, points"), "{ended:?}");
    assert!(ended.stderr.contains("stand-ins"), "{ended:?}");
    let first = before.first().expect("at least one").0.split_once('/').expect("game/name").1.to_owned();
    assert!(directory.path().join(format!("cascade-data/best/tetris/{first}.txt")).exists());
}

#[test]
fn it_ends_by_itself_after_the_time_it_is_given() {
    let directory = directory();
    let ended = run(directory.path(), &["local", "--for", "3s", "--threads", "1"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stderr.contains("starting: 101 instances, 91 bests from the records"), "{ended:?}");
    assert!(!directory.path().join("cascade-data/coordinator.address").exists());
}

#[test]
fn a_second_process_in_the_same_directory_is_refused() {
    let directory = directory();
    let _local = Local::start(directory.path(), &["--threads", "1"]);
    let second = run(directory.path(), &["local", "--for", "1s"]);
    assert_eq!((second.code, second.stdout.as_str()), (Some(2), ""), "{second:?}");
    assert!(second.stderr.contains("in use by process"), "{second:?}");
}

#[test]
fn listening_beyond_this_machine_needs_a_token_or_the_plain_word() {
    let directory = directory();
    let refused = run(directory.path(), &["local", "--listen", "0.0.0.0:0", "--for", "1s"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("--insecure"), "{refused:?}");
    let taken =
        run(directory.path(), &["local", "--listen", "0.0.0.0:0", "--for", "1s", "--insecure", "--threads", "1"]);
    assert_eq!(taken.code, Some(0), "{taken:?}");
}
