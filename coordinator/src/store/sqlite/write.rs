//! Changes to rows.

use super::column::{arm_text, origin_text};
use crate::core::{
    ArmRecord, Best, Change, EndedRecord, EventRecord, LeaseRecord, Plan, ProofRecord, SettingsRecord, StateRecord,
    Window, WorkerRecord,
};
use crate::store::moves;
use cascade_games::{Digest, Instance};
use rusqlite::{Connection, Result, named_params, params};
use std::time::Duration;

/// Events kept, and how many more make the oldest give way.
const EVENTS: Bounded = Bounded { keep: 20_000, batch: 1_000 };
/// Ended attempts kept.
const ENDED: Bounded = Bounded { keep: 500_000, batch: 5_000 };

/// A table whose oldest rows give way, some at a time.
struct Bounded {
    keep: u64,
    batch: u64,
}

/// Rows that a transaction added to bounded tables.
#[derive(Debug, Default)]
pub(super) struct Added {
    events: u64,
    ended: u64,
}

/// How many rows the bounded tables hold.
#[derive(Debug)]
pub(super) struct Retention {
    events: u64,
    ended: u64,
}

impl Retention {
    pub(super) fn measure(connection: &Connection) -> Result<Self> {
        let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map(i64::cast_unsigned);
        Ok(Self { events: count("SELECT count(*) FROM events")?, ended: count("SELECT count(*) FROM ended")? })
    }

    /// Counts what was added and lets the oldest rows go where a table is full. What fails is tried again at the next
    /// commit: the changes themselves are kept already.
    pub(super) fn make_room(&mut self, connection: &Connection, added: Added) {
        self.events += added.events;
        self.ended += added.ended;
        for (held, bound, delete) in [
            (
                &mut self.events,
                EVENTS,
                "DELETE FROM events WHERE number IN (SELECT number FROM events ORDER BY number LIMIT ?1)",
            ),
            (
                &mut self.ended,
                ENDED,
                "DELETE FROM ended WHERE (id, attempt) IN (SELECT id, attempt FROM ended ORDER BY id, attempt LIMIT ?1)",
            ),
        ] {
            if *held < bound.keep + bound.batch {
                continue;
            }
            match connection.execute(delete, [(*held - bound.keep).cast_signed()]) {
                Ok(deleted) => *held -= deleted as u64,
                Err(error) => tracing::warn!(%error, "cannot let old rows of the store go"),
            }
        }
    }
}

pub(super) fn set_meta(connection: &Connection, key: &str, value: i64) -> Result<()> {
    let sql = "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
    execute(connection, sql, params![key, value])
}

/// Writes down an instance that is served, under the name and origin it has now.
pub(super) fn register_instance(connection: &Connection, instance: &Instance) -> Result<()> {
    let puzzle = instance.puzzle();
    let (digest, content) = (puzzle.digest(), puzzle.content());
    insert_instance(connection, &digest, &instance.name.to_string(), content, &origin_text(&instance.origin))
}

fn insert_instance(connection: &Connection, digest: &Digest, name: &str, content: &str, origin: &str) -> Result<()> {
    let sql = "INSERT INTO instances (digest, name, content, origin) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET name = excluded.name, origin = CASE origin WHEN 'added' THEN origin
            ELSE excluded.origin END";
    execute(connection, sql, params![digest.as_bytes(), name, content, origin])
}

/// Carries out one change.
pub(super) fn apply(connection: &Connection, change: &Change, added: &mut Added) -> Result<()> {
    match change {
        Change::Best(best) => insert_best(connection, best),
        Change::BestSetAside { instance, reason } => set_best_aside(connection, instance, reason),
        Change::Proved(record) => put_proof(connection, record),
        Change::ProofWithdrawn(instance) => {
            execute(connection, "DELETE FROM proofs WHERE instance = ?1", params![instance.as_bytes()])
        }
        Change::InstanceAdded(record) => insert_instance(
            connection,
            &record.digest,
            &record.name.to_string(),
            &record.content,
            &origin_text(&record.origin),
        ),
        Change::Settings(record) => update_settings(connection, record),
        Change::FarmPaused(paused) => set_meta(connection, "farm_paused", i64::from(*paused)),
        Change::State(record) => put_state(connection, record),
        Change::StateRemoved { instance, id } => {
            let sql = "DELETE FROM states WHERE instance = ?1 AND id = ?2";
            execute(connection, sql, params![instance.as_bytes(), id.0.cast_signed()])
        }
        Change::Arm(record) => put_arm(connection, record),
        Change::LeaseHeld(record) => put_lease(connection, record),
        Change::LeaseEnded(record) => {
            added.ended += 1;
            end_lease(connection, record)
        }
        Change::Worker(record) => put_worker(connection, record),
        Change::Event(record) => {
            added.events += 1;
            put_event(connection, record)
        }
    }
}

