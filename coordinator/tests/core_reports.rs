//! Sequences: judged, compared, durable before they are acknowledged, counted once.

mod core_farm;

use cascade_coordinator::core::*;
use core_farm::*;

/// Two plays of one instance under a lease, the worse one first.
fn two_plays(farm: &Farm, grant: &Grant) -> (Improvement, Improvement) {
    let direction = grant.game.direction();
    let mut plays: Vec<_> = (0..200)
        .map(|seed| {
            let moves = random_play(&farm.instance(&grant.instance).game, &grant.plan.prefix, seed);
            let score = farm.instance(&grant.instance).puzzle().judge(&moves).expect("legal").score;
            Improvement { moves, score, ..farm.search(grant, &format!("seed-{seed}")) }
        })
        .collect();
    plays.sort_by_key(|play| direction.merit(play.score));
    let (worse, better) = (plays.remove(0), plays.pop().expect("more than one"));
    assert_ne!(worse.score, better.score, "random plays differ");
    (worse, better)
}

fn start() -> (Farm, SessionRef, Grant) {
    let mut farm = Farm::new();
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    (farm, session, grant)
}

#[test]
fn a_best_is_acknowledged_only_when_it_is_durable() {
    let (mut farm, session, grant) = start();
    farm.manual = true;
    let found = farm.search(&grant, "a");
    let reply = farm.send(Request::Report(Report { session, improvements: vec![found] }));
    assert!(!farm.replies.contains_key(&reply));
    assert!(farm.published.is_empty());
    farm.settle();
    let answer = verdict(farm.replies[&reply].clone().expect("taken"));
    assert_eq!(answer.outcome, Outcome::NewBest);
    assert_eq!(farm.published[&grant.instance].worker, "w");
}

#[test]
fn a_best_that_the_store_refuses_is_refused_and_may_come_again() {
    let (mut farm, session, grant) = start();
    farm.manual = true;
    let found = farm.search(&grant, "a");
    let reply = farm.send(Request::Report(Report { session, improvements: vec![found.clone()] }));
    farm.refuse();
    assert!(matches!(farm.replies[&reply], Err(Refusal::StoreUnavailable(_))));
    assert!(farm.published.is_empty());
    farm.manual = false;
    assert_eq!(farm.report(session, found).expect("taken").outcome, Outcome::NewBest);
    assert_eq!(farm.store.history.len(), 1);
    assert_eq!(farm.events("store-refuses").len(), 1);
    assert_eq!(farm.events("store-recovered").len(), 1);
}

#[test]
fn no_better_than_what_is_on_its_way_is_answered_when_that_is_durable() {
    let (mut farm, session, grant) = start();
    let (worse, better) = two_plays(&farm, &grant);
    farm.manual = true;
    let first = farm.send(Request::Report(Report { session, improvements: vec![better.clone()] }));
    let second = farm.send(Request::Report(Report { session, improvements: vec![worse.clone()] }));
    assert!(!farm.replies.contains_key(&first) && !farm.replies.contains_key(&second));
    farm.refuse();
    assert!(matches!(farm.replies[&first], Err(Refusal::StoreUnavailable(_))));
    assert!(matches!(farm.replies[&second], Err(Refusal::StoreUnavailable(_))), "nothing to be no better than");
    farm.manual = false;
    assert_eq!(farm.report(session, worse).expect("taken").outcome, Outcome::NewBest);
    assert_eq!(farm.report(session, better).expect("taken").outcome, Outcome::NewBest);
}

#[test]
fn a_refused_commit_takes_the_improvement_behind_it_along_and_both_may_come_again() {
    let (mut farm, session, grant) = start();
    let (worse, better) = two_plays(&farm, &grant);
    let best = better.score;
    farm.manual = true;
    let report =
        |improvement: &Improvement| Request::Report(Report { session, improvements: vec![improvement.clone()] });
    let replies = [&worse, &better].map(|improvement| farm.send(report(improvement)));
    farm.commit_next(false);
    farm.settle();
    for reply in replies {
        assert!(matches!(farm.replies[&reply], Err(Refusal::StoreUnavailable(_))));
    }
    assert!(farm.published.is_empty());
    farm.send(report(&worse));
    farm.send(report(&better));
    farm.settle();
    assert_eq!(farm.published[&grant.instance].score, best);
}

#[test]
fn the_same_report_is_counted_once() {
    let (mut farm, session, grant) = start();
    let found = farm.search(&grant, "same");
    for _ in 0..3 {
        assert_eq!(farm.report(session, found.clone()).expect("taken").outcome, Outcome::NewBest);
    }
    assert_eq!(farm.store.history.len(), 1);
}

