//! Found sequences that the coordinator has not acknowledged yet, on disk until it has.

use crate::data_dir::{Aside, DataDirError, list};
use crate::sealed::{self, Damage, Kind};
use cascade_games::{Direction, InstanceName};
use cascade_proto::v1;
use prost::Message;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tracing::{error, warn};

const KIND: Kind = *b"CASCREP1";

/// The spool. Of one instance it keeps only what is better than everything already waiting.
#[derive(Debug)]
pub(crate) struct Spool {
    dir: PathBuf,
    aside: Aside,
    waiting: Mutex<BTreeMap<String, Waiting>>,
    added: Notify,
}

#[derive(Debug)]
struct Waiting {
    improvement: v1::Improvement,
    file: PathBuf,
    /// Absent from the disk, because the disk refused it.
    only_in_memory: bool,
}

impl Spool {
    /// Reads back what a former run left in `dir`; what cannot be read is set aside.
    pub(crate) fn open(dir: PathBuf, aside: Aside) -> Result<Self, DataDirError> {
        let mut waiting = BTreeMap::new();
        for file in list(&dir)? {
            match read(&file) {
                Ok(improvement) => {
                    let id = improvement.report_id.clone();
                    waiting.insert(id, Waiting { improvement, file, only_in_memory: false });
                }
                Err(damage) => aside.damaged(&file, &damage),
            }
        }
        Ok(Self { dir, aside, waiting: Mutex::new(waiting), added: Notify::new() })
    }

    /// Keeps `improvement`, on disk before this returns, in place of worse ones of its instance. Returns whether it is
    /// kept: not when a better one of the same instance waits already.
    pub(crate) fn add(&self, improvement: v1::Improvement, direction: Direction) -> bool {
        let beaten = |other: &v1::Improvement| !direction.is_better(other.score, improvement.score);
        let same = |other: &v1::Improvement| other.instance == improvement.instance;
        if self.lock().values().any(|other| same(&other.improvement) && !beaten(&other.improvement)) {
            return false;
        }
        let lease = improvement.lease.unwrap_or_default();
        let file = self.dir.join(format!("{:016x}.{}.{}.report", lease.id, lease.attempt, improvement.score));
        let written = sealed::write(&file, KIND, &improvement.encode_to_vec());
        if let Err(failure) = &written {
            error!(file = %file.display(), %failure, "cannot keep a sequence on disk; it is reported from memory");
        }
        let superseded: Vec<Waiting> = {
            let mut waiting = self.lock();
            let ids: Vec<String> = waiting
                .iter()
                .filter(|(id, other)| {
                    **id != improvement.report_id && same(&other.improvement) && beaten(&other.improvement)
                })
                .map(|(id, _)| id.clone())
                .collect();
            let superseded = ids.iter().filter_map(|id| waiting.remove(id)).collect();
            let only_in_memory = written.is_err();
            waiting.insert(improvement.report_id.clone(), Waiting { improvement, file, only_in_memory });
            superseded
        };
        superseded.iter().for_each(remove);
        self.added.notify_one();
        true
    }

