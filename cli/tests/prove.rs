//! `cascade solve --prove`: says 'optimal' when it is, and what it knows when it was cut short.

mod common;

use common::{BELOW_ITS_BOUND, directory, run, run_with_input, write};

#[test]
fn the_optimum_below_the_bound_is_proved_by_exhaustive_search() {
    let directory = directory();
    write(directory.path(), "tiny.in", BELOW_ITS_BOUND);
    let bound = run(directory.path(), &["bound", "tiny.in", "--json"]).json()["bound"].as_i64().expect("a bound");
    let proved = run(directory.path(), &["solve", "tiny.in", "--prove", "--json"]);
    assert_eq!(proved.code, Some(0));
    assert!(proved.stderr.contains("proved optimal (exhaustive search)"), "{}", proved.stderr);
    let json = proved.json();
    assert_eq!((&json["optimal"], &json["bound_name"]), (&true.into(), &"exhaustive search".into()));
    assert_eq!(json["bound"], json["score"]);
    assert!(json["score"].as_i64().expect("a score") < bound);
    let text: Vec<_> = json["sequence"].as_array().expect("lines").iter().filter_map(|line| line.as_str()).collect();
    assert_eq!(run_with_input(directory.path(), &["check", "tiny.in", "-"], &text.join("\n")).code, Some(0));
}

#[test]
fn small_grids_are_proved_and_a_play_that_reaches_the_bound_at_once() {
    let directory = directory();
    write(directory.path(), "small.txt", "abca\nbcab\ncabd\nadbc\n");
    let grid = run(directory.path(), &["solve", "small.txt", "--prove", "--json"]).json();
    assert_eq!((&grid["optimal"], &grid["ending"]), (&true.into(), &"exhausted".into()));
    assert_eq!(grid["bound"], grid["score"]);
    let case = run(directory.path(), &["solve", "tritown/1", "--json"]).json();
    assert_eq!((&case["optimal"], &case["bound_name"]), (&true.into(), &"counting".into()));
}

#[test]
fn a_proof_cut_short_is_not_proved_and_gives_the_bound_it_has() {
    let directory = directory();
    for limit in [["--expansions", "40000"], ["--seconds", "0.01"]] {
        let cut = run(directory.path(), &[&["solve", "tritown/7", "--prove", "--json"], &limit[..]].concat());
        assert_eq!(cut.code, Some(0));
        assert!(cut.stderr.contains("not proved") && cut.stderr.contains("no play is better than"), "{}", cut.stderr);
        let json = cut.json();
        assert_eq!(json["optimal"], false);
        assert!(json["bound"].as_i64().expect("a bound") >= json["score"].as_i64().expect("a score"));
    }
}
