//! `cascade check` says what the contests' own checkers say.

mod common;

use common::{BABA_IN_22, EXAMPLE_CASE, EXAMPLE_PLAY, directory, golden, run, run_with_input, write};

#[test]
fn the_statements_example_scores_824() {
    let directory = directory();
    write(directory.path(), "example.in", EXAMPLE_CASE);
    write(directory.path(), "example.out", EXAMPLE_PLAY);
    golden("check_example.txt", &run(directory.path(), &["check", "example.in", "example.out"]));
    golden("check_example_json.txt", &run(directory.path(), &["check", "example.in", "example.out", "--json"]));
}

#[test]
fn marks_are_told_where_the_marks_file_is() {
    let directory = directory();
    write(directory.path(), "tritown3.in", EXAMPLE_CASE);
    write(directory.path(), "tritown3.ans", "900\n800\n700\n600\n500\n400\n300\n200\n100\n");
    let run = run_with_input(directory.path(), &["check", "tritown3.in", "-", "--json"], EXAMPLE_PLAY);
    assert_eq!((run.code, &run.json()["marks"], &run.json()["instance"]), (Some(0), &9.into(), &"tritown/3".into()));
}

#[test]
fn baba_is_cleared_in_22() {
    let directory = directory();
    write(directory.path(), "play.txt", BABA_IN_22);
    golden("check_baba.txt", &run(directory.path(), &["check", "tetris/baba", "play.txt"]));
    golden("check_baba_entry.txt", &run(directory.path(), &["check", "baba", "play.txt", "--entry-bytes", "1000"]));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let directory = directory();
    for (name, instance, play) in [
        ("not_cleared", "tetris/baba", "c0\n9f\n"),
        ("bad_index", "tetris/baba", "c0\n9g\n"),
        ("empty_square", "tetris/baba", "c0 9f\nf4\n00\n00\n"),
        ("occupied", "tritown/1", "PUT 1 1\nPUT 1 1\nEND\n"),
        ("outside", "tritown/1", "PUT 99 1\nEND\n"),
        ("no_end", "tritown/1", "PUT 1 1\n"),
        ("after_end", "tritown/1", "END\nPUT 1 1\n"),
        ("unknown_command", "tritown/1", "JUMP 1 1\nEND\n"),
        ("nothing", "tetris/baba", ""),
        ("no_commands", "tritown/1", ""),
    ] {
        let run = run_with_input(directory.path(), &["check", instance, "-"], play);
        assert_eq!(run.code, Some(1), "{name}: {run:?}");
        golden(&format!("check_{name}.txt"), &run);
    }
}

#[test]
fn a_printed_grid_ends_a_tetris_play() {
    let directory = directory();
    let grid: String =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/instances/tetris/contest.txt"))
            .expect("the contest's grid")
            .replace("????", "baba");
    // Nothing removed, everything printed: 500 for printing and 2 for each of the 256 right squares.
    golden("check_printed.txt", &run_with_input(directory.path(), &["check", "tetris/baba", "-"], &grid));
}

#[test]
fn a_file_that_is_not_there_is_judged_so() {
    let directory = directory();
    golden("check_missing_tritown.txt", &run(directory.path(), &["check", "tritown/1", "tritown1.out"]));
    golden("check_missing_tetris.txt", &run(directory.path(), &["check", "tetris/baba", "baba.txt"]));
}

#[test]
fn bytes_that_are_no_text_are_judged_and_not_a_crash() {
    let directory = directory();
    std::fs::write(directory.path().join("noise"), [0xff, 0x00, 0xfe, b'\n', 0x80]).expect("written");
    for instance in ["tetris/baba", "tritown/1"] {
        let run = run(directory.path(), &["check", instance, "noise"]);
        assert_eq!(run.code, Some(1), "{run:?}");
    }
}