    /// Up to `count` waiting improvements of at most `bytes` together (but at least one).
    pub(crate) fn batch(&self, count: usize, bytes: usize) -> Vec<v1::Improvement> {
        let waiting = self.lock();
        let mut size = 0;
        waiting
            .values()
            .take(count)
            .map(|waiting| waiting.improvement.clone())
            .take_while(|improvement| {
                let first = size == 0;
                size += improvement.encoded_len();
                first || size <= bytes
            })
            .collect()
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many improvements wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether nothing found under `lease` waits.
    pub(crate) fn is_clear_of(&self, lease: &v1::LeaseId) -> bool {
        self.lock().values().all(|waiting| waiting.improvement.lease.as_ref() != Some(lease))
    }

    /// Waits until something was added since the last call.
    pub(crate) async fn added(&self) {
        self.added.notified().await;
    }

    /// Forgets an improvement that the coordinator has acknowledged.
    pub(crate) fn acknowledged(&self, report_id: &str) {
        if let Some(waiting) = self.lock().remove(report_id) {
            remove(&waiting);
        }
    }

    /// Sets an improvement aside that the coordinator refused for good.
    pub(crate) fn refused(&self, report_id: &str, reason: &str) {
        let Some(waiting) = self.lock().remove(report_id) else { return };
        let name = waiting.improvement.instance.as_ref().map_or("", |instance| instance.name.as_str());
        error!(instance = name, score = waiting.improvement.score, reason, "the coordinator refused a sequence");
        if !waiting.only_in_memory {
            self.aside.refused(&waiting.file, reason);
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Waiting>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(file: &std::path::Path) -> Result<v1::Improvement, Damage> {
    let payload = sealed::read(file, KIND)?;
    let improvement =
        v1::Improvement::decode(payload.as_slice()).map_err(|error| Damage::Content(error.to_string()))?;
    let instance = improvement.instance.as_ref().map_or("", |instance| instance.name.as_str());
    instance.parse::<InstanceName>().map_err(|error| Damage::Content(error.to_string()))?;
    Ok(improvement)
}

fn remove(waiting: &Waiting) {
    if waiting.only_in_memory {
        return;
    }
    if let Err(failure) = fs::remove_file(&waiting.file) {
        warn!(file = %waiting.file.display(), %failure, "cannot remove an acknowledged sequence; it will be reported again");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_dir::DataDir;

    fn improvement(instance: &str, lease: u64, score: i64) -> v1::Improvement {
        v1::Improvement {
            report_id: format!("worker/{lease}.1/{score}"),
            instance: Some(v1::InstanceRef { name: instance.to_owned(), digest: vec![7; 32] }),
            lease: Some(v1::LeaseId { id: lease, attempt: 1 }),
            plan: None,
            sequence: Some(v1::Sequence { moves: vec![1, 2, 3] }),
            score,
        }
    }

    fn open(dir: &DataDir) -> Spool {
        Spool::open(dir.unreported(), dir.aside()).expect("opened")
    }

    fn scores(spool: &Spool) -> Vec<i64> {
        spool.batch(100, usize::MAX).iter().map(|improvement| improvement.score).collect()
    }

    #[test]
    fn what_is_not_acknowledged_is_there_after_a_restart() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = DataDir::open(root.path()).expect("free");
        let spool = open(&dir);
        assert!(spool.add(improvement("tetris/a", 1, 20), Direction::Minimize));
        assert!(spool.add(improvement("tetris/b", 2, 21), Direction::Minimize));
        drop(spool);
        let spool = open(&dir);
        assert_eq!(scores(&spool), [20, 21]);
        spool.acknowledged("worker/1.1/20");
        assert!(spool.is_clear_of(&v1::LeaseId { id: 1, attempt: 1 }));
        drop(spool);
        assert_eq!(scores(&open(&dir)), [21]);
    }

    #[test]
    fn only_the_best_of_an_instance_waits() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = DataDir::open(root.path()).expect("free");
        let spool = open(&dir);
        assert!(spool.add(improvement("tritown/7", 1, 100), Direction::Maximize));
        assert!(spool.add(improvement("tritown/7", 1, 120), Direction::Maximize));
        assert!(!spool.add(improvement("tritown/7", 2, 110), Direction::Maximize));
        assert_eq!(scores(&spool), [120]);
        assert_eq!(list(&dir.unreported()).expect("listed").len(), 1);
    }

    #[test]
    fn a_damaged_file_is_set_aside_and_the_rest_is_served() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = DataDir::open(root.path()).expect("free");
        let spool = open(&dir);
        spool.add(improvement("tetris/a", 1, 20), Direction::Minimize);
        spool.add(improvement("tetris/b", 2, 21), Direction::Minimize);
        drop(spool);
        let file = list(&dir.unreported()).expect("listed").remove(0);
        let whole = fs::read(&file).expect("there");
        for length in 0..whole.len() {
            fs::write(&file, &whole[..length]).expect("cut");
            let spool = open(&dir);
            assert_eq!(scores(&spool), [21], "cut to {length}");
            let aside = root.path().join("damaged").join(file.file_name().expect("a name"));
            assert!(aside.exists(), "cut to {length}");
            fs::remove_file(aside).expect("removed");
        }
    }

    #[test]
    fn a_refused_sequence_is_kept_aside_with_the_reason() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = DataDir::open(root.path()).expect("free");
        let spool = open(&dir);
        spool.add(improvement("tetris/a", 1, 20), Direction::Minimize);
        spool.refused("worker/1.1/20", "does not replay");
        assert!(spool.is_empty());
        let aside = list(&root.path().join("refused")).expect("listed");
        assert_eq!(aside.len(), 2);
        assert!(aside.iter().any(|file| fs::read(file).is_ok_and(|text| text == b"does not replay\n")));
    }

    #[test]
    fn a_batch_is_bounded_but_never_empty_while_something_waits() {
        let root = tempfile::tempdir().expect("a directory");
        let dir = DataDir::open(root.path()).expect("free");
        let spool = open(&dir);
        for lease in 0..5 {
            spool.add(improvement(&format!("tetris/{lease}"), lease, 20), Direction::Minimize);
        }
        assert_eq!(spool.batch(3, usize::MAX).len(), 3);
        assert_eq!(spool.batch(3, 1).len(), 1);
    }
}
