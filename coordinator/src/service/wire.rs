//! Between the core's types and the wire's.

use crate::core::{
    ArmKey, ArmView, Best, EventRecord, Explanation, Grant, InstanceView, LeaseId, Plan, SessionRef, StateView,
    StatusView, Strategy, Versions, Window, WorkerView,
};
use crate::core::{Epoch, SessionId};
use crate::start::SOFTWARE;
use cascade_games::{Bound, GameId, Instance, Origin};
use cascade_proto::convert::{ConvertError, required, to_timestamp, to_wire_duration};
use cascade_proto::v1;
use std::collections::{BTreeMap, HashMap};

pub(super) fn sequence(moves: &[u32]) -> v1::Sequence {
    v1::Sequence { moves: moves.to_vec() }
}

pub(super) fn moves(sequence: Option<v1::Sequence>, field: &'static str) -> Result<Vec<u32>, ConvertError> {
    required(sequence, field).map(|sequence| sequence.moves)
}

pub(super) fn instance_ref(instance: &Instance) -> v1::InstanceRef {
    v1::InstanceRef::new(&instance.name, &instance.puzzle().digest())
}

pub(super) const fn lease_id(lease: LeaseId) -> v1::LeaseId {
    v1::LeaseId { id: lease.id, attempt: lease.attempt }
}

pub(super) const fn lease_of(lease: v1::LeaseId) -> LeaseId {
    LeaseId { id: lease.id, attempt: lease.attempt }
}

pub(super) const fn session(session: u64, epoch: u64) -> SessionRef {
    SessionRef { session: SessionId(session), epoch: Epoch(epoch) }
}

pub(super) fn versions_of(versions: v1::Versions) -> Versions {
    Versions {
        protocol_min: versions.protocol_min,
        protocol_max: versions.protocol_max,
        rules: versions.rules,
        software: versions.software,
    }
}

pub(super) const fn strategy(strategy: Strategy) -> v1::Strategy {
    match strategy {
        Strategy::Beam => v1::Strategy::Beam,
        Strategy::Mcts => v1::Strategy::Mcts,
    }
}

pub(super) fn plan(plan: &Plan) -> v1::SearchPlan {
    v1::SearchPlan {
        prefix: Some(sequence(&plan.prefix)),
        strategy: strategy(plan.strategy).into(),
        width: plan.width,
        seed: plan.seed,
        expansions: plan.expansions,
        window: plan
            .window
            .as_ref()
            .map(|window| v1::Window { length: window.length, suffix: Some(sequence(&window.suffix)) }),
        beat: plan.beat,
    }
}

pub(super) fn plan_of(plan: v1::SearchPlan) -> Result<Plan, ConvertError> {
    let strategy = match plan.strategy() {
        v1::Strategy::Beam => Strategy::Beam,
        v1::Strategy::Mcts => Strategy::Mcts,
        v1::Strategy::Unspecified => return Err(ConvertError::Missing("plan.strategy")),
    };
    let window = plan.window.map(|window| {
        moves(window.suffix, "plan.window.suffix").map(|suffix| Window { length: window.length, suffix })
    });
    Ok(Plan {
        prefix: moves(plan.prefix, "plan.prefix")?,
        strategy,
        width: plan.width,
        seed: plan.seed,
        expansions: plan.expansions,
        window: window.transpose()?,
        beat: plan.beat,
    })
}

/// Speeds by game; a game that is not known here is of no use here.
pub(super) fn speed_of(speed: HashMap<String, f64>) -> Result<BTreeMap<GameId, f64>, ConvertError> {
    let mut known = BTreeMap::new();
    for (name, speed) in speed {
        if !speed.is_finite() || speed < 0.0 {
            let reason = format!("found {speed} for {name}, expected expansions a second");
            return Err(ConvertError::Invalid { field: "speed", reason });
        }
        if let Some(game) = GameId::from_name(&name) {
            known.insert(game, speed);
        }
    }
    Ok(known)
}

pub(super) fn speed(speed: &BTreeMap<GameId, f64>) -> HashMap<String, f64> {
    speed.iter().map(|(game, speed)| (game.name().to_owned(), *speed)).collect()
}

pub(super) fn grant(grant: Grant) -> v1::Lease {
    v1::Lease {
        lease: Some(lease_id(grant.lease)),
        instance: Some(v1::InstanceRef::new(&grant.instance, &grant.digest)),
        game: grant.game.name().to_owned(),
        content: grant.content.as_ref().to_owned(),
        plan: Some(plan(&grant.plan)),
        best_score: grant.best_score,
        expected: Some(to_wire_duration(grant.expected)),
        checkpoint: grant.checkpoint,
    }
}

/// A point in time of a record.
fn timestamp(at: crate::core::UnixMillis) -> prost_types::Timestamp {
    to_timestamp(i64::try_from(at.0).unwrap_or(i64::MAX))
}

