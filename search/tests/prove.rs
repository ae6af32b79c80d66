//! Search to proof, held against plain exhaustive search on the judges.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use cascade_games::mix::mix2;
use cascade_games::tetris::judge::{EMPTY, Field};
use cascade_games::tetris::{TetrisGame, random_grid};
use cascade_games::tritown::random::Shape;
use cascade_games::tritown::{Case, Command, Judge, TritownGame};
use cascade_games::{Game, Puzzle};
use cascade_search::{Ending, Limits, Proof, ProveOptions, SolveOptions, SystemClock, prove};
use common::walk::Walk;
use common::{CountingClock, Recorder, on_threads, unlimited};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

/// Hardly any search for a play to beat, so that the proof is not that search's.
const OPTIONS: ProveOptions = ProveOptions {
    solve: SolveOptions {
        strategy: cascade_search::Choice::Beam,
        width: Some(1),
        seed: 0,
        expansions: None,
        bound: None,
    },
    first_expansions: 1,
    memory: 1 << 30,
};

fn proof_within<G: Game>(game: &G, options: &ProveOptions, limits: &Limits<'_>) -> Proof {
    let recorder = Recorder::default();
    let proof = prove(game, options, limits, &recorder);
    assert_eq!(recorder.found.into_inner().unwrap().last(), proof.outcome.best.as_ref());
    proof
}

fn proof<G: Game>(game: &G, options: &ProveOptions) -> Proof {
    proof_within(game, options, &unlimited(&SystemClock::start()))
}

/// The proved optimum, its play judged.
fn proved<G: Game + Puzzle>(game: &G, options: &ProveOptions) -> i64 {
    let Proof { outcome, bound } = proof(game, options);
    assert_eq!((outcome.ending, outcome.proved), (Ending::Exhausted, true));
    let best = outcome.best.unwrap();
    let judged = Puzzle::judge(game, &best.moves).unwrap();
    assert!(judged.complete && judged.score == best.score && bound == Some(best.score));
    assert_eq!(outcome.promising[0], best.moves);
    best.score
}

/// All that can still matter: map, buildings used up, stars and bombers left.
type Position = (Vec<u8>, usize, u32, u32);

/// The most points still to come, by every play the judge allows.
fn most_to_come(case: &Case, judge: &Judge<'_>, solved: &mut HashMap<Position, i64>) -> i64 {
    let position = (judge.levels(), judge.built(), judge.stars(), judge.bombers());
    if let Some(&known) = solved.get(&position) {
        return known;
    }
    let mut most = 0;
    for square in 0..case.map.len() as u16 {
        for command in [Command::Put(square), Command::Star(square), Command::Bomber(square)] {
            let mut next = judge.clone();
            if next.play(command).is_ok() {
                most = most.max(next.score() - judge.score() + most_to_come(case, &next, solved));
            }
        }
    }
    solved.insert(position, most);
    most
}

/// Maps of at most six squares, some of them built on, and fourteen buildings to come.
fn tiny_case(seed: u64) -> Case {
    const SIZES: [(usize, usize); 8] = [(1, 5), (2, 2), (2, 3), (3, 2), (1, 6), (6, 1), (1, 3), (1, 4)];
    let (rows, columns) = SIZES[seed as usize % SIZES.len()];
    let draw = |salt, below| (mix2(seed, salt) % below) as u32;
    let (stars, bombers) = (draw(1, 3), draw(2, 3));
    let filled = [0, 20, 50][draw(3, 3) as usize];
    Shape { rows, columns, stars, bombers, length: 14, filled, ..Shape::tiny(seed, 6, 14) }.case(seed)
}

#[test]
fn the_proved_optimum_of_tiny_maps_is_that_of_an_exhaustive_search_on_the_judge() {
    let (mut stars, mut bombers, mut below_counting, mut below_all) = (0, 0, 0, 0);
    for seed in 0..20 {
        let case = tiny_case(seed);
        let optimum = most_to_come(&case, &Judge::new(&case), &mut HashMap::new());
        let game = TritownGame::new(case);
        assert_eq!(proved(&game, &OPTIONS), optimum, "seed {seed}: {}", game.content());
        stars += game.case().stars;
        bombers += game.case().bombers;
        below_counting += u32::from(game.counting_bound().is_some_and(|bound| optimum < bound));
        below_all += u32::from(optimum < game.bounds()[0].value);
    }
    assert!(stars > 8 && bombers > 8, "{stars} stars, {bombers} bombers");
    assert!(
        below_counting > 8 && below_all > 2,
        "{below_counting} lie below the counting bound, {below_all} below all"
    );
}

