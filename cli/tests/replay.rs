//! `cascade replay` without a coordinator: as text, JSON, picture and page, and in a terminal.

mod common;

use common::{BABA_IN_22, EXAMPLE_CASE, EXAMPLE_PLAY, Run, directory, golden, run, run_with_input, write};
use std::path::Path;

/// Where no coordinator is.
const NOWHERE: [&str; 2] = ["--coordinator", "127.0.0.1:1"];

fn column(directory: &Path) {
    write(directory, "column.txt", "a\nb\nb\nc\nb\nb\n");
    write(directory, "play.txt", "30\n50\n");
}

#[test]
fn boards_come_one_after_another_as_text() {
    let directory = directory();
    column(directory.path());
    golden("replay_column.txt", &run(directory.path(), &["replay", "column.txt", "play.txt"]));
    write(directory.path(), "tritown3.in", EXAMPLE_CASE);
    let case = ["replay", "./tritown3.in", "-", "--plain"];
    golden("replay_case.txt", &run_with_input(directory.path(), &case, EXAMPLE_PLAY));
}

#[test]
fn the_page_on_replays_shows_what_is_printed() {
    let directory = directory();
    column(directory.path());
    let printed = run(directory.path(), &["replay", "column.txt", "play.txt"]).stdout;
    assert!(include_str!("../../docs/replay.md").contains(&printed), "{printed}");
}

#[test]
fn programs_get_json_in_one_line() {
    let directory = directory();
    column(directory.path());
    let run = run(directory.path(), &["replay", "column.txt", "play.txt", "--json"]);
    let json = run.json();
    assert_eq!(run.stdout.lines().count(), 1);
    assert_eq!(
        (&json["instance"], &json["start"], &json["score"]),
        (&"tetris/column".into(), &"abbcbb".into(), &2.into())
    );
    let scenes = json["turns"][0]["scenes"].as_array().expect("scenes");
    let kinds: Vec<_> = scenes.iter().map(|scene| scene["kind"].as_str().expect("a kind")).collect();
    assert_eq!(kinds, ["remove", "fall", "vanish", "fall"]);
}

#[test]
fn a_built_in_instance_is_shown_when_no_coordinator_answers() {
    let directory = directory();
    write(directory.path(), "baba.txt", BABA_IN_22);
    let shown = run(directory.path(), &[&["replay", "baba", "baba.txt"], &NOWHERE[..]].concat());
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert!(shown.stdout.starts_with("tetris/baba: 22 removals\n"), "{shown:?}");
    assert!(shown.stderr.contains("tetris/baba as it is known here"), "{shown:?}");
}

#[test]
fn what_cannot_be_shown_is_told() {
    let directory = directory();
    column(directory.path());
    write(directory.path(), "wrong.txt", "30\n00\n");
    for (arguments, code, words) in [
        (&["replay", "column.txt", "wrong.txt"][..], 3, "wrong.txt, line 2"),
        (&["replay", "column.txt", "none.txt"], 3, "cannot read none.txt"),
        (&["replay", "none.in", "play.txt"], 3, "none.in"),
        (&["replay", "column.txt"], 2, "column.txt is a file"),
        (&["replay", "baba", NOWHERE[0], NOWHERE[1]], 4, "no coordinator at 127.0.0.1:1"),
        (&["replay", "tetris/none", "play.txt", NOWHERE[0], NOWHERE[1]], 4, "no coordinator at 127.0.0.1:1"),
        (&["replay", "column.txt", "play.txt", "--svg", "no/such/folder.svg"], 3, "cannot write no/such/folder.svg"),
    ] {
        let run = run(directory.path(), arguments);
        assert!(
            run.code == Some(code) && run.stdout.is_empty() && run.stderr.contains(words),
            "{arguments:?}: {run:?}"
        );
    }
}

