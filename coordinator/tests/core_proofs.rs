//! Bounds that searches prove: believed, confirmed elsewhere, and taken back when they are not so.

mod core_farm;

use cascade_coordinator::core::*;
use cascade_games::{Instance, InstanceName};
use core_farm::*;

/// A farm of one small case.
fn case() -> (Farm, Instance) {
    let case = instances().into_iter().find(|instance| instance.name.to_string() == "tritown/1").expect("the case");
    (Farm::with(vec![case.clone()], config()), case)
}

/// Takes a lease, reports what it found, and says that nothing is better.
fn prove(farm: &mut Farm, session: SessionRef, id: &str) -> (Grant, i64) {
    let grant = farm.lease(session);
    let found = farm.search(&grant, id);
    let score = found.score;
    farm.report(session, found).expect("judged");
    farm.finish(session, claim(&grant, score));
    (grant, score)
}

fn claim(grant: &Grant, bound: i64) -> Finish {
    Finish { exhausted: true, proved_bound: Some(bound), trace: b"truth".to_vec(), ..done(grant, 50) }
}

fn explain(farm: &mut Farm, name: &InstanceName) -> Explanation {
    match farm.ask(Request::Explain(name.clone())) {
        Ok(Reply::Explanation(explanation)) => *explanation,
        other => panic!("no explanation: {other:?}"),
    }
}

#[test]
fn a_proved_best_is_optimal_gets_no_more_leases_and_outlives_a_restart() {
    let (mut farm, case) = case();
    let (session, _) = farm.hello("prover", vec![]);
    let (_, score) = prove(&mut farm, session, "a");
    for _ in 0..2 {
        let told = &farm.bounds[&case.name];
        assert_eq!((told.value, told.name), (score, "exhaustive search"));
        let why = explain(&mut farm, &case.name);
        assert!(why.instance.optimal && why.summary.contains("exhaustive search, by prover alone"), "{}", why.summary);
        assert_eq!((why.instance.bound, why.instance.bound_name), (score, "exhaustive search"));
        assert_eq!(why.instance.proved_by, ["prover"]);
        let (session, _) = farm.hello("prover", vec![]);
        farm.wait(session);
        farm.restart();
    }
    assert_eq!(farm.events("proved").len(), 1);
}

#[test]
fn another_worker_runs_the_search_again_and_confirms_it_though_the_first_was_lost_with_it() {
    for restarted in [false, true] {
        let (mut farm, case) = case();
        let (session, _) = farm.hello("prover", vec![]);
        let (grant, score) = prove(&mut farm, session, "a");
        if restarted {
            farm.restart();
        }
        let (lost, _) = farm.hello("lost", vec![]);
        assert_eq!(farm.lease(lost).plan, grant.plan, "the same search, elsewhere");
        farm.ask(Request::Goodbye(lost, Vec::new())).expect("gone");
        let (other, _) = farm.hello("other", vec![]);
        let again = farm.lease(other);
        assert_eq!(again.plan, grant.plan);
        farm.finish(other, claim(&again, score));
        farm.wait(other);
        assert_eq!(explain(&mut farm, &case.name).instance.proved_by, ["prover", "other"]);
        farm.restart();
        assert_eq!(explain(&mut farm, &case.name).instance.proved_by, ["prover", "other"]);
        let (third, _) = farm.hello("third", vec![]);
        farm.wait(third);
    }
}

#[test]
fn another_result_of_the_same_search_takes_the_proof_back() {
    let (mut farm, case) = case();
    let (session, _) = farm.hello("prover", vec![]);
    prove(&mut farm, session, "a");
    let (other, _) = farm.hello("other", vec![]);
    let again = farm.lease(other);
    farm.finish(other, Finish { trace: b"another".to_vec(), ..done(&again, 50) });
    assert!(!explain(&mut farm, &case.name).instance.optimal);
    assert_eq!(farm.bounds[&case.name].name, "counting");
    assert!(farm.store.proofs.is_empty());
    assert_eq!(farm.events("proof-withdrawn").len(), 1);
    farm.lease(other);
}

