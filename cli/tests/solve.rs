//! `cascade solve`: deterministic, judged, and stopped without loss.

mod common;

use common::{EXAMPLE_CASE, Run, directory, run, run_with_input, write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

fn checked(directory: &Path, target: &str, sequence: &str) -> Run {
    let run = run_with_input(directory, &["check", target, "-"], sequence);
    assert_eq!(run.code, Some(0), "{run:?}");
    run
}

#[test]
fn the_same_seed_and_expansions_give_the_same_sequence_on_one_thread_and_on_two() {
    let directory = directory();
    for target in ["tetris/baba", "tritown/7"] {
        for strategy in ["beam", "mcts", "auto"] {
            let solve = |threads, seed| {
                let arguments = ["--expansions", "60000", "--strategy", strategy, "--threads", threads, "--seed", seed];
                let run = run(directory.path(), &[&["solve", target], &arguments[..]].concat());
                assert_eq!(run.code, Some(0), "{target} {strategy}: {run:?}");
                checked(directory.path(), target, &run.stdout);
                run.stdout
            };
            assert_eq!(solve("1", "5"), solve("2", "5"), "{target} {strategy}");
        }
    }
}

#[test]
fn the_smallest_budget_still_gives_a_whole_play() {
    let directory = directory();
    for target in ["tetris/baba", "tritown/1", "tritown/10"] {
        let run = run(directory.path(), &["solve", target, "--expansions", "1"]);
        checked(directory.path(), target, &run.stdout);
    }
}

#[test]
fn json_tells_the_play_and_its_figures() {
    let directory = directory();
    write(directory.path(), "example.in", EXAMPLE_CASE);
    let arguments = ["solve", "example.in", "--expansions", "20000", "--seed", "7", "--threads", "1", "--json"];
    let solved = run(directory.path(), &arguments).json();
    assert_eq!(solved["instance"], "tritown/example");
    assert_eq!(solved["score"], 824);
    assert_eq!((&solved["seed"], &solved["threads"], &solved["strategy"]), (&7.into(), &1.into(), &"auto".into()));
    assert_eq!(solved["optimal"], true);
    for figure in ["expansions", "seconds", "expansions_per_second"] {
        assert!(solved[figure].as_f64().is_some_and(|figure| figure > 0.0), "{figure}");
    }
    let lines: Vec<_> = solved["sequence"].as_array().expect("lines").iter().filter_map(|line| line.as_str()).collect();
    assert_eq!(lines.last(), Some(&"END"));
    checked(directory.path(), "example.in", &lines.join("\n"));
}

#[test]
fn the_sequence_goes_to_the_file_it_is_told() {
    let directory = directory();
    let arguments = ["solve", "tetris/baba", "--expansions", "20000", "--out", "baba.txt"];
    let solved = run(directory.path(), &arguments);
    assert_eq!((solved.code, solved.stdout.as_str()), (Some(0), ""));
    assert_eq!(run(directory.path(), &["check", "tetris/baba", "baba.txt"]).code, Some(0));
    let names: Vec<_> = std::fs::read_dir(directory.path()).expect("listed").flatten().map(|e| e.file_name()).collect();
    assert_eq!(names, ["baba.txt"], "nothing else is left behind");

    let refused = run(directory.path(), &["solve", "tetris/baba", "--expansions", "20000", "--out", "none/baba.txt"]);
    assert_eq!(refused.code, Some(3), "{refused:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_and_prints_the_best_so_far() {
    let directory = directory();
    for signal in ["INT", "TERM"] {
        let mut command = common::cascade(directory.path());
        command.args(["solve", "tetris/baba", "--seconds", "600"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().expect("starts");
        listens(&child);
        send(signal, &child);
        let ended = Run::from(child.wait_with_output().expect("ends"));
        assert_eq!(ended.code, Some(0), "{signal}: {ended:?}");
        checked(directory.path(), "tetris/baba", &ended.stdout);
    }
}

fn send(signal: &str, child: &Child) {
    let sent = std::process::Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
    assert!(sent.expect("the shell runs").success());
}

/// Waits until `child` listens for SIGINT, as Linux tells; elsewhere a while.
fn listens(child: &Child) {
    const SIGINT_CAUGHT: u64 = 1 << 1;
    let caught = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    for _ in 0..1000 {
        match caught() {
            Some(mask) if mask & SIGINT_CAUGHT != 0 => break,
            _ => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}
