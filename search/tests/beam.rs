//! Beam search on two small games of known optimum.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use cascade_games::Game;
use cascade_search::{Checkpoint, Ending, Plan, SearchError, Strategy, SystemClock, Window, run};
use common::strip::Strip;
use common::walk::Walk;
use common::{Recorder, check_reproduction, check_suspension, on_threads, search, unlimited};

fn plan(width: u32, seed: u64, expansions: u64) -> Plan {
    Plan::new(Vec::new(), Strategy::Beam, width, seed, expansions)
}

#[test]
fn a_beam_that_leaves_nothing_out_finds_and_proves_the_optimum() {
    for seed in 0..10 {
        let strip = Strip::random(10, 4, seed);
        let outcome = search(&strip, &plan(100_000, 0, u64::MAX));
        assert_eq!(outcome.ending, Ending::Exhausted);
        assert_eq!(outcome.best.unwrap().score, strip.optimum(), "{strip:?}");
        let walk = Walk::random(9, seed);
        let outcome = search(&walk, &plan(1000, 0, u64::MAX));
        assert_eq!(outcome.ending, Ending::Exhausted);
        assert_eq!(outcome.best.unwrap().score, walk.optimum(), "{walk:?}");
    }
}

#[test]
fn a_position_reached_twice_stands_with_its_better_score() {
    for seed in 0..50 {
        let walk = Walk::random(6, seed);
        // A layer of the walk has at most six squares: six states are enough, if each has the better sum.
        assert_eq!(search(&walk, &plan(6, 0, u64::MAX)).best.unwrap().score, walk.optimum());
    }
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let strip = Strip::random(45, 5, 3);
    for (width, seed, expansions) in [(1, 0, 50_000), (7, 1, 100_000), (300, 2, 400_000), (2000, 0, 3_000_000)] {
        let plan = plan(width, seed, expansions);
        let [one, two, three] = [1, 2, 3].map(|threads| on_threads(threads, || search(&strip, &plan)));
        assert_eq!(format!("{one:?}"), format!("{two:?}"));
        assert_eq!(format!("{one:?}"), format!("{three:?}"));
        assert!(one.best.is_some());
    }
}

#[test]
fn restarts_differ_and_spend_the_budget() {
    let strip = Strip::random(40, 4, 9);
    let recorder = Recorder::default();
    let outcome = run(&strip, &plan(1, 0, 200_000), None, &unlimited(&SystemClock::start()), &recorder).unwrap();
    assert_eq!(outcome.ending, Ending::Budget);
    assert!(outcome.expansions >= 200_000 && outcome.expansions < 200_000 + 256 * 40);
    assert!(recorder.progress.lock().unwrap().last().unwrap().runs > 10);
    assert!(recorder.found.lock().unwrap().len() > 1, "no restart found better than the first run");
    assert_ne!(outcome.trace, search(&strip, &plan(3, 1, 200_000)).trace);
}

#[test]
fn each_improvement_comes_with_a_plan_that_ends_in_it() {
    let strip = Strip::random(40, 5, 4);
    let walk = Walk::random(40, 4);
    check_reproduction(&strip, &plan(4, 0, 300_000));
    check_reproduction(&strip, &plan(300, 5, 300_000));
    check_reproduction(&walk, &plan(2, 0, 20_000));
    let known = search(&walk, &plan(1, 0, 1000)).best.unwrap().moves;
    let window = Window { length: 20, suffix: known[35..].to_vec() };
    let windowed = Plan { prefix: known[..15].to_vec(), window: Some(window), ..plan(3, 0, 3000) };
    check_reproduction(&walk, &windowed);
}

#[test]
fn a_suspended_search_goes_on_to_the_same_end() {
    let strip = Strip::random(40, 5, 6);
    let walk = Walk::random(60, 6);
    for (width, seed) in [(5, 0), (400, 3)] {
        check_suspension(&strip, &plan(width, seed, 250_000), 9_000);
    }
    check_suspension(&walk, &plan(2, 0, 20_000), 700);
    let known = search(&walk, &plan(1, 0, 1000)).best.unwrap().moves;
    let window = Window { length: 30, suffix: known[60..].to_vec() };
    check_suspension(&walk, &Plan { prefix: known[..30].to_vec(), window: Some(window), ..plan(3, 1, 6_000) }, 300);
}

