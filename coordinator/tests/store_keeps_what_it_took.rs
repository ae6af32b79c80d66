//! The store in SQLite: what was committed is what is read back, whatever happens to the process and the file.

use cascade_coordinator::core::{
    ArmKey, ArmRecord, Best, Change, EndReason, EndedRecord, Epoch, EventRecord, InstanceRecord, LeaseId, LeaseRecord,
    Plan, ProofRecord, Restored, SetAside, SettingsRecord, Severity, StateId, StateKind, StateRecord, Strategy,
    UnixMillis, Window, WorkerRecord,
};
use cascade_coordinator::store::sqlite::SqliteStore;
use cascade_coordinator::store::{Archive, Store};
use cascade_games::{AnyGame, GameId, Instance, Origin};
use proptest::prelude::*;
use proptest::strategy::Strategy as Generator;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const GRIDS: [&str; 3] = ["abcd\nbcda\n", "abab\nbaba\n", "abca\nbcab\ncabc\n"];

fn instance(index: usize) -> Instance {
    let game = AnyGame::parse(GameId::Tetris, GRIDS[index], "test grid").expect("a grid");
    Instance { name: format!("tetris/grid{index}").parse().expect("a name"), origin: Origin::BuiltIn, game }
}

/// Two instances that a program serves; the third may be added.
fn served() -> Vec<Instance> {
    vec![instance(0), instance(1)]
}

fn open(path: &Path) -> (SqliteStore, Restored) {
    let mut store = SqliteStore::open(path).expect("opens");
    let epoch = store.begin_epoch(&served()).expect("begins");
    let restored = store.load(epoch, served()).expect("loads");
    (store, restored)
}

/// What the store should hold, kept in plain maps.
#[derive(Default)]
struct Model {
    bests: BTreeMap<String, Best>,
    proofs: BTreeMap<Vec<u8>, ProofRecord>,
    history: Vec<Best>,
    settings: BTreeMap<Vec<u8>, SettingsRecord>,
    states: BTreeMap<(Vec<u8>, StateId), StateRecord>,
    arms: BTreeMap<(Vec<u8>, String), ArmRecord>,
    leases: BTreeMap<u64, LeaseRecord>,
    workers: BTreeMap<String, WorkerRecord>,
    events: BTreeMap<u64, EventRecord>,
    farm_paused: bool,
}

impl Model {
    fn apply(&mut self, change: &Change) {
        match change.clone() {
            Change::Best(best) => {
                let key = best.instance.to_string();
                if self.bests.get(&key).is_none_or(|held| best.score < held.score) {
                    self.history.push(Best::clone(&best));
                    self.bests.insert(key, Best::clone(&best));
                }
            }
            Change::BestSetAside { instance, .. } => {
                let current = self.bests.iter().find(|(_, best)| best.digest == instance);
                if let Some(key) = current.map(|(key, _)| key.clone()) {
                    let best = self.bests.remove(&key).expect("held");
                    let last = self.history.iter().rposition(|entry| *entry == best).expect("in the history");
                    self.history.remove(last);
                }
            }
            Change::Proved(record) => {
                self.proofs.insert(record.instance.as_bytes().to_vec(), *record);
            }
            Change::ProofWithdrawn(instance) => {
                self.proofs.remove(instance.as_bytes().as_slice());
            }
            Change::InstanceAdded(_) => {}
            Change::Settings(record) => {
                self.settings.insert(record.instance.as_bytes().to_vec(), record);
            }
            Change::FarmPaused(paused) => self.farm_paused = paused,
            Change::State(record) => {
                self.states.insert((record.instance.as_bytes().to_vec(), record.id), record);
            }
            Change::StateRemoved { instance, id } => {
                self.states.remove(&(instance.as_bytes().to_vec(), id));
            }
            Change::Arm(record) => {
                self.arms.insert((record.instance.as_bytes().to_vec(), format!("{:?}", record.arm)), record);
            }
            Change::LeaseHeld(record) => {
                self.leases.insert(record.lease.id, record);
            }
            Change::LeaseEnded(record) => {
                self.leases.remove(&record.lease.id);
            }
            Change::Worker(record) => {
                self.workers.insert(record.name.clone(), record);
            }
            Change::Event(record) => {
                self.events.insert(record.number, record);
            }
        }
    }

