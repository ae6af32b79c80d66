//! What becomes of a lease.

use crate::fake::{Call, Fake, InProcess, endless_lease, lease, puzzle};
use cascade_proto::{Code, v1};
use cascade_worker::WorkerEvent;
use std::fs;
use v1::finish_request::Ending;

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_is_searched_reported_and_only_then_finished() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(lease(1, 100, 300_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("the end", |script| script.finishes.len() == 1).await;
    let events = worker.events.all();
    let summary = worker.stop().await.expect("ended");
    assert_eq!((summary.finished, summary.unreported), (1, 0));
    let script = fake.script();
    let finish = &script.finishes[0];
    assert_eq!(finish.ending(), Ending::Done);
    assert!(finish.expansions >= 300_000 && finish.trace.len() == 8 && !finish.promising.is_empty());
    let last = script.reports.last().expect("at least one");
    assert_eq!(finish.best_found, Some(last.score));
    for report in &script.reports {
        let judged = puzzle().judge(&report.sequence.as_ref().expect("there").moves).expect("legal");
        assert!(judged.complete);
        assert_eq!(judged.score, report.score);
    }
    assert!(script.reports.is_sorted_by(|before, after| before.score > after.score), "each is better");
    let at = |call| script.order.iter().rposition(|made| *made == call).expect("made");
    assert!(at("report") < at("finish") && at("finish") < at("goodbye"), "{:?}", script.order);
    assert!(events.iter().any(|event| matches!(event, WorkerEvent::NewBest { score, .. } if *score == last.score)));
    assert!(events.iter().any(|event| matches!(event, WorkerEvent::SearchEnded { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_plan_of_a_report_reruns_to_its_very_sequence() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(lease(1, 100, 300_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("the end", |script| script.finishes.len() == 1).await;
    let found = fake.script().reports.last().expect("at least one").clone();
    let mut again = lease(2, 1, 1);
    again.plan = found.plan.clone();
    fake.script().leases.push_back(again);
    fake.until("the rerun", |script| script.finishes.len() == 2).await;
    worker.stop().await.expect("ended");
    let script = fake.script();
    let rerun = script.reports.last().expect("reported");
    assert_eq!(rerun.lease.map(|lease| lease.id), Some(2));
    assert_eq!(rerun.sequence, found.sequence);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_reported_that_does_not_beat_the_known_best() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    let mut lease = lease(1, 20, 300_000);
    lease.best_score = Some(1);
    fake.script().leases.push_back(lease);
    let worker = InProcess::start(&fake, data.path());
    fake.until("the end", |script| script.finishes.len() == 1).await;
    worker.stop().await.expect("ended");
    assert!(fake.script().reports.is_empty());
    assert!(fake.script().finishes[0].best_found.is_some_and(|score| score > 1), "it is told all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_that_cannot_be_searched_fails_with_its_reason_and_the_next_is_searched() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    let (mut digest, mut game, mut content, mut prefix) =
        (lease(1, 10, 1000), lease(2, 10, 1000), lease(3, 10, 1000), lease(4, 10, 1000));
    digest.instance.as_mut().expect("there").digest[0] ^= 1;
    game.game = "chess".to_owned();
    content.content = "no grid".to_owned();
    prefix.plan.as_mut().expect("there").prefix = Some(v1::Sequence { moves: vec![0xffff_ffff] });
    let mut strategy = lease(5, 10, 1000);
    strategy.plan.as_mut().expect("there").strategy = 99;
    fake.script().leases.extend([digest, game, content, prefix, strategy, lease(6, 10, 1000)]);
    let worker = InProcess::start(&fake, data.path());
    fake.until("all ends", |script| script.finishes.len() == 6).await;
    worker.stop().await.expect("ended");
    let script = fake.script();
    for (finish, reason) in script.finishes.iter().zip(["digest", "chess", "tetris/baba", "prefix", "strategy 99"]) {
        assert_eq!(finish.ending(), Ending::Failed);
        assert!(finish.failure.contains(reason), "{}", finish.failure);
    }
    assert_eq!(script.finishes[5].ending(), Ending::Done);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_that_the_store_cannot_take_arrives_later_and_is_kept_until_then() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().failures = vec![(Call::Report, Code::StoreUnavailable), (Call::Report, Code::StoreUnavailable)];
    fake.script().failures.push((Call::Finish, Code::Overloaded));
    fake.script().leases.push_back(lease(1, 20, 300_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("the failures", |script| script.failures.len() <= 1).await;
    let kept = fs::read_dir(data.path().join("unreported")).expect("listed").count();
    assert!(kept >= 1 || !fake.script().reports.is_empty());
    fake.until("the end", |script| script.finishes.len() == 1).await;
    worker.stop().await.expect("ended");
    assert_eq!(fake.script().hellos.len(), 1, "the session goes on");
    assert!(!fake.script().reports.is_empty());
    assert_eq!(fs::read_dir(data.path().join("unreported")).expect("listed").count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_sequence_is_set_aside_with_the_reason_and_not_sent_again() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().verdict = v1::report_verdict::Outcome::Refused;
    fake.script().leases.push_back(lease(1, 20, 300_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("the end", |script| script.finishes.len() == 1).await;
    worker.stop().await.expect("ended");
    let mut ids: Vec<String> = fake.script().reports.iter().map(|report| report.report_id.clone()).collect();
    let sent = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), sent);
    assert_eq!(fs::read_dir(data.path().join("unreported")).expect("listed").count(), 0);
    let refused = fs::read_dir(data.path().join("refused")).expect("listed").count();
    assert_eq!(refused, 2 * sent, "each with a file for the reason");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_lease_is_stopped_and_nothing_is_said_of_its_end() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.extend([endless_lease(1), lease(2, 10, 1000)]);
    let worker = InProcess::start(&fake, data.path());
    fake.until("progress", |script| {
        script.heartbeats.iter().any(|beat| beat.leases.iter().any(|lease| lease.expansions > 0))
    })
    .await;
    fake.script().drop = vec![v1::LeaseId { id: 1, attempt: 1 }];
    fake.until("the next lease's end", |script| script.finishes.len() == 1).await;
    worker.stop().await.expect("ended");
    let script = fake.script();
    assert_eq!(script.finishes[0].lease, Some(v1::LeaseId { id: 2, attempt: 1 }));
    assert!(script.goodbyes[0].unfinished.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn heartbeats_go_on_while_reports_and_finishes_hang() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(endless_lease(1));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a report", |script| !script.reports.is_empty()).await;
    fake.script().mute = true;
    let beats = fake.script().heartbeats.len();
    fake.until("beats", |script| script.heartbeats.len() > beats + 5).await;
    fake.script().mute = false;
    worker.stop().await.expect("ended");
}
