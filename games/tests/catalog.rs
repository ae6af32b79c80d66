//! Instances by name: what is built in, what files add, what is refused.

use cascade_games::catalog::{CatalogError, LookupError};
use cascade_games::{Catalog, GameId, InstanceName, Origin};

const CASE: &str = "2 3\n1 1\n..1\n221\n2\n1 3\n";

fn name(text: &str) -> InstanceName {
    text.parse().expect("valid name")
}

fn built_in() -> Catalog {
    Catalog::built_in().expect("the built-in instances are sound")
}

#[test]
fn ninety_one_fills_and_ten_stand_ins_are_built_in() {
    let catalog = built_in();
    let instances = catalog.instances();
    let of = |game| instances.iter().filter(|instance| instance.name.game() == game).count();
    assert_eq!((of(GameId::Tetris), of(GameId::Tritown)), (91, 10));
    assert_eq!(catalog.illegal().count(), 256 - 91);
    let cases: Vec<_> = instances.iter().filter(|instance| instance.name.game() == GameId::Tritown).collect();
    let names: Vec<_> = cases.iter().map(|case| case.name.name().to_owned()).collect();
    assert_eq!(names, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"], "numbers go by value");
    assert!(cases.iter().all(|case| case.origin == Origin::StandIn));
    let mut digests: Vec<_> = instances.iter().map(|instance| instance.puzzle().digest()).collect();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), 101);
}

#[test]
fn short_names_are_understood() {
    let catalog = built_in();
    for (short, full) in [("baba", "tetris/baba"), ("tritown7", "tritown/7"), ("tritown/7", "tritown/7")] {
        assert_eq!(catalog.get(&name(short)).expect("known").name.to_string(), full);
    }
    assert!(matches!(catalog.get(&name("tritown11")), Err(LookupError::Unknown(_))));
}

#[test]
fn an_illegal_fill_is_refused_by_name_with_its_squares() {
    let catalog = built_in();
    let (illegal, reason) = catalog.illegal().next().expect("some fill is illegal");
    let error = catalog.get(illegal).expect_err("illegal");
    assert!(matches!(error, LookupError::Illegal { .. }));
    let text = error.to_string();
    assert!(text.contains(&illegal.to_string()) && text.contains(&reason.to_string()), "{text}");
    assert!(reason.squares.len() >= 4);
}

#[test]
fn a_file_takes_the_place_of_a_stand_in_and_its_digest_tells() {
    let mut catalog = built_in();
    let before = catalog.get(&name("tritown1")).expect("stand-in").puzzle().digest();
    catalog.add_file("cases/tritown1.in", CASE).expect("valid");
    let instance = catalog.get(&name("tritown1")).expect("known");
    assert_eq!(instance.origin, Origin::File("cases/tritown1.in".to_owned()));
    assert_ne!(instance.puzzle().digest(), before);
    assert_eq!(catalog.instances().len(), 101);
}

#[test]
fn a_name_given_twice_is_refused_and_both_files_are_named() {
    let mut catalog = built_in();
    catalog.add_file("a/tritown1.in", CASE).expect("valid");
    let error = catalog.add_file("b/tritown1.in", CASE).expect_err("taken").to_string();
    assert_eq!(error, "b/tritown1.in: the name tritown/1 is taken by a/tritown1.in");
    let error = catalog.add_file("baba.txt", "ab\nba\n").expect_err("taken").to_string();
    assert_eq!(error, "baba.txt: the name tetris/baba is taken by an instance built into the program");
}

#[test]
fn grid_files_give_one_instance_a_legal_fill() {
    let mut catalog = Catalog::empty();
    catalog.add_file("dir/small.txt", "abab\ncdcd\n").expect("valid");
    catalog.add_file("dir/open.txt", "aa?a\nbcdc\n").expect("valid");
    let names: Vec<_> = catalog.instances().iter().map(|instance| instance.name.to_string()).collect();
    assert_eq!(names, ["tetris/open-b", "tetris/open-c", "tetris/open-d", "tetris/small"]);
    assert!(matches!(catalog.get(&name("open-a")), Err(LookupError::Illegal { .. })));
}

#[test]
fn a_marks_file_gives_marks_and_needs_its_case() {
    let mut catalog = built_in();
    catalog.add_file("tritown1.in", CASE).expect("valid");
    assert_eq!(catalog.get(&name("tritown1")).expect("known").puzzle().marks(824), None);
    let marks = "824\n800\n700\n600\n500\n400\n300\n200\n100\n";
    catalog.add_file("tritown1.ans", marks).expect("valid");
    let puzzle = catalog.get(&name("tritown1")).expect("known").puzzle();
    assert_eq!([824, 823, 100, 1, 0].map(|score| puzzle.marks(score)), [10, 9, 2, 1, 0].map(Some));
    let error = catalog.add_file("tritown99.ans", marks).expect_err("no such case");
    assert!(matches!(error, CatalogError::MarksWithoutCase { .. }));
}

#[test]
fn files_that_are_no_instances_are_refused_by_name() {
    let mut catalog = Catalog::empty();
    let mut refusal = |file, text| catalog.add_file(file, text).expect_err("must be refused").to_string();
    assert!(refusal("notes.md", "").starts_with("notes.md: expected a file called"));
    assert!(refusal("x/tritown.in", CASE).starts_with("x/tritown.in: '' is not an instance's name"));
    assert!(refusal("tritown1.in", "2 x").starts_with("tritown1.in, line 1: found 'x'"));
    assert!(refusal("grid.txt", "abxd\n").starts_with("grid.txt, line 1: found"));
    assert!(catalog.instances().is_empty());
}