/// The fewest removals that clear the field, layer by layer.
fn fewest_removals(field: &Field) -> i64 {
    let squares = |field: &Field| -> Vec<u8> {
        (0..field.rows() * field.columns())
            .map(|index| field.at((index / field.columns(), index % field.columns())))
            .collect()
    };
    let mut layer = vec![field.clone()];
    for removals in 0.. {
        if layer.iter().any(|field| field.squares_left() == 0) {
            return removals;
        }
        let mut known = BTreeSet::new();
        let mut next = Vec::new();
        for field in &layer {
            for (index, square) in squares(field).into_iter().enumerate() {
                if square != EMPTY {
                    let mut child = field.clone();
                    child.remove((index / field.columns(), index % field.columns())).unwrap();
                    if known.insert(squares(&child)) {
                        next.push(child);
                    }
                }
            }
        }
        layer = next;
    }
    unreachable!("every field is cleared in as many removals as it has squares")
}

#[test]
fn the_proved_optimum_of_small_grids_is_that_of_an_exhaustive_search_on_the_judge() {
    for (seed, (rows, columns)) in (0..).zip([(4, 4), (3, 4), (4, 3), (2, 6), (6, 2), (4, 4), (1, 9), (9, 1)]) {
        let game = random_grid(rows, columns, seed);
        assert_eq!(proved(&game, &OPTIONS), fewest_removals(game.field()), "{}", game.content());
    }
}

#[test]
fn with_little_memory_the_optimum_is_the_same() {
    for seed in [4, 9] {
        let shape =
            Shape { rows: 2, columns: 4, length: 14, filled: 20, stars: 2, bombers: 1, ..Shape::tiny(seed, 8, 14) };
        let game = TritownGame::new(shape.case(seed));
        assert_eq!(proved(&game, &ProveOptions { memory: 0, ..OPTIONS }), proved(&game, &OPTIONS));
    }
    let grid = random_grid(5, 6, 7);
    let cramped = ProveOptions { memory: 1 << 21, ..OPTIONS };
    let (whole, parts) = (proof(&grid, &OPTIONS).outcome, proof(&grid, &cramped).outcome);
    assert!(whole.proved && parts.proved && whole.best.unwrap().score == parts.best.unwrap().score);
    assert_ne!(parts.expansions, whole.expansions, "there was room enough");
}

#[test]
fn a_proof_is_the_same_on_any_number_of_threads() {
    let grid = random_grid(4, 5, 2);
    for options in [OPTIONS, ProveOptions { memory: 0, ..OPTIONS }] {
        let [one, two] = [1, 2].map(|threads| on_threads(threads, || proof(&grid, &options)));
        assert_eq!(format!("{one:?}"), format!("{two:?}"));
    }
}

#[test]
fn a_proof_cut_short_says_so_and_bounds_what_is_left() {
    let case = TritownGame::new(Shape { rows: 2, columns: 3, length: 14, ..Shape::tiny(1, 6, 14) }.case(1));
    let grid: TetrisGame = random_grid(4, 5, 3);
    let walk = Walk::random(30, 1);
    check_cut(&case);
    check_cut(&grid);
    check_cut(&walk);
}

fn check_cut<G: Game>(game: &G) {
    let whole = proof(game, &OPTIONS);
    let optimum = whole.bound.unwrap();
    let merit = |score| G::DIRECTION.merit(score);
    let check = |proof: &Proof| {
        let best = proof.outcome.best.as_ref().unwrap().score;
        assert!(merit(best) <= merit(optimum) && merit(optimum) <= merit(proof.bound.unwrap()));
        assert!(!proof.outcome.proved || best == optimum);
    };
    let mut cut_short = 0;
    for part in 1..20 {
        let expansions = Some(whole.outcome.expansions * part / 20);
        let solve = SolveOptions { expansions, ..OPTIONS.solve };
        let by_budget = proof(game, &ProveOptions { solve, ..OPTIONS });
        cut_short += u32::from(by_budget.outcome.ending == Ending::Budget && !by_budget.outcome.proved);
        check(&by_budget);
        let clock = CountingClock::default();
        let deadline = Some(Duration::from_millis(5 * part));
        check(&proof_within(game, &OPTIONS, &Limits { deadline, ..unlimited(&clock) }));
    }
    assert!(cut_short > 5, "it was cut short only {cut_short} times");
}

#[test]
fn a_play_that_reaches_the_known_bound_needs_no_more_search() {
    let walk = Walk::random(30, 2);
    let all = proof(&walk, &OPTIONS).outcome;
    assert_eq!((all.proved, all.best.unwrap().score), (true, walk.optimum()));
    let at_once = SolveOptions { expansions: Some(0), ..OPTIONS.solve };
    let first = proof(&walk, &ProveOptions { solve: at_once, ..OPTIONS }).outcome.best.unwrap().score;
    let solve = SolveOptions { bound: Some(first), ..OPTIONS.solve };
    let known = proof(&walk, &ProveOptions { solve, ..OPTIONS }).outcome;
    assert_eq!((known.proved, known.best.unwrap().score, known.expansions), (true, first, 0));
}
