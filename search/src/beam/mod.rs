//! Beam search, restarted with further seeds while budget is left.
//!
//! A run goes layer by layer. Blocks of parents are expanded in parallel ([`expand`]) into small records that stream
//! through a running cut-off ([`candidates`]); the best of them become states ([`select`]); how they came about is a
//! pruned tree ([`ancestry`]). One total order (estimate with noise, hash, parent's rank, move) decides every tie, and
//! no size depends on the number of threads, so neither does the result.
//!
//! Seed 0 plays without noise. Any other seed adds to each position's estimate a number that depends on the seed and
//! the position alone. A restart has to beat the best of the runs before it.

pub(crate) mod ancestry;
mod candidates;
pub(crate) mod expand;
mod run;
mod select;

use crate::Runs;
use crate::checkpoint::Suspended;
use crate::gate::Gate;
use crate::journal::Journal;
use crate::observer::Observer;
use crate::outcome::{Ending, Outcome, SearchError};
use crate::plan::Plan;
use crate::random::{Noise, run_seed};
use crate::root::Root;
use ancestry::Ancestry;
use cascade_games::Game;
use run::{Beam, Course, End, rebuild};
use serde::{Deserialize, Serialize};

/// Noise of a run whose seed is not 0, in thousandths of the game's estimate unit, either way.
const NOISE: i64 = 1500;

/// A beam between two layers, as a checkpoint keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Snapshot {
    ancestry: Ancestry,
    lossy: bool,
}

/// Carries out a plan by beams.
pub(crate) fn search<G: Game>(
    game: &G,
    plan: &Plan,
    suspended: &Suspended<'_>,
    gate: &mut Gate<'_>,
    observer: &dyn Observer,
    runs: Runs,
) -> Result<Outcome, SearchError> {
    let root = Root::replay(game, &plan.prefix)?;
    let (ledger, mut snapshot) = suspended.resume::<Snapshot>()?.unzip();
    let mut journal = Journal::new(plan, G::DIRECTION, observer, ledger.unwrap_or_default());
    let window = plan.decoded_window(game);
    let amplitude = game.estimate_unit().saturating_mul(NOISE) / 1000;
    let mut course = Course { game, root: &root, width: plan.width, noise: Noise::new(0, 0), window };
    if game.is_complete(&root.state) && snapshot.is_none() {
        journal.begin_run(plan.seed);
        journal.complete(game.score(&root.state), root.moves.clone());
    }
    let ending = loop {
        if snapshot.is_none() {
            if game.is_over(&root.state) || !journal.counts(game.bound(&root.state)) {
                return Ok(journal.exhausted(true));
            }
            if journal.is_spent() {
                break Ending::Budget;
            }
        }
        let seed = run_seed(plan.seed, journal.runs());
        course.noise = Noise::new(seed, if seed == 0 { 0 } else { amplitude });
        let mut beam = match snapshot.take() {
            Some(Snapshot { ancestry, lossy }) => {
                let states = rebuild(game, &root.state, &ancestry).map_err(SearchError::ForeignCheckpoint)?;
                Beam { ancestry, states, lossy }
            }
            None => {
                journal.begin_run(seed);
                Beam::new(&root)
            }
        };
        let end = beam.run(&course, gate, &mut journal, |beam, gate, journal| {
            if gate.checkpoint_due() {
                journal.checkpoint(suspended.suspend(&journal.marked(), &beam.snapshot()));
            }
        });
        match end {
            End::Done { all: true } => return Ok(journal.exhausted(game.moves_keep_optimum())),
            End::Done { all: false } => {
                journal.end_run();
                if runs == Runs::One {
                    break Ending::Budget;
                }
            }
            End::Spent => break Ending::Budget,
            End::Interrupted(ending) => {
                let checkpoint = suspended.suspend(&journal.marked(), &beam.snapshot());
                return Ok(journal.finish(ending, Some(checkpoint)));
            }
        }
    };
    Ok(journal.finish(ending, None))
}

impl<S> Beam<S> {
    fn snapshot(&self) -> Snapshot {
        Snapshot { ancestry: self.ancestry.clone(), lossy: self.lossy }
    }
}
