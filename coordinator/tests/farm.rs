//! The program with clients that play workers, operators and readers; it is killed where it hurts.

mod common;

use cascade_games::{AnyGame, Catalog, Game, GameId, GameVisitor, Instance, InstanceName};
use cascade_proto::v1;
use cascade_proto::v1::finish_request::Ending;
use cascade_proto::v1::report_verdict::Outcome;
use cascade_proto::v1::worker_service_client::WorkerServiceClient;
use cascade_proto::{Code, limits};
use common::{Coordinator, command, hello};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tonic::Status;
use tonic::transport::Channel;

/// Clears the contest's fill in 22 removals.
const BABA: &str = "c0 9f f4 f2 d7 cf ef fb de ee f3 fe f7 e3 ff f3 fc fb f2 f2 f1 fe\n";

fn data() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

fn baba() -> (Instance, Vec<u32>) {
    let name: InstanceName = "tetris/baba".parse().expect("a name");
    let instance = Catalog::built_in().expect("built in").get(&name).expect("an instance").clone();
    let moves = instance.puzzle().parse(BABA, "the issue").expect("a sequence");
    (instance, moves)
}

/// A worker as the coordinator sees it.
struct Worker {
    client: WorkerServiceClient<Channel>,
    session: u64,
    epoch: u64,
}

impl Worker {
    async fn sign_on(coordinator: &Coordinator, name: &str) -> Self {
        let mut client = coordinator.worker().await;
        let welcome = client.hello(hello(name)).await.expect("welcome").into_inner();
        Self { client, session: welcome.session, epoch: welcome.epoch }
    }

    async fn report(
        &mut self,
        id: &str,
        instance: &Instance,
        moves: &[u32],
        score: i64,
    ) -> Result<v1::ReportVerdict, Status> {
        let sequence = Some(v1::Sequence { moves: moves.to_vec() });
        let improvement = v1::Improvement {
            report_id: id.to_owned(),
            instance: Some(v1::InstanceRef::new(&instance.name, &instance.puzzle().digest())),
            lease: None,
            plan: Some(v1::SearchPlan {
                prefix: Some(v1::Sequence { moves: vec![] }),
                strategy: v1::Strategy::Beam.into(),
                width: 100,
                seed: u64::MAX,
                expansions: 1000,
                window: None,
                beat: None,
            }),
            sequence,
            score,
        };
        let request = v1::ReportRequest { session: self.session, epoch: self.epoch, improvements: vec![improvement] };
        let mut verdicts = self.client.report(request).await?.into_inner().verdicts;
        assert_eq!(verdicts.len(), 1);
        Ok(verdicts.remove(0))
    }

    async fn lease(&mut self) -> v1::Lease {
        let request = v1::LeaseRequest { session: self.session, epoch: self.epoch };
        match self.client.lease(request).await.expect("answered").into_inner().outcome {
            Some(v1::lease_response::Outcome::Lease(lease)) => lease,
            other => panic!("no lease: {other:?}"),
        }
    }

    async fn finish(&mut self, lease: &v1::Lease) -> bool {
        let request = v1::FinishRequest {
            session: self.session,
            epoch: self.epoch,
            lease: lease.lease,
            ending: Ending::Done.into(),
            expansions: 1000,
            elapsed: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
            best_found: None,
            exhausted: false,
            proved_bound: None,
            promising: vec![],
            failure: String::new(),
            trace: vec![1; 8],
            dearest_run: None,
        };
        self.client.finish(request).await.expect("answered").into_inner().counted
    }
}

async fn best(coordinator: &Coordinator, instance: &str) -> Option<v1::Best> {
    let request = v1::GetBestRequest { instance: instance.to_owned() };
    coordinator.query().await.get_best(request).await.expect("answered").into_inner().best
}