    fn assert_is(&self, mut restored: Restored) {
        restored.bests.sort_by_key(|best| best.instance.to_string());
        assert_eq!(restored.bests, self.bests.values().cloned().collect::<Vec<_>>());
        restored.proofs.sort_by_key(|record| record.instance.as_bytes().to_vec());
        assert_eq!(restored.proofs, self.proofs.values().cloned().collect::<Vec<_>>());
        for record in restored.settings {
            let usual = SettingsRecord { instance: record.instance, priority: 100, paused: false };
            assert_eq!(&record, self.settings.get(record.instance.as_bytes().as_slice()).unwrap_or(&usual));
        }
        restored.states.sort_by_key(|record| (record.instance.as_bytes().to_vec(), record.id));
        assert_eq!(restored.states, self.states.values().cloned().collect::<Vec<_>>());
        restored.arms.sort_by_key(|record| (record.instance.as_bytes().to_vec(), format!("{:?}", record.arm)));
        assert_eq!(restored.arms, self.arms.values().cloned().collect::<Vec<_>>());
        restored.leases.sort_by_key(|record| record.lease.id);
        assert_eq!(restored.leases, self.leases.values().cloned().collect::<Vec<_>>());
        restored.workers.sort_by_key(|record| record.name.clone());
        assert_eq!(restored.workers, self.workers.values().cloned().collect::<Vec<_>>());
        assert_eq!(restored.events, self.events.values().cloned().collect::<Vec<_>>());
        assert_eq!(restored.farm_paused, self.farm_paused);
        assert_eq!(restored.problems, Vec::<String>::new());
    }
}

fn moves() -> impl Generator<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0..256_u32, any::<u32>()], 0..12)
}

fn window() -> impl Generator<Value = Option<Window>> {
    prop::option::of((any::<u32>(), moves()).prop_map(|(length, suffix)| Window { length, suffix }))
}

fn plan() -> impl Generator<Value = Plan> {
    let strategy = prop::sample::select(&Strategy::ALL[..]);
    (moves(), strategy, any::<u32>(), any::<u64>(), any::<u64>(), window(), any::<Option<i64>>()).prop_map(
        |(prefix, strategy, width, seed, expansions, window, beat)| Plan {
            prefix,
            strategy,
            width,
            seed,
            expansions,
            window,
            beat,
        },
    )
}

fn arm_key() -> impl Generator<Value = ArmKey> {
    prop_oneof![
        (prop::sample::select(&Strategy::ALL[..]), 1..4_u32)
            .prop_map(|(strategy, width)| ArmKey::Root(strategy, width)),
        (1..4_u8).prop_map(ArmKey::Quarter),
        Just(ArmKey::Window),
    ]
}

fn millis() -> impl Generator<Value = Duration> {
    (0..u64::from(u32::MAX)).prop_map(Duration::from_millis)
}

fn best() -> impl Generator<Value = Change> {
    (0..2_usize, -3..30_i64, moves(), prop::option::of(plan()), any::<u32>(), any::<u64>()).prop_map(
        |(index, score, moves, plan, found_at, total_expansions)| {
            let instance = instance(index);
            Change::Best(Arc::new(Best {
                digest: instance.puzzle().digest(),
                game: GameId::Tetris,
                instance: instance.name,
                score,
                moves,
                text: String::new(),
                worker: "somebody".to_owned(),
                plan,
                found_at: UnixMillis(found_at.into()),
                total_expansions,
            }))
        },
    )
}

fn proof() -> impl Generator<Value = Change> {
    (0..2_usize, any::<i64>(), plan(), any::<u32>(), prop::option::of("[a-z]{1,8}")).prop_map(
        |(index, bound, plan, proved_at, confirmed_by)| {
            Change::Proved(Box::new(ProofRecord {
                instance: instance(index).puzzle().digest(),
                bound,
                worker: "prover".to_owned(),
                plan,
                trace: vec![3, 4],
                proved_at: UnixMillis(proved_at.into()),
                confirmed_by,
            }))
        },
    )
}

