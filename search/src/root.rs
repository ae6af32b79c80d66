//! The partial state a search starts from.

use crate::outcome::SearchError;
use cascade_games::Game;

/// A state and the encoded moves that led to it.
pub(crate) struct Root<S> {
    pub(crate) state: S,
    pub(crate) moves: Vec<u32>,
}

impl<S> Root<S> {
    /// Plays `prefix` from the start of `game`.
    pub(crate) fn replay<G: Game<State = S>>(game: &G, prefix: &[u32]) -> Result<Self, SearchError> {
        let mut state = game.start();
        for (index, &code) in prefix.iter().enumerate() {
            let legal = game.decode(code).filter(|&mv| game.is_legal(&state, mv));
            let mv = legal.ok_or(SearchError::IllegalPrefix(index + 1))?;
            game.apply(&mut state, mv);
        }
        Ok(Self { state, moves: prefix.to_vec() })
    }

    /// The whole play that goes on from here with `moves`.
    pub(crate) fn play(&self, moves: impl IntoIterator<Item = u32>) -> Vec<u32> {
        self.moves.iter().copied().chain(moves).collect()
    }
}