#[test]
fn a_better_play_takes_the_proof_back_and_its_worker_is_set_aside() {
    let (mut farm, case) = case();
    let puzzle = case.puzzle();
    let plays: Vec<_> = (0..50).map(|seed| random_play(&case.game, &[], seed)).collect();
    let better = plays.iter().max_by_key(|play| puzzle.judge(play).expect("legal").score).expect("plays");
    let (session, _) = farm.hello("liar", vec![]);
    let grant = farm.lease(session);
    let none = Improvement { moves: vec![], score: 0, ..farm.search(&grant, "a") };
    farm.report(session, none).expect("judged");
    farm.finish(session, claim(&grant, 0));
    assert!(explain(&mut farm, &case.name).instance.optimal, "a worker's word counts until it is found out");
    let text = puzzle.format(better);
    farm.ask(Request::Import(Import { instance: case.name.clone(), text, source: "test".into() })).expect("taken");
    assert_eq!(farm.published[&case.name].score, puzzle.judge(better).expect("legal").score);
    assert_eq!(farm.bounds[&case.name].name, "counting");
    assert!(farm.wait(session).reason.contains("set aside"));
    farm.restart();
    assert!(farm.store.proofs.is_empty() && farm.bounds[&case.name].name == "counting");
}

#[test]
fn what_is_less_than_the_best_or_of_part_of_the_instance_only_proves_nothing() {
    let (mut farm, case) = case();
    let (session, _) = farm.hello("w", vec![]);
    let grant = farm.lease(session);
    let found = farm.search(&grant, "a");
    let score = found.score;
    farm.report(session, found).expect("judged");
    farm.finish(session, claim(&grant, score - 1));
    assert_eq!(farm.events("proof-refused").len(), 1);
    let mut partial = 0;
    for round in 0..60 {
        let grant = farm.lease(session);
        let found = farm.search(&grant, &format!("b{round}"));
        farm.report(session, found.clone()).expect("judged");
        let is_part = !grant.plan.prefix.is_empty() || grant.plan.window.is_some();
        partial += u32::from(is_part);
        let finish = Finish { promising: vec![found.moves], ..done(&grant, 50) };
        farm.finish(session, Finish { proved_bound: is_part.then_some(i64::MAX), ..finish });
    }
    assert!(partial > 0, "no part was ever leased");
    assert!(farm.store.proofs.is_empty() && !explain(&mut farm, &case.name).instance.optimal);
}

#[test]
fn a_proof_that_the_store_refuses_is_written_once_it_takes_writes_again() {
    let (mut farm, case) = case();
    let (session, _) = farm.hello("prover", vec![]);
    let grant = farm.lease(session);
    let found = farm.search(&grant, "a");
    let score = found.score;
    farm.report(session, found).expect("judged");
    farm.manual = true;
    farm.send(Request::Finish(session, claim(&grant, score)));
    farm.refuse();
    assert!(
        farm.store.proofs.is_empty() && farm.bounds[&case.name].name == "counting",
        "nothing counts before it is kept"
    );
    farm.manual = false;
    farm.pass(20);
    assert_eq!((farm.store.proofs.len(), farm.bounds[&case.name].value), (1, score));
    assert!(explain(&mut farm, &case.name).instance.optimal);
}

#[test]
fn a_search_that_is_audited_anyway_is_not_handed_out_once_more_to_confirm_its_proof() {
    let (_, case) = case();
    let mut farm = Farm::with(vec![case.clone()], CoreConfig { audit_every: 1, ..config() });
    let (prover, _) = farm.hello("prover", vec![]);
    let (other, _) = farm.hello("other", vec![]);
    let grant = farm.lease(prover);
    let found = farm.search(&grant, "a");
    let score = found.score;
    farm.report(prover, found).expect("judged");
    farm.manual = true;
    farm.send(Request::Finish(prover, claim(&grant, score)));
    let rerun = farm.lease(other);
    assert_eq!(rerun.plan, grant.plan, "audited before its proof counts");
    farm.settle();
    farm.manual = false;
    farm.wait(other);
    farm.finish(other, claim(&rerun, score));
    assert_eq!(explain(&mut farm, &case.name).instance.proved_by, ["prover", "other"]);
    farm.wait(other);
}
