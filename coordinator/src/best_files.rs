//! Bests as plain files, `DATA/best/tetris/baba.txt` and `DATA/best/tritown/7.out`, so that they outlive the store.

use crate::core::Best;
use crate::durable_file;
use cascade_games::InstanceName;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::{fs, io};

/// The thread that writes the files; a slow disk holds up nobody else.
#[derive(Debug)]
pub(crate) struct BestFiles {
    bests: Sender<Arc<Best>>,
    thread: JoinHandle<()>,
}

impl BestFiles {
    /// Starts the thread; files go below `directory`.
    pub(crate) fn start(directory: PathBuf) -> io::Result<Self> {
        let (bests, queue) = mpsc::channel();
        let thread = thread::Builder::new().name("best-files".into()).spawn(move || write_all(&directory, &queue))?;
        Ok(Self { bests, thread })
    }

    /// Writes the file of `best` soon. Of several of one instance only the last may be written.
    pub(crate) fn write(&self, best: Arc<Best>) {
        if self.bests.send(best).is_err() {
            tracing::error!("the thread that writes best files has ended; the store has every best all the same");
        }
    }

    /// Writes what waits and ends the thread.
    pub(crate) fn join(self) {
        drop(self.bests);
        if self.thread.join().is_err() {
            tracing::error!("the thread that writes best files has panicked; the store has every best all the same");
        }
    }
}

fn write_all(directory: &Path, queue: &Receiver<Arc<Best>>) {
    while let Ok(first) = queue.recv() {
        let waiting = std::iter::once(first).chain(queue.try_iter());
        let newest: BTreeMap<InstanceName, Arc<Best>> = waiting.map(|best| (best.instance.clone(), best)).collect();
        for best in newest.values() {
            let path = path(directory, &best.instance);
            if let Err(error) = write(&path, &best.text) {
                tracing::warn!(%error, path = %path.display(), "cannot write a best file; the store has the best all the same");
            }
        }
    }
}

/// A file that is right already, as most are after a restart, is left alone.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|held| held == text.as_bytes()) {
        return Ok(());
    }
    durable_file::write(path, text.as_bytes())
}

fn path(directory: &Path, instance: &InstanceName) -> PathBuf {
    let game = instance.game();
    directory.join(game.name()).join(format!("{}.{}", instance.name(), game.sequence_ending()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::UnixMillis;
    use cascade_games::Digest;

    fn best(name: &str, text: &str) -> Arc<Best> {
        let instance: InstanceName = name.parse().expect("a name");
        Arc::new(Best {
            digest: Digest::of("any", name),
            game: instance.game(),
            instance,
            score: 1,
            moves: vec![],
            text: text.to_owned(),
            worker: "w".to_owned(),
            plan: None,
            found_at: UnixMillis(0),
            total_expansions: 0,
        })
    }

    #[test]
    fn the_last_best_of_each_instance_is_in_its_file() {
        let directory = tempfile::tempdir().expect("a directory");
        let files = BestFiles::start(directory.path().to_owned()).expect("started");
        for (name, text) in [("tetris/baba", "00\n"), ("tritown/7", "PUT 1 1\nEND\n"), ("tetris/baba", "11\n")] {
            files.write(best(name, text));
        }
        files.join();
        let read = |path: &str| fs::read_to_string(directory.path().join(path)).expect("readable");
        assert_eq!(read("tetris/baba.txt"), "11\n");
        assert_eq!(read("tritown/7.out"), "PUT 1 1\nEND\n");
    }

    #[test]
    fn a_file_that_cannot_be_written_stops_nothing() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("tetris"), "in the way").expect("written");
        let files = BestFiles::start(directory.path().to_owned()).expect("started");
        files.write(best("tetris/baba", "00\n"));
        files.write(best("tritown/7", "END\n"));
        files.join();
        assert!(directory.path().join("tritown/7.out").exists());
    }
}
