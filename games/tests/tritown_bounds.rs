//! Bounds and listed moves against exhaustive search of tiny cases.

use cascade_games::tritown::random::Shape;
use cascade_games::tritown::{Board, Case, Command, TritownGame};
use cascade_games::{Game, Puzzle};
use std::collections::HashMap;

/// Every play of a case, each position once.
struct Exhaustive<'a> {
    game: &'a TritownGame,
    /// The most points still to come, by position.
    solved: HashMap<Vec<u8>, i64>,
    /// The same when only listed moves are played.
    solved_by_listed: HashMap<Vec<u8>, i64>,
}

fn key(board: &Board) -> Vec<u8> {
    let counts = [board.built(), board.stars(), board.bombers()];
    board.levels().iter().copied().chain(counts.into_iter().flat_map(u32::to_le_bytes)).collect()
}

impl Exhaustive<'_> {
    fn most_to_come(&mut self, board: &Board) -> i64 {
        if let Some(&known) = self.solved.get(&key(board)) {
            return known;
        }
        let mut most = 0;
        for square in 0..board.levels().len() as u16 {
            for command in [Command::Put(square), Command::Star(square), Command::Bomber(square)] {
                if self.game.is_legal(board, command) {
                    let mut next = board.clone();
                    self.game.apply(&mut next, command);
                    let gained = self.game.score(&next) - self.game.score(board);
                    most = most.max(gained + self.most_to_come(&next));
                }
            }
        }
        let score = self.game.score(board);
        assert!(self.game.bound(board) >= score + most, "bound {} of {board:?}", self.game.bound(board));
        let tight = self.game.bound_for_proof(board);
        assert!(tight >= score + most && tight <= self.game.bound(board), "tight bound {tight} of {board:?}");
        if self.game.is_over(board) {
            assert_eq!(most, 0, "over, yet more can be had: {board:?}");
        }
        self.solved.insert(key(board), most);
        most
    }

    fn most_by_listed(&mut self, board: &Board) -> i64 {
        if self.game.is_over(board) {
            return 0;
        }
        if let Some(&known) = self.solved_by_listed.get(&key(board)) {
            return known;
        }
        let mut moves = Vec::new();
        self.game.moves(board, &mut moves);
        let mut most = 0;
        for command in moves {
            let mut next = board.clone();
            self.game.apply(&mut next, command);
            most = most.max(self.game.score(&next) - self.game.score(board) + self.most_by_listed(&next));
        }
        self.solved_by_listed.insert(key(board), most);
        most
    }
}

#[test]
fn no_play_of_a_tiny_case_beats_a_bound_and_listed_moves_reach_the_optimum() {
    let (mut below, mut tighter, mut met) = (0, 0, 0);
    for seed in 0..150 {
        let shape = Shape::tiny(seed, 6, 7);
        let shape = Shape { stars: shape.stars.min(2), bombers: shape.bombers.min(1), ..shape };
        let game = TritownGame::new(shape.case(seed));
        let mut search = Exhaustive { game: &game, solved: HashMap::new(), solved_by_listed: HashMap::new() };
        let start = game.start();
        let optimum = search.most_to_come(&start);
        let bound = game.counting_bound().expect("few stars");
        assert!(optimum <= bound, "seed {seed}");
        assert!(bound <= game.bound(&start), "seed {seed}");
        assert!(game.moves_keep_optimum());
        assert_eq!(search.most_by_listed(&start), optimum, "seed {seed}");
        below += usize::from(optimum > 0 && optimum < bound);
        let room = game.room_bound().expect("a small map");
        assert!(optimum <= room, "seed {seed}");
        assert_eq!(game.bounds()[0].value, bound.min(room));
        tighter += usize::from(room < bound);
        met += usize::from(optimum == room && room < bound);
    }
    assert!(below > 10, "the bound is met by nearly all cases: they are too easy to test it");
    assert!(tighter > 10 && met > 10, "the room bound is tighter {tighter} times and met {met} times");
}

#[test]
fn case_1_of_the_stand_ins_reaches_its_bound() {
    let (_, text) = cascade_games::tritown::STAND_INS[0];
    let game = TritownGame::parse(text, "case 1").expect("valid");
    let mut search = Exhaustive { game: &game, solved: HashMap::new(), solved_by_listed: HashMap::new() };
    assert_eq!(search.most_by_listed(&game.start()), 916);
}

#[test]
fn the_largest_cases_have_a_bound_too() {
    for (stars, level, exact) in
        [(0, 1, true), (20, 1, true), (20, 7, true), (Case::MOST_ITEMS, 1, false), (Case::MOST_ITEMS, 5, false)]
    {
        let case = Case {
            rows: 32,
            columns: 32,
            stars,
            bombers: Case::MOST_ITEMS,
            map: vec![1; 1024],
            sequence: (0..Case::LONGEST_SEQUENCE).map(|index| 1 + (index % level) as u8).collect(),
        };
        let game = TritownGame::new(case);
        let bound = game.bounds()[0].value;
        assert!(bound > 0 && bound <= game.bound(&game.start()));
        assert_eq!(game.counting_bound().is_some(), exact, "{stars} stars");
    }
}
