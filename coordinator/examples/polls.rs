//! How long a lease takes while many look at the page: a worker leases and gives back as fast as it can, first alone, then
//! beside a hundred polls of the overview a second. Prints a table.
//!
//! `cargo run --release -p cascade-coordinator --example polls`

use cascade_coordinator::{Config, start};
use cascade_proto::endpoint::endpoint;
use cascade_proto::v1;
use cascade_proto::v1::finish_request::Ending;
use cascade_proto::v1::lease_response::Outcome;
use cascade_proto::v1::worker_service_client::WorkerServiceClient;
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error + Send + Sync>>;

const MEASURED: Duration = Duration::from_secs(10);
const POLLERS: u32 = 10;
const POLLS_A_SECOND: u32 = 100;

struct Worker {
    client: WorkerServiceClient<Channel>,
    session: u64,
    epoch: u64,
}

impl Worker {
    /// One lease, given back at once; how long the coordinator took to grant it.
    async fn lease(&mut self) -> Result<Option<Duration>> {
        let (session, epoch) = (self.session, self.epoch);
        let asked = Instant::now();
        let answer = self.client.lease(v1::LeaseRequest { session, epoch }).await?.into_inner();
        let took = asked.elapsed();
        let Some(Outcome::Lease(lease)) = answer.outcome else { return Ok(None) };
        let finish = v1::FinishRequest {
            session,
            epoch,
            lease: lease.lease,
            ending: Ending::Returned.into(),
            expansions: 1,
            ..v1::FinishRequest::default()
        };
        self.client.finish(finish).await?;
        Ok(Some(took))
    }

    /// Leases for as long as is measured; their latencies in ascending order.
    async fn lease_for(&mut self, time: Duration) -> Result<Vec<Duration>> {
        let end = Instant::now() + time;
        let mut latencies = Vec::new();
        while Instant::now() < end {
            latencies.extend(self.lease().await?);
        }
        latencies.sort_unstable();
        Ok(latencies)
    }
}

/// Polls the overview until `stop`; how long each answer took.
fn poll(url: &str, stop: &CancellationToken) -> Result<Vec<Duration>> {
    let agent = ureq::Agent::new_with_defaults();
    let every = Duration::from_secs(1) * POLLERS / POLLS_A_SECOND;
    let mut latencies = Vec::new();
    while !stop.is_cancelled() {
        let asked = Instant::now();
        let text = agent.get(url).call()?.body_mut().read_to_string()?;
        if text.len() < 10_000 {
            return Err(format!("{url} answered with {} bytes: not an overview", text.len()).into());
        }
        latencies.push(asked.elapsed());
        std::thread::sleep(every.saturating_sub(asked.elapsed()));
    }
    Ok(latencies)
}

fn row(what: &str, latencies: &[Duration]) {
    if latencies.is_empty() {
        println!("{what:28} {:>7}", 0);
        return;
    }
    let at = |part: f64| latencies[((latencies.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!("{what:28} {:>7} {:>8.2} {:>8.2} {:>8.2}", latencies.len(), at(0.5), at(0.99), at(1.0));
}

#[tokio::main]
async fn main() -> Result<()> {
    let data = tempfile::tempdir()?;
    let config = Config { listen: "127.0.0.1:0".parse()?, data: data.path().to_owned(), ..Config::default() };
    let shutdown = CancellationToken::new();
    let running = start(config, shutdown.clone()).await?;
    let channel = endpoint(&running.address().to_string())?.connect().await?;
    let mut client = WorkerServiceClient::new(channel);
    let hello = v1::HelloRequest {
        worker: "polls".to_owned(),
        versions: Some(v1::Versions::of("polls")),
        threads: 1,
        held: vec![],
        speed: [("tetris".to_owned(), 1e6), ("tritown".to_owned(), 1e6)].into(),
    };
    let welcome = client.hello(hello).await?.into_inner();
    let mut worker = Worker { client, session: welcome.session, epoch: welcome.epoch };

    worker.lease_for(Duration::from_secs(2)).await?;
    let alone = worker.lease_for(MEASURED).await?;
    let url = format!("http://{}/api/v1/status", running.page().ok_or("the coordinator serves no page")?);
    let stop = CancellationToken::new();
    let _stop_on_error = stop.clone().drop_guard();
    let pollers: Vec<_> = (0..POLLERS)
        .map(|_| {
            let (url, stop) = (url.clone(), stop.clone());
            tokio::task::spawn_blocking(move || poll(&url, &stop))
        })
        .collect();
    let beside = worker.lease_for(MEASURED).await?;
    stop.cancel();
    let mut polls = Vec::new();
    for poller in pollers {
        polls.extend(poller.await??);
    }
    polls.sort_unstable();
    println!("{:28} {:>7} {:>8} {:>8} {:>8}", "milliseconds", "count", "p50", "p99", "longest");
    row("leases, nobody looks", &alone);
    row("leases, 100 polls a second", &beside);
    row("polls of the overview", &polls);
    shutdown.cancel();
    running.wait().await?;
    Ok(())
}
