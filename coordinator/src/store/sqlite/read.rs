//! Rows back to records. What cannot be understood is told and left out; the rest serves.

use super::column::{Unreadable, arm, digest, get, named, parsed, plan, sequence, severity, small, unsigned, window};
use crate::core::{
    ArmRecord, Best, Epoch, EventRecord, LeaseId, LeaseRecord, ProofRecord, Restored, SetAside, SettingsRecord,
    StateId, StateKind, StateRecord, UnixMillis, WorkerRecord,
};
use cascade_games::{AnyGame, Digest, GameId, Instance, InstanceName, Origin};
use rusqlite::{Connection, Result, Row};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Events given back at a start: the newest so many.
const EVENTS_READ: u32 = 1_000;

/// Columns of a best: the history's, with the instance's name.
pub(super) const BEST_COLUMNS: &str =
    "history.*, instances.name FROM history JOIN instances ON digest = history.instance";

pub(super) fn load(connection: &Connection, epoch: Epoch, served: Vec<Instance>) -> Result<Restored> {
    let mut problems = Vec::new();
    let rows = |what: &'static str, sql: &str| Rows { connection, what, sql: sql.to_owned() };
    let mut instances = served;
    add_instances(&mut instances, rows("instance", "SELECT * FROM instances WHERE origin = 'added'"), &mut problems)?;
    let served: BTreeSet<Digest> = instances.iter().map(|instance| instance.puzzle().digest()).collect();
    let is_served = |digest: &Digest| served.contains(digest);

    let mut settings =
        rows("setting", "SELECT digest, priority, paused FROM instances").read(settings, &mut problems)?;
    settings.retain(|record| is_served(&record.instance));
    let sql = format!("SELECT {BEST_COLUMNS} JOIN bests ON entry = history.id");
    let mut bests = rows("best", &sql).read(best, &mut problems)?;
    bests.retain(|best| is_served(&best.digest));
    let mut proofs = rows("proof", "SELECT * FROM proofs").read(proof, &mut problems)?;
    proofs.retain(|record| is_served(&record.instance));
    let mut states = rows("partial state", "SELECT * FROM states").read(state, &mut problems)?;
    states.retain(|record| is_served(&record.instance));
    let mut arms = rows("arm", "SELECT * FROM arms").read(arm_record, &mut problems)?;
    arms.retain(|record| is_served(&record.instance));
    let mut leases = rows("lease", "SELECT * FROM leases").read(lease, &mut problems)?;
    leases.retain(|record| is_served(&record.instance));
    let mut workers = rows("worker", "SELECT * FROM workers").read(worker, &mut problems)?;
    add_speeds(&mut workers, rows("speed", "SELECT * FROM speeds"), &mut problems)?;

    let sql = format!("SELECT * FROM (SELECT * FROM events ORDER BY number DESC LIMIT {EVENTS_READ}) ORDER BY number");
    let events = rows("event", &sql).read(event, &mut problems)?;

    let number = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, Option<i64>>(0));
    Ok(Restored {
        epoch,
        instances,
        farm_paused: number("SELECT max(value) FROM meta WHERE key = 'farm_paused'")?.is_some_and(|value| value != 0),
        settings,
        bests,
        proofs,
        states,
        arms,
        leases,
        workers,
        events,
        problems,
    })
}

/// The rows of one question.
struct Rows<'a> {
    connection: &'a Connection,
    what: &'static str,
    sql: String,
}

impl Rows<'_> {
    /// The records of the rows that can be understood.
    fn read<T>(self, record: impl Fn(&Row<'_>) -> Result<T, Unreadable>, problems: &mut Vec<String>) -> Result<Vec<T>> {
        let mut statement = self.connection.prepare(&self.sql)?;
        let mut rows = statement.query([])?;
        let mut records = Vec::new();
        let mut number = 0;
        while let Some(row) = rows.next()? {
            number += 1;
            match record(row) {
                Ok(record) => records.push(record),
                Err(reason) => problems.push(format!("stored {} {number} is left out: {reason}", self.what)),
            }
        }
        Ok(records)
    }
}

/// Adds the instances that were added while a farm ran, unless a file or the program gives their content or name now.
fn add_instances(instances: &mut Vec<Instance>, rows: Rows<'_>, problems: &mut Vec<String>) -> Result<()> {
    let mut names: BTreeSet<InstanceName> = instances.iter().map(|instance| instance.name.clone()).collect();
    let digests: BTreeSet<Digest> = instances.iter().map(|instance| instance.puzzle().digest()).collect();
    for (instance, expected) in rows.read(added_instance, problems)? {
        if instance.puzzle().digest() != expected {
            problems.push(format!("stored instance {} is left out: its content has another digest", instance.name));
        } else if digests.contains(&expected) {
            // Served already, under the name that a file gives it.
        } else if names.insert(instance.name.clone()) {
            instances.push(instance);
        } else {
            problems.push(format!("stored instance {} is left out: a file has its name now", instance.name));
        }
    }
    Ok(())
}

fn added_instance(row: &Row<'_>) -> Result<(Instance, Digest), Unreadable> {
    let name: InstanceName = parsed(row, "name")?;
    let content: String = get(row, "content")?;
    let game = AnyGame::parse(name.game(), &content, &name.to_string()).map_err(|error| error.to_string())?;
    Ok((Instance { name, origin: Origin::Added, game }, digest(row, "digest")?))
}

