//! The positions of a layer, found again.

use crate::random::AsIs;
use cascade_games::Game;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

/// Finds states again by hash. Never iterated over, so its order does not matter.
#[derive(Default)]
pub(crate) struct Known {
    newest: HashMap<u64, u32, BuildHasherDefault<AsIs>>,
    /// For each state the one before it with the same hash.
    before: Vec<Option<u32>>,
}

impl Known {
    /// The rank of the position that `state` is, whose hash is `hash`, among `states`; full positions are compared.
    pub(crate) fn find<G: Game>(&self, game: &G, hash: u64, state: &G::State, states: &[G::State]) -> Option<usize> {
        let mut next = self.newest.get(&hash).copied();
        while let Some(rank) = next {
            if game.same_position(&states[rank as usize], state) {
                return Some(rank as usize);
            }
            next = self.before[rank as usize];
        }
        None
    }

    /// Adds the next state, whose hash is `hash`.
    pub(crate) fn add(&mut self, hash: u64) {
        let rank = self.before.len() as u32;
        self.before.push(match self.newest.entry(hash) {
            Entry::Occupied(mut entry) => Some(entry.insert(rank)),
            Entry::Vacant(entry) => {
                entry.insert(rank);
                None
            }
        });
    }
}
