//! Monte-Carlo search on two small games of known optimum.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use cascade_search::{Clock, Ending, Limits, Plan, Strategy, Window, run};
use common::strip::Strip;
use common::walk::Walk;
use common::{CountingClock, Recorder, check_reproduction, check_suspension, on_threads, search, unlimited};
use std::time::Duration;

fn plan(width: u32, seed: u64, expansions: u64) -> Plan {
    Plan::new(Vec::new(), Strategy::Mcts, width, seed, expansions)
}

#[test]
fn a_small_game_is_solved_and_proved() {
    for seed in 0..10 {
        let walk = Walk::random(5, seed);
        let outcome = search(&walk, &plan(100_000, seed, u64::MAX));
        assert_eq!((outcome.ending, outcome.proved), (Ending::Exhausted, true));
        assert_eq!(outcome.best.unwrap().score, walk.optimum(), "{walk:?}");
        let strip = Strip::random(6, 3, seed);
        let outcome = search(&strip, &plan(100_000, seed, u64::MAX));
        assert_eq!((outcome.ending, outcome.proved), (Ending::Exhausted, true));
        assert_eq!(outcome.best.unwrap().score, strip.optimum(), "{strip:?}");
    }
}

#[test]
fn a_larger_game_is_played_well() {
    for seed in 0..5 {
        let strip = Strip::random(12, 4, seed);
        assert_eq!(search(&strip, &plan(20_000, 1, 300_000)).best.unwrap().score, strip.optimum(), "{strip:?}");
    }
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let strip = Strip::random(40, 5, 3);
    for (width, seed) in [(1, 0), (500, 1), (100_000, 2)] {
        let plan = plan(width, seed, 300_000);
        let [one, two, three] = [1, 2, 3].map(|threads| on_threads(threads, || search(&strip, &plan)));
        assert_eq!(format!("{one:?}"), format!("{two:?}"));
        assert_eq!(format!("{one:?}"), format!("{three:?}"));
        assert!(one.best.is_some());
    }
}

#[test]
fn each_improvement_comes_with_a_plan_that_ends_in_it() {
    check_reproduction(&Strip::random(40, 5, 4), &plan(1000, 0, 600_000));
    let walk = Walk::random(30, 4);
    check_reproduction(&walk, &plan(200, 5, 300_000));
    let known = search(&walk, &plan(1, 0, 10_000)).best.unwrap().moves;
    let window = Window { length: 15, suffix: known[25..].to_vec() };
    check_reproduction(&walk, &Plan { prefix: known[..10].to_vec(), window: Some(window), ..plan(300, 0, 100_000) });
}

#[test]
fn a_suspended_search_goes_on_to_the_same_end() {
    check_suspension(&Strip::random(40, 5, 6), &plan(1000, 0, 900_000), 100_000);
    check_suspension(&Walk::random(30, 6), &plan(64, 3, 400_000), 50_000);
}

#[test]
fn a_round_cut_short_by_the_clock_never_was() {
    let strip = Strip::random(40, 5, 6);
    let plan = plan(1000, 0, 2_000_000);
    let whole = search(&strip, &plan);
    let clock = CountingClock::default();
    let mut checkpoint = None;
    let mut cuts = 0;
    let resumed = loop {
        // The clock is asked in each layer of each rollout, so that this ends amid a round.
        let limits = Limits { deadline: Some(clock.now() + Duration::from_millis(1001)), ..unlimited(&clock) };
        let outcome = run(&strip, &plan, checkpoint.as_ref(), &limits, &Recorder::default()).unwrap();
        if outcome.ending != Ending::Deadline {
            break outcome;
        }
        checkpoint = outcome.checkpoint;
        cuts += 1;
    };
    assert!(cuts > 3, "cut {cuts} times");
    assert_eq!(format!("{resumed:?}"), format!("{whole:?}"));
}
