//! A replay shows what the judge does.

use cascade_games::mix::mix2;
use cascade_games::tetris::judge::Field;
use cascade_games::tetris::{TetrisGame, random_grid};
use cascade_games::tritown::random::Shape;
use cascade_games::tritown::{Command, Judge, TritownGame};
use cascade_games::{Game, Puzzle, Replay, Scene, SceneKind};
use proptest::prelude::*;

/// Any listed moves, drawn by `seed`, until the play is over.
fn random_play<G: Game>(game: &G, seed: u64) -> Vec<u32> {
    let (mut state, mut sequence, mut moves) = (game.start(), vec![], vec![]);
    while !game.is_over(&state) {
        moves.clear();
        game.moves(&state, &mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[(mix2(seed, sequence.len() as u64) % moves.len() as u64) as usize];
        game.apply(&mut state, mv);
        sequence.push(game.encode(mv));
    }
    sequence
}

/// Plays any legal commands, listed or not, drawn by `seed`.
fn random_commands(game: &TritownGame, seed: u64) -> Vec<u32> {
    let mut judge = Judge::new(game.case());
    let squares = game.case().map.len() as u16;
    let mut played = Vec::new();
    for step in 0..60 {
        let every = (0..squares)
            .flat_map(|square| [Command::Put(square), Command::Star(square), Command::Bomber(square)])
            .filter(|&command| judge.clone().play(command).is_ok());
        let legal: Vec<_> = every.collect();
        if legal.is_empty() {
            break;
        }
        let command = legal[(mix2(seed, step) % legal.len() as u64) as usize];
        judge.play(command).expect("legal");
        played.push(command.encode());
    }
    played
}

fn field_letters(field: &Field) -> Vec<char> {
    let squares = (0..field.rows()).flat_map(|row| (0..field.columns()).map(move |column| (row, column)));
    squares.map(|square| char::from(field.at(square))).map(|letter| if letter == ' ' { '.' } else { letter }).collect()
}

fn level_letters(judge: &Judge<'_>) -> Vec<char> {
    judge.levels().iter().map(|&level| if level == 0 { '.' } else { char::from(b'0' + level) }).collect()
}

/// Calls `check` with each scene and the board before it.
fn each_scene(replay: &Replay, mut check: impl FnMut(&Scene, &[char])) {
    let mut board = replay.start.clone();
    for scene in replay.turns.iter().flat_map(|turn| &turn.scenes) {
        check(scene, &board);
        scene.apply(&mut board);
    }
}

/// The sizes of the groups of alike neighbours that `squares` fall into on `board`.
fn group_sizes(replay: &Replay, squares: &[u16], board: &[char]) -> Vec<usize> {
    let mut left: Vec<usize> = squares.iter().map(|&square| square.into()).collect();
    let mut sizes = Vec::new();
    while let Some(first) = left.pop() {
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&square) = group.get(next) {
            next += 1;
            let place = |square: usize| (square / replay.columns, square % replay.columns);
            let joins = |other: &mut usize| {
                let ((row, column), (other_row, other_column)) = (place(square), place(*other));
                row.abs_diff(other_row) + column.abs_diff(other_column) == 1 && board[square] == board[*other]
            };
            group.extend(left.extract_if(.., joins));
        }
        sizes.push(group.len());
    }
    sizes
}

proptest! {
    #[test]
    fn a_replay_of_removals_shows_the_judges_board_after_each(rows in 1usize..=16, columns in 1usize..=16, seed: u64) {
        let game = random_grid(rows, columns, seed);
        let moves = random_play(&game, seed);
        let replay = game.replay(&moves).expect("legal");
        prop_assert_eq!((replay.rows, replay.columns, replay.turns.len()), (rows, columns, moves.len()));
        let mut field = game.field().clone();
        prop_assert_eq!(&replay.start, &field_letters(&field));
        for (turn, &code) in moves.iter().enumerate() {
            field.remove((code as usize / 16, code as usize % 16)).expect("legal");
            prop_assert_eq!(replay.board_after(turn + 1), field_letters(&field));
            prop_assert_eq!(replay.turns[turn].scenes[0].kind, SceneKind::Remove);
            prop_assert_eq!(&replay.turns[turn].scenes[0].squares, &[replay.turns[turn].square]);
        }
        let judged = game.judge(&moves).expect("legal");
        prop_assert_eq!(replay.turns.last().map(|turn| turn.score), Some(judged.score));
        each_scene(&replay, |scene, board| {
            assert!(scene.changes.iter().all(|&(square, letter)| board[usize::from(square)] != letter));
            match scene.kind {
                SceneKind::Vanish => {
                    assert!(scene.squares.iter().all(|&square| board[usize::from(square)] != '.'));
                    assert!(group_sizes(&replay, &scene.squares, board).into_iter().all(|size| size >= 4));
                }
                SceneKind::Remove | SceneKind::Fall => {}
                other => panic!("{other:?} in this game"),
            }
        });
    }

    #[test]
    fn a_replay_of_commands_shows_the_judges_board_after_each(seed: u64, any: bool) {
        let game = TritownGame::new(Shape::tiny(seed, 16, 40).case(seed));
        let moves = if any { random_commands(&game, seed) } else { random_play(&game, seed) };
        let replay = game.replay(&moves).expect("legal");
        let mut judge = Judge::new(game.case());
        prop_assert_eq!(&replay.start, &level_letters(&judge));
        prop_assert_eq!(replay.turns.len(), moves.len());
        for (turn, &code) in moves.iter().enumerate() {
            let command = Command::decode(code, game.case().map.len()).expect("a command");
            judge.play(command).expect("legal");
            prop_assert_eq!(replay.board_after(turn + 1), level_letters(&judge));
            prop_assert_eq!(replay.turns[turn].score, judge.score());
            prop_assert_eq!(usize::from(replay.turns[turn].square), command.square());
            prop_assert!(!replay.turns[turn].scenes.is_empty());
        }
        each_scene(&replay, |scene, board| match scene.kind {
            SceneKind::Merge => {
                let sizes = group_sizes(&replay, &scene.squares, board);
                assert!(sizes.len() == 1 && sizes[0] >= 3, "{sizes:?}");
            }
            SceneKind::Build => assert!(scene.squares.iter().all(|&square| board[usize::from(square)] == '.')),
            SceneKind::Demolish => assert!(scene.squares.iter().all(|&square| board[usize::from(square)] != '.')),
            other => panic!("{other:?} in this game"),
        });
    }

    #[test]
    fn no_sequence_makes_a_replay_panic(moves in proptest::collection::vec(0u32..0x3_0008, 0..12)) {
        let game = random_grid(3, 2, 1);
        prop_assert_eq!(game.replay(&moves).is_ok(), game.judge(&moves).is_ok());
        let game = TritownGame::new(Shape::tiny(7, 8, 8).case(7));
        prop_assert_eq!(game.replay(&moves).is_ok(), Puzzle::judge(&game, &moves).is_ok());
    }
}

