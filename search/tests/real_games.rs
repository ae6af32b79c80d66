//! Both strategies on both games: results that depend on nothing but the plan.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use cascade_games::{Catalog, Game, GameVisitor};
use cascade_search::{Choice, Ending, Plan, SolveOptions, Strategy, SystemClock, Window, run, solve};
use common::{Recorder, check_reproduction, check_suspension, on_threads, search, unlimited};
use std::time::Duration;

const INSTANCES: [&str; 3] = ["tetris/baba", "tritown/1", "tritown/7"];

fn visit_all<V: GameVisitor + Clone>(visitor: &V) {
    let catalog = Catalog::built_in().unwrap();
    for name in INSTANCES {
        catalog.get(&name.parse().unwrap()).unwrap().game.visit(visitor.clone());
    }
}

#[derive(Clone)]
struct SameOnAnyThreads;

impl GameVisitor for SameOnAnyThreads {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        for (strategy, width, seed) in
            [(Strategy::Beam, 5, 0), (Strategy::Beam, 300, 7), (Strategy::Mcts, 100, 3), (Strategy::Mcts, 20_000, 3)]
        {
            let plan = Plan::new(Vec::new(), strategy, width, seed, 150_000);
            let [one, two] = [1, 2].map(|threads| on_threads(threads, || search(game, &plan)));
            assert_eq!(format!("{one:?}"), format!("{two:?}"));
        }
        for strategy in [Choice::Auto, Choice::Beam, Choice::Mcts] {
            let options = SolveOptions { strategy, width: None, seed: 5, expansions: Some(300_000), bound: None };
            let [one, two] = [1, 2].map(|threads| {
                on_threads(threads, || solve(game, &options, &unlimited(&SystemClock::start()), &Recorder::default()))
            });
            assert!(one.best.is_some());
            assert_eq!(format!("{one:?}"), format!("{two:?}"));
        }
    }
}

#[test]
fn one_thread_and_two_find_the_same() {
    visit_all(&SameOnAnyThreads);
}

#[derive(Clone)]
struct RunsAgain;

impl GameVisitor for RunsAgain {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let beam = Plan::new(Vec::new(), Strategy::Beam, 20, 1, 200_000);
        check_reproduction(game, &beam);
        check_suspension(game, &beam, 40_000);
        check_reproduction(game, &Plan::new(Vec::new(), Strategy::Mcts, 2000, 1, 200_000));
        check_suspension(game, &Plan::new(Vec::new(), Strategy::Mcts, 100, 1, 600_000), 100_000);
    }
}

#[test]
fn improvements_run_again_and_suspended_searches_go_on() {
    visit_all(&RunsAgain);
}

#[derive(Clone)]
struct Windows;

impl GameVisitor for Windows {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        let known = search(game, &Plan::new(Vec::new(), Strategy::Beam, 2, 0, 20_000)).best.unwrap();
        let (start, end) = (known.moves.len() / 3, known.moves.len() * 2 / 3);
        let window = Window { length: (end - start) as u32, suffix: known.moves[end..].to_vec() };
        for strategy in [Strategy::Beam, Strategy::Mcts] {
            let plan = Plan {
                window: Some(window.clone()),
                ..Plan::new(known.moves[..start].to_vec(), strategy, 50, 1, 100_000)
            };
            if let Some(best) = search(game, &plan).best {
                assert_eq!(best.moves[..start], known.moves[..start]);
            }
        }
    }
}

#[test]
fn a_window_of_a_real_play_can_be_searched_anew() {
    visit_all(&Windows);
}

#[derive(Clone)]
struct Stops;

impl GameVisitor for Stops {
    type Output = ();

    fn visit<G: Game>(self, game: &G) {
        for strategy in [Strategy::Beam, Strategy::Mcts] {
            let recorder = Recorder { stop_after: Some(1), ..Recorder::default() };
            let clock = SystemClock::start();
            let mut limits = unlimited(&clock);
            limits.stop = recorder.stop.clone();
            let plan = Plan::new(Vec::new(), strategy, 1_000_000, 1, u64::MAX);
            let outcome = run(game, &plan, None, &limits, &recorder).unwrap();
            assert_eq!(outcome.ending, Ending::Stopped);
            // A stop between two blocks or rounds lets none of the next be counted.
            assert_eq!(outcome.expansions, recorder.progress.lock().unwrap().last().unwrap().expansions);
            assert!(strategy == Strategy::Mcts || outcome.expansions <= 256 * 2000, "{}", outcome.expansions);
            limits.stop = cascade_search::StopFlag::default();
            limits.deadline = Some(Duration::ZERO);
            assert_eq!(run(game, &plan, None, &limits, &Recorder::default()).unwrap().expansions, 0);
        }
    }
}

#[test]
fn a_stop_ends_a_wide_search_at_its_next_block_or_round() {
    visit_all(&Stops);
}
