//! The rules of "Tetris, again" as the statement and the contest have them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cascade_games::tetris::{CONTEST_GRID, Grid, TetrisGame, random_grid};
use cascade_games::{AnyGame, GameId, Judged, Puzzle};

/// A clearing of the contest grid filled with `baba`, in 22 removals.
const BABA: &str = "c0 9f f4 f2 d7 cf ef fb de ee f3 fe f7 e3 ff f3 fc fb f2 f2 f1 fe";

fn baba() -> TetrisGame {
    TetrisGame::parse(&CONTEST_GRID.replace("????", "baba"), "baba").unwrap()
}

#[test]
fn baba_is_cleared_in_22_removals() {
    let game = baba();
    let moves = game.parse(BABA, "play").unwrap();
    assert_eq!(game.judge(&moves), Ok(Judged { score: 22, complete: true }));
    assert_eq!(game.judge(&moves[..21]).map(|judged| judged.complete), Ok(false));
    let report = game.check(BABA, "play", 0);
    assert!(report.correct);
    assert_eq!((report.verdict.as_str(), report.points), ("Correct! 22 removals, 220 points", Some(220)));
    assert_eq!(game.check(BABA, "play", 1000).verdict, "Correct! 22 removals, 1220 points");
}

#[test]
fn of_256_fills_91_are_legal() {
    let fills = Grid::parse(CONTEST_GRID, "contest").unwrap().fills();
    assert_eq!(fills.len(), 256);
    assert_eq!(fills.iter().filter(|fill| fill.game.is_ok()).count(), 91);
    assert!(fills.is_sorted_by(|left, right| left.letters < right.letters));
    let illegal = fills.iter().find(|fill| fill.letters == "aaaa").unwrap().game.clone().unwrap_err();
    assert_eq!(illegal.to_string(), "squares 37 46 47 48 49 55 56 66 are a cluster of 8 a");
}

#[test]
fn printing_the_start_grid_at_once_costs_1012_points() {
    let game = baba();
    let report = game.check(game.content(), "entry", 0);
    assert!(report.correct);
    assert_eq!(report.points, Some(1012));
    assert_eq!(report.verdict, "Correct! 0 removals, 1012 points\nprinted grid: 256 squares right, 0 wrong");
}

#[test]
fn blanks_of_a_printed_grid_count_as_squares_and_wrong_ones_cost_five() {
    let game = TetrisGame::parse("ab\nba\n", "small").unwrap();
    let blank = " ".repeat(16);
    let rows = |first: &str, second: &str| format!("00\n{first:16}\n{second:16}\n{}", format!("{blank}\n").repeat(14));
    let right = game.check(&rows(" b", "ba"), "entry", 7);
    assert_eq!(right.points, Some(7 + 10 + 500 + 2 * 256));
    let wrong = game.check(&rows("cb", "ba"), "entry", 0);
    assert_eq!(wrong.points, Some(10 + 500 + 2 * 255 + 5));
}

#[test]
fn a_board_that_is_not_cleared_is_told_with_its_squares() {
    let report = baba().check("", "entry", 0);
    assert!(!report.correct);
    assert_eq!((report.verdict.as_str(), report.score), ("not cleared: 256 squares left", Some(0)));
}

#[test]
fn removals_that_the_rules_forbid_are_told_with_their_line() {
    let game = TetrisGame::parse("ab\nba\n", "small").unwrap();
    let refused = |text: &str| {
        let report = game.check(text, "out.txt", 0);
        assert!(!report.correct && report.verdict.starts_with("Output Invalid! "));
        assert_eq!(game.parse(text, "out.txt").unwrap_err().line, report.line.unwrap());
        report.verdict.trim_start_matches("Output Invalid! ").to_owned()
    };
    let expected = "expected the index of a square that is not empty";
    assert_eq!(refused("00\n\n00"), format!("out.txt, line 3: found 00, but square 00 is empty, {expected}"));
    assert_eq!(refused("02"), format!("out.txt, line 1: found 02, but square 02 is outside the 2x2 grid, {expected}"));
    assert_eq!(
        refused("10 10 11 11\n00"),
        "out.txt, line 2: found 00, but the board is cleared already, expected the end"
    );
    assert!(refused("10 1g").starts_with("out.txt, line 1: found '1g', expected indices of two hexadecimal digits"));
}

