//! Help, completions, and options from all three places.

mod common;

use common::{directory, golden, run, write};

#[test]
fn every_shell_gets_a_completion_script() {
    let directory = directory();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = run(directory.path(), &["completions", shell]);
        assert!(run.code == Some(0) && run.stdout.contains("reproduce"), "{shell}");
    }
}

#[test]
fn an_unknown_command_and_an_unknown_option_are_usage_errors() {
    let directory = directory();
    for arguments in
        [&["slove"][..], &["solve"], &["solve", "baba", "--sceonds", "3"], &["solve", "baba", "--seconds", "0"]]
    {
        let run = run(directory.path(), arguments);
        assert!(run.code == Some(2) && run.stdout.is_empty() && !run.stderr.is_empty(), "{run:?}");
    }
}

#[test]
fn a_file_with_an_unknown_key_or_a_wrong_value_is_refused_with_its_place() {
    let directory = directory();
    for (name, text) in
        [("key", "sceonds = 3\n"), ("value", "threads = 0\n"), ("kind", "seed = 'x'\n"), ("toml", "seed 3\n")]
    {
        write(directory.path(), "cascade.toml", text);
        golden(&format!("settings_{name}.txt"), &run(directory.path(), &["bound", "baba", "--config", "cascade.toml"]));
    }
    golden("settings_missing.txt", &run(directory.path(), &["bound", "baba", "--config", "none.toml"]));
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let directory = directory();
    write(directory.path(), "cascade.toml", "seed = 1\njson = true\nexpansions = 1000\nthreads = 1\n");
    let seed = |flags: &[&str], variable: Option<&str>| {
        let mut command = common::cascade(directory.path());
        command.args(["solve", "baba", "--config", "cascade.toml"]).args(flags);
        if let Some(seed) = variable {
            command.env("CASCADE_SEED", seed);
        }
        common::Run::from(command.output().expect("runs")).json()["seed"].clone()
    };
    assert_eq!(seed(&[], None), 1);
    assert_eq!(seed(&[], Some("2")), 2);
    assert_eq!(seed(&["--seed", "3"], Some("2")), 3);
}