fn execute(connection: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<()> {
    connection.prepare_cached(sql)?.execute(params).map(|_| ())
}

/// A best that is no better than the one there is stays out, whatever anybody thinks.
fn insert_best(connection: &Connection, best: &Best) -> Result<()> {
    let merit = best.game.direction().merit(best.score);
    let held = connection
        .prepare_cached("SELECT count(*) FROM bests WHERE instance = ?1 AND merit >= ?2")?
        .query_row(params![best.digest.as_bytes(), merit], |row| row.get::<_, i64>(0))?;
    if held > 0 {
        return Ok(());
    }
    let plan = best.plan.as_ref().map(PlanColumns::of);
    let plan = plan.as_ref();
    execute(
        connection,
        "INSERT INTO history (instance, score, moves, worker, found_at, total_expansions, strategy, prefix, width, seed,
            expansions, window_length, window_suffix, beat)
        VALUES (:instance, :score, :moves, :worker, :found_at, :total_expansions, :strategy, :prefix, :width, :seed,
            :expansions, :window_length, :window_suffix, :beat)",
        named_params! {
            ":instance": best.digest.as_bytes(),
            ":score": best.score,
            ":moves": moves::encode(&best.moves),
            ":worker": best.worker,
            ":found_at": best.found_at.0.cast_signed(),
            ":total_expansions": best.total_expansions.cast_signed(),
            ":strategy": plan.map(|plan| plan.strategy),
            ":prefix": plan.map(|plan| &plan.prefix),
            ":width": plan.map(|plan| plan.width),
            ":seed": plan.map(|plan| plan.seed),
            ":expansions": plan.map(|plan| plan.expansions),
            ":window_length": plan.and_then(|plan| plan.window.length),
            ":window_suffix": plan.and_then(|plan| plan.window.suffix.as_ref()),
            ":beat": plan.and_then(|plan| plan.beat),
        },
    )?;
    let sql = "INSERT INTO bests VALUES (?1, ?2, ?3)
        ON CONFLICT DO UPDATE SET merit = excluded.merit, entry = excluded.entry WHERE excluded.merit > merit";
    execute(connection, sql, params![best.digest.as_bytes(), merit, connection.last_insert_rowid()])
}

fn set_best_aside(connection: &Connection, instance: &Digest, reason: &str) -> Result<()> {
    let sql = "UPDATE history SET set_aside = ?2 WHERE id = (SELECT entry FROM bests WHERE instance = ?1)";
    execute(connection, sql, params![instance.as_bytes(), reason])?;
    execute(connection, "DELETE FROM bests WHERE instance = ?1", params![instance.as_bytes()])
}

fn put_proof(connection: &Connection, record: &ProofRecord) -> Result<()> {
    let plan = PlanColumns::of(&record.plan);
    execute(
        connection,
        "INSERT OR REPLACE INTO proofs VALUES (:instance, :bound, :worker, :strategy, :prefix, :width, :seed,
            :expansions, :window_length, :window_suffix, :beat, :trace, :proved_at, :confirmed_by)",
        named_params! {
            ":instance": record.instance.as_bytes(),
            ":bound": record.bound,
            ":worker": record.worker,
            ":strategy": plan.strategy,
            ":prefix": plan.prefix,
            ":width": plan.width,
            ":seed": plan.seed,
            ":expansions": plan.expansions,
            ":window_length": plan.window.length,
            ":window_suffix": plan.window.suffix,
            ":beat": plan.beat,
            ":trace": record.trace,
            ":proved_at": record.proved_at.0.cast_signed(),
            ":confirmed_by": record.confirmed_by,
        },
    )
}

fn update_settings(connection: &Connection, record: &SettingsRecord) -> Result<()> {
    let sql = "UPDATE instances SET priority = ?2, paused = ?3 WHERE digest = ?1";
    execute(connection, sql, params![record.instance.as_bytes(), record.priority, record.paused])
}

fn put_state(connection: &Connection, record: &StateRecord) -> Result<()> {
    let window = WindowColumns::of(record.window.as_ref());
    execute(
        connection,
        "INSERT OR REPLACE INTO states VALUES (:instance, :id, :parent, :since, :kind, :window_length, :window_suffix,
            :key, :score, :bound, :source_score, :spent, :finished, :best, :next_seed, :exhausted, :faults)",
        named_params! {
            ":instance": record.instance.as_bytes(),
            ":id": record.id.0.cast_signed(),
            ":parent": record.parent.map(|parent| parent.0.cast_signed()),
            ":since": moves::encode(&record.since),
            ":kind": record.kind.name(),
            ":window_length": window.length,
            ":window_suffix": window.suffix,
            ":key": record.key.cast_signed(),
            ":score": record.score,
            ":bound": record.bound,
            ":source_score": record.source_score,
            ":spent": record.spent.cast_signed(),
            ":finished": record.finished,
            ":best": record.best,
            ":next_seed": record.next_seed.cast_signed(),
            ":exhausted": record.exhausted,
            ":faults": record.faults,
        },
    )
}

