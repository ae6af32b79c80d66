//! Every metric there is: its name, its labels, its meaning. Prometheus reads them at `/metrics`.

use crate::core::{Change, Effect, EndReason, Reply, Severity, WorkerState};
use cascade_games::GameId;
use cascade_proto::{json, v1};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, UNIX_EPOCH};

/// A gauge of any number.
type Level = Gauge<f64, AtomicU64>;

/// Counts what happens, and renders it with what is.
#[derive(Debug)]
pub(crate) struct Metrics {
    requests: Family<ByRequest, Histogram>,
    commits: Histogram,
    changes: Counter,
    granted: Counter,
    ended: Family<ByReason, Counter>,
    improvements: Family<ByGame, Counter>,
    events: Family<BySeverity, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByRequest {
    request: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByReason {
    reason: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByGame {
    game: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BySeverity {
    severity: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByInstance {
    instance: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByState {
    state: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByWorker {
    worker: String,
    game: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BySoftware {
    software: String,
}

impl Metrics {
    /// Nothing has happened yet.
    pub(crate) fn new() -> Self {
        // From 10 µs to 10 s.
        let durations = || Histogram::new(exponential_buckets(1e-5, 10_f64.sqrt(), 13));
        let metrics = Self {
            requests: Family::new_with_constructor(durations),
            commits: durations(),
            changes: Counter::default(),
            granted: Counter::default(),
            ended: Family::default(),
            improvements: Family::default(),
            events: Family::default(),
        };
        // What has not happened is 0, not absent.
        for reason in EndReason::ALL {
            metrics.ended.get_or_create(&ByReason { reason: reason.name() }).inc_by(0);
        }
        for game in GameId::ALL {
            metrics.improvements.get_or_create(&ByGame { game: game.name().to_owned() }).inc_by(0);
        }
        for severity in Severity::ALL {
            metrics.events.get_or_create(&BySeverity { severity: severity.name() }).inc_by(0);
        }
        metrics
    }

    /// The core answered a request that came so long ago.
    pub(crate) fn answered(&self, request: &'static str, waited: Duration) {
        self.requests.get_or_create(&ByRequest { request }).observe(waited.as_secs_f64());
    }

    /// A commit is durable, or failed, after so long.
    pub(crate) fn committed(&self, took: Duration) {
        self.commits.observe(took.as_secs_f64());
    }

    /// The core wants something done.
    pub(crate) fn wanted(&self, effect: &Effect) {
        match effect {
            Effect::Commit { changes, .. } => {
                self.changes.inc_by(changes.len() as u64);
                changes.iter().for_each(|change| self.changed(change));
            }
            Effect::Reply(_, Ok(Reply::Granted(_))) => {
                self.granted.inc();
            }
            Effect::Log(record) => {
                self.events.get_or_create(&BySeverity { severity: record.severity.name() }).inc();
            }
            Effect::Reply(..) | Effect::Publish(_) | Effect::Bound(..) => {}
        }
    }

    fn changed(&self, change: &Change) {
        match change {
            Change::LeaseEnded(record) => {
                self.ended.get_or_create(&ByReason { reason: record.reason.name() }).inc();
            }
            Change::Best(best) => {
                self.improvements.get_or_create(&ByGame { game: best.game.name().to_owned() }).inc();
            }
            _ => {}
        }
    }

    /// Everything in the text form of OpenMetrics, with the farm and the workers as they are now.
    ///
    /// # Errors
    /// When a value cannot be written.
    pub(crate) fn render(&self, status: &json::Status, workers: &[v1::WorkerInfo]) -> Result<String, fmt::Error> {
        let mut registry = Registry::with_prefix("cascade");
        self.register(&mut registry);
        register_farm(&mut registry, &status.farm);
        register_instances(&mut registry, &status.instances);
        register_workers(&mut registry, workers);
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(text)
    }

    fn register(&self, registry: &mut Registry) {
        registry.register_with_unit(
            "core_request_duration",
            "From a request's arrival to its answer, a commit in between included",
            Unit::Seconds,
            self.requests.clone(),
        );
        registry.register_with_unit(
            "store_commit_duration",
            "From handing a commit to the store until it is durable",
            Unit::Seconds,
            self.commits.clone(),
        );
        registry.register("store_changes", "Rows handed to the store", self.changes.clone());
        registry.register("leases_granted", "Leases given to workers", self.granted.clone());
        registry.register("leases_ended", "Attempts at leases that ended, by reason", self.ended.clone());
        registry.register("improvements", "Bests that were better than all before", self.improvements.clone());
        registry.register("events", "Events in the log, by severity", self.events.clone());
    }
}

fn level(registry: &mut Registry, name: &str, help: &str, value: f64) {
    let gauge = Level::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}

fn total(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let counter: Counter = Counter::default();
    counter.inc_by(value);
    registry.register(name, help, counter);
}

fn register_farm(registry: &mut Registry, farm: &json::Farm) {
    let build = Family::<BySoftware, Level>::default();
    build.get_or_create(&BySoftware { software: farm.software.clone() }).set(1.0);
    registry.register("build_info", "What the coordinator runs; always 1", build);
    level(registry, "epoch", "The coordinator's term of office", farm.epoch as f64);
    level(registry, "uptime_seconds", "Time since this term began", farm.uptime_seconds);
    level(registry, "leases_out", "Leases that workers hold", farm.leases_out as f64);
    level(registry, "workers_connected", "Workers with a live session", farm.workers_connected as f64);
    level(registry, "paused", "1 while the whole farm is paused", f64::from(u8::from(farm.paused)));
    let writable = farm.store.ends_with("accepts writes");
    level(registry, "store_writable", "1 while the store accepts writes", f64::from(u8::from(writable)));
    total(registry, "expansions", "Expansions counted, over all instances and all terms", farm.total_expansions);
    if let Some(at) = farm.last_improvement.as_deref().and_then(|text| humantime::parse_rfc3339(text).ok()) {
        let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        level(registry, "last_improvement_timestamp_seconds", "When a best was last improved", seconds);
    }
}

fn register_instances(registry: &mut Registry, instances: &[json::Instance]) {
    let scores = Family::<ByInstance, Level>::default();
    let bounds = Family::<ByInstance, Level>::default();
    let mut of_game: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for info in instances {
        let label = ByInstance { instance: info.instance.clone() };
        if let Some(score) = info.best_score {
            scores.get_or_create(&label).set(score as f64);
        }
        bounds.get_or_create(&label).set(info.bound as f64);
        let game = info.instance.split('/').next().unwrap_or_default();
        let counts = of_game.entry(game).or_default();
        counts.0 += 1;
        counts.1 += u64::from(info.best_score.is_some());
        counts.2 += u64::from(info.optimal);
    }
    registry.register("best_score", "The best of an instance: removals (tetris) or points (tritown)", scores);
    registry.register("bound", "What no play of an instance beats", bounds);
    let levels = Family::<ByGame, Level>::default;
    let (all, with_best, optimal) = (levels(), levels(), levels());
    for (game, counts) in of_game {
        let label = ByGame { game: game.to_owned() };
        all.get_or_create(&label).set(counts.0 as f64);
        with_best.get_or_create(&label).set(counts.1 as f64);
        optimal.get_or_create(&label).set(counts.2 as f64);
    }
    registry.register("instances", "Instances there are", all);
    registry.register("instances_with_best", "Instances that have a best", with_best);
    registry.register("instances_optimal", "Instances whose best is proved to be so", optimal);
}

fn register_workers(registry: &mut Registry, workers: &[v1::WorkerInfo]) {
    let states = Family::<ByState, Level>::default();
    let speeds = Family::<ByWorker, Level>::default();
    for state in WorkerState::ALL {
        states.get_or_create(&ByState { state: state.name().to_owned() }).set(0.0);
    }
    let mut refused = 0;
    for worker in workers {
        states.get_or_create(&ByState { state: worker.state.clone() }).inc();
        refused += worker.refused;
        for (game, speed) in &worker.speed {
            let label = ByWorker { worker: worker.name.clone(), game: game.clone() };
            speeds.get_or_create(&label).set(*speed);
        }
    }
    registry.register("workers", "Workers ever seen, by state", states);
    registry.register("worker_expansions_per_second", "A worker's measured speed", speeds);
    total(registry, "reports_refused", "Sequences that the judge refused", refused);
}
