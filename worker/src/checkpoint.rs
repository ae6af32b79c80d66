//! Suspended searches on disk, so that a long one goes on after a restart.

use crate::data_dir::{Aside, DataDirError, list};
use crate::lease::{Assignment, LeaseKey};
use crate::sealed::{self, Damage, Kind};
use cascade_proto::v1;
use cascade_search::Checkpoint;
use prost::Message;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tracing::{error, warn};

const KIND: Kind = *b"CASCCPT1";

/// The checkpoints of one worker, one file a lease.
#[derive(Debug)]
pub(crate) struct CheckpointStore {
    dir: PathBuf,
    aside: Aside,
    /// The largest checkpoint kept, compressed, in bytes.
    limit: usize,
}

/// A file's content; the search's state stays packed until it is wanted.
#[derive(Serialize, Deserialize)]
struct Stored {
    lease: Vec<u8>,
    expansions: u64,
    elapsed_millis: u64,
    packed: Vec<u8>,
}

/// A lease with a checkpoint, not running.
#[derive(Clone, Debug)]
pub(crate) struct Suspended {
    pub(crate) lease: v1::Lease,
    /// Spent before the checkpoint.
    pub(crate) expansions: u64,
    /// Time spent before the checkpoint.
    pub(crate) elapsed: Duration,
}

impl CheckpointStore {
    pub(crate) fn new(dir: PathBuf, aside: Aside, limit: usize) -> Self {
        Self { dir, aside, limit }
    }

    /// Every lease with a whole checkpoint; damaged files are set aside.
    pub(crate) fn suspended(&self) -> Result<Vec<(LeaseKey, Suspended)>, DataDirError> {
        let mut suspended = Vec::new();
        for file in list(&self.dir)? {
            match read(&file) {
                Ok((key, found, _)) => suspended.push((key, found)),
                Err(damage) => self.aside.damaged(&file, &damage),
            }
        }
        Ok(suspended)
    }

    /// Keeps `checkpoint` in place of an earlier one of the same lease. One that is too large, or that the disk
    /// refuses, is left out with a log line: the lease would be searched anew.
    pub(crate) fn save(&self, assignment: &Assignment, checkpoint: &Checkpoint, elapsed: Duration) {
        let key = assignment.key;
        let packed = match postcard::to_allocvec(checkpoint) {
            Ok(bytes) => lz4_flex::compress_prepend_size(&bytes),
            Err(failure) => {
                error!(lease = %key, %failure, "cannot encode a checkpoint");
                return;
            }
        };
        if packed.len() > self.limit {
            warn!(lease = %key, bytes = packed.len(), limit = self.limit, "a checkpoint is too large to be kept");
            return;
        }
        let stored = Stored {
            lease: assignment.lease.encode_to_vec(),
            expansions: checkpoint.expansions,
            elapsed_millis: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
            packed,
        };
        let written = postcard::to_allocvec(&stored)
            .map_err(io::Error::other)
            .and_then(|payload| sealed::write(&self.file(key), KIND, &payload));
        if let Err(failure) = written {
            error!(lease = %key, %failure, "cannot keep a checkpoint");
        }
    }

    /// The checkpoint of a lease; a damaged one is set aside, and there is none.
    pub(crate) fn load(&self, key: LeaseKey) -> Option<Checkpoint> {
        let file = self.file(key);
        let unpacked = read(&file).and_then(|(_, _, packed)| unpack(&packed));
        match unpacked {
            Ok(checkpoint) => Some(checkpoint),
            Err(Damage::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => None,
            Err(damage) => {
                self.aside.damaged(&file, &damage);
                None
            }
        }
    }

    /// Removes a lease's checkpoint, if there is one.
    pub(crate) fn remove(&self, key: LeaseKey) {
        match fs::remove_file(self.file(key)) {
            Err(failure) if failure.kind() != io::ErrorKind::NotFound => {
                warn!(lease = %key, %failure, "cannot remove a checkpoint");
            }
            _ => {}
        }
    }

    fn file(&self, key: LeaseKey) -> PathBuf {
        self.dir.join(format!("{:016x}.{}.checkpoint", key.id, key.attempt))
    }
}

fn read(file: &Path) -> Result<(LeaseKey, Suspended, Vec<u8>), Damage> {
    let content = |error: &dyn std::fmt::Display| Damage::Content(error.to_string());
    let payload = sealed::read(file, KIND)?;
    let stored: Stored = postcard::from_bytes(&payload).map_err(|error| content(&error))?;
    let lease = v1::Lease::decode(stored.lease.as_slice()).map_err(|error| content(&error))?;
    let key = lease.lease.ok_or_else(|| content(&"it names no lease"))?.into();
    let elapsed = Duration::from_millis(stored.elapsed_millis);
    Ok((key, Suspended { lease, expansions: stored.expansions, elapsed }, stored.packed))
}

fn unpack(packed: &[u8]) -> Result<Checkpoint, Damage> {
    let bytes = lz4_flex::decompress_size_prepended(packed).map_err(|error| Damage::Content(error.to_string()))?;
    postcard::from_bytes(&bytes).map_err(|error| Damage::Content(error.to_string()))
}
