//! Solving on one machine: an answer at any moment, the same one for the same budget.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use cascade_games::Game;
use cascade_search::{Choice, Ending, Outcome, SolveOptions, SystemClock, solve};
use common::strip::Strip;
use common::walk::Walk;
use common::{CountingClock, Recorder, on_threads, search, unlimited};
use std::time::Duration;

const CHOICES: [Choice; 3] = [Choice::Auto, Choice::Beam, Choice::Mcts];

fn options(strategy: Choice, expansions: u64) -> SolveOptions {
    SolveOptions { strategy, width: None, seed: 1, expansions: Some(expansions), bound: None }
}

fn assert_complete<G: Game>(game: &G, outcome: &Outcome) {
    let best = outcome.best.as_ref().expect("a complete play");
    let mut state = game.start();
    for &code in &best.moves {
        let mv = game.decode(code).unwrap();
        assert!(game.is_legal(&state, mv));
        game.apply(&mut state, mv);
    }
    assert!(game.is_complete(&state));
    assert_eq!(game.score(&state), best.score);
    assert_eq!(outcome.promising[0], best.moves);
}

#[test]
fn there_is_an_answer_however_early_the_end_comes() {
    let strip = Strip::random(40, 5, 1);
    for strategy in CHOICES {
        let clock = SystemClock::start();
        let stopped = unlimited(&clock);
        stopped.stop.stop();
        let endless = SolveOptions { strategy, ..SolveOptions::default() };
        let outcome = solve(&strip, &endless, &stopped, &Recorder::default());
        assert_eq!(outcome.ending, Ending::Stopped);
        assert_complete(&strip, &outcome);

        let mut late = unlimited(&clock);
        late.deadline = Some(Duration::ZERO);
        let outcome = solve(&strip, &endless, &late, &Recorder::default());
        assert_eq!(outcome.ending, Ending::Deadline);
        assert_complete(&strip, &outcome);

        let outcome = solve(&strip, &options(strategy, 1), &unlimited(&clock), &Recorder::default());
        assert_eq!(outcome.ending, Ending::Budget);
        assert_complete(&strip, &outcome);
    }
}

#[test]
fn a_budget_gives_the_same_answer_on_any_number_of_threads() {
    let strip = Strip::random(40, 5, 2);
    let walk = Walk::random(100, 2);
    for strategy in CHOICES {
        let strips = [1, 2].map(|threads| {
            let options = options(strategy, 150_000);
            on_threads(threads, || solve(&strip, &options, &unlimited(&SystemClock::start()), &Recorder::default()))
        });
        assert_eq!(format!("{:?}", strips[0]), format!("{:?}", strips[1]));
        let walks = [1, 2].map(|threads| {
            let options = options(strategy, 60_000);
            on_threads(threads, || solve(&walk, &options, &unlimited(&SystemClock::start()), &Recorder::default()))
        });
        assert_eq!(format!("{:?}", walks[0]), format!("{:?}", walks[1]));
    }
}

#[test]
fn every_improvement_can_be_run_again() {
    let strip = Strip::random(40, 5, 3);
    let walk = Walk::random(100, 3);
    for strategy in CHOICES {
        check(&strip, &options(strategy, 200_000));
        check(&walk, &options(strategy, 60_000));
    }
}

fn check<G: Game>(game: &G, options: &SolveOptions) {
    let recorder = Recorder::default();
    let outcome = solve(game, options, &unlimited(&SystemClock::start()), &recorder);
    assert_complete(game, &outcome);
    let found = recorder.found.into_inner().unwrap();
    assert_eq!(found.last(), outcome.best.as_ref());
    for improvement in &found {
        let again = search(game, &improvement.plan).best.expect("the plan finds a play");
        assert_eq!((again.score, &again.moves), (improvement.score, &improvement.moves));
    }
    assert!(found.windows(2).all(|pair| pair[0].expansions <= pair[1].expansions));
}

#[test]
fn the_search_goes_on_until_the_deadline() {
    let strip = Strip::random(40, 5, 4);
    let clock = CountingClock::default();
    let mut limits = unlimited(&clock);
    limits.deadline = Some(Duration::from_secs(3));
    let outcome = solve(&strip, &SolveOptions::default(), &limits, &Recorder::default());
    assert_eq!(outcome.ending, Ending::Deadline);
    assert_complete(&strip, &outcome);
}

#[test]
fn a_proved_optimum_ends_it() {
    let walk = Walk::random(8, 5);
    let outcome =
        solve(&walk, &options(Choice::Auto, u64::MAX), &unlimited(&SystemClock::start()), &Recorder::default());
    assert_eq!((outcome.ending, outcome.proved), (Ending::Exhausted, true));
    assert_eq!(outcome.best.unwrap().score, walk.optimum());
}
