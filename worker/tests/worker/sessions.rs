//! What becomes of a session.

use crate::fake::{Call, Fake, InProcess, config, endless_lease, lease};
use cascade_proto::{Code, Token, v1};
use cascade_worker::{WorkerError, WorkerEvent};
use std::time::Duration;
use v1::finish_request::Ending;

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_gives_the_lease_back() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(endless_lease(1));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a report", |script| !script.reports.is_empty()).await;
    worker.stop().await.expect("ended");
    let script = fake.script();
    let returned = &script.goodbyes[0].unfinished;
    assert_eq!(returned.len(), 1);
    assert_eq!(returned[0].ending(), Ending::Returned);
    assert!(returned[0].expansions > 0);
    assert!(script.finishes.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_outlives_the_coordinator_and_is_finished_once_it_is_back() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    // Long enough to outlast the longest wait before the next attempt to connect.
    fake.script().leases.push_back(lease(1, 200, 4_000_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a heartbeat", |script| !script.heartbeats.is_empty()).await;
    let fake = fake.restart(Duration::from_millis(500));
    fake.until("the end", |script| script.finishes.len() == 1).await;
    let events = worker.events.all();
    worker.stop().await.expect("ended");
    let script = fake.script();
    assert_eq!(script.hellos.len(), 2);
    assert_eq!(script.hellos[1].held, [v1::LeaseId { id: 1, attempt: 1 }], "what is held is offered");
    assert_eq!(script.finishes[0].ending(), Ending::Done);
    assert_eq!(script.finishes[0].epoch, 2);
    let started = events.iter().filter(|event| matches!(event, WorkerEvent::SearchStarted(_))).count();
    assert_eq!(started, 1, "the search went on");
    assert!(events.iter().any(|event| matches!(event, WorkerEvent::Disconnected { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_while_the_coordinator_was_away_is_reported_even_when_the_lease_is_lost() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().keep = false;
    fake.script().failures = vec![(Call::Report, Code::StoreUnavailable); 3];
    fake.script().leases.push_back(lease(1, 20, 300_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a failed report", |script| script.failures.len() < 3).await;
    let fake = fake.restart(Duration::from_millis(300));
    fake.until("the report", |script| !script.reports.is_empty()).await;
    worker.stop().await.expect("ended");
    assert!(fake.script().finishes.is_empty(), "the lease was dropped");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_session_is_answered_with_a_hello_that_offers_what_runs() {
    for code in [Code::SessionUnknown, Code::WrongEpoch] {
        let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
        fake.script().leases.push_back(endless_lease(1));
        let worker = InProcess::start(&fake, data.path());
        fake.until("a heartbeat with a lease", |script| {
            script.heartbeats.last().is_some_and(|beat| !beat.leases.is_empty())
        })
        .await;
        fake.script().failures = vec![(Call::Heartbeat, code)];
        fake.until("the second hello", |script| script.hellos.len() == 2).await;
        let beats = fake.script().heartbeats.len();
        fake.until("beats of the new session", |script| script.heartbeats.len() > beats).await;
        worker.stop().await.expect("ended");
        assert_eq!(fake.script().hellos[1].held, [v1::LeaseId { id: 1, attempt: 1 }]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_fenced_again_and_again_ends_and_says_why() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().failures = vec![(Call::Heartbeat, Code::SessionFenced); 2];
    let error = InProcess::start(&fake, data.path()).end().await.expect_err("fenced");
    assert!(matches!(&error, WorkerError::Fenced { name } if name == "attic"));
    assert!(error.to_string().contains("--name"));
    assert_eq!(fake.script().hellos.len(), 2, "once it may have been this worker's own late hello");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_a_person_can_put_right_ends_the_worker_at_once() {
    for code in [Code::Unauthenticated, Code::VersionMismatch, Code::SetAside, Code::BadInput] {
        let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
        fake.script().failures = vec![(Call::Hello, code)];
        let error = InProcess::start(&fake, data.path()).end().await.expect_err("refused");
        let as_expected = match code {
            Code::Unauthenticated => matches!(error, WorkerError::Credentials(_)),
            Code::VersionMismatch => matches!(error, WorkerError::Versions(_)),
            Code::SetAside => matches!(error, WorkerError::SetAside(_)),
            _ => matches!(error, WorkerError::Refused(_)),
        };
        assert!(as_expected, "{code:?}: {error:?}");
        assert!(fake.script().hellos.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_is_sent_with_every_call() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().token = Some("0123456789abcdef".to_owned());
    fake.script().leases.push_back(lease(1, 10, 1000));
    let token = Some(Token::new("0123456789abcdef", "test").expect("usable"));
    let worker = InProcess::start_with(cascade_worker::Config { token, ..config(&fake, data.path()) });
    fake.until("the end", |script| script.finishes.len() == 1).await;
    worker.stop().await.expect("ended");
    assert_eq!(fake.script().goodbyes.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drained_worker_ends_when_its_lease_has_ended() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.extend([lease(1, 100, 300_000), lease(2, 10, 1000)]);
    fake.script().drain = true;
    let summary = InProcess::start(&fake, data.path()).end().await.expect("drained");
    let script = fake.script();
    assert!(script.finishes.iter().all(|finish| finish.ending() == Ending::Done));
    assert_eq!(summary.finished, script.finishes.len() as u64);
    assert_eq!(script.goodbyes.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ordered_delay_is_kept() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().retry_after = Duration::from_secs(3600);
    let worker = InProcess::start(&fake, data.path());
    fake.until("the order", |_| worker.events.all().iter().any(|event| matches!(event, WorkerEvent::Waiting { .. })))
        .await;
    worker.stop().await.expect("ended");
    fake.script().leases.push_back(lease(1, 10, 1000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("the second session's beats", |script| {
        script.heartbeats.iter().filter(|beat| beat.session == 2).count() > 5
    })
    .await;
    worker.stop().await.expect("ended");
    assert_eq!(fake.script().leases.len(), 1, "nothing was asked for before the time");
}
