//! Leases: how they are handed out, held, taken back and counted.

mod core_farm;

use cascade_coordinator::core::*;
use core_farm::*;
use std::time::Duration;

#[test]
fn every_instance_gets_its_first_lease_before_any_gets_a_second() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let first: Vec<_> = (0..3).map(|_| farm.lease(session).instance).collect();
    assert_eq!(distinct(first).len(), 3);
}

#[test]
fn two_workers_get_two_different_pieces_of_work() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), config());
    let (one, _) = farm.hello("one", vec![]);
    let (two, _) = farm.hello("two", vec![]);
    let (first, second) = (farm.lease(one), farm.lease(two));
    assert_eq!(first.instance, second.instance);
    assert_ne!(first.lease.id, second.lease.id);
    assert_ne!((first.plan.seed, first.plan.width), (second.plan.seed, second.plan.width));
}

#[test]
fn effort_counts_once_however_often_the_end_is_told() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    assert!(farm.finish(session, done(&grant, 500)));
    assert!(!farm.finish(session, done(&grant, 500)));
    assert!(!farm.finish(session, done(&grant, 500)));
    assert_eq!(farm.expansions(), 500);
}

#[test]
fn a_lease_that_stands_still_is_taken_back_though_its_worker_beats() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), config());
    let (session, _) = farm.hello("stuck", vec![]);
    let (other, _) = farm.hello("other", vec![]);
    let grant = farm.lease(session);
    for _ in 0..20 {
        farm.pass(5);
        farm.beat(session, &[(grant.lease, 1)]).expect("a live session");
        farm.beat(other, &[]).expect("a live session");
    }
    let answer = farm.beat(session, &[(grant.lease, 1)]).expect("a live session");
    assert_eq!(answer.drop, [grant.lease], "the stuck worker is told to drop it");
    let again = farm.lease(other);
    assert_eq!((again.lease.id, again.lease.attempt), (grant.lease.id, 2), "another worker gets it");
    assert_eq!(farm.events("lease-stalled").len(), 1);
}

#[test]
fn progress_holds_a_lease_far_beyond_its_expected_time() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("slow", vec![]);
    let grant = farm.lease(session);
    for step in 1..100 {
        farm.pass(5);
        let answer = farm.beat(session, &[(grant.lease, step)]).expect("a live session");
        assert!(answer.drop.is_empty());
    }
    assert!(farm.finish(session, done(&grant, 100)));
}

#[test]
fn a_silent_worker_is_lost_and_its_work_goes_to_others() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), config());
    let (session, _) = farm.hello("silent", vec![]);
    let grant = farm.lease(session);
    farm.pass(30);
    let (other, _) = farm.hello("other", vec![]);
    let again = farm.lease(other);
    assert_eq!((again.lease.id, again.lease.attempt), (grant.lease.id, 2));
    assert_eq!(again.plan, grant.plan);
    assert_eq!(farm.beat(session, &[]), Err(Refusal::SessionUnknown));
    assert_eq!(farm.events("worker-lost").len(), 1);
}

#[test]
fn a_killed_worker_is_back_at_once_and_its_former_session_is_fenced() {
    let mut farm = Farm::new();
    let (before, _) = farm.hello("w", vec![]);
    let grant = farm.lease(before);
    let (after, welcome) = farm.hello("w", vec![]);
    assert!(welcome.held.is_empty());
    assert_eq!(farm.beat(before, &[(grant.lease, 1)]), Err(Refusal::Fenced { worker: "w".to_owned() }));
    farm.lease(after);
}

#[test]
fn what_a_worker_offers_under_a_new_session_it_keeps() {
    let mut farm = Farm::new();
    let (before, _) = farm.hello("w", vec![]);
    let grant = farm.lease(before);
    let stranger = LeaseId { id: 99, attempt: 1 };
    let (after, welcome) = farm.hello("w", vec![grant.lease, stranger]);
    assert_eq!(welcome.held, [(grant.lease, true), (stranger, false)]);
    assert!(farm.finish(after, done(&grant, 10)));
}