#[test]
fn an_illegal_move_is_refused_with_its_number() {
    let grid = TetrisGame::parse("ab\nba\n", "small").expect("valid");
    for moves in [&[0x00, 0x00][..], &[0x00, 0x02]] {
        assert_eq!(grid.replay(moves), Err(grid.judge(moves).expect_err("illegal")));
        assert_eq!(grid.replay(moves).expect_err("illegal").number, 2);
    }
    let case = TritownGame::parse("2 3 1 1 ..1 221 2 1 3", "example").expect("valid");
    for moves in [&[1, 1][..], &[1, u32::MAX]] {
        assert_eq!(case.replay(moves), Err(Puzzle::judge(&case, moves).expect_err("illegal")));
        assert_eq!(case.replay(moves).expect_err("illegal").number, 2);
    }
}

/// The whole replay as text: each scene with its squares, and the board after it.
fn told(replay: &Replay) -> String {
    let mut board = replay.start.clone();
    let rows = |board: &[char]| board.chunks(replay.columns).map(String::from_iter).collect::<Vec<_>>().join("/");
    let mut lines = vec![rows(&board)];
    for turn in &replay.turns {
        lines.push(format!("{} at {}, score {}", turn.words, turn.square, turn.score));
        for scene in &turn.scenes {
            scene.apply(&mut board);
            lines.push(format!("  {} {:?} {}", scene.kind.name(), scene.squares, rows(&board)));
        }
    }
    lines.join("\n")
}

#[test]
fn a_small_grid_is_told_scene_by_scene() {
    let game = TetrisGame::parse("abc\ncad\nbcb\n", "small").expect("valid");
    let expected = "\
abc/cad/bcb
remove row 3 column 2 at 7, score 1
  remove [7] abc/cad/b.b
  fall [4, 7] a.c/cbd/bab
remove row 2 column 1 at 3, score 2
  remove [3] a.c/.bd/bab
  fall [3] ..c/abd/bab";
    assert_eq!(told(&game.replay(&[0x21, 0x10]).expect("legal")), expected);
}

#[test]
fn groups_of_a_grid_vanish_in_waves() {
    let game = TetrisGame::parse("a\na\nb\nb\nc\nb\nb\na\na\n", "column").expect("valid");
    let expected = "\
a/a/b/b/c/b/b/a/a
remove row 5 column 1 at 4, score 1
  remove [4] a/a/b/b/./b/b/a/a
  fall [2, 4] ./a/a/b/b/b/b/a/a
  vanish [3, 4, 5, 6] ./a/a/././././a/a
  fall [5, 6] ./././././a/a/a/a
  vanish [5, 6, 7, 8] ././././././././.";
    assert_eq!(told(&game.replay(&[0x40]).expect("legal")), expected);
}

#[test]
fn the_statements_example_is_told_scene_by_scene() {
    let game = TritownGame::parse("2 3 1 1 ..1 221 2 1 3", "example").expect("valid");
    let moves = game.parse("PUT 1 2 PUT 1 1 STAR 2 1 END", "play").expect("legal");
    let expected = "\
..1/221
PUT row 1 column 2 at 1, score 124
  build [1] .11/221
  merge [1, 2, 5] .2./22.
  merge [1, 4, 3] .3./...
PUT row 1 column 1 at 0, score 224
  build [0] 33./...
STAR row 2 column 1 at 3, score 824
  build [3] 33./3..
  merge [3, 0, 1] .../4..";
    assert_eq!(told(&game.replay(&moves).expect("legal")), expected);
}