fn state() -> impl Generator<Value = Change> {
    let kind = prop::sample::select(&StateKind::ALL[..]);
    let figures = (any::<u64>(), any::<i64>(), any::<i64>(), any::<Option<i64>>(), any::<u64>(), any::<u32>());
    let rest = (any::<Option<i64>>(), any::<u64>(), any::<bool>(), any::<u32>());
    (0..2_usize, 0..5_u64, prop::option::of(0..5_u64), moves(), kind, window(), figures, rest).prop_map(
        |(index, id, parent, since, kind, window, figures, rest)| {
            let (key, score, bound, source_score, spent, finished) = figures;
            let (best, next_seed, exhausted, faults) = rest;
            Change::State(StateRecord {
                instance: instance(index).puzzle().digest(),
                id: StateId(id),
                parent: parent.map(StateId),
                since,
                kind,
                window,
                key,
                score,
                bound,
                source_score,
                spent,
                finished,
                best,
                next_seed,
                exhausted,
                faults,
            })
        },
    )
}

fn arm() -> impl Generator<Value = Change> {
    (
        0..2_usize,
        arm_key(),
        any::<u64>(),
        any::<u64>(),
        any::<u64>(),
        any::<Option<i64>>(),
        -1e9..1e9,
        any::<(u64, u32)>(),
    )
        .prop_map(|(index, arm, next_seed, finished, spent, best, gains, (run_cost, faults))| {
            Change::Arm(ArmRecord {
                instance: instance(index).puzzle().digest(),
                arm,
                next_seed,
                finished,
                spent,
                best,
                gains,
                run_cost,
                faults,
            })
        })
}

fn lease() -> impl Generator<Value = Change> {
    let figures = (any::<u64>(), millis(), any::<u32>(), any::<u32>());
    (0..2_usize, 0..4_u64, any::<u32>(), any::<u64>(), arm_key(), plan(), figures).prop_map(
        |(index, id, attempt, state, arm, plan, (expansions, expected, failures, disconnects))| {
            Change::LeaseHeld(LeaseRecord {
                lease: LeaseId { id, attempt },
                instance: instance(index).puzzle().digest(),
                state: StateId(state),
                arm,
                plan,
                worker: "holder".to_owned(),
                expansions,
                expected,
                failures,
                disconnects,
            })
        },
    )
}

fn ended() -> impl Generator<Value = Change> {
    (0..4_u64, any::<u32>(), prop::sample::select(&EndReason::ALL[..])).prop_map(|(id, attempt, reason)| {
        Change::LeaseEnded(EndedRecord {
            lease: LeaseId { id, attempt },
            instance: instance(0).puzzle().digest(),
            state: StateId::ROOT,
            strategy: Strategy::Beam,
            width: 10,
            seed: u64::MAX,
            worker: "holder".to_owned(),
            reason,
            expansions: 1,
            elapsed: Duration::from_secs(1),
            best_found: None,
            trace: vec![1, 2],
            ended_at: UnixMillis(5),
        })
    })
}

fn worker() -> impl Generator<Value = Change> {
    let speed = prop::collection::btree_map(prop::sample::select(&GameId::ALL[..]), 0.0..1e9, 0..3);
    let set_aside = prop::option::of(
        any::<u32>().prop_map(|at| SetAside { reason: "its results differ".to_owned(), at: UnixMillis(at.into()) }),
    );
    (0..3_u8, any::<u32>(), speed, any::<[u64; 4]>(), any::<bool>(), set_aside).prop_map(
        |(number, threads, speed, [finished, failed, refused, expansions], draining, set_aside)| {
            Change::Worker(WorkerRecord {
                name: format!("worker-{number}"),
                software: "test 1".to_owned(),
                threads,
                speed,
                finished,
                failed,
                refused,
                expansions,
                draining,
                set_aside,
            })
        },
    )
}

