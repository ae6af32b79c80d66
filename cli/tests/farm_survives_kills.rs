//! A farm of real processes, each killed again and again while it works: nothing that was acknowledged is lost.

use cascade_games::{Catalog, InstanceName};
use cascade_proto::endpoint::endpoint;
use cascade_proto::v1;
use cascade_proto::v1::query_service_client::QueryServiceClient;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tonic::transport::Channel;

const WORKERS: [&str; 2] = ["attic", "cellar"];
const ROUNDS: u64 = 20;
/// Whoever waits longer than this waits in vain.
const PATIENCE: Duration = Duration::from_secs(120);

#[tokio::test(flavor = "multi_thread")]
async fn no_kill_of_any_process_loses_what_was_acknowledged() {
    let mut farm = Farm::start().await;
    for round in 0..ROUNDS {
        for victim in ["coordinator", WORKERS[0], WORKERS[1]] {
            farm.until_all_work().await;
            // Somewhere else in the work each time, the same places in each run of the test.
            let pause = cascade_games::mix::mix2(round, victim.len() as u64) % 250;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            farm.observe().await;
            farm.kill(victim).await;
        }
    }
    farm.until_all_work().await;
    farm.end().await;
}

/// The processes, and what they have acknowledged so far.
struct Farm {
    dir: tempfile::TempDir,
    address: String,
    processes: BTreeMap<&'static str, Child>,
    query: QueryServiceClient<Channel>,
    catalog: Catalog,
    /// The best scores that a query showed or that a worker was told of.
    acknowledged: BTreeMap<InstanceName, i64>,
}

