//! One instance on one machine: plans one after another for as long as the limits allow.

use crate::limits::Limits;
use crate::observer::Observer;
use crate::outcome::Outcome;
use cascade_games::Game;

/// Which strategy [`solve`] uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The mix that does best.
    #[default]
    Auto,
    /// Beams only.
    Beam,
    /// Monte-Carlo search only.
    Mcts,
}

/// What a person asks of [`solve`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveOptions {
    /// The strategy.
    pub strategy: Choice,
    /// Beam width or tree size; without one, growing widths.
    pub width: Option<u32>,
    /// Seed of all randomness.
    pub seed: u64,
    /// Budget in expansions; without one, only the limits end the search.
    pub expansions: Option<u64>,
}

/// Searches `game` from its start until `limits` or the budget end it, or the best play is proved optimal. The outcome
/// always holds a complete play where the game has one.
pub fn solve<G: Game>(_game: &G, _options: &SolveOptions, _limits: &Limits<'_>, _observer: &dyn Observer) -> Outcome {
    unimplemented!()
}
