//! The thread that owns the store: it takes all commits that wait, makes them durable in one transaction, and tells of each.

use super::{Store, StoreError};
use crate::core::{Change, CommitId};
use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use tokio::sync::mpsc::UnboundedSender;

/// Most commits that share a transaction.
const LARGEST_GROUP: usize = 256;

/// A commit on its way.
#[derive(Debug)]
pub(crate) struct Commit {
    pub(crate) id: CommitId,
    /// The newest failed commit that was known when this one was made.
    pub(crate) knows: Option<CommitId>,
    pub(crate) changes: Vec<Change>,
}

/// What became of a commit; the error is for people.
pub(crate) type Outcome = (CommitId, Result<(), String>);

/// The writing thread; it ends when this is dropped or joined.
#[derive(Debug)]
pub(crate) struct Writer {
    commits: Sender<Commit>,
    thread: JoinHandle<()>,
}

impl Writer {
    /// Starts the thread. It sends one outcome for each commit, in the order of the commits.
    pub(crate) fn start(store: Box<dyn Store>, outcomes: UnboundedSender<Outcome>) -> io::Result<Self> {
        let (commits, queue) = mpsc::channel();
        let thread = thread::Builder::new().name("store".into()).spawn(move || write(store, &queue, &outcomes))?;
        Ok(Self { commits, thread })
    }

    /// Puts a commit into the queue.
    pub(crate) fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        self.commits.send(commit).map_err(|_| StoreError::WriterGone)
    }

    /// Lets the thread finish its queue and waits for it.
    pub(crate) fn join(self) {
        drop(self.commits);
        if self.thread.join().is_err() {
            tracing::error!("the thread that writes to the store has panicked");
        }
    }
}

fn write(mut store: Box<dyn Store>, queue: &Receiver<Commit>, outcomes: &UnboundedSender<Outcome>) {
    let mut failure = None;
    while let Ok(first) = queue.recv() {
        let mut group = vec![first];
        group.extend(queue.try_iter().take(LARGEST_GROUP - 1));
        for outcome in commit_group(store.as_mut(), &group, &mut failure) {
            if outcomes.send(outcome).is_err() {
                return;
            }
        }
    }
}

/// The newest commit that failed by itself, and why.
type Failure = Option<(CommitId, String)>;

/// Tries all together; if that fails each alone, so that one bad commit does not take those before it with it. Those
/// behind it were made in the belief that it would come through, and fail with it.
fn commit_group(store: &mut dyn Store, group: &[Commit], failure: &mut Failure) -> Vec<Outcome> {
    let is_informed = |commit: &Commit, failure: &Failure| commit.knows >= failure.as_ref().map(|(id, _)| *id);
    if group.iter().all(|commit| is_informed(commit, failure)) {
        let all: Vec<&Change> = group.iter().flat_map(|commit| &commit.changes).collect();
        match store.commit(&all) {
            Ok(()) => return group.iter().map(|commit| (commit.id, Ok(()))).collect(),
            Err(error) if group.len() == 1 => {
                *failure = Some((group[0].id, error.to_string()));
                return vec![(group[0].id, Err(error.to_string()))];
            }
            Err(_) => {}
        }
    }
    let mut outcomes = Vec::new();
    for commit in group {
        let result = match &*failure {
            Some((_, reason)) if !is_informed(commit, failure) => Err(reason.clone()),
            _ => {
                let changes: Vec<&Change> = commit.changes.iter().collect();
                store.commit(&changes).map_err(|error| error.to_string()).inspect_err(|reason| {
                    *failure = Some((commit.id, reason.clone()));
                })
            }
        };
        outcomes.push((commit.id, result));
    }
    outcomes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::{Epoch, Restored};
    use cascade_games::Instance;
    use std::sync::{Arc, Mutex};
    use tokio::sync::mpsc::unbounded_channel;

    /// Takes every change but that which resumes the farm; remembers the sizes of what it took.
    #[derive(Clone, Default)]
    struct Picky(Arc<Mutex<Vec<usize>>>);

    impl Store for Picky {
        fn begin_epoch(&mut self, _: &[Instance]) -> Result<Epoch, StoreError> {
            Ok(Epoch(1))
        }

        fn load(&mut self, epoch: Epoch, instances: Vec<Instance>) -> Result<Restored, StoreError> {
            Ok(Restored { epoch, instances, ..Restored::default() })
        }

        fn commit(&mut self, changes: &[&Change]) -> Result<(), StoreError> {
            if changes.iter().any(|change| matches!(change, Change::FarmPaused(false))) {
                return Err(StoreError::WriterGone);
            }
            self.0.lock().expect("not poisoned").push(changes.len());
            Ok(())
        }
    }

    fn commit(id: u64, knows: Option<u64>, taken: bool) -> Commit {
        Commit { id: CommitId(id), knows: knows.map(CommitId), changes: vec![Change::FarmPaused(taken)] }
    }

    #[test]
    fn commits_that_wait_share_a_transaction() {
        let store = Picky::default();
        let group: Vec<Commit> = (0..5).map(|id| commit(id, None, true)).collect();
        let outcomes = commit_group(&mut store.clone(), &group, &mut None);
        assert!(outcomes.iter().all(|(_, result)| result.is_ok()));
        assert_eq!(*store.0.lock().expect("not poisoned"), [5]);
    }

    #[test]
    fn a_bad_commit_takes_those_behind_it_along_until_one_was_made_knowing_of_it() {
        let (store, mut failure) = (Picky::default(), None);
        let mut failed = |group: &[Commit]| -> Vec<u64> {
            let outcomes = commit_group(&mut store.clone(), group, &mut failure);
            outcomes.iter().filter(|(_, result)| result.is_err()).map(|(id, _)| id.0).collect()
        };
        let group: Vec<Commit> = (0..5).map(|id| commit(id, None, id != 2)).collect();
        assert_eq!(failed(&group), [2, 3, 4]);
        assert_eq!(failed(&[commit(5, None, true)]), [5]);
        assert_eq!(failed(&[commit(6, None, true), commit(7, Some(2), true)]), [6]);
        assert_eq!(failed(&[commit(8, Some(2), true), commit(9, Some(2), true)]), [0; 0]);
        assert_eq!(*store.0.lock().expect("not poisoned"), [1, 1, 1, 2]);
    }

    #[test]
    fn every_commit_has_its_outcome_in_order_before_the_thread_ends() {
        let (outcomes, mut told) = unbounded_channel();
        let writer = Writer::start(Box::new(Picky::default()), outcomes).expect("started");
        for id in 0..1000_u64 {
            let knows = id.checked_sub(1).map(|before| before / 7 * 7);
            writer.commit(commit(id, knows, id % 7 != 0)).expect("queued");
        }
        writer.join();
        for id in 0..1000 {
            let (told, result) = told.try_recv().expect("told");
            assert_eq!((told, result.is_ok()), (CommitId(id), id % 7 != 0));
        }
    }
}