impl Farm {
    async fn start() -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let address = format!("127.0.0.1:{}", free_port());
        let mut processes = BTreeMap::new();
        processes.insert("coordinator", start_coordinator(dir.path(), &address));
        for name in WORKERS {
            processes.insert(name, start_worker(dir.path(), &address, name));
        }
        let query = connect(&address).await;
        let catalog = Catalog::built_in().expect("built in");
        Self { dir, address, processes, query, catalog, acknowledged: BTreeMap::new() }
    }

    /// SIGKILL, and a start anew.
    async fn kill(&mut self, victim: &'static str) {
        let mut process = self.processes.remove(victim).expect("it runs");
        assert_eq!(process.try_wait().expect("asked"), None, "{victim} ended by itself");
        process.kill().expect("killed");
        process.wait().expect("gone");
        let again = match victim {
            "coordinator" => start_coordinator(self.dir.path(), &self.address),
            name => start_worker(self.dir.path(), &self.address, name),
        };
        self.processes.insert(victim, again);
        if victim == "coordinator" {
            self.query = connect(&self.address).await;
        }
        self.observe().await;
    }

    /// Waits until every worker is signed on and has a lease.
    async fn until_all_work(&mut self) {
        let waited = tokio::time::timeout(PATIENCE, async {
            loop {
                let workers = self.query.list_workers(v1::ListWorkersRequest {}).await.expect("it answers");
                let working = |worker: &v1::WorkerInfo| worker.state == "connected" && !worker.leases.is_empty();
                if workers.get_ref().workers.iter().filter(|worker| working(worker)).count() == WORKERS.len() {
                    return;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        assert!(waited.await.is_ok(), "the workers do not come back");
    }

    /// Asks for every best: each is judged, and none may be worse than what was acknowledged before.
    async fn observe(&mut self) -> Vec<v1::Best> {
        // What workers were told before the query is asked must be in its answer.
        for name in WORKERS {
            for (instance, score) in told_new_bests(&log_file(self.dir.path(), name)) {
                self.acknowledge(instance, score);
            }
        }
        let bests = self.query.list_bests(v1::ListBestsRequest {}).await.expect("it answers").into_inner().bests;
        let mut shown = BTreeMap::new();
        for best in &bests {
            let (name, digest) = best.instance.as_ref().expect("there").parse().expect("good");
            let puzzle = self.catalog.get(&name).expect("known").puzzle();
            assert_eq!(puzzle.digest(), digest, "{name}");
            let moves = &best.sequence.as_ref().expect("there").moves;
            let judged = puzzle.judge(moves).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(judged.complete && judged.score == best.score, "{name}: {judged:?}, {} claimed", best.score);
            assert_eq!(best.text, puzzle.format(moves), "{name}");
            shown.insert(name, best.score);
        }
        for (name, acknowledged) in &self.acknowledged {
            let score = shown.get(name).unwrap_or_else(|| panic!("the best of {name}, {acknowledged}, is lost"));
            let worse = name.game().direction().is_better(*acknowledged, *score);
            assert!(!worse, "the best of {name} fell back from {acknowledged} to {score}");
        }
        for (name, score) in shown {
            self.acknowledge(name, score);
        }
        bests
    }

    fn acknowledge(&mut self, name: InstanceName, score: i64) {
        let better = |known: i64| name.game().direction().is_better(score, known);
        if self.acknowledged.get(&name).is_none_or(|known| better(*known)) {
            self.acknowledged.insert(name, score);
        }
    }

    /// Ends every process in good order, and holds the plain files against the bests.
    async fn end(mut self) {
        for name in WORKERS {
            self.terminate(name);
        }
        let bests = self.observe().await;
        assert!(bests.len() > 20, "only {} instances have a best: the workers hardly worked", bests.len());
        self.terminate("coordinator");
        for best in bests {
            let name: InstanceName = best.instance.expect("there").name.parse().expect("a name");
            let folder = self.dir.path().join("data/best").join(name.game().name());
            let text =
                ["txt", "out"].map(|ending| fs::read_to_string(folder.join(format!("{}.{ending}", name.name()))));
            assert!(
                text.into_iter().flatten().any(|text| text == best.text),
                "the plain file of {name} is not its best"
            );
        }
    }

    fn terminate(&mut self, victim: &'static str) {
        let mut process = self.processes.remove(victim).expect("it runs");
        let signalled = Command::new("kill").args(["-TERM", &process.id().to_string()]).status().expect("kill runs");
        assert!(signalled.success());
        let status = process.wait().expect("gone");
        assert_eq!(status.code(), Some(0), "{victim}");
    }
}

impl Drop for Farm {
    fn drop(&mut self) {
        for process in self.processes.values_mut() {
            // What has ended cannot be killed.
            let _ended = process.kill();
            let _code = process.wait();
        }
    }
}

/// A free port below those that outgoing connections get, so that none of these takes it while the coordinator is away.
fn free_port() -> u16 {
    let first = 20_000 + u16::try_from(std::process::id() % 10_000).expect("small");
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    (first..32_000).find(free).expect("a free port")
}

/// Starts the coordinator and waits for the line that says it is ready.
fn start_coordinator(dir: &Path, address: &str) -> Child {
    let mut process = program("cascade-coordinator", &dir.join("coordinator.log"))
        .args(["--listen", address, "--no-web", "--no-records", "--log-level", "warn", "--data"])
        .arg(dir.join("data"))
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    assert_eq!(line.trim(), format!("listening on {address}"), "{}", log_of(dir, "coordinator"));
    process
}

fn start_worker(dir: &Path, address: &str, name: &str) -> Child {
    program("cascade-worker", &log_file(dir, name))
        .args(["--coordinator", address, "--name", name, "--threads", "1", "--log-format", "json", "--data"])
        .arg(dir.join(name))
        .spawn()
        .expect("it starts")
}

/// A program of the workspace; its log goes on in `log`.
fn program(name: &str, log: &Path) -> Command {
    let log = OpenOptions::new().create(true).append(true).open(log).expect("opened");
    let mut command = Command::new(built(name));
    command.env_clear().stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command
}

/// The program called `name`, beside the command under test. It is there when the whole workspace is tested.
fn built(name: &str) -> PathBuf {
    let command = Path::new(env!("CARGO_BIN_EXE_cascade"));
    let path = command.with_file_name(name);
    if !path.exists() {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", name]);
        if command.parent().is_some_and(|folder| folder.ends_with("release")) {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "{name} cannot be built");
    }
    path
}

fn log_file(dir: &Path, name: &str) -> PathBuf {
    dir.join(format!("{name}.log"))
}

fn log_of(dir: &Path, name: &str) -> String {
    fs::read_to_string(log_file(dir, name)).unwrap_or_default()
}

/// The bests that the coordinator acknowledged to a worker, from the worker's log.
fn told_new_bests(log: &Path) -> Vec<(InstanceName, i64)> {
    let Ok(file) = File::open(log) else { return vec![] };
    let lines = BufReader::new(file).lines().map_while(Result::ok);
    lines
        .filter_map(|line| {
            let line: serde_json::Value = serde_json::from_str(&line).ok()?;
            let fields = line.get("fields")?;
            (fields.get("message")? == "new best").then_some(())?;
            Some((fields.get("instance")?.as_str()?.parse().ok()?, fields.get("score")?.as_i64()?))
        })
        .collect()
}

async fn connect(address: &str) -> QueryServiceClient<Channel> {
    QueryServiceClient::new(endpoint(address).expect("an address").connect().await.expect("it listens"))
}