pub(super) fn best(best: &Best, bound: Option<&Bound>) -> v1::Best {
    let direction = best.game.direction();
    v1::Best {
        instance: Some(v1::InstanceRef::new(&best.instance, &best.digest)),
        score: best.score,
        sequence: Some(sequence(&best.moves)),
        text: best.text.clone(),
        worker: best.worker.clone(),
        plan: best.plan.as_ref().map(plan),
        found_at: Some(timestamp(best.found_at)),
        total_expansions: best.total_expansions,
        bound: bound.map_or(0, |bound| bound.value),
        bound_name: bound.map_or_else(String::new, |bound| bound.name.to_owned()),
        optimal: bound.is_some_and(|bound| !direction.is_better(bound.value, best.score)),
    }
}

pub(super) fn history_entry(best: &Best) -> v1::HistoryEntry {
    let plan = best.plan.as_ref();
    v1::HistoryEntry {
        score: best.score,
        worker: best.worker.clone(),
        strategy: plan.map_or(v1::Strategy::Unspecified, |plan| strategy(plan.strategy)).into(),
        seed: plan.map_or(0, |plan| plan.seed),
        width: plan.map_or(0, |plan| plan.width),
        found_at: Some(timestamp(best.found_at)),
        total_expansions: best.total_expansions,
    }
}

pub(super) fn status(status: StatusView, page: Option<&str>) -> v1::StatusResponse {
    v1::StatusResponse {
        software: SOFTWARE.to_owned(),
        epoch: status.epoch.0,
        uptime: Some(to_wire_duration(status.uptime)),
        instances: status.instances as u64,
        instances_with_best: status.instances_with_best as u64,
        workers_connected: status.workers_connected as u64,
        leases_out: status.leases_out as u64,
        total_expansions: status.total_expansions,
        expansions_per_second: status.expansions_per_second,
        last_improvement: status.last_improvement.map(timestamp),
        store: match status.store_problem {
            None => "sqlite, accepts writes".to_owned(),
            Some(problem) => format!("sqlite, refuses writes: {problem}"),
        },
        paused: status.paused,
        page: page.unwrap_or_default().to_owned(),
    }
}

pub(super) fn instance(view: &InstanceView) -> v1::InstanceInfo {
    v1::InstanceInfo {
        instance: Some(v1::InstanceRef::new(&view.name, &view.digest)),
        game: view.game.name().to_owned(),
        origin: match &view.origin {
            Origin::BuiltIn => "built-in".to_owned(),
            Origin::StandIn => "stand-in".to_owned(),
            Origin::Added => "added".to_owned(),
            Origin::File(path) => path.clone(),
        },
        paused: view.paused,
        priority: view.priority,
        best_score: view.best_score,
        bound: view.bound,
        bound_name: view.bound_name.to_owned(),
        expansions: view.expansions,
        leases_out: u32::try_from(view.leases_out).unwrap_or(u32::MAX),
        best_found_at: view.best_found_at.map(timestamp),
        marks: view.marks.map(u32::from),
        optimal: view.optimal,
        proved_by: view.proved_by.clone(),
    }
}

pub(super) fn worker(view: WorkerView) -> v1::WorkerInfo {
    v1::WorkerInfo {
        name: view.name,
        state: view.state.name().to_owned(),
        threads: view.threads,
        speed: speed(&view.speed),
        leases: view.leases.iter().map(ToString::to_string).collect(),
        finished: view.finished,
        failed: view.failed,
        refused: view.refused,
        expansions: view.expansions,
        last_seen: view.last_seen.map(to_wire_duration),
        software: view.software,
        reason: view.reason,
    }
}

pub(super) fn event(record: &EventRecord) -> v1::Event {
    v1::Event {
        number: record.number,
        at: Some(timestamp(record.at)),
        kind: record.kind.as_ref().to_owned(),
        instance: record.instance.as_ref().map(ToString::to_string).unwrap_or_default(),
        worker: record.worker.clone().unwrap_or_default(),
        detail: record.detail.clone(),
        severity: record.severity.name().to_owned(),
    }
}

pub(super) fn explanation(explanation: Explanation) -> v1::ExplainResponse {
    v1::ExplainResponse {
        instance: Some(instance(&explanation.instance)),
        summary: explanation.summary,
        arms: explanation.arms.iter().map(arm).collect(),
        states: explanation.states.iter().map(state).collect(),
        states_total: explanation.states_total as u64,
        endings: explanation.endings,
    }
}

fn arm(view: &ArmView) -> v1::ArmInfo {
    let (search, width, name) = match view.arm {
        ArmKey::Root(search, width) => (strategy(search), width, format!("{search} {width}")),
        ArmKey::Quarter(number) => (v1::Strategy::Unspecified, 0, format!("quarter {number}")),
        ArmKey::Window => (v1::Strategy::Unspecified, 0, "window".to_owned()),
    };
    v1::ArmInfo {
        strategy: search.into(),
        width,
        next_seed: view.next_seed,
        finished: view.finished,
        expansions: view.expansions,
        out: view.out,
        best: view.best,
        value: view.value,
        name,
    }
}

fn state(view: &StateView) -> v1::StateInfo {
    v1::StateInfo {
        id: view.id.0,
        depth: view.depth,
        kind: view.kind.name().to_owned(),
        expansions: view.expansions,
        out: view.out,
        best: view.best,
        value: view.value,
    }
}