#[test]
fn squares_of_smaller_grids_are_named_by_row_and_column() {
    let game = TetrisGame::parse("abc\nbca\n", "small").unwrap();
    let error = game.parse("12 02", "play").unwrap_err();
    assert_eq!(error.found, "02, but square 02 is empty");
    let moves = game.parse("12 12 00", "play").unwrap();
    assert_eq!(moves, [0x12, 0x12, 0x00]);
    assert_eq!(game.format(&moves), "12\n12\n00\n");
}

#[test]
fn content_is_read_back_to_the_same_instance() {
    for seed in 0..20 {
        let game = random_grid(1 + seed as usize % 16, 1 + seed as usize * 7 % 16, seed);
        let AnyGame::Tetris(again) = AnyGame::parse(GameId::Tetris, game.content(), "content").unwrap() else {
            panic!("another game");
        };
        assert_eq!(again.digest(), game.digest());
    }
}

#[test]
fn positions_are_equal_exactly_when_the_boards_are() {
    let game = TetrisGame::parse("abc\nbca\n", "small").unwrap();
    let key = |moves: &[u32]| game.position(moves).unwrap().key;
    assert_eq!(key(&[0x00, 0x01]), key(&[0x01, 0x00]));
    assert_ne!(key(&[0x00]), key(&[0x10]));
    assert_ne!(key(&[]), key(&[0x00]));
    let position = game.position(&[0x00]).unwrap();
    assert_eq!((position.score, position.layer, position.complete, position.bound), (1, 1, false, 6));
}

#[test]
fn grid_files_that_are_not_of_the_format_are_refused_with_the_place() {
    let refused = |text: &str| Grid::parse(text, "grid.txt").unwrap_err().to_string();
    let row = "a row of the letters a, b, c, d and ?";
    assert_eq!(refused(""), format!("grid.txt, line 1: found nothing, expected {row}"));
    assert_eq!(refused("\r\n\n"), format!("grid.txt, line 1: found nothing, expected {row}"));
    assert_eq!(refused("ab\n\nba"), format!("grid.txt, line 2: found an empty line, expected {row}"));
    assert_eq!(refused("ab\nbA"), format!("grid.txt, line 2: found 'A' in column 2, expected {row}"));
    assert_eq!(refused("aé"), format!("grid.txt, line 1: found 'é' in column 2, expected {row}"));
    assert_eq!(refused("ab\nb"), "grid.txt, line 2: found 1 letters, expected 2, as many as in line 1");
    assert_eq!(refused("abcdabcdabcdabcda"), "grid.txt, line 1: found 17 letters, expected at most 16");
    assert_eq!(
        refused(&"a\nb\n".repeat(9)),
        "grid.txt, line 17: found row 17, expected the end: a grid has at most 16 rows"
    );
    assert_eq!(
        refused("????\n????"),
        "grid.txt, line 2: found the 7th unknown square, expected at most 6, since every way to fill them is an instance"
    );
}

#[test]
fn a_grid_may_have_windows_line_ends_blank_lines_at_its_end_and_a_single_row_or_column() {
    let plain = Grid::parse("ab\nba", "g").unwrap();
    assert_eq!(Grid::parse("ab\r\nba\r\n\r\n  \n", "g").unwrap(), plain);
    assert_eq!(Grid::parse("a?", "g").unwrap().fills().len(), 4);
    assert!(TetrisGame::parse("a\nb\na", "g").is_ok());
}

#[test]
fn an_instance_is_a_full_grid_without_a_cluster() {
    let refused = |text: &str| TetrisGame::parse(text, "g.txt").unwrap_err().to_string();
    assert_eq!(
        refused("ab\nb?\n"),
        "g.txt, line 2: found an unknown square (11), expected a full grid of the letters a, b, c and d"
    );
    assert_eq!(
        refused("bcd\naab\naac"),
        "g.txt, line 2: found a cluster (squares 10 11 20 21 are a cluster of 4 a), \
         expected a grid in which nothing can vanish at the start"
    );
}