fn event() -> impl Generator<Value = Change> {
    let severity = prop::sample::select(&[Severity::Info, Severity::Warning, Severity::Error][..]);
    (1..20_u64, severity, any::<bool>(), prop::option::of("[a-z]{1,8}"), "\\PC{0,20}").prop_map(
        |(number, severity, about, worker, detail)| {
            Change::Event(EventRecord {
                number,
                at: UnixMillis(number),
                severity,
                kind: "new-best".into(),
                instance: about.then(|| instance(0).name),
                worker,
                detail,
            })
        },
    )
}

fn change() -> impl Generator<Value = Change> {
    let digest = |index: usize| instance(index).puzzle().digest();
    prop_oneof![
        3 => best(),
        1 => (0..2_usize).prop_map(move |index| Change::BestSetAside {
            instance: digest(index),
            reason: "does not replay".to_owned(),
        }),
        2 => proof(),
        1 => (0..2_usize).prop_map(move |index| Change::ProofWithdrawn(digest(index))),
        1 => (0..2_usize, any::<u32>(), any::<bool>()).prop_map(move |(index, priority, paused)| {
            Change::Settings(SettingsRecord { instance: digest(index), priority, paused })
        }),
        1 => any::<bool>().prop_map(Change::FarmPaused),
        3 => state(),
        1 => (0..2_usize, 0..5_u64).prop_map(move |(index, id)| Change::StateRemoved {
            instance: digest(index),
            id: StateId(id),
        }),
        2 => arm(),
        2 => lease(),
        1 => ended(),
        2 => worker(),
        2 => event(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn what_was_committed_is_read_back(groups in prop::collection::vec(prop::collection::vec(change(), 1..8), 1..8)) {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("cascade.db");
        let mut model = Model::default();
        for group in &groups {
            let (mut store, _) = open(&path);
            store.commit(&group.iter().collect::<Vec<_>>()).expect("committed");
            group.iter().for_each(|change| model.apply(change));
        }
        let (store, restored) = open(&path);
        prop_assert_eq!(restored.epoch, Epoch(groups.len() as u64 + 1));
        model.assert_is(restored);
        for index in 0..2 {
            let digest = instance(index).puzzle().digest();
            let history = store.archive().expect("opens").history(&digest).expect("reads");
            let expected: Vec<_> = model.history.iter().filter(|best| best.digest == digest).cloned().collect();
            prop_assert_eq!(history, expected);
        }
    }
}

fn scored(score: i64) -> Change {
    let instance = instance(0);
    Change::Best(Arc::new(Best {
        digest: instance.puzzle().digest(),
        game: GameId::Tetris,
        instance: instance.name,
        score,
        moves: vec![1, 2],
        text: String::new(),
        worker: "somebody".to_owned(),
        plan: None,
        found_at: UnixMillis(1),
        total_expansions: 0,
    }))
}

#[test]
fn a_worse_best_never_takes_the_place_of_a_better_one() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    let (mut store, _) = open(&path);
    for score in [20, 18, 19, 18] {
        store.commit(&[&scored(score)]).expect("committed");
    }
    let (store, restored) = open(&path);
    assert_eq!(restored.bests.iter().map(|best| best.score).collect::<Vec<_>>(), [18]);
    let history = store.archive().expect("opens").history(&instance(0).puzzle().digest()).expect("reads");
    assert_eq!(history.iter().map(|best| best.score).collect::<Vec<_>>(), [20, 18]);
}

#[test]
fn a_group_that_fails_leaves_nothing_behind() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    let (mut store, _) = open(&path);
    // An instance that was never served has no row to hang an arm on.
    let stranger = Change::Arm(ArmRecord {
        instance: instance(2).puzzle().digest(),
        arm: ArmKey::Window,
        next_seed: 0,
        finished: 0,
        spent: 0,
        best: None,
        gains: 0.0,
        run_cost: 0,
        faults: 0,
    });
    store.commit(&[&scored(20), &stranger]).expect_err("the second change cannot be kept");
    assert!(open(&path).1.bests.is_empty());
    store.commit(&[&scored(20)]).expect("committed");
    assert_eq!(open(&path).1.bests.len(), 1);
}

