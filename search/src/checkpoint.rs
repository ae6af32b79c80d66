//! Suspended searches: what is in a checkpoint and whether it fits.

use crate::journal::Ledger;
use crate::outcome::{Checkpoint, SearchError};
use crate::plan::Plan;
use cascade_games::Game;
use cascade_games::mix::{mix, mix2};
use serde::{Serialize, de::DeserializeOwned};

/// Raised whenever a search changes what it computes or keeps: older checkpoints no longer fit.
const FORMAT: u64 = 3;

/// The plan and instance that checkpoints belong to, and the one to go on from.
pub(crate) struct Suspended<'a> {
    fingerprint: u64,
    resume: Option<&'a Checkpoint>,
}

impl<'a> Suspended<'a> {
    /// # Errors
    /// When `resume` is a checkpoint of another plan, another instance or another version.
    pub(crate) fn new<G: Game>(game: &G, plan: &Plan, resume: Option<&'a Checkpoint>) -> Result<Self, SearchError> {
        let plan_bytes = postcard::to_stdvec(plan).map_err(|error| foreign(&error))?;
        let fingerprint = mix2(digest(&plan_bytes), mix2(FORMAT, game.hash(&game.start())));
        if let Some(checkpoint) = resume {
            if checkpoint.fingerprint != fingerprint {
                return Err(SearchError::ForeignCheckpoint("it belongs to another plan, instance or version".into()));
            }
            if checkpoint.checksum != mix2(digest(&checkpoint.body), checkpoint.expansions) {
                return Err(SearchError::ForeignCheckpoint("its checksum does not match its content".into()));
            }
        }
        Ok(Self { fingerprint, resume })
    }

    /// What the search had spent and found, and where it was; `None` when it begins anew.
    ///
    /// # Errors
    /// When the checkpoint is damaged.
    pub(crate) fn resume<T: DeserializeOwned>(&self) -> Result<Option<(Ledger, T)>, SearchError> {
        self.resume
            .map(|checkpoint| postcard::from_bytes(&checkpoint.body))
            .transpose()
            .map_err(|error| foreign(&error))
    }

    /// A checkpoint of this search.
    pub(crate) fn suspend<T: Serialize>(&self, ledger: &Ledger, snapshot: &T) -> Checkpoint {
        let expansions = ledger.expansions();
        let body = postcard::to_stdvec(&(ledger, snapshot)).unwrap_or_default();
        let checksum = mix2(digest(&body), expansions);
        Checkpoint { expansions, fingerprint: self.fingerprint, checksum, body }
    }
}

fn foreign(error: &postcard::Error) -> SearchError {
    SearchError::ForeignCheckpoint(error.to_string())
}

/// Depends on every byte, the order of all and their number.
fn digest(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(mix(bytes.len() as u64), |state, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix2(state, u64::from_le_bytes(word))
    })
}
