//! The store in SQLite: what was committed is what is read back, whatever happens to the process and the file.

mod store_model;

use cascade_coordinator::core::{ArmKey, ArmRecord, Best, Change, Epoch, InstanceRecord, SettingsRecord, UnixMillis};
use cascade_coordinator::store::sqlite::SqliteStore;
use cascade_coordinator::store::{Archive, Store};
use cascade_games::{GameId, Origin};
use proptest::prelude::*;
use std::sync::Arc;
use store_model::changes::change;
use store_model::{Model, instance, open};

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
