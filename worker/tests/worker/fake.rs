//! A coordinator for tests: hands out scripted leases, records calls, fails where it is told to.

use cascade_games::{Catalog, InstanceName, Puzzle};
use cascade_proto::v1::worker_service_server::{WorkerService, WorkerServiceServer};
use cascade_proto::{Code, v1};
use cascade_worker::{Config, Observer, Summary, WorkerError, WorkerEvent};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

/// A test that waits longer than this for something hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The calls that can be told to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Hello,
    Heartbeat,
    Report,
    Finish,
}

/// What the coordinator was told, and how it is to behave.
pub(crate) struct Script {
    pub(crate) epoch: u64,
    pub(crate) sessions: u64,
    pub(crate) hellos: Vec<v1::HelloRequest>,
    pub(crate) heartbeats: Vec<v1::HeartbeatRequest>,
    pub(crate) reports: Vec<v1::Improvement>,
    pub(crate) finishes: Vec<v1::FinishRequest>,
    pub(crate) goodbyes: Vec<v1::GoodbyeRequest>,
    /// Names of the calls in the order in which they were answered well.
    pub(crate) order: Vec<&'static str>,
    pub(crate) leases: VecDeque<v1::Lease>,
    /// The verdict on every lease offered at a hello.
    pub(crate) keep: bool,
    /// Said in the next heartbeat's answer.
    pub(crate) drop: Vec<v1::LeaseId>,
    pub(crate) drain: bool,
    /// Ordered when there is no lease.
    pub(crate) retry_after: Duration,
    /// The verdict on every report.
    pub(crate) verdict: v1::report_verdict::Outcome,
    /// The next calls of a kind fail so.
    pub(crate) failures: Vec<(Call, Code)>,
    /// Calls but hello and heartbeat are never answered.
    pub(crate) mute: bool,
    /// The token that clients must send.
    pub(crate) token: Option<String>,
}

impl Script {
    fn fail(&mut self, call: Call) -> Result<(), Status> {
        match self.failures.iter().position(|(failing, _)| *failing == call) {
            Some(at) => Err(self.failures.remove(at).1.status("as the test wants")),
            None => Ok(()),
        }
    }

    fn check(&self, session: u64, epoch: u64) -> Result<(), Status> {
        if epoch != self.epoch {
            return Err(Code::WrongEpoch.status("another term of office"));
        }
        if session != self.sessions {
            return Err(Code::SessionUnknown.status("no such session"));
        }
        Ok(())
    }
}

/// The coordinator. It is gone, connections and all, when this is dropped.
pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    script: Arc<Mutex<Script>>,
    runtime: Option<Runtime>,
}

impl Fake {
    /// Starts on a free port.
    pub(crate) fn start() -> Self {
        let script = Script {
            epoch: 1,
            sessions: 0,
            hellos: vec![],
            heartbeats: vec![],
            reports: vec![],
            finishes: vec![],
            goodbyes: vec![],
            order: vec![],
            leases: VecDeque::new(),
            keep: true,
            drop: vec![],
            drain: false,
            retry_after: Duration::from_millis(50),
            verdict: v1::report_verdict::Outcome::NewBest,
            failures: vec![],
            mute: false,
            token: None,
        };
        Self::serve("127.0.0.1:0".parse().expect("an address"), Arc::new(Mutex::new(script)))
    }

    /// The same coordinator, gone and back on the same port in its next term of office.
    pub(crate) fn restart(mut self, down_for: Duration) -> Self {
        self.stop();
        std::thread::sleep(down_for);
        self.script().epoch += 1;
        Self::serve(self.address, self.script.clone())
    }

