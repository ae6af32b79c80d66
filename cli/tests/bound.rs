//! `cascade bound` shows proven bounds.

mod common;

use common::{EXAMPLE_CASE, directory, golden, run, write};

#[test]
fn bounds_are_shown_with_their_names() {
    let directory = directory();
    write(directory.path(), "example.in", EXAMPLE_CASE);
    write(directory.path(), "row.txt", "abab\n");
    for (name, arguments) in [
        ("case_4", &["bound", "tritown4"][..]),
        ("example", &["bound", "example.in", "--counting"]),
        ("json", &["bound", "tritown/4", "--json"]),
        ("row", &["bound", "row.txt"]),
        ("counting_tetris", &["bound", "row.txt", "--counting"]),
    ] {
        golden(&format!("bound_{name}.txt"), &run(directory.path(), arguments));
    }
}

#[test]
fn the_counting_bounds_of_the_ten_cases_are_exact() {
    let directory = directory();
    let bounds = [916, 5_016, 29_964, 21_660, 77_292, 1_329_840, 241_896, 3_047_008, 11_570_632, 6_580_488];
    for (case, bound) in (1..).zip(bounds) {
        let run = run(directory.path(), &["bound", &format!("tritown/{case}"), "--counting", "--json"]);
        assert_eq!(run.json()["bound"], bound, "case {case}");
    }
}
