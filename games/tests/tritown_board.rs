//! The board that searches play on says what the judge says.

use cascade_games::mix::mix2;
use cascade_games::tritown::random::Shape;
use cascade_games::tritown::{Case, Command, Judge, TritownGame};
use cascade_games::{Game, Puzzle};

/// What came up in random plays.
#[derive(Default)]
struct Occasions {
    /// Placements that set off a reaction.
    reactions: usize,
    /// Stars by the level of what stood on their square afterwards.
    stars: [usize; 10],
    /// Bombers on a building with two like neighbours or more.
    splits: usize,
}

impl Occasions {
    fn note(&mut self, case: &Case, before: &[u8], after: &[u8], command: Command) {
        let buildings = |levels: &[u8]| levels.iter().filter(|&&level| level > 0).count();
        let square = command.square();
        let (row, column) = (square / case.columns, square % case.columns);
        let is_beside = |other: usize| row.abs_diff(other / case.columns) + column.abs_diff(other % case.columns) == 1;
        match command {
            Command::Bomber(_) => {
                let is_like = |&other: &usize| is_beside(other) && before[other] == before[square];
                self.splits += usize::from((0..before.len()).filter(is_like).count() >= 2);
            }
            Command::Star(_) => self.stars[usize::from(after[square])] += 1,
            Command::Put(_) => {}
        }
        if !matches!(command, Command::Bomber(_)) {
            self.reactions += usize::from(buildings(after) <= buildings(before));
        }
    }
}

/// Plays random legal commands until none is left, comparing board and judge after every one.
fn compare(game: &TritownGame, seed: u64, seen: &mut Occasions) {
    let squares = game.case().map.len() as u16;
    let mut board = game.start();
    let mut judge = Judge::new(game.case());
    let mut played = Vec::new();
    for step in 0.. {
        assert_eq!(board.levels(), judge.levels(), "after {played:?}");
        assert_eq!(
            (game.score(&board), board.built() as usize, board.stars(), board.bombers()),
            (judge.score(), judge.built(), judge.stars(), judge.bombers()),
            "after {played:?}"
        );
        let mut legal = Vec::new();
        for square in 0..squares {
            for command in [Command::Put(square), Command::Star(square), Command::Bomber(square)] {
                let allowed = judge.clone().play(command).is_ok();
                assert_eq!(game.is_legal(&board, command), allowed, "{command:?} after {played:?}");
                legal.extend(allowed.then_some(command));
            }
        }
        let mut listed = Vec::new();
        game.moves(&board, &mut listed);
        assert!(listed.is_sorted() && listed.iter().all(|command| legal.contains(command)), "{listed:?}");
        if legal.is_empty() {
            break;
        }
        let command = legal[(mix2(seed, step) % legal.len() as u64) as usize];
        let before = board.levels().to_vec();
        game.apply(&mut board, command);
        judge.play(command).expect("legal");
        played.push(command.encode());
        seen.note(game.case(), &before, board.levels(), command);
    }
    let position = game.position(&played).expect("legal");
    assert_eq!((position.score, position.bound), (game.score(&board), game.bound(&board)));
    assert_eq!(position.layer, game.layer(&board));
}

#[test]
fn board_and_judge_agree_on_thousands_of_random_plays() {
    let mut seen = Occasions::default();
    for seed in 0..6_000 {
        let shape = Shape::tiny(seed, 20, 60);
        compare(&TritownGame::new(shape.case(seed)), seed, &mut seen);
    }
    let Occasions { reactions, stars, splits } = seen;
    assert!(reactions > 6_000, "{reactions} reactions");
    assert!(stars[1..].iter().all(|&count| count >= 5), "stars by what became of them: {stars:?}");
    assert!(splits > 100, "{splits} bombers in the middle of a group");
}

#[test]
fn maps_of_one_row_one_column_and_one_square_agree_too() {
    for seed in 0..600 {
        for (rows, columns) in [(1, 1), (1, 2), (1, 9), (9, 1), (2, 2)] {
            let shape = Shape { rows, columns, ..Shape::tiny(seed, 12, 25) };
            compare(&TritownGame::new(shape.case(seed)), seed, &mut Occasions::default());
        }
    }
}

#[test]
fn maps_beyond_the_inline_squares_agree_too() {
    for seed in 0..3 {
        let shape = Shape { rows: 20, columns: 17, length: 60, filled: 70, ..Shape::tiny(seed, 12, 25) };
        compare(&TritownGame::new(shape.case(seed)), seed, &mut Occasions::default());
    }
}

#[test]
fn equal_positions_have_equal_hash_and_layer_whatever_the_way() {
    let game = TritownGame::parse("2 3 1 1 ... ... 3 1 1 2", "case").expect("valid");
    let play = |commands: &[Command]| {
        let mut board = game.start();
        for &command in commands {
            assert!(game.is_legal(&board, command));
            game.apply(&mut board, command);
        }
        board
    };
    use Command::{Bomber, Put, Star};
    let left = play(&[Put(0), Put(5)]);
    let right = play(&[Put(5), Put(0)]);
    assert!(game.same_position(&left, &right) && game.hash(&left) == game.hash(&right));
    assert_eq!(game.layer(&left), game.layer(&right));
    for other in
        [play(&[Put(0), Star(5)]), play(&[Put(0), Put(5), Bomber(0)]), play(&[Put(0)]), play(&[Put(0), Put(4)])]
    {
        assert!(!game.same_position(&left, &other));
        assert_ne!(game.hash(&left), game.hash(&other));
    }
}

#[test]
fn a_hopeless_start_is_over_and_every_method_answers() {
    for text in ["1 1 0 0 9 0", "1 1 0 0 . 0", "2 2 0 0 12 34 3 1 1 1", "1 1 0 5 1 0", "1 1 3 0 1 2 1 1"] {
        let game = TritownGame::parse(text, "case").expect("valid");
        let board = game.start();
        assert!(game.is_over(&board) && game.is_complete(&board), "{text}");
        let mut moves = Vec::new();
        game.moves(&board, &mut moves);
        assert_eq!((game.score(&board), game.layer(&board)), (0, 0));
        assert!(game.bound(&board) >= 0);
        game.estimate(&board);
        assert_eq!(Puzzle::judge(&game, &[]).expect("empty play").score, 0);
        assert!(game.bounds().iter().all(|bound| bound.value >= 0));
    }
}