fn start_empty(data: &Path) -> Coordinator {
    Coordinator::spawn(command(data).args(["--listen", "127.0.0.1:0", "--log-level", "error", "--no-records"]))
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_kill_9() {
    let data = data();
    let (baba, moves) = baba();
    let coordinator = start_empty(data.path());
    let mut worker = Worker::sign_on(&coordinator, "first").await;
    let verdict = worker.report("1", &baba, &moves, 22).await.expect("judged");
    assert_eq!((verdict.outcome(), verdict.best_score), (Outcome::NewBest, Some(22)));
    coordinator.kill();

    let coordinator = start_empty(data.path());
    let kept = best(&coordinator, "baba").await.expect("kept");
    assert_eq!(kept.score, 22);
    assert_eq!(kept.sequence.expect("present").moves, moves);
    assert_eq!((kept.text.as_str(), kept.worker.as_str()), (baba.puzzle().format(&moves).as_str(), "first"));
    assert_eq!(kept.plan.expect("recorded").seed, u64::MAX);
    let request = v1::HistoryRequest { instance: "baba".to_owned() };
    let history = coordinator.query().await.history(request).await.expect("answered").into_inner().entries;
    assert_eq!(history.iter().map(|entry| (entry.score, entry.seed)).collect::<Vec<_>>(), [(22, u64::MAX)]);

    // The worker's session is of the old term: its report is judged or it is told to say hello, never lost in silence.
    worker.client = coordinator.worker().await;
    let status = worker
        .client
        .lease(v1::LeaseRequest { session: worker.session, epoch: worker.epoch })
        .await
        .expect_err("another term");
    assert!(matches!(Code::of(&status), Some(Code::WrongEpoch | Code::SessionUnknown)), "{status:?}");
}

/// Plays any listed move, drawn by a seed, until the play is over.
struct RandomPlay(u64);

impl GameVisitor for RandomPlay {
    type Output = (Vec<u32>, i64);

    fn visit<G: Game>(mut self, game: &G) -> Self::Output {
        let (mut state, mut sequence, mut moves) = (game.start(), vec![], vec![]);
        while !game.is_over(&state) {
            moves.clear();
            game.moves(&state, &mut moves);
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mv = moves[(self.0 >> 33) as usize % moves.len()];
            game.apply(&mut state, mv);
            sequence.push(game.encode(mv));
        }
        (sequence, game.score(&state))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_best_is_lost_by_kill_9_amid_reports() {
    let data = data();
    let catalog = Catalog::built_in().expect("built in");
    let fills: Vec<Instance> = catalog.instances().into_iter().take(20).cloned().collect();
    let acknowledged: Arc<Mutex<BTreeMap<String, i64>>> = Arc::default();
    for round in 0..5_u64 {
        let coordinator = start_empty(data.path());
        let mut reporters = vec![];
        for reporter in 0..4_u64 {
            let mut worker = Worker::sign_on(&coordinator, &format!("reporter-{reporter}")).await;
            let (fills, acknowledged) = (fills.clone(), acknowledged.clone());
            reporters.push(tokio::spawn(async move {
                for number in 0.. {
                    let seed = (round << 40) | (reporter << 32) | number;
                    let instance = &fills[usize::try_from(seed % 20).expect("small")];
                    let (moves, score) = instance.game.visit(RandomPlay(seed));
                    let Ok(verdict) = worker.report(&format!("{seed}"), instance, &moves, score).await else { return };
                    let best = verdict.best_score.expect("there is one now");
                    let mut acknowledged = acknowledged.lock().expect("not poisoned");
                    let held = acknowledged.entry(instance.name.to_string()).or_insert(best);
                    *held = best.min(*held);
                }
            }));
        }
        tokio::time::sleep(Duration::from_millis(300 + 50 * round)).await;
        coordinator.kill();
        for reporter in reporters {
            reporter.await.expect("ended by the kill");
        }
        let coordinator = start_empty(data.path());
        let bests =
            coordinator.query().await.list_bests(v1::ListBestsRequest {}).await.expect("answered").into_inner().bests;
        let kept: BTreeMap<String, i64> =
            bests.into_iter().map(|best| (best.instance.expect("present").name, best.score)).collect();
        let acknowledged = acknowledged.lock().expect("not poisoned");
        assert!(!acknowledged.is_empty(), "reports were acknowledged before the kill");
        for (instance, score) in acknowledged.iter() {
            assert!(kept[instance] <= *score, "{instance}: {score} was acknowledged, {} is kept", kept[instance]);
        }
        coordinator.kill();
    }
}

#[tokio::test]
async fn a_full_disk_refuses_new_bests_serves_the_old_ones_and_recovers() {
    let data = data();
    // A process that may not write beyond some size of its files fares as one whose disk is full, if it ignores the
    // signal that comes with it.
    let program = command(data.path());
    let coordinator = Coordinator::spawn(
        Command::new("sh")
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"])
            .arg(program.get_program())
            .args(program.get_args())
            .args(["--listen", "127.0.0.1:0", "--log-level", "off", "--no-records"]),
    );
    let catalog = Catalog::built_in().expect("built in");
    let fills: Vec<Instance> = catalog.instances().into_iter().take(20).cloned().collect();
    let mut worker = Worker::sign_on(&coordinator, "eager").await;
    limit_file_size(&coordinator, "400000");
    let mut kept: BTreeMap<String, i64> = BTreeMap::new();
    let mut refusal = None;
    for seed in 0..10_000 {
        let instance = &fills[seed as usize % fills.len()];
        let (moves, score) = instance.game.visit(RandomPlay(seed));
        match worker.report(&seed.to_string(), instance, &moves, score).await {
            Ok(verdict) => drop(kept.insert(instance.name.to_string(), verdict.best_score.expect("there is one now"))),
            Err(status) => {
                refusal = Some((status, seed));
                break;
            }
        }
    }
    let (status, seed) = refusal.expect("refused at last");
    assert_eq!(Code::of(&status), Some(Code::StoreUnavailable), "{status:?}");
    let bests = |bests: v1::ListBestsResponse| -> BTreeMap<String, i64> {
        bests.bests.into_iter().map(|best| (best.instance.expect("present").name, best.score)).collect()
    };
    let mut query = coordinator.query().await;
    assert_eq!(bests(query.list_bests(v1::ListBestsRequest {}).await.expect("served").into_inner()), kept);
    let store = query.status(v1::StatusRequest {}).await.expect("served").into_inner().store;
    assert!(store.contains("refuses writes"), "{store}");

    limit_file_size(&coordinator, "unlimited");
    let instance = &fills[seed as usize % fills.len()];
    let (moves, score) = instance.game.visit(RandomPlay(seed));
    let verdict = worker.report(&seed.to_string(), instance, &moves, score).await.expect("there is room again");
    kept.insert(instance.name.to_string(), verdict.best_score.expect("there is one now"));
    coordinator.kill();
    let coordinator = start_empty(data.path());
    let mut query = coordinator.query().await;
    assert_eq!(bests(query.list_bests(v1::ListBestsRequest {}).await.expect("served").into_inner()), kept);
}

/// Sets how large files of the process may become, in bytes.
fn limit_file_size(coordinator: &Coordinator, bytes: &str) {
    let pid = coordinator.id().to_string();
    let status = Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:unlimited")]).status();
    assert!(status.expect("prlimit runs").success());
}

#[tokio::test]
async fn best_files_are_written_and_come_back_when_missing() {
    let data = data();
    let (baba, moves) = baba();
    let file = data.path().join("best/tetris/baba.txt");
    let coordinator = start_empty(data.path());
    Worker::sign_on(&coordinator, "first").await.report("1", &baba, &moves, 22).await.expect("judged");
    stop(coordinator).await;
    let text = fs::read_to_string(&file).expect("written");
    assert_eq!(baba.puzzle().parse(&text, "best file").expect("a sequence"), moves);
    fs::remove_file(&file).expect("removed");
    stop(start_empty(data.path())).await;
    assert_eq!(fs::read_to_string(&file).expect("written again"), text);
}

async fn stop(coordinator: Coordinator) {
    let (status, _) = tokio::task::spawn_blocking(move || coordinator.terminate()).await.expect("joined");
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn a_lie_is_refused_with_a_reason_and_kept_nowhere() {
    let data = data();
    let (baba, moves) = baba();
    let coordinator = start_empty(data.path());
    let mut worker = Worker::sign_on(&coordinator, "liar").await;
    for (id, moves, score) in [("1", &moves[..], 21), ("2", &moves[..21], 21), ("3", &[u32::MAX][..], 1)] {
        let verdict = worker.report(id, &baba, moves, score).await.expect("judged");
        assert_eq!(verdict.outcome(), Outcome::Refused, "{verdict:?}");
        assert!(!verdict.reason.is_empty());
    }
    assert_eq!(best(&coordinator, "baba").await, None);
    let workers = coordinator.query().await.list_workers(v1::ListWorkersRequest {}).await.expect("answered");
    assert_eq!(workers.into_inner().workers[0].refused, 3);
}

#[tokio::test]
async fn a_lease_is_counted_once_however_often_it_is_finished() {
    let data = data();
    let coordinator = start_empty(data.path());
    let mut first = Worker::sign_on(&coordinator, "first").await;
    let mut second = Worker::sign_on(&coordinator, "second").await;
    let (lease, other) = (first.lease().await, second.lease().await);
    assert_ne!((&lease.instance, &lease.plan), (&other.instance, &other.plan), "two different pieces of work");
    assert_eq!(
        [first.finish(&lease).await, first.finish(&lease).await, second.finish(&lease).await],
        [true, false, false]
    );
    let status = coordinator.query().await.status(v1::StatusRequest {}).await.expect("answered").into_inner();
    assert_eq!((status.workers_connected, status.total_expansions), (2, 1000));
}

#[tokio::test]
async fn watchers_see_what_is_there_and_then_what_comes() {
    let data = data();
    let (baba, moves) = baba();
    let coordinator = start_empty(data.path());
    let mut client = coordinator.query().await;
    let call = v1::WatchBestsRequest { instance: "baba".to_owned() };
    let mut early = client.watch_bests(call.clone()).await.expect("served").into_inner();
    Worker::sign_on(&coordinator, "first").await.report("1", &baba, &moves, 22).await.expect("judged");
    let mut late = client.watch_bests(call).await.expect("served").into_inner();
    for stream in [&mut early, &mut late] {
        assert_eq!(stream.message().await.expect("served").expect("a best").score, 22);
    }
}

#[tokio::test]
async fn what_an_operator_changes_outlives_kill_9() {
    let data = data();
    let coordinator = start_empty(data.path());
    let mut admin = coordinator.admin().await;
    let call = v1::AddInstanceRequest { file_name: "small.txt".to_owned(), text: "abc?\nabcd\n".to_owned() };
    let added = admin.add_instance(call.clone()).await.expect("added").into_inner().added;
    assert!(added.iter().any(|instance| instance.name == "tetris/small-a"), "{added:?}");
    let status = admin.add_instance(call).await.expect_err("a name given twice");
    assert_eq!(Code::of(&status), Some(Code::BadInput));
    let named = || "tetris/small-a".to_owned();
    admin.set_priority(v1::SetPriorityRequest { instance: named(), priority: 7 }).await.expect("set");
    admin.pause(v1::PauseRequest { instance: named() }).await.expect("paused");
    admin.pause(v1::PauseRequest { instance: String::new() }).await.expect("paused");
    let call = v1::ImportSequenceRequest { instance: "baba".to_owned(), text: BABA.to_owned() };
    let imported = admin.import_sequence(call).await.expect("imported").into_inner();
    assert_eq!((imported.new_best, imported.score, imported.best_score), (true, 22, Some(22)));
    coordinator.kill();

    let coordinator = start_empty(data.path());
    let mut query = coordinator.query().await;
    assert!(query.status(v1::StatusRequest {}).await.expect("answered").into_inner().paused);
    let instances = query.list_instances(v1::ListInstancesRequest {}).await.expect("answered").into_inner().instances;
    let kept = instances
        .iter()
        .find(|info| info.instance.as_ref().is_some_and(|instance| instance.name == named()))
        .expect("kept");
    assert_eq!((kept.priority, kept.paused, kept.origin.as_str()), (7, true, "added"));
    let imported = best(&coordinator, "baba").await.expect("kept");
    assert_eq!((imported.score, imported.plan), (22, None));
    let mut worker = Worker::sign_on(&coordinator, "idle").await;
    let request = v1::LeaseRequest { session: worker.session, epoch: worker.epoch };
    let outcome = worker.client.lease(request).await.expect("answered").into_inner().outcome;
    assert!(matches!(outcome, Some(v1::lease_response::Outcome::Wait(_))), "the farm is paused: {outcome:?}");
}

#[tokio::test]
async fn what_an_instance_holds_is_told_in_its_own_format() {
    let data = data();
    let coordinator = start_empty(data.path());
    let mut query = coordinator.query().await;
    let call = v1::AddInstanceRequest { file_name: "small.txt".to_owned(), text: "abc?\nabcd\n".to_owned() };
    coordinator.admin().await.add_instance(call).await.expect("added");
    for (asked, name) in [("baba", "tetris/baba"), ("tritown7", "tritown/7"), ("tetris/small-a", "tetris/small-a")] {
        let call = v1::GetInstanceRequest { instance: asked.to_owned() };
        let held = query.get_instance(call).await.expect("answered").into_inner();
        let (name_held, digest) = held.instance.expect("present").parse().expect("a reference");
        let game = GameId::from_name(&held.game).expect("a game");
        let read = AnyGame::parse(game, &held.content, "content").expect("the game's format");
        assert_eq!((name_held.to_string().as_str(), digest), (name, read.puzzle().digest()));
    }
    let call = v1::GetInstanceRequest { instance: "tetris/none".to_owned() };
    let status = query.get_instance(call).await.expect_err("refused");
    assert_eq!(Code::of(&status), Some(Code::UnknownInstance));
}

#[tokio::test]
async fn errors_carry_a_code_and_say_what_is_wrong() {
    let data = data();
    let coordinator = start_empty(data.path());
    let mut query = coordinator.query().await;
    for (name, code, words) in [
        ("tetris/none", Code::UnknownInstance, "tetris/none"),
        ("tetris/aaaa", Code::UnknownInstance, "not a legal instance"),
        ("chess/1", Code::BadInput, "unknown game 'chess'"),
    ] {
        let status = query.get_best(v1::GetBestRequest { instance: name.to_owned() }).await.expect_err("refused");
        assert_eq!(Code::of(&status), Some(code), "{status:?}");
        assert!(status.message().contains(words), "{}", status.message());
    }
    let mut admin = coordinator.admin().await;
    let call = v1::AddInstanceRequest { file_name: "odd.txt".to_owned(), text: "abcd\nabX\n".to_owned() };
    let status = admin.add_instance(call).await.expect_err("refused");
    assert_eq!(Code::of(&status), Some(Code::BadInput));
    assert!(status.message().contains("odd.txt, line 2"), "{}", status.message());
    let status = admin.drain_worker(v1::DrainWorkerRequest { worker: "nobody".to_owned() }).await.expect_err("refused");
    assert_eq!(Code::of(&status), Some(Code::UnknownWorker));

    let mut worker = coordinator.worker().await;
    let status = worker.hello(hello("")).await.expect_err("no name");
    assert_eq!(Code::of(&status), Some(Code::BadInput));
    let versions = v1::Versions { rules: 999, ..v1::Versions::of("worker of the future") };
    let status =
        worker.hello(v1::HelloRequest { versions: Some(versions), ..hello("future") }).await.expect_err("other rules");
    assert_eq!(Code::of(&status), Some(Code::VersionMismatch));
    assert!(
        status.message().contains("999") && status.message().contains("worker of the future"),
        "{}",
        status.message()
    );
}

#[tokio::test]
async fn a_message_that_is_too_large_is_refused_with_both_sizes() {
    let data = data();
    let coordinator = start_empty(data.path());
    let mut admin = coordinator.admin().await.max_encoding_message_size(2 * limits::MESSAGE_BYTES);
    let text = "a".repeat(limits::MESSAGE_BYTES);
    let call = v1::AddInstanceRequest { file_name: "large.txt".to_owned(), text };
    let status = admin.add_instance(call).await.expect_err("refused");
    assert!(status.message().contains(&limits::MESSAGE_BYTES.to_string()), "{}", status.message());
    assert!(status.message().contains(&(limits::MESSAGE_BYTES + 16).to_string()[..5]), "{}", status.message());
}

#[tokio::test]
async fn a_second_sign_on_under_the_same_name_fences_the_first() {
    let data = data();
    let coordinator = start_empty(data.path());
    let mut first = Worker::sign_on(&coordinator, "twin").await;
    let mut second = Worker::sign_on(&coordinator, "twin").await;
    let request = v1::LeaseRequest { session: first.session, epoch: first.epoch };
    let status = first.client.lease(request).await.expect_err("fenced");
    assert_eq!(Code::of(&status), Some(Code::SessionFenced));
    second.lease().await;
}
