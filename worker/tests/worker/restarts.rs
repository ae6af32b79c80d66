//! What a worker keeps across its own restarts.

use crate::fake::{Call, Fake, InProcess, endless_lease, lease};
use cascade_proto::{Code, v1};
use cascade_worker::WorkerEvent;
use std::fs;
use std::path::Path;
use v1::finish_request::Ending;

/// A lease long enough to be interrupted several times, also on a fast machine.
fn long_lease(id: u64) -> v1::Lease {
    v1::Lease { checkpoint: true, ..lease(id, 300, 10_000_000) }
}

/// A lease that is checkpointed and never ends by itself.
fn endless_checkpointed_lease(id: u64) -> v1::Lease {
    v1::Lease { checkpoint: true, ..endless_lease(id) }
}

fn checkpoints(data: &Path) -> usize {
    fs::read_dir(data.join("checkpoints")).expect("listed").count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_search_goes_on_to_the_same_end() {
    let (fake, data, other) = (Fake::start(), tempfile::tempdir().expect("a directory"), tempfile::tempdir());
    fake.script().leases.push_back(long_lease(1));
    let undisturbed = InProcess::start(&fake, other.expect("a directory").path());
    fake.until("the undisturbed end", |script| script.finishes.len() == 1).await;
    undisturbed.stop().await.expect("ended");

    fake.script().leases.push_back(long_lease(2));
    for _ in 0..3 {
        let sessions = fake.script().sessions + 1;
        let worker = InProcess::start(&fake, data.path());
        fake.until("progress", |script| {
            let beats = || script.heartbeats.iter().filter(|beat| beat.session == sessions);
            let spent = || beats().flat_map(|beat| &beat.leases).map(|lease| lease.expansions);
            spent().max() > spent().min()
        })
        .await;
        worker.stop().await.expect("ended");
        assert_eq!(checkpoints(data.path()), 1);
    }
    let worker = InProcess::start(&fake, data.path());
    fake.until("the end", |script| script.finishes.len() == 2).await;
    worker.stop().await.expect("ended");

    let script = fake.script();
    for hello in &script.hellos[2..] {
        assert_eq!(hello.held, [v1::LeaseId { id: 2, attempt: 1 }]);
    }
    let [undisturbed, disturbed] = &script.finishes[..] else { unreachable!("two leases ended") };
    assert_eq!(disturbed.ending(), Ending::Done);
    assert_eq!(disturbed.expansions, undisturbed.expansions);
    assert_eq!(disturbed.best_found, undisturbed.best_found);
    assert_eq!(disturbed.promising, undisturbed.promising);
    assert_eq!(disturbed.trace, undisturbed.trace);
    assert_eq!(checkpoints(data.path()), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_lease_that_is_lost_is_forgotten() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(endless_checkpointed_lease(1));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a report", |script| !script.reports.is_empty()).await;
    worker.stop().await.expect("ended");
    assert_eq!(checkpoints(data.path()), 1);
    fake.script().keep = false;
    let worker = InProcess::start(&fake, data.path());
    fake.until("the second session's lease call", |script| {
        script.sessions == 2 && script.order.last() == Some(&"lease")
    })
    .await;
    worker.stop().await.expect("ended");
    assert_eq!(checkpoints(data.path()), 0);
    assert!(fake.script().finishes.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_checkpoint_is_set_aside_and_the_worker_works() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().leases.push_back(endless_checkpointed_lease(1));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a report", |script| !script.reports.is_empty()).await;
    worker.stop().await.expect("ended");
    let file = fs::read_dir(data.path().join("checkpoints")).expect("listed").next().expect("one").expect("it").path();
    let whole = fs::read(&file).expect("there");
    fs::write(&file, &whole[..whole.len() / 2]).expect("cut");
    fake.script().leases.push_back(lease(2, 10, 1000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("the end", |script| script.finishes.len() == 1).await;
    worker.stop().await.expect("ended");
    assert!(fake.script().hellos[1].held.is_empty());
    assert!(data.path().join("damaged").join(file.file_name().expect("a name")).exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_acknowledged_is_reported_after_a_restart_once() {
    let (mut fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fake.script().failures = vec![(Call::Report, Code::StoreUnavailable); 100];
    fake.script().leases.push_back(lease(1, 20, 300_000));
    let worker = InProcess::start(&fake, data.path());
    fake.until("a failed report", |script| script.failures.len() < 100).await;
    fake.stop();
    let summary = worker.stop().await.expect("ended");
    assert_eq!(summary.unreported, 1);
    fake.script().failures.clear();
    let fake = fake.restart(std::time::Duration::ZERO);
    let worker = InProcess::start(&fake, data.path());
    fake.until("the verdict", |_| worker.events.all().iter().any(|event| matches!(event, WorkerEvent::NewBest { .. })))
        .await;
    assert_eq!(worker.stop().await.expect("ended").unreported, 0);
    assert_eq!(fake.script().reports.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_measured_speed_is_told_after_a_restart() {
    let (fake, data) = (Fake::start(), tempfile::tempdir().expect("a directory"));
    fs::write(data.path().join("speed"), "tetris 1234567\n").expect("written");
    let worker = InProcess::start(&fake, data.path());
    fake.until("the hello", |script| script.hellos.len() == 1).await;
    worker.stop().await.expect("ended");
    assert_eq!(fake.script().hellos[0].speed["tetris"], 1_234_567.0);
}