#[test]
fn another_worker_may_not_claim_what_is_not_its_own() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    let (thief, welcome) = farm.hello("thief", vec![grant.lease]);
    assert_eq!(welcome.held, [(grant.lease, false)]);
    assert!(!farm.finish(thief, done(&grant, 10)));
    assert!(farm.finish(session, done(&grant, 10)));
}

#[test]
fn a_worker_asleep_for_ten_minutes_goes_on_with_what_nobody_took() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("sleeper", vec![]);
    let grant = farm.lease(session);
    farm.beat(session, &[(grant.lease, 7)]).expect("a live session");
    farm.pass(600);
    assert_eq!(farm.beat(session, &[(grant.lease, 7)]), Err(Refusal::SessionUnknown));
    let (session, welcome) = farm.hello("sleeper", vec![grant.lease]);
    assert_eq!(welcome.held, [(grant.lease, true)]);
    assert!(farm.finish(session, done(&grant, 9)));
    assert_eq!(farm.expansions(), 9, "the effort of one attempt counts once");
}

#[test]
fn a_lease_of_which_the_worker_never_heard_is_handed_out_again() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), config());
    let (session, _) = farm.hello("w", vec![]);
    let lost = farm.lease(session);
    for _ in 0..4 {
        farm.pass(5);
        farm.beat(session, &[]).expect("a live session");
    }
    let again = farm.lease(session);
    assert_eq!((again.lease.id, again.lease.attempt), (lost.lease.id, 2));
    assert_eq!(farm.events("lease-failed").len(), 0);
}

#[test]
fn a_coordinator_that_slept_itself_gives_everyone_more_time() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    farm.clock += Duration::from_secs(3600);
    farm.handle(Event::Tick);
    let answer = farm.beat(session, &[(grant.lease, 5)]).expect("the session still lives");
    assert!(answer.drop.is_empty());
    assert_eq!(farm.events("slept").len(), 1);
}

#[test]
fn a_worker_whose_every_lease_fails_is_slowed_then_set_aside_and_others_never_notice() {
    let mut farm = Farm::new();
    let (bad, _) = farm.hello("bad", vec![]);
    let (good, _) = farm.hello("good", vec![]);
    let mut failures = 0;
    let mut slowed = false;
    while farm.events("worker-set-aside").is_empty() {
        match farm.ask(Request::Lease(bad)) {
            Ok(Reply::Granted(grant)) => {
                let finish = Finish { ending: Ending::Failed("no memory".to_owned()), ..done(&grant, 0) };
                farm.finish(bad, finish);
                failures += 1;
            }
            Ok(Reply::Wait(wait)) => {
                slowed |= !wait.retry_after.is_zero();
                farm.pass(10);
                farm.beat(bad, &[]).expect("a live session");
                farm.beat(good, &[]).expect("a live session");
            }
            other => panic!("{other:?}"),
        }
        assert!(failures < 50, "it is set aside at some time");
    }
    assert!(slowed);
    assert!(farm.wait(bad).reason.contains("set aside"));
    farm.lease(good);
    assert_eq!(farm.events("worker-set-aside")[0].worker.as_deref(), Some("bad"));
}

#[test]
fn a_lease_that_kills_every_worker_is_set_aside() {
    let mut farm = Farm::with(instances().into_iter().take(1).collect(), config());
    let mut poisoned = None;
    for round in 0..20 {
        let (session, _) = farm.hello(&format!("victim-{round}"), vec![]);
        let grant = farm.lease(session);
        let id = *poisoned.get_or_insert(grant.lease.id);
        if grant.lease.id != id {
            assert_eq!(farm.events("lease-set-aside").len(), 1);
            return;
        }
        farm.pass(30);
    }
    panic!("the deadly lease is still handed out");
}