#[test]
fn a_play_becomes_a_picture_and_a_page() {
    let directory = directory();
    let at = directory.path();
    write(at, "baba.txt", BABA_IN_22);
    let files = ["--svg", "baba.svg", "--html", "baba.html"];
    let run = run(at, &[&["replay", "baba", "baba.txt"], &files[..], &NOWHERE[..]].concat());
    assert!(run.code == Some(0) && run.stdout.is_empty(), "{run:?}");
    assert!(run.stderr.contains("baba.svg written\nbaba.html written\n"), "{run:?}");
    let read = |name: &str| std::fs::read_to_string(at.join(name)).expect("written");
    let svg = read("baba.svg");
    assert_eq!(svg.matches("class=\"floor\"").count(), 23, "a board for each move, and the end");
    common::well_formed(&svg);
    assert!(read("baba.html").contains("\"instance\":\"tetris/baba\""));
}

/// Runs `cascade replay` in a pseudo-terminal of util-linux's `script` until `typed` has ended it, or `None` where there
/// is no such program.
#[cfg(target_os = "linux")]
fn in_a_terminal(directory: &Path, replay: &str, typed: &str) -> Option<Run> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    if !Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no program called script");
        return None;
    }
    let line =
        format!("stty rows 24 cols 80; {} {replay}; echo \"ended with $?\"; stty -a", env!("CARGO_BIN_EXE_cascade"));
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm-256color").current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("script starts");
    let mut keys = child.stdin.take().expect("piped");
    keys.write_all(typed.as_bytes()).expect("typed");
    let output = child.wait_with_output().expect("ended");
    drop(keys);
    Some(output.into())
}

/// The terminal went to its other screen and came back, with line editing.
#[cfg(target_os = "linux")]
fn was_restored(run: &Run) {
    let (_, shown) = run.stdout.split_once("\u{1b}[?1049h").unwrap_or_else(|| panic!("never there: {run:?}"));
    let (shown, after) = shown.split_once("\u{1b}[?1049l").unwrap_or_else(|| panic!("never back: {run:?}"));
    assert!(shown.contains("tetris/column: 2 removals"), "{run:?}");
    assert!(after.contains("ended with 0") && after.contains(" icanon") && after.contains(" echo "), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_moves_and_is_left_as_it_was() {
    let directory = directory();
    column(directory.path());
    // To the end, a scene back, and out.
    let Some(run) = in_a_terminal(directory.path(), "replay column.txt play.txt", " \u{1b}[F,q") else { return };
    was_restored(&run);
    assert!(run.stdout.contains("move 2 of 2: remove row 6 column 1"), "{run:?}");
    assert!(run.stdout.contains("\u{1b}[38;5;"), "colours: {run:?}");
    let plain = in_a_terminal(directory.path(), "replay column.txt play.txt --plain", "").expect("there is one");
    assert!(!plain.stdout.contains('\u{1b}') && plain.stdout.contains("move 2 of 2"), "{plain:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_without_colours_still_shows_marks() {
    let directory = directory();
    column(directory.path());
    let command = "replay column.txt play.txt";
    let Some(run) = in_a_terminal(directory.path(), command, ".q") else { return };
    assert!(run.stdout.contains("[c]"), "{run:?}");
    let line = format!("env NO_COLOR=1 {} {command}", env!("CARGO_BIN_EXE_cascade"));
    let run = in_a_terminal(directory.path(), &format!("--version; {line}"), ".q").expect("there is one");
    assert!(run.stdout.contains("[c]") && !run.stdout.contains("\u{1b}[38;5;"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_left_as_it_was_after_a_signal() {
    let directory = directory();
    column(directory.path());
    let background = format!(
        "--version; (until [ -s pid ]; do sleep 0.1; done; sleep 1; kill -TERM $(cat pid)) & sh -c 'echo $$ > pid; exec {} replay column.txt play.txt'",
        env!("CARGO_BIN_EXE_cascade")
    );
    let Some(run) = in_a_terminal(directory.path(), &background, "") else { return };
    was_restored(&run);
}
