//! What a restart of the coordinator keeps, and what it mends.

mod core_farm;

use cascade_coordinator::core::*;
use core_farm::*;
use std::time::Duration;

/// Settings under which every lease is worth keeping over a restart.
fn long_leases() -> CoreConfig {
    CoreConfig { checkpoint_from: Duration::ZERO, ..config() }
}

#[test]
fn a_long_lease_is_gone_on_with_after_a_restart() {
    let mut farm = Farm::with(instances(), long_leases());
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    assert!(grant.checkpoint);
    farm.restart();
    let (session, welcome) = farm.hello("w", vec![grant.lease]);
    assert_eq!(welcome.held, [(grant.lease, true)]);
    assert!(farm.finish(session, done(&grant, 77)));
    assert_eq!(farm.expansions(), 77);
    farm.restart();
    let (session, welcome) = farm.hello("w", vec![grant.lease]);
    assert_eq!(welcome.held, [(grant.lease, false)], "it was counted before");
    assert!(!farm.finish(session, done(&grant, 77)));
    assert_eq!(farm.expansions(), 77);
}

#[test]
fn a_long_lease_for_which_nobody_comes_goes_to_others() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), long_leases());
    let (session, _) = farm.hello("gone", vec![]);
    let grant = farm.lease(session);
    farm.restart();
    let (other, _) = farm.hello("other", vec![]);
    let different = farm.lease(other);
    assert_ne!(different.lease.id, grant.lease.id, "for a while it waits for its worker");
    for _ in 0..30 {
        farm.pass(5);
        farm.beat(other, &[(different.lease, farm.clock.as_secs())]).expect("a live session");
    }
    let again = farm.lease(other);
    assert_eq!((again.lease.id, again.lease.attempt), (grant.lease.id, 2));
    assert_eq!(farm.store.ended[&grant.lease].reason, EndReason::Unclaimed);
}

#[test]
fn a_worker_that_stops_finds_its_long_lease_again() {
    let mut farm = Farm::with(instances(), long_leases());
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    let back = Finish { ending: Ending::Returned, ..done(&grant, 40) };
    assert!(matches!(farm.ask(Request::Goodbye(session, vec![back])), Ok(Reply::Done)));
    farm.pass(10);
    let (session, welcome) = farm.hello("w", vec![grant.lease]);
    assert_eq!(welcome.held, [(grant.lease, true)]);
    assert!(farm.finish(session, done(&grant, 100)));
    assert_eq!(farm.expansions(), 100, "what was spent before the stop counts once");
}

#[test]
fn ids_are_not_used_again_after_a_restart() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let before = farm.lease(session);
    farm.restart();
    let (later, _) = farm.hello("w", vec![]);
    let after = farm.lease(later);
    assert_ne!(before.lease.id, after.lease.id);
    assert_ne!(session.session, later.session);
}

#[test]
fn no_search_is_leased_twice_over_a_restart() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), long_leases());
    let mut searches = Vec::new();
    for round in 0..6 {
        let (session, _) = farm.hello(&format!("w{round}"), vec![]);
        for _ in 0..3 {
            let grant = farm.lease(session);
            searches.push((grant.plan.prefix.clone(), grant.plan.strategy, grant.plan.width, grant.plan.seed));
            farm.finish(session, done(&grant, 100));
        }
        let held = farm.lease(session);
        searches.push((held.plan.prefix.clone(), held.plan.strategy, held.plan.width, held.plan.seed));
        farm.restart();
    }
    let distinct_searches = distinct(searches.iter().cloned());
    assert_eq!(distinct_searches.len(), searches.len());
}