fn settings(row: &Row<'_>) -> Result<SettingsRecord, Unreadable> {
    Ok(SettingsRecord {
        instance: digest(row, "digest")?,
        priority: small(row, "priority")?,
        paused: get(row, "paused")?,
    })
}

/// A best or an entry of the history.
pub(super) fn best(row: &Row<'_>) -> Result<Best, Unreadable> {
    let instance: InstanceName = parsed(row, "name")?;
    let imported = get::<Option<String>>(row, "strategy")?.is_none();
    Ok(Best {
        digest: digest(row, "instance")?,
        game: instance.game(),
        instance,
        score: get(row, "score")?,
        moves: sequence(row, "moves")?,
        text: String::new(),
        worker: get(row, "worker")?,
        plan: if imported { None } else { Some(plan(row)?) },
        found_at: UnixMillis(unsigned(row, "found_at")?),
        total_expansions: unsigned(row, "total_expansions")?,
    })
}

fn proof(row: &Row<'_>) -> Result<ProofRecord, Unreadable> {
    Ok(ProofRecord {
        instance: digest(row, "instance")?,
        bound: get(row, "bound")?,
        worker: get(row, "worker")?,
        plan: plan(row)?,
        trace: get(row, "trace")?,
        proved_at: UnixMillis(unsigned(row, "proved_at")?),
        confirmed_by: get(row, "confirmed_by")?,
    })
}

fn state(row: &Row<'_>) -> Result<StateRecord, Unreadable> {
    Ok(StateRecord {
        instance: digest(row, "instance")?,
        id: StateId(unsigned(row, "id")?),
        parent: get::<Option<i64>>(row, "parent")?.map(|parent| StateId(parent.cast_unsigned())),
        since: sequence(row, "since")?,
        kind: named(row, "kind", StateKind::from_name)?,
        window: window(row)?,
        key: unsigned(row, "key")?,
        score: get(row, "score")?,
        bound: get(row, "bound")?,
        source_score: get(row, "source_score")?,
        spent: unsigned(row, "spent")?,
        finished: small(row, "finished")?,
        best: get(row, "best")?,
        next_seed: unsigned(row, "next_seed")?,
        exhausted: get(row, "exhausted")?,
        faults: small(row, "faults")?,
    })
}

fn arm_record(row: &Row<'_>) -> Result<ArmRecord, Unreadable> {
    Ok(ArmRecord {
        instance: digest(row, "instance")?,
        arm: arm(row, "arm")?,
        next_seed: unsigned(row, "next_seed")?,
        finished: unsigned(row, "finished")?,
        spent: unsigned(row, "spent")?,
        best: get(row, "best")?,
        gains: get(row, "gains")?,
        run_cost: unsigned(row, "run_cost")?,
        faults: small(row, "faults")?,
    })
}

fn lease(row: &Row<'_>) -> Result<LeaseRecord, Unreadable> {
    Ok(LeaseRecord {
        lease: LeaseId { id: unsigned(row, "id")?, attempt: small(row, "attempt")? },
        instance: digest(row, "instance")?,
        state: StateId(unsigned(row, "state")?),
        arm: arm(row, "arm")?,
        plan: plan(row)?,
        worker: get(row, "worker")?,
        expansions: unsigned(row, "spent")?,
        expected: Duration::from_millis(unsigned(row, "expected")?),
        failures: small(row, "failures")?,
        disconnects: small(row, "disconnects")?,
    })
}

fn worker(row: &Row<'_>) -> Result<WorkerRecord, Unreadable> {
    let reason: Option<String> = get(row, "set_aside_reason")?;
    let at: Option<i64> = get(row, "set_aside_at")?;
    Ok(WorkerRecord {
        name: get(row, "name")?,
        software: get(row, "software")?,
        threads: small(row, "threads")?,
        speed: BTreeMap::new(),
        finished: unsigned(row, "finished")?,
        failed: unsigned(row, "failed")?,
        refused: unsigned(row, "refused")?,
        expansions: unsigned(row, "expansions")?,
        draining: get(row, "draining")?,
        set_aside: reason.zip(at).map(|(reason, at)| SetAside { reason, at: UnixMillis(at.cast_unsigned()) }),
    })
}

fn event(row: &Row<'_>) -> Result<EventRecord, Unreadable> {
    let instance: Option<String> = get(row, "instance")?;
    Ok(EventRecord {
        number: unsigned(row, "number")?,
        at: UnixMillis(unsigned(row, "at")?),
        severity: named(row, "severity", severity)?,
        kind: Cow::Owned(get(row, "kind")?),
        instance: instance.map(|name| name.parse()).transpose().map_err(|error| format!("column instance: {error}"))?,
        worker: get(row, "worker")?,
        detail: get(row, "detail")?,
    })
}

fn add_speeds(workers: &mut [WorkerRecord], rows: Rows<'_>, problems: &mut Vec<String>) -> Result<()> {
    let mut speeds: BTreeMap<String, BTreeMap<GameId, f64>> = BTreeMap::new();
    for (worker, game, speed) in rows.read(speed, problems)? {
        speeds.entry(worker).or_default().insert(game, speed);
    }
    for worker in workers {
        worker.speed = speeds.remove(&worker.name).unwrap_or_default();
    }
    Ok(())
}

fn speed(row: &Row<'_>) -> Result<(String, GameId, f64), Unreadable> {
    Ok((get(row, "worker")?, named(row, "game", GameId::from_name)?, get(row, "speed")?))
}