#[test]
fn lies_are_refused_counted_against_the_worker_and_never_stored() {
    let (mut farm, session, grant) = start();
    let honest = farm.search(&grant, "honest");
    let lies = [
        Improvement { report_id: "score".into(), score: honest.score + 1, ..honest.clone() },
        Improvement { report_id: "moves".into(), moves: vec![4_000_000_000], ..honest.clone() },
        Improvement {
            report_id: "prefix".into(),
            plan: Plan { prefix: vec![4_000_000_000], ..honest.plan.clone() },
            ..honest.clone()
        },
    ];
    for lie in lies {
        let answer = farm.report(session, lie.clone()).expect("judged");
        assert_eq!(answer.outcome, Outcome::Refused, "{}", lie.report_id);
        assert!(!answer.reason.is_empty());
        assert_eq!(farm.report(session, lie).expect("judged").outcome, Outcome::Refused, "told again: counted once");
    }
    let other = farm.instances.iter().find(|other| other.name != grant.instance).expect("another").clone();
    let foreign = Improvement { report_id: "foreign".into(), instance: other.name, ..honest };
    assert_eq!(farm.report(session, foreign).expect("judged").outcome, Outcome::UnknownInstance);
    assert!(farm.store.history.is_empty());
    let Ok(Reply::Workers(workers)) = farm.ask(Request::Workers) else { panic!("no workers") };
    assert_eq!(workers[0].refused, 3);
    assert_eq!(farm.events("report-refused").len(), 3);
}

#[test]
fn a_worker_that_keeps_lying_is_set_aside() {
    let (mut farm, session, grant) = start();
    let honest = farm.search(&grant, "honest");
    for lie in 0..20 {
        let lie = Improvement { report_id: format!("lie-{lie}"), score: honest.score + 1, ..honest.clone() };
        farm.report(session, lie).expect("judged");
    }
    assert_eq!(farm.wait(session).reason.split(':').next(), Some("this worker is set aside"));
}

#[test]
fn what_a_fenced_or_lost_session_found_is_judged_and_kept() {
    let (mut farm, lost, grant) = start();
    let found = farm.search(&grant, "late");
    farm.pass(60);
    assert_eq!(farm.report(lost, found).expect("judged").outcome, Outcome::NewBest);
    let (fenced, _) = farm.hello("w", vec![]);
    let grant = farm.lease(fenced);
    farm.hello("w", vec![]);
    let found = farm.search(&grant, "fenced");
    assert_ne!(farm.report(fenced, found).expect("judged").outcome, Outcome::Refused);
}

#[test]
fn a_report_from_before_a_restart_is_judged_after_a_new_hello() {
    let (mut farm, session, grant) = start();
    let found = farm.search(&grant, "old");
    farm.restart();
    let refusal = farm.report(session, found.clone()).expect_err("an old epoch");
    assert_eq!(refusal, Refusal::WrongEpoch { theirs: Epoch(1), ours: Epoch(2) });
    let (session, _) = farm.hello("w", vec![grant.lease]);
    assert_eq!(farm.report(session, found).expect("judged").outcome, Outcome::NewBest);
    assert!(!farm.finish(session, done(&grant, 5)), "the short lease was forgotten");
}

#[test]
fn an_imported_sequence_is_judged_like_any_other() {
    let (mut farm, session, grant) = start();
    let (worse, better) = two_plays(&farm, &grant);
    let import = |farm: &Farm, play: &Improvement| {
        let text = farm.instance(&play.instance).puzzle().format(&play.moves);
        Request::Import(Import { instance: play.instance.clone(), text, source: "record".to_owned() })
    };
    let request = import(&farm, &better);
    let Ok(Reply::Imported(imported)) = farm.ask(request) else { panic!("not imported") };
    assert!(imported.new_best && imported.score == better.score);
    assert_eq!(farm.published[&grant.instance].plan, None);
    let request = import(&farm, &worse);
    let Ok(Reply::Imported(imported)) = farm.ask(request) else { panic!("not imported") };
    assert!(!imported.new_best && imported.best_score == Some(better.score));
    let nonsense = Import { instance: grant.instance, text: "zz zz".to_owned(), source: "f.txt".to_owned() };
    let refusal = farm.ask(Request::Import(nonsense)).expect_err("nonsense");
    assert!(refusal.to_string().contains("f.txt"), "{refusal}");
    let _ = session;
}