fn put_arm(connection: &Connection, record: &ArmRecord) -> Result<()> {
    execute(
        connection,
        "INSERT OR REPLACE INTO arms VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            record.instance.as_bytes(),
            arm_text(&record.arm),
            record.next_seed.cast_signed(),
            record.finished.cast_signed(),
            record.spent.cast_signed(),
            record.best,
            record.gains,
            record.faults,
            record.run_cost.cast_signed(),
        ],
    )
}

fn put_lease(connection: &Connection, record: &LeaseRecord) -> Result<()> {
    let plan = PlanColumns::of(&record.plan);
    execute(
        connection,
        "INSERT OR REPLACE INTO leases VALUES (:id, :attempt, :instance, :state, :arm, :worker, :spent, :expected,
            :failures, :disconnects, :strategy, :prefix, :width, :seed, :expansions, :window_length, :window_suffix,
            :beat)",
        named_params! {
            ":id": record.lease.id.cast_signed(),
            ":attempt": record.lease.attempt,
            ":instance": record.instance.as_bytes(),
            ":state": record.state.0.cast_signed(),
            ":arm": arm_text(&record.arm),
            ":worker": record.worker,
            ":spent": record.expansions.cast_signed(),
            ":expected": millis(record.expected),
            ":failures": record.failures,
            ":disconnects": record.disconnects,
            ":strategy": plan.strategy,
            ":prefix": plan.prefix,
            ":width": plan.width,
            ":seed": plan.seed,
            ":expansions": plan.expansions,
            ":window_length": plan.window.length,
            ":window_suffix": plan.window.suffix,
            ":beat": plan.beat,
        },
    )
}

fn end_lease(connection: &Connection, record: &EndedRecord) -> Result<()> {
    execute(connection, "DELETE FROM leases WHERE id = ?1", params![record.lease.id.cast_signed()])?;
    execute(
        connection,
        "INSERT OR REPLACE INTO ended VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        params![
            record.lease.id.cast_signed(),
            record.lease.attempt,
            record.instance.as_bytes(),
            record.state.0.cast_signed(),
            record.strategy.name(),
            record.width,
            record.seed.cast_signed(),
            record.worker,
            record.reason.name(),
            record.expansions.cast_signed(),
            millis(record.elapsed),
            record.best_found,
            record.trace,
            record.ended_at.0.cast_signed(),
        ],
    )
}

fn put_worker(connection: &Connection, record: &WorkerRecord) -> Result<()> {
    execute(
        connection,
        "INSERT INTO workers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO UPDATE SET
            software = excluded.software, threads = excluded.threads, finished = excluded.finished,
            failed = excluded.failed, refused = excluded.refused, expansions = excluded.expansions,
            draining = excluded.draining, set_aside_reason = excluded.set_aside_reason,
            set_aside_at = excluded.set_aside_at",
        params![
            record.name,
            record.software,
            record.threads,
            record.finished.cast_signed(),
            record.failed.cast_signed(),
            record.refused.cast_signed(),
            record.expansions.cast_signed(),
            record.draining,
            record.set_aside.as_ref().map(|set_aside| &set_aside.reason),
            record.set_aside.as_ref().map(|set_aside| set_aside.at.0.cast_signed()),
        ],
    )?;
    execute(connection, "DELETE FROM speeds WHERE worker = ?1", params![record.name])?;
    for (game, speed) in &record.speed {
        execute(connection, "INSERT INTO speeds VALUES (?1, ?2, ?3)", params![record.name, game.name(), speed])?;
    }
    Ok(())
}

fn put_event(connection: &Connection, record: &EventRecord) -> Result<()> {
    execute(
        connection,
        "INSERT OR REPLACE INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            record.number.cast_signed(),
            record.at.0.cast_signed(),
            record.severity.name(),
            record.kind.as_ref(),
            record.instance.as_ref().map(ToString::to_string),
            record.worker,
            record.detail,
        ],
    )
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// A plan as columns.
struct PlanColumns {
    strategy: &'static str,
    prefix: Vec<u8>,
    width: u32,
    seed: i64,
    expansions: i64,
    window: WindowColumns,
    beat: Option<i64>,
}

impl PlanColumns {
    fn of(plan: &Plan) -> Self {
        Self {
            strategy: plan.strategy.name(),
            prefix: moves::encode(&plan.prefix),
            width: plan.width,
            seed: plan.seed.cast_signed(),
            expansions: plan.expansions.cast_signed(),
            window: WindowColumns::of(plan.window.as_ref()),
            beat: plan.beat,
        }
    }
}

/// A window as columns.
struct WindowColumns {
    length: Option<u32>,
    suffix: Option<Vec<u8>>,
}

impl WindowColumns {
    fn of(window: Option<&Window>) -> Self {
        Self { length: window.map(|window| window.length), suffix: window.map(|window| moves::encode(&window.suffix)) }
    }
}
