//! What stays the same through a Monte-Carlo search.

use crate::root::Root;
use cascade_games::Game;

pub(crate) struct Scene<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) root: &'a Root<G::State>,
    /// Moves to search, and the moves to replay after them.
    pub(crate) window: Option<(u32, Vec<G::Move>)>,
    /// Nodes that a tree grows to.
    pub(crate) nodes: usize,
    /// Width of the beams that play on from leaves.
    pub(crate) rollout_width: usize,
}

impl<G: Game> Scene<'_, G> {
    /// Whether the search goes no deeper than `depth` moves below the root.
    pub(crate) fn is_window_end(&self, depth: u32) -> bool {
        self.window.as_ref().is_some_and(|&(length, _)| depth >= length)
    }
}