#[test]
fn a_foreign_or_damaged_checkpoint_is_refused() {
    let strip = Strip::random(30, 4, 1);
    let mine = plan(20, 0, 50_000);
    let recorder = Recorder { stop_after: Some(10_000), ..Recorder::default() };
    let clock = SystemClock::start();
    let mut limits = unlimited(&clock);
    limits.stop = recorder.stop.clone();
    let checkpoint = run(&strip, &mine, None, &limits, &recorder).unwrap().checkpoint.unwrap();

    let resume = |strip: &Strip, plan: &Plan, checkpoint: &Checkpoint| {
        run(strip, plan, Some(checkpoint), &unlimited(&SystemClock::start()), &Recorder::default())
    };
    let other = plan(21, 0, 50_000);
    assert!(matches!(resume(&strip, &other, &checkpoint), Err(SearchError::ForeignCheckpoint(_))));
    let elsewhere = Strip::random(30, 4, 2);
    assert!(matches!(resume(&elsewhere, &mine, &checkpoint), Err(SearchError::ForeignCheckpoint(_))));
    let bytes = postcard::to_stdvec(&checkpoint).unwrap();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        if let Ok(damaged) = postcard::from_bytes(&damaged) {
            assert!(matches!(resume(&strip, &mine, &damaged), Err(SearchError::ForeignCheckpoint(_))), "byte {place}");
        }
    }
}

#[test]
fn a_window_keeps_what_lies_outside_it() {
    let walk = Walk::random(30, 8);
    let known = search(&walk, &plan(1, 0, 1000)).best.unwrap();
    let window = Window { length: 20, suffix: known.moves[30..].to_vec() };
    let windowed = Plan { prefix: known.moves[..10].to_vec(), window: Some(window), ..plan(50, 0, u64::MAX) };
    let outcome = search(&walk, &windowed);
    assert_eq!(outcome.ending, Ending::Exhausted);
    let best = outcome.best.unwrap();
    assert!(best.score >= known.score);
    assert_eq!(best.moves[..10], known.moves[..10]);
}

#[test]
fn what_cannot_beat_the_goal_is_not_reported() {
    let strip = Strip::random(12, 4, 5);
    let optimum = strip.optimum();
    let beat = |score| search(&strip, &Plan { beat: Some(score), ..plan(100_000, 0, u64::MAX) });
    assert_eq!(beat(optimum + 1).best.unwrap().score, optimum);
    let hopeless = beat(optimum);
    assert_eq!((hopeless.best, hopeless.ending), (None, Ending::Exhausted));
}

#[test]
fn a_root_with_nothing_to_do_is_exhausted() {
    let empty = Strip(Vec::new());
    let outcome = search(&empty, &plan(10, 0, 100));
    assert_eq!((outcome.ending, outcome.best.unwrap().score), (Ending::Exhausted, 0));
    let refused = run(&empty, &plan(0, 0, 1), None, &unlimited(&SystemClock::start()), &Recorder::default());
    assert_eq!(refused.unwrap_err(), SearchError::NoWidth);
    let illegal = Plan { prefix: vec![3], ..plan(1, 0, 1) };
    let refused = run(&empty, &illegal, None, &unlimited(&SystemClock::start()), &Recorder::default());
    assert_eq!(refused.unwrap_err(), SearchError::IllegalPrefix(1));
}

#[test]
fn promising_plays_are_distinct_complete_and_sorted() {
    let strip = Strip::random(40, 5, 2);
    let outcome = search(&strip, &plan(200, 0, 100_000));
    let scores: Vec<i64> = outcome
        .promising
        .iter()
        .map(|moves| {
            let mut state = strip.start();
            moves.iter().for_each(|&mv| strip.apply(&mut state, mv));
            assert!(strip.is_complete(&state));
            strip.score(&state)
        })
        .collect();
    assert!(scores.len() > 1 && scores.len() <= 16 && scores.is_sorted());
    assert_eq!(outcome.promising[0], outcome.best.unwrap().moves);
    let mut distinct = outcome.promising.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), outcome.promising.len());
}
