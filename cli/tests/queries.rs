//! Commands that call a coordinator, against a real one.

#![cfg(unix)]

mod common;

use common::farm::{Local, bests, until};
use common::{BABA_IN_22, EXAMPLE_CASE, EXAMPLE_PLAY, directory, run, run_with_input, write};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

const BEST_KEYS: [&str; 12] = [
    "bound",
    "bound_name",
    "found_at",
    "instance",
    "optimal",
    "score",
    "seed",
    "sequence",
    "strategy",
    "total_expansions",
    "width",
    "worker",
];

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn done(directory: &Path, arguments: &[&str]) -> String {
    let run = run(directory, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
    run.stdout
}

fn json(directory: &Path, arguments: &[&str]) -> Value {
    let text = done(directory, &[arguments, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {text}"))
}

#[test]
fn questions_are_answered_for_people_and_for_programs() {
    let directory = directory();
    let at = directory.path();
    let _local = Local::start(at, &["--threads", "1"]);
    until("an instance has a best", || !bests(at).is_empty());
    let name = bests(at).first().expect("one").0.clone();

    let best = json(at, &["best", &name]);
    assert_eq!(keys(&best), BEST_KEYS);
    assert_eq!((&best["instance"], &best["worker"]), (&name.as_str().into(), &"local".into()));
    let judged = run_with_input(at, &["check", &name, "-"], &done(at, &["best", &name]));
    assert_eq!(judged.code, Some(0), "{judged:?}");
    assert!(done(at, &["best"]).lines().any(|line| line.starts_with(&name)));

    let status = json(at, &["status"]);
    assert_eq!(status["instances"].as_array().expect("instances").len(), 101);
    let stand_in = |instance: &&Value| instance["origin"] == "stand-in";
    assert_eq!(status["instances"].as_array().expect("instances").iter().filter(stand_in).count(), 10);
    assert!(done(at, &["status"]).contains("10 tritown cases are stand-ins"));

    assert_eq!(json(at, &["workers"])[0]["name"], "local");
    assert!(done(at, &["workers"]).contains("local"));
    let events = done(at, &["events", "--json", "--limit", "5"]);
    for line in events.lines() {
        let event: Value = serde_json::from_str(line).expect("JSON in each line");
        assert_eq!(keys(&event), ["at", "detail", "instance", "kind", "number", "severity", "worker"]);
    }
    let explained = json(at, &["explain", &name]);
    assert_eq!(explained["instance"], name);
    assert!(explained["summary"].as_str().is_some_and(|summary| !summary.is_empty()));
    assert!(done(at, &["explain", &name]).contains("Improvements"));

    done(at, &["export", "exported"]);
    let exported = std::fs::read_dir(at.join("exported")).expect("listed").count();
    assert!(exported >= 1 && exported <= bests(at).len());
    let fill = name.strip_prefix("tetris/").expect("grids come first");
    let file = format!("exported/tetris_{fill}.txt");
    assert_eq!(run(at, &["check", &name, &file]).code, Some(0));

    let reproduced = json(at, &["reproduce", &name]);
    assert_eq!((&reproduced["same"], &reproduced["instance"]), (&true.into(), &name.as_str().into()));
}

#[test]
fn watching_gives_a_line_of_json_for_each_best() {
    let directory = directory();
    let at = directory.path();
    let _local = Local::start(at, &["--threads", "1"]);
    let mut command = common::cascade(at);
    command.args(["watch", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut watch = command.spawn().expect("starts");
    let mut lines = BufReader::new(watch.stdout.take().expect("piped")).lines();
    for _ in 0..2 {
        let line = lines.next().expect("the stream goes on").expect("UTF-8");
        let best: Value = serde_json::from_str(&line).expect("JSON in each line");
        assert_eq!(keys(&best), BEST_KEYS);
    }
    watch.kill().expect("killed");
    watch.wait().expect("gone");
}

#[test]
fn changes_are_made_and_told() {
    let directory = directory();
    let at = directory.path();
    let _local = Local::start(at, &["--threads", "1"]);
    done(at, &["pause"]);
    assert_eq!(json(at, &["status"])["paused"], true);
    done(at, &["resume"]);
    assert_eq!(json(at, &["status"])["paused"], false);
    done(at, &["pause", "tritown10"]);
    assert!(run(at, &["explain", "tritown/10"]).stdout.contains("paused"));
    done(at, &["resume", "tritown/10"]);
    done(at, &["priority", "baba", "250"]);
    assert_eq!(json(at, &["explain", "baba"])["priority"], 250);

    write(at, "baba.txt", BABA_IN_22);
    let imported = json(at, &["import", "tetris/baba", "baba.txt"]);
    assert_eq!((&imported["score"], &imported["instance"]), (&22.into(), &"tetris/baba".into()));
    assert!(imported["best_score"].as_i64().is_some_and(|best| best <= 22));
    let refused = run_with_input(at, &["import", "tetris/baba", "-"], "c0\n");
    assert_eq!(refused.code, Some(3), "{refused:?}");

    write(at, "tritown77.in", EXAMPLE_CASE);
    assert_eq!(json(at, &["add", "tritown77.in"]), serde_json::json!(["tritown/77"]));
    let added = json(at, &["explain", "tritown/77"]);
    assert_eq!((&added["origin"], &added["bound"]), (&"added".into(), &824.into()));
    assert_eq!(run(at, &["add", "tritown77.in"]).code, Some(3), "a name given twice is refused");
    assert_eq!(run(at, &["drain", "nobody"]).code, Some(3));
}

#[test]
fn the_farms_plays_are_shown_reported_and_exported() {
    let directory = directory();
    let at = directory.path();
    let _local = Local::start(at, &["--threads", "1"]);
    write(at, "baba.txt", BABA_IN_22);
    write(at, "tritown77.in", EXAMPLE_CASE);
    write(at, "tritown77.out", EXAMPLE_PLAY);
    done(at, &["add", "tritown77.in"]);
    done(at, &["import", "baba", "baba.txt"]);
    done(at, &["import", "tritown/77", "tritown77.out"]);
    done(at, &["pause"]);
    std::fs::remove_file(at.join("tritown77.in")).expect("removed");

    // What was added at the coordinator needs no file here.
    let best = json(at, &["replay", "tritown77"]);
    assert_eq!((&best["instance"], &best["score"], &best["rows"]), (&"tritown/77".into(), &824.into(), &2.into()));
    assert!(done(at, &["replay", "baba"]).starts_with("tetris/baba: "));
    let given = json(at, &["replay", "baba", "baba.txt"]);
    assert_eq!((&given["score"], given["turns"].as_array().map(Vec::len)), (&22.into(), Some(22)));
    assert_eq!(run(at, &["replay", "tetris/babx"]).code, Some(3));

    done(at, &["report", "report.html"]);
    let report = std::fs::read_to_string(at.join("report.html")).expect("written");
    let bests = bests(at);
    for (name, _) in &bests {
        assert!(report.contains(&format!("<summary>Sequence of {name}</summary>")), "{name}");
    }
    assert!(report.contains("PUT 1 2\nPUT 1 1\nSTAR 2 1\nEND\n") && report.matches("<svg ").count() >= 2);

    write(at, "tritown77.in", EXAMPLE_CASE);
    done(at, &["export", "exported"]);
    for entry in std::fs::read_dir(at.join("exported")).expect("listed") {
        let file = entry.expect("listed").file_name().into_string().expect("UTF-8");
        let stem = file.split('.').next().expect("a name");
        let instance = match stem.strip_prefix("tetris_") {
            Some(fill) => format!("tetris/{fill}"),
            None if stem == "tritown77" => "./tritown77.in".to_owned(),
            None => stem.to_owned(),
        };
        let judged = run(at, &["check", &instance, &format!("exported/{file}")]);
        assert_eq!(judged.code, Some(0), "{file}: {judged:?}");
    }
    assert!(at.join("exported/tritown77.out").exists() && at.join("exported/tetris_baba.txt").exists());
}

#[test]
fn an_unknown_instance_is_told_with_near_names() {
    let directory = directory();
    let _local = Local::start(directory.path(), &["--threads", "1"]);
    let refused = run(directory.path(), &["best", "tetris/babx"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.stderr.contains("near names: tetris/baba"), "{refused:?}");
}

#[test]
fn a_coordinator_that_is_not_there_is_told_with_its_address() {
    let directory = directory();
    let at = directory.path();
    for arguments in [&["status"][..], &["best", "baba"], &["watch"], &["reproduce", "baba"], &["pause"]] {
        let arguments = [arguments, &["--coordinator", "127.0.0.1:1"]].concat();
        let run = run(at, &arguments);
        assert_eq!(run.code, Some(4), "{arguments:?}: {run:?}");
        assert!(run.stderr.contains("no coordinator at 127.0.0.1:1"), "{run:?}");
    }
    std::fs::create_dir(at.join("cascade-data")).expect("made");
    write(at, "cascade-data/coordinator.address", "127.0.0.1:1\n");
    let left = run(at, &["status"]);
    assert_eq!(left.code, Some(4), "{left:?}");
    assert!(left.stderr.contains("coordinator.address names it, but it is gone"), "{left:?}");
    assert_eq!(run(at, &["status", "--coordinator", "ftp://nowhere"]).code, Some(2));
}

#[test]
fn a_wrong_token_is_called_that() {
    let directory = directory();
    let at = directory.path();
    write(at, "token", "the-right-token-of-the-farm\n");
    write(at, "other", "another-token-altogether\n");
    let _local = Local::start(at, &["--threads", "1", "--token-file", "token"]);
    for arguments in [&["status"][..], &["status", "--token-file", "other"]] {
        let run = run(at, arguments);
        assert_eq!(run.code, Some(5), "{run:?}");
        assert!(run.stderr.contains("token"), "{run:?}");
    }
    done(at, &["status", "--token-file", "token"]);
}
