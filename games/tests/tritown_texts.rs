//! Plays as text: written, read back, judged in the checker's words.

use cascade_games::tritown::{Command, Marks, TritownGame};
use cascade_games::{AnyGame, GameId, Puzzle};
use proptest::prelude::*;

const EXAMPLE: &str = "2 3 1 1 ..1 221 2 1 3";

fn example() -> TritownGame {
    TritownGame::parse(EXAMPLE, "example").expect("valid")
}

fn verdict(play: &str) -> String {
    example().check(play, "tritown0.out", 0).verdict
}

#[test]
fn the_statements_example_is_correct_with_824() {
    for play in ["PUT 1 2 PUT 1 1 STAR 2 1 END", "PUT 1 2\r\nPUT 1 1 \r\n\r\nSTAR 2 1\r\nEND"] {
        let report = example().check(play, "tritown0.out", 0);
        assert!(report.correct);
        assert_eq!(report.verdict, "Correct! Your score is 824");
        assert_eq!((report.score, report.line, report.points, report.marks), (Some(824), None, None, None));
    }
}

#[test]
fn a_play_is_read_back_as_written() {
    let moves = [Command::Put(1), Command::Put(0), Command::Star(3)].map(Command::encode);
    let text = example().format(&moves);
    assert_eq!(text, "PUT 1 2\nPUT 1 1\nSTAR 2 1\nEND\n");
    assert_eq!(example().parse(&text, "t.out").expect("valid"), moves);
    assert_eq!(example().format(&[]), "END\n");
}

#[test]
fn an_invalid_play_is_refused_with_reason_and_line() {
    for (play, reason) in [
        ("", "line 1: found the end of the text, expected PUT, STAR, BOMBER or END"),
        ("PUT 1 2\nPUT 1 1\n", "line 2: found the end of the text, expected PUT, STAR, BOMBER or END (END comes last)"),
        (
            "PUT 1 2\nPUT 1 1\nPUT 2 1\nEND",
            "line 3: found 'PUT 2 1', expected a command that the rules allow: all 2 buildings of the sequence are used up",
        ),
        (
            "PUT 2 1\nEND",
            "line 1: found 'PUT 2 1', expected a command that the rules allow: row 2 column 1 already holds a building of level 2",
        ),
        ("PUT 3 1\nEND", "line 1: found '3', expected a row of the map, a number from 1 to 2"),
        ("PUT 1 0\nEND", "line 1: found '0', expected a column of the map, a number from 1 to 3"),
        ("PUT 1 x\nEND", "line 1: found 'x', expected a column of the map, a number from 1 to 3"),
        (
            "STAR 1 1\nSTAR 1 2 END",
            "line 2: found 'STAR 1 2', expected a command that the rules allow: no star is left",
        ),
        (
            "BOMBER 2 1\nBOMBER 2 2 END",
            "line 2: found 'BOMBER 2 2', expected a command that the rules allow: no bomber is left",
        ),
        (
            "BOMBER 1 1\nEND",
            "line 1: found 'BOMBER 1 1', expected a command that the rules allow: row 1 column 1 holds no building",
        ),
        ("END\nEND", "line 2: found 'END', expected the end of the text after END"),
        ("put 1 1\nEND", "line 1: found 'put', expected PUT, STAR, BOMBER or END"),
    ] {
        assert_eq!(verdict(play), format!("Output Invalid!\ntritown0.out, {reason}"));
        assert!(!example().check(play, "tritown0.out", 0).correct);
    }
    let report = example().check("PUT 1 2\nPUT 1 2\nEND", "tritown0.out", 0);
    assert_eq!((report.score, report.line), (Some(124), Some(2)));
}

#[test]
fn marks_are_given_where_they_are_known() {
    let marks = Marks::parse("824 800 700 600 500 400 300 200 100", "t.ans").expect("valid");
    let game = example().with_marks(marks);
    assert_eq!(game.check("PUT 1 2 PUT 1 1 STAR 2 1 END", "t.out", 0).marks, Some(10));
    assert_eq!(game.check("PUT 1 2 END", "t.out", 0).marks, Some(2));
    assert_eq!(game.check("END", "t.out", 0).marks, Some(0));
    assert_eq!(game.check("PUT 1 2", "t.out", 0).marks, Some(0));
    assert_eq!(game.digest(), example().digest(), "marks are no part of the content");
}

#[test]
fn illegal_sequences_are_refused_by_number() {
    let judged = |moves: &[u32]| Puzzle::judge(&example(), moves).expect_err("illegal").to_string();
    assert_eq!(judged(&[1, 1]), "move 2: row 1 column 2 already holds a building of level 3");
    assert_eq!(judged(&[6]), "move 1: 6 is the number of no command on this map");
    assert!(example().position(&[u32::MAX]).is_err());
}

#[test]
fn content_is_read_back_with_the_same_digest() {
    let game = example();
    let again = AnyGame::parse(GameId::Tritown, game.content(), "again").expect("valid").puzzle();
    assert_eq!((again.content(), again.digest()), (game.content(), game.digest()));
}

#[test]
fn equal_partial_states_have_equal_keys() {
    let game = TritownGame::parse("2 3 0 1 ... ... 3 1 1 2", "case").expect("valid");
    let key = |moves: &[u32]| game.position(moves).expect("legal").key;
    assert_eq!(key(&[0, 5]), key(&[5, 0]));
    assert_ne!(key(&[0, 5]), key(&[0, 4]));
    assert_ne!(key(&[]), key(&[0, Command::Bomber(0).encode()]));
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "([0-9.]{1,4}|PUT|STAR|BOMBER|END|[ \r\n]|\\PC){0,40}") {
        let _ = TritownGame::parse(&text, "any");
        let _ = Marks::parse(&text, "any");
        let game = example();
        let _ = game.parse(&text, "any");
        game.check(&text, "any", 0);
    }

    #[test]
    fn no_sequence_makes_judging_panic(moves in proptest::collection::vec(0u32..0x3_0008, 0..12)) {
        let _ = Puzzle::judge(&example(), &moves);
        let _ = example().position(&moves);
        let _ = example().format(&moves);
    }
}
