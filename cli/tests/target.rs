//! INSTANCE|FILE: what names and files stand for, and what is said of those that stand for nothing.

mod common;

use common::{EXAMPLE_CASE, directory, golden, run, write};

#[test]
fn names_and_files_stand_for_instances() {
    let directory = directory();
    std::fs::create_dir_all(directory.path().join("more/tritown")).expect("made");
    write(directory.path(), "grid.txt", "ab?\ncda\n");
    write(directory.path(), "plain.grid", "abc\n");
    write(directory.path(), "more/tritown/tritown7.in", EXAMPLE_CASE);
    write(directory.path(), "more/small.txt", "a?\n");
    for (arguments, name) in [
        (&["tetris/baba"][..], "tetris/baba"),
        (&["baba"], "tetris/baba"),
        (&["tritown/7"], "tritown/7"),
        (&["tritown7"], "tritown/7"),
        (&["./grid.txt", "--fill", "b"], "tetris/grid-b"),
        (&["grid.txt-b"], "tetris/grid-b"),
        (&["plain.grid"], "tetris/plain"),
        (&["more/tritown/tritown7.in"], "tritown/7"),
        (&["small-c", "--instances", "more"], "tetris/small-c"),
    ] {
        let arguments = [&["bound", "--json"], arguments].concat();
        let run = run(directory.path(), &arguments);
        assert_eq!(run.code, Some(0), "{arguments:?}: {run:?}");
        assert_eq!(run.json()["instance"], name, "{arguments:?}");
    }
}

#[test]
fn a_case_in_a_directory_takes_the_stand_ins_place() {
    let directory = directory();
    write(directory.path(), "tritown7.in", EXAMPLE_CASE);
    let run = run(directory.path(), &["bound", "tritown/7", "--instances", ".", "--json"]);
    assert_eq!(run.json()["bound"], 824);
}

#[test]
fn a_known_name_comes_before_a_file_of_that_name() {
    let directory = directory();
    write(directory.path(), "baba", "abc\n");
    let bound = |target| run(directory.path(), &["bound", target, "--json"]).json()["instance"].clone();
    assert_eq!(bound("baba"), "tetris/baba");
    write(directory.path(), "mine", "abc\n");
    assert_eq!(bound("mine"), "tetris/mine");
    assert_eq!(bound("./baba"), "tetris/baba");
    assert_eq!(run(directory.path(), &["bound", "./baba"]).stdout, "3 runs\n");
}

#[test]
fn what_stands_for_nothing_is_told_with_what_would() {
    let directory = directory();
    write(directory.path(), "grid.txt", "ab?\ncda\n");
    write(directory.path(), "ragged.txt", "abc\nab\n");
    write(directory.path(), "letters.txt", "abc\nabx\n");
    write(directory.path(), "full.txt", "abc\n");
    write(directory.path(), "cluster.txt", "aaaa\n");
    write(directory.path(), "short.in", "2 3\n1 1\n..1\n");
    for (name, arguments) in [
        ("near", &["tetris/babx"][..]),
        ("illegal", &["tetris/aaaa"]),
        ("no_file", &["grids/none.txt"]),
        ("no_fill", &["grid.txt"]),
        ("wrong_fill", &["grid.txt", "--fill", "x"]),
        ("needless_fill", &["full.txt", "--fill", "a"]),
        ("ragged", &["ragged.txt"]),
        ("letters", &["letters.txt"]),
        ("cluster", &["cluster.txt"]),
        ("short_case", &["short.in"]),
        ("bad_name", &["no such thing"]),
    ] {
        let run = run(directory.path(), &[&["bound"], arguments].concat());
        assert_ne!(run.code, Some(0), "{name}");
        golden(&format!("target_{name}.txt"), &run);
    }
}