#[test]
fn giving_back_on_request_is_no_failure() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    for _ in 0..20 {
        let grant = farm.lease(session);
        assert!(farm.finish(session, Finish { ending: Ending::Returned, ..done(&grant, 1) }));
    }
    assert!(farm.events("worker-slowed").is_empty());
    assert!(farm.events("lease-set-aside").is_empty());
}

#[test]
fn versions_that_do_not_fit_are_both_named() {
    let mut farm = Farm::new();
    let mut theirs = versions();
    theirs.rules = 8;
    let hello = Hello {
        worker: "w".to_owned(),
        versions: theirs.clone(),
        threads: 1,
        held: vec![],
        speed: std::collections::BTreeMap::new(),
    };
    let refusal = farm.ask(Request::Hello(hello)).expect_err("other rules");
    assert_eq!(refusal, Refusal::Versions { theirs: Box::new(theirs), ours: Box::new(versions()) });
}

#[test]
fn a_drained_worker_is_told_to_stop_and_may_come_back_later() {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    assert!(matches!(farm.ask(Request::Drain("w".to_owned())), Ok(Reply::Done)));
    assert!(farm.wait(session).drain);
    assert!(farm.beat(session, &[]).expect("a live session").drain);
    assert!(matches!(farm.ask(Request::Goodbye(session, vec![])), Ok(Reply::Done)));
    let (session, _) = farm.hello("w", vec![]);
    farm.lease(session);
    let nobody = farm.ask(Request::Drain("nobody".to_owned()));
    assert!(matches!(nobody, Err(Refusal::UnknownWorker(_))));
}

/// Settings under which every finished lease is rerun.
fn audited() -> CoreConfig {
    CoreConfig { audit_every: 1, ..config() }
}

#[test]
fn a_worker_whose_results_differ_from_those_of_two_others_is_named_and_set_aside() {
    let mut farm = Farm::with(instances(), audited());
    let sessions: Vec<_> = ["liar", "two", "three"].map(|name| farm.hello(name, vec![]).0).into();
    let trace = |told: &[u8], grant: &Grant| Finish { trace: told.to_vec(), ..done(grant, 50) };
    let first = farm.lease(sessions[0]);
    farm.finish(sessions[0], trace(b"lie", &first));
    let second = farm.lease(sessions[1]);
    assert_eq!((&second.plan, &second.instance), (&first.plan, &first.instance), "the same search, elsewhere");
    farm.finish(sessions[1], trace(b"truth", &second));
    assert_eq!(farm.events("audit-differs").len(), 1);
    let third = farm.lease(sessions[2]);
    assert_eq!(third.plan, first.plan);
    farm.finish(sessions[2], trace(b"truth", &third));
    assert!(farm.wait(sessions[0]).reason.contains("set aside"));
    assert_eq!(farm.events("worker-set-aside")[0].worker.as_deref(), Some("liar"));
    farm.lease(sessions[1]);
}

#[test]
fn workers_that_agree_are_left_alone_and_one_worker_never_audits_itself() {
    let mut farm = Farm::with(instances(), audited());
    let (one, _) = farm.hello("one", vec![]);
    let grants: Vec<_> = (0..5)
        .map(|_| {
            let grant = farm.lease(one);
            farm.finish(one, Finish { trace: b"same".to_vec(), ..done(&grant, 50) });
            (grant.instance, grant.plan.seed, grant.plan.width, grant.plan.prefix, grant.plan.strategy)
        })
        .collect();
    assert_eq!(distinct(grants).len(), 5);
    let (two, _) = farm.hello("two", vec![]);
    let grant = farm.lease(two);
    farm.finish(two, Finish { trace: b"same".to_vec(), ..done(&grant, 50) });
    assert_eq!(farm.events("audit-passed").len(), 1);
    assert!(farm.events("worker-set-aside").is_empty());
}