    fn serve(address: SocketAddr, script: Arc<Mutex<Script>>) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let inside = runtime.enter();
        let listener = listen(address);
        drop(inside);
        let address = listener.local_addr().expect("bound");
        let service = WorkerServiceServer::new(Service(script.clone()));
        let incoming = tokio_stream::wrappers::TcpListenerStream::new(listener);
        runtime.spawn(tonic::transport::Server::builder().add_service(service).serve_with_incoming(incoming));
        Self { address, script, runtime: Some(runtime) }
    }

    /// Cuts every connection and frees the port.
    pub(crate) fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Waiting is not allowed on a thread of the test's own runtime.
            let ended = std::thread::spawn(move || runtime.shutdown_timeout(Duration::from_secs(5)));
            ended.join().expect("without a panic");
        }
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().expect("no test thread panicked")
    }

    /// Waits until `condition` holds.
    pub(crate) async fn until(&self, what: &str, condition: impl Fn(&Script) -> bool) {
        let waited = tokio::time::timeout(PATIENCE, async {
            while !condition(&self.script()) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        });
        assert!(waited.await.is_ok(), "waited in vain: {what}");
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Listens on `address` also right after another listener there.
fn listen(address: SocketAddr) -> TcpListener {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_reuseaddr(true).expect("reusable");
    socket.bind(address).expect("a free port");
    socket.listen(16).expect("listening")
}

struct Service(Arc<Mutex<Script>>);

impl Service {
    fn script<T>(&self, request: &Request<T>) -> Result<MutexGuard<'_, Script>, Status> {
        let script = self.0.lock().expect("no test thread panicked");
        let sent = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
        let wanted = script.token.as_ref().map(|token| format!("Bearer {token}"));
        if wanted.is_some() && sent != wanted.as_deref() {
            return Err(Code::Unauthenticated.status("the token is wrong"));
        }
        Ok(script)
    }

    async fn stay_mute(&self) {
        let mute = self.0.lock().expect("no test thread panicked").mute;
        if mute {
            std::future::pending::<()>().await;
        }
    }
}

#[tonic::async_trait]
impl WorkerService for Service {
    async fn hello(&self, request: Request<v1::HelloRequest>) -> Result<Response<v1::HelloResponse>, Status> {
        let mut script = self.script(&request)?;
        script.fail(Call::Hello)?;
        let request = request.into_inner();
        script.sessions += 1;
        script.order.push("hello");
        let keep = script.keep;
        let held = request.held.iter().map(|lease| v1::HeldVerdict { lease: Some(*lease), keep }).collect();
        script.hellos.push(request);
        Ok(Response::new(v1::HelloResponse {
            epoch: script.epoch,
            session: script.sessions,
            protocol: 1,
            heartbeat_interval: Some(wire(Duration::from_millis(50))),
            silence_limit: Some(wire(Duration::from_secs(5))),
            held,
            coordinator_software: "test".to_owned(),
        }))
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Result<Response<v1::LeaseResponse>, Status> {
        self.stay_mute().await;
        let mut script = self.script(&request)?;
        script.check(request.get_ref().session, request.get_ref().epoch)?;
        let outcome = match script.leases.pop_front() {
            Some(lease) => v1::lease_response::Outcome::Lease(lease),
            None => v1::lease_response::Outcome::Wait(v1::Wait {
                retry_after: Some(wire(script.retry_after)),
                reason: "the test has no more".to_owned(),
                drain: script.drain,
            }),
        };
        script.order.push("lease");
        Ok(Response::new(v1::LeaseResponse { outcome: Some(outcome) }))
    }

    async fn heartbeat(
        &self,
        request: Request<v1::HeartbeatRequest>,
    ) -> Result<Response<v1::HeartbeatResponse>, Status> {
        let mut script = self.script(&request)?;
        script.fail(Call::Heartbeat)?;
        script.check(request.get_ref().session, request.get_ref().epoch)?;
        script.heartbeats.push(request.into_inner());
        let drop = std::mem::take(&mut script.drop);
        Ok(Response::new(v1::HeartbeatResponse { drop, drain: script.drain, bests: vec![] }))
    }

    async fn report(&self, request: Request<v1::ReportRequest>) -> Result<Response<v1::ReportResponse>, Status> {
        self.stay_mute().await;
        let mut script = self.script(&request)?;
        script.fail(Call::Report)?;
        script.check(request.get_ref().session, request.get_ref().epoch)?;
        let outcome = script.verdict.into();
        let improvements = request.into_inner().improvements;
        let verdict = |improvement: &v1::Improvement| v1::ReportVerdict {
            report_id: improvement.report_id.clone(),
            outcome,
            reason: "as the test wants".to_owned(),
            best_score: None,
        };
        let verdicts = improvements.iter().map(verdict).collect();
        script.order.push("report");
        script.reports.extend(improvements);
        Ok(Response::new(v1::ReportResponse { verdicts }))
    }

    async fn finish(&self, request: Request<v1::FinishRequest>) -> Result<Response<v1::FinishResponse>, Status> {
        self.stay_mute().await;
        let mut script = self.script(&request)?;
        script.fail(Call::Finish)?;
        script.check(request.get_ref().session, request.get_ref().epoch)?;
        script.order.push("finish");
        let finish = request.into_inner();
        // A worker that is stopped before it hears the answer says it again: an end counts once, as it does for real.
        let counted = script.finishes.iter().all(|known| known.lease != finish.lease);
        if counted {
            script.finishes.push(finish);
        }
        Ok(Response::new(v1::FinishResponse { counted }))
    }

    async fn goodbye(&self, request: Request<v1::GoodbyeRequest>) -> Result<Response<v1::GoodbyeResponse>, Status> {
        self.stay_mute().await;
        let mut script = self.script(&request)?;
        script.check(request.get_ref().session, request.get_ref().epoch)?;
        script.order.push("goodbye");
        script.goodbyes.push(request.into_inner());
        Ok(Response::new(v1::GoodbyeResponse {}))
    }
}

fn wire(duration: Duration) -> prost_types::Duration {
    cascade_proto::convert::to_wire_duration(duration)
}

/// A beam on the contest's grid, from its start.
pub(crate) fn lease(id: u64, width: u32, expansions: u64) -> v1::Lease {
    let puzzle = puzzle();
    v1::Lease {
        lease: Some(v1::LeaseId { id, attempt: 1 }),
        instance: Some(v1::InstanceRef::new(&name(), &puzzle.digest())),
        game: "tetris".to_owned(),
        content: puzzle.content().to_owned(),
        plan: Some(v1::SearchPlan {
            prefix: Some(v1::Sequence::default()),
            strategy: v1::Strategy::Beam.into(),
            width,
            seed: 7,
            expansions,
            window: None,
            beat: None,
        }),
        best_score: None,
        expected: None,
        checkpoint: false,
    }
}

/// A lease that no test waits for the end of.
pub(crate) fn endless_lease(id: u64) -> v1::Lease {
    lease(id, 50, u64::MAX)
}

pub(crate) fn puzzle() -> Arc<dyn Puzzle> {
    Catalog::built_in().expect("built in").get(&name()).expect("known").puzzle()
}

fn name() -> InstanceName {
    "tetris/baba".parse().expect("a name")
}

/// A worker in this process.
pub(crate) struct InProcess {
    pub(crate) shutdown: CancellationToken,
    pub(crate) events: Arc<Events>,
    task: JoinHandle<Result<Summary, WorkerError>>,
}

impl InProcess {
    pub(crate) fn start(fake: &Fake, data: &Path) -> Self {
        Self::start_with(config(fake, data))
    }

