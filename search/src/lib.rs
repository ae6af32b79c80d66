//! Deterministic parallel searches, generic over a [`cascade_games::Game`].
//!
//! [`run`] carries out one [`Plan`]; the same plan gives the same result on any machine with any number of threads,
//! unless a clock or a stop flag cuts it short. [`solve`] and [`prove`] take a whole instance: the one looks for the best
//! play it can, the other goes on until nothing better can be left.

mod beam;
mod checkpoint;
mod gate;
mod journal;
mod known;
mod limits;
mod mcts;
mod observer;
mod outcome;
mod plan;
mod prove;
mod random;
mod replay;
mod root;
mod solve;

pub use limits::{Clock, Limits, StopFlag, SystemClock};
pub use observer::{Found, Observer, Progress};
pub use outcome::{Checkpoint, Ending, Outcome, SearchError};
pub use plan::{Plan, Strategy, Window};
pub use prove::{Proof, ProveOptions, prove};
pub use solve::{Choice, SolveOptions, solve};

use cascade_games::Game;
use checkpoint::Suspended;
use gate::Gate;

/// Carries out `plan` from its partial state, or goes on from `resume`, in the current rayon pool.
///
/// # Errors
/// When the plan's prefix is not legal in `game`, the width is 0, or the checkpoint is not of this plan.
pub fn run<G: Game>(
    game: &G,
    plan: &Plan,
    resume: Option<&Checkpoint>,
    limits: &Limits<'_>,
    observer: &dyn Observer,
) -> Result<Outcome, SearchError> {
    carry_out(game, plan, resume, limits, observer, Runs::UntilSpent)
}

/// How often a search may start anew.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    One,
    UntilSpent,
}

fn carry_out<G: Game>(
    game: &G,
    plan: &Plan,
    resume: Option<&Checkpoint>,
    limits: &Limits<'_>,
    observer: &dyn Observer,
    runs: Runs,
) -> Result<Outcome, SearchError> {
    if plan.width == 0 {
        return Err(SearchError::NoWidth);
    }
    let suspended = Suspended::new(game, plan, resume)?;
    let mut gate = Gate::new(limits);
    match plan.strategy {
        Strategy::Beam => beam::search(game, plan, &suspended, &mut gate, observer, runs),
        Strategy::Mcts => mcts::search(game, plan, &suspended, &mut gate, observer, runs),
    }
}