#[test]
fn an_added_instance_is_served_at_the_next_start_with_its_settings() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    let added = instance(2);
    let digest = added.puzzle().digest();
    let (mut store, _) = open(&path);
    let record = InstanceRecord {
        name: added.name.clone(),
        digest,
        content: added.puzzle().content().to_owned(),
        origin: Origin::Added,
    };
    let settings = SettingsRecord { instance: digest, priority: 7, paused: true };
    store.commit(&[&Change::InstanceAdded(record), &Change::Settings(settings.clone())]).expect("committed");
    let restored = open(&path).1;
    let found = restored.instances.iter().find(|instance| instance.name == added.name).expect("served");
    assert_eq!((found.puzzle().digest(), &found.origin), (digest, &Origin::Added));
    assert!(restored.settings.contains(&settings));
}

#[test]
fn rows_that_cannot_be_understood_are_told_and_the_rest_serves() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    let (mut store, _) = open(&path);
    store.commit(&[&scored(20)]).expect("committed");
    drop(store);
    let digest = instance(0).puzzle().digest();
    let raw = rusqlite::Connection::open(&path).expect("opens");
    raw.execute(
        "INSERT INTO instances (digest, name, content, origin) VALUES (zeroblob(32), 'tetris/odd', 'no grid', 'added')",
        [],
    )
    .expect("inserted");
    raw.execute("INSERT INTO arms VALUES (?1, 'sideways/3', 0, 0, 0, NULL, 0.0, 0, 0)", [digest.as_bytes()])
        .expect("inserted");
    raw.execute(
        "INSERT INTO states VALUES (?1, 1, 0, x'80', 'cut', NULL, NULL, 0, 0, 0, NULL, 0, 0, NULL, 0, 0, 0)",
        [digest.as_bytes()],
    )
    .expect("inserted");
    drop(raw);
    for _ in 0..2 {
        let restored = open(&path).1;
        assert_eq!(restored.bests.len(), 1);
        assert_eq!(restored.problems.len(), 3, "{:?}", restored.problems);
        for (problem, words) in restored.problems.iter().zip(["tetris/odd", "sequence of moves", "sideways/3"]) {
            assert!(problem.contains(words), "{problem}");
        }
    }
}

#[test]
fn a_file_of_the_first_schema_is_brought_to_the_newest_with_all_it_holds() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    let (mut store, _) = open(&path);
    store.commit(&[&scored(20)]).expect("committed");
    drop(store);
    let raw = rusqlite::Connection::open(&path).expect("opens");
    raw.execute_batch("DROP TABLE proofs; ALTER TABLE arms DROP COLUMN run_cost; PRAGMA user_version = 1;")
        .expect("as the first version left it");
    drop(raw);
    let (_, restored) = open(&path);
    assert_eq!((restored.bests.len(), restored.proofs.len(), restored.problems.len()), (1, 0, 0));
}

#[test]
fn a_store_of_later_software_is_refused_in_words_and_left_alone() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    drop(open(&path));
    let raw = rusqlite::Connection::open(&path).expect("opens");
    raw.pragma_update(None, "user_version", 99).expect("updated");
    drop(raw);
    let error = SqliteStore::open(&path).expect_err("refused").to_string();
    assert!(error.contains("schema 99") && error.contains("newer software"), "{error}");
    let raw = rusqlite::Connection::open(&path).expect("opens");
    let version: i64 = raw.pragma_query_value(None, "user_version", |row| row.get(0)).expect("read");
    assert_eq!(version, 99);
}

#[test]
fn a_file_that_is_no_database_is_refused_by_name() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("cascade.db");
    std::fs::write(&path, "this is a letter to my aunt, and it is long enough to be read as a header".repeat(20))
        .expect("written");
    let error = SqliteStore::open(&path).expect_err("refused").to_string();
    assert!(error.contains("cascade.db") && error.contains("not a database"), "{error}");
}