    pub(crate) fn start_with(config: Config) -> Self {
        let shutdown = CancellationToken::new();
        let events = Arc::new(Events::default());
        let task = tokio::spawn(cascade_worker::run(config, shutdown.clone(), events.clone()));
        Self { shutdown, events, task }
    }

    /// How it ends by itself.
    pub(crate) async fn end(self) -> Result<Summary, WorkerError> {
        tokio::time::timeout(PATIENCE, self.task).await.expect("it ends").expect("without a panic")
    }

    /// Asks it to end, and how it does.
    pub(crate) async fn stop(self) -> Result<Summary, WorkerError> {
        self.shutdown.cancel();
        self.end().await
    }
}

pub(crate) fn config(fake: &Fake, data: &Path) -> Config {
    Config {
        coordinator: fake.address.to_string(),
        name: Some("attic".to_owned()),
        threads: NonZeroUsize::new(1),
        data: data.to_owned(),
        checkpoint_every: Duration::from_millis(50),
        ..Config::default()
    }
}

/// Everything that a worker told.
#[derive(Default)]
pub(crate) struct Events(Mutex<Vec<WorkerEvent>>);

impl Events {
    pub(crate) fn all(&self) -> Vec<WorkerEvent> {
        self.0.lock().expect("no test thread panicked").clone()
    }
}

impl Observer for Events {
    fn event(&self, event: &WorkerEvent) {
        self.0.lock().expect("no test thread panicked").push(event.clone());
    }
}
