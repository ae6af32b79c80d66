//! The fast board against the judge, on random plays of random grids of all sizes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cascade_games::mix::mix2;
use cascade_games::tetris::{Place, TetrisGame, TetrisState, random_grid};
use cascade_games::{Game, Puzzle};
use std::collections::BTreeSet;

/// Every place from which a square may be removed.
fn legal(game: &TetrisGame, state: &TetrisState) -> Vec<Place> {
    (0..256).filter_map(|code| game.decode(code)).filter(|&place| game.is_legal(state, place)).collect()
}

/// Plays `game` to its end by random squares and calls `check` with each position and the moves that led there.
fn play_at_random(game: &TetrisGame, seed: u64, mut check: impl FnMut(&TetrisState, &[u32])) {
    let mut state = game.start();
    let mut moves = Vec::new();
    check(&state, &moves);
    while !game.is_over(&state) {
        let legal = legal(game, &state);
        let place = legal[mix2(seed, moves.len() as u64) as usize % legal.len()];
        game.apply(&mut state, place);
        moves.push(game.encode(place));
        check(&state, &moves);
    }
}

/// Every third grid is of the contest's size, the others of any.
fn random_game(seed: u64) -> TetrisGame {
    let side = |salt| 1 + mix2(seed, salt) as usize % 16;
    if seed.is_multiple_of(3) { random_grid(16, 16, seed) } else { random_grid(side(1), side(2), seed) }
}

#[test]
fn board_and_judge_agree_at_every_step_of_two_thousand_random_plays() {
    for seed in 0..2000 {
        let game = random_game(seed);
        let mut field = game.field().clone();
        play_at_random(&game, seed, |state, moves| {
            if let Some(&last) = moves.last() {
                field.remove((last as usize / 16, last as usize % 16)).unwrap();
            }
            for code in 0..256 {
                let colour = game.decode(code).and_then(|place| state.board.colour(place));
                let seen = field.at((code as usize / 16, code as usize % 16));
                assert_eq!(colour.map_or(b' ', |colour| b'a' + colour), seen, "seed {seed}, square {code:02x}");
            }
            assert_eq!(state.board.colour_counts(), field.colour_counts());
            assert_eq!(state.board.squares_left() as usize, field.squares_left());
            assert_eq!(game.score(state), moves.len() as i64);
        });
    }
}

#[test]
fn the_judge_of_an_instance_ends_where_the_board_ends() {
    for seed in 0..100 {
        let game = random_game(seed);
        play_at_random(&game, seed, |state, moves| {
            let position = game.position(moves).unwrap();
            assert_eq!((position.score, position.complete), (game.score(state), game.is_complete(state)));
            assert_eq!(position.bound, game.bound(state));
            assert_eq!(position.layer, game.layer(state));
        });
    }
}

#[test]
fn listed_moves_lead_to_every_board_that_any_legal_move_leads_to() {
    for seed in 0..100 {
        let game = random_game(seed);
        play_at_random(&game, seed, |state, _| {
            let after = |place: Place| {
                let mut next = state.clone();
                game.apply(&mut next, place);
                game.hash(&next)
            };
            let mut listed = Vec::new();
            game.moves(state, &mut listed);
            assert!(listed.is_sorted_by(|left, right| left < right));
            let from_listed: BTreeSet<u64> = listed.into_iter().map(after).collect();
            assert_eq!(from_listed, legal(&game, state).into_iter().map(after).collect());
        });
    }
}

#[test]
fn the_run_bound_never_exceeds_the_true_cost_of_a_small_board() {
    for seed in 0..60 {
        let (rows, columns) = [(2, 4), (3, 3), (4, 2), (2, 3), (1, 9), (8, 1)][seed as usize % 6];
        let game = random_grid(rows, columns, seed);
        play_at_random(&game, seed, |state, _| {
            assert!(game.bound(state) <= game.score(state) + true_cost(&game, state));
        });
        assert!(game.bounds()[0].value <= true_cost(&game, &game.start()));
    }
}

/// The fewest removals that clear `state`, by trying everything, layer by layer.
fn true_cost(game: &TetrisGame, state: &TetrisState) -> i64 {
    let mut layer = vec![state.clone()];
    let mut cost = 0;
    while !layer.iter().any(|state| game.is_complete(state)) {
        let mut seen = BTreeSet::new();
        let mut next = Vec::new();
        for state in &layer {
            for place in legal(game, state) {
                let mut child = state.clone();
                game.apply(&mut child, place);
                if seen.insert(game.hash(&child)) {
                    next.push(child);
                }
            }
        }
        layer = next;
        cost += 1;
    }
    cost
}
