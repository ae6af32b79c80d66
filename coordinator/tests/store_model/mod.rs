//! What a store should hold, kept in plain maps.

pub(crate) mod changes;

use cascade_coordinator::core::{
    ArmRecord, Best, Change, EventRecord, LeaseRecord, ProofRecord, Restored, SettingsRecord, StateId, StateRecord,
    WorkerRecord,
};
use cascade_coordinator::store::Store;
use cascade_coordinator::store::sqlite::SqliteStore;
use cascade_games::{AnyGame, GameId, Instance, Origin};
use std::collections::BTreeMap;
use std::path::Path;

const GRIDS: [&str; 3] = ["abcd\nbcda\n", "abab\nbaba\n", "abca\nbcab\ncabc\n"];

pub(crate) fn instance(index: usize) -> Instance {
    let game = AnyGame::parse(GameId::Tetris, GRIDS[index], "test grid").expect("a grid");
    Instance { name: format!("tetris/grid{index}").parse().expect("a name"), origin: Origin::BuiltIn, game }
}

/// Two instances that a program serves; the third may be added.
fn served() -> Vec<Instance> {
    vec![instance(0), instance(1)]
}

pub(crate) fn open(path: &Path) -> (SqliteStore, Restored) {
    let mut store = SqliteStore::open(path).expect("opens");
    let epoch = store.begin_epoch(&served()).expect("begins");
    let restored = store.load(epoch, served()).expect("loads");
    (store, restored)
}

/// What the store should hold, kept in plain maps.
#[derive(Default)]
pub(crate) struct Model {
    bests: BTreeMap<String, Best>,
    proofs: BTreeMap<Vec<u8>, ProofRecord>,
    pub(crate) history: Vec<Best>,
    settings: BTreeMap<Vec<u8>, SettingsRecord>,
    states: BTreeMap<(Vec<u8>, StateId), StateRecord>,
    arms: BTreeMap<(Vec<u8>, String), ArmRecord>,
    leases: BTreeMap<u64, LeaseRecord>,
    workers: BTreeMap<String, WorkerRecord>,
    events: BTreeMap<u64, EventRecord>,
    farm_paused: bool,
}

impl Model {
    pub(crate) fn apply(&mut self, change: &Change) {
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

    pub(crate) fn assert_is(&self, mut restored: Restored) {
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