#[test]
fn partial_states_and_effort_are_as_they_were() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    for round in 0..30 {
        let grant = farm.lease(session);
        let found = farm.search(&grant, &format!("r{round}"));
        let play = found.moves.clone();
        farm.report(session, found).expect("judged");
        farm.finish(session, Finish { promising: vec![play], ..done(&grant, 1000) });
    }
    let views = |farm: &mut Farm| {
        let names: Vec<_> = farm.instances.iter().map(|instance| instance.name.clone()).collect();
        names
            .into_iter()
            .map(|name| match farm.ask(Request::Explain(name)) {
                Ok(Reply::Explanation(explanation)) => {
                    // Those that were never used are made again when they are wanted.
                    let used = explanation.arms.iter().filter(|arm| arm.finished > 0);
                    let arms: Vec<_> = used.map(|arm| (arm.arm, arm.finished, arm.expansions, arm.best)).collect();
                    (explanation.states_total, explanation.instance.expansions, arms)
                }
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    let before = views(&mut farm);
    assert!(before.iter().any(|(states, ..)| *states > 1), "plays became partial states");
    farm.restart();
    assert_eq!(views(&mut farm), before);
}

#[test]
fn a_stored_best_that_the_judge_refuses_is_set_aside_and_the_rest_serves() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    for round in 0..3 {
        let grant = farm.lease(session);
        let found = farm.search(&grant, &format!("r{round}"));
        farm.report(session, found).expect("judged");
    }
    assert_eq!(farm.published.len(), 3);
    let mut store = farm.store.clone();
    let broken = store.bests.values_mut().next().expect("a best");
    broken.score += 1;
    let name = broken.instance.clone();
    let mut again = Farm::start(store, Epoch(2), instances(), config(), farm.clock);
    assert_eq!(again.published.len(), 2);
    let events = again.events("best-set-aside");
    assert_eq!(events[0].instance.as_ref(), Some(&name));
    assert_eq!(events[0].severity, Severity::Error);
    again.hello("w", vec![]);
}

#[test]
fn stored_states_that_make_no_sense_are_dropped_and_do_not_stop_the_start() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    for round in 0..12 {
        let grant = farm.lease(session);
        let found = farm.search(&grant, &format!("r{round}"));
        farm.report(session, found).expect("judged");
        farm.finish(session, done(&grant, 1000));
    }
    let mut store = farm.store.clone();
    assert!(store.states.keys().any(|(_, id)| *id != StateId::ROOT));
    for (number, state) in store.states.values_mut().filter(|state| state.id != StateId::ROOT).enumerate() {
        match number % 3 {
            0 => state.since = vec![4_000_000_000],
            1 => state.parent = Some(StateId(987_654)),
            _ => state.key ^= 1,
        }
    }
    let mut again = Farm::start(store, Epoch(2), instances(), config(), farm.clock);
    let (session, _) = again.hello("w", vec![]);
    for _ in 0..40 {
        let grant = again.lease(session);
        let puzzle = again.instance(&grant.instance).puzzle();
        assert!(puzzle.judge(&grant.plan.prefix).is_ok(), "only what replays is leased");
        again.finish(session, done(&grant, 1000));
    }
    assert!(!again.events("state-dropped").is_empty());
}

#[test]
fn unreadable_rows_are_told_and_content_that_is_gone_keeps_its_rows() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    let found = farm.search(&grant, "a");
    farm.report(session, found).expect("judged");
    let without: Vec<_> = instances().into_iter().filter(|instance| instance.name != grant.instance).collect();
    let mut restored = farm.store.restored(Epoch(2), without);
    restored.problems.push("row 7 of states: cut short".to_owned());
    let now = Now { clock: farm.clock, wall: UnixMillis(0) };
    let (core, effects) = Core::restore(restored, config(), now);
    core.sanity_check().expect("sound");
    let told = effects.iter().any(|effect| matches!(effect, Effect::Log(line) if line.detail.contains("row 7")));
    assert!(told);
    let touched = effects.iter().any(|effect| match effect {
        Effect::Commit { changes, .. } => changes.iter().any(|change| matches!(change, Change::BestSetAside { .. })),
        _ => false,
    });
    assert!(!touched, "what is not served now is left alone");
}

#[test]
fn what_operators_set_is_durable_before_it_counts() {
    let mut farm = Farm::new();
    let name = farm.instances[0].name.clone();
    farm.manual = true;
    let reply = farm.send(Request::Pause(Some(name.clone())));
    let priority = farm.send(Request::SetPriority(name.clone(), 7));
    farm.refuse();
    assert!(matches!(farm.replies[&reply], Err(Refusal::StoreUnavailable(_))));
    assert!(matches!(farm.replies[&priority], Err(Refusal::StoreUnavailable(_))));
    farm.manual = false;
    let view = |farm: &mut Farm| match farm.ask(Request::Instances) {
        Ok(Reply::Instances(views)) => views.into_iter().find(|view| view.name == name).expect("listed"),
        other => panic!("{other:?}"),
    };
    let before = view(&mut farm);
    assert_eq!((before.paused, before.priority), (false, 100));
    assert!(matches!(farm.ask(Request::Pause(Some(name.clone()))), Ok(Reply::Done)));
    assert!(matches!(farm.ask(Request::SetPriority(name.clone(), 7)), Ok(Reply::Done)));
    assert!(matches!(farm.ask(Request::Pause(None)), Ok(Reply::Done)));
    farm.restart();
    let after = view(&mut farm);
    assert_eq!((after.paused, after.priority), (true, 7));
    let (session, _) = farm.hello("w", vec![]);
    assert_eq!(farm.wait(session).reason, "the farm is paused");
    assert!(matches!(farm.ask(Request::Resume(None)), Ok(Reply::Done)));
    assert_ne!(farm.lease(session).instance, name);
}

#[test]
fn an_instance_is_added_once_and_then_searched() {
    let all = instances();
    let mut farm = Farm::with(all[..2].to_vec(), config());
    let added = all[2].clone();
    assert!(matches!(farm.ask(Request::AddInstances(vec![added.clone()])), Ok(Reply::Added(_))));
    farm.instances.push(added.clone());
    let again = farm.ask(Request::AddInstances(vec![added.clone()])).expect_err("it is there");
    assert!(matches!(again, Refusal::BadInput(_)));
    assert_eq!(farm.store.added.len(), 1);
    let (session, _) = farm.hello("w", vec![]);
    let leased: Vec<_> = (0..3).map(|_| farm.lease(session).instance).collect();
    assert!(leased.contains(&added.name));
}
