//! Monte-Carlo search for one player.
//!
//! A run grows a fixed number of trees, each with its own random numbers, in batches of fixed size; between batches
//! the best play of all is reported, and each tree's rollout policy learns from the tree's own best play ([`policy`]).
//! A node's moves are ranked by the estimate, and edges are followed by an upper confidence bound over mean and best
//! ([`tree`]); rollouts are noisy and greedy over moves drawn by the policy ([`rollout`]). A run ends when its trees
//! are full and had as many iterations again; then the next begins with another seed. Nothing depends on the number
//! of threads.

mod policy;
mod rollout;
mod scene;
mod tree;

use crate::Runs;
use crate::checkpoint::Suspended;
use crate::gate::Gate;
use crate::journal::Journal;
use crate::observer::Observer;
use crate::outcome::{Ending, Outcome, SearchError};
use crate::plan::Plan;
use crate::random::run_seed;
use crate::root::Root;
use cascade_games::Game;
use cascade_games::mix::mix2;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use scene::Scene;
use serde::{Deserialize, Serialize};
use tree::{Tree, TreeRecord};

/// Trees of a run.
const TREES: u32 = 16;
/// Expansions that a tree spends in a batch; its last iteration may go beyond.
const BATCH: u64 = 2048;

/// A run between two batches, as a checkpoint keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Snapshot {
    batch: u64,
    trees: Vec<TreeRecord>,
}

struct Forest<S> {
    /// Batches so far.
    batch: u64,
    trees: Vec<Tree<S>>,
}

/// Carries out a plan by Monte-Carlo search.
pub(crate) fn search<G: Game>(
    game: &G,
    plan: &Plan,
    suspended: &Suspended<'_>,
    gate: &mut Gate<'_>,
    observer: &dyn Observer,
    runs: Runs,
) -> Result<Outcome, SearchError> {
    let root = Root::replay(game, &plan.prefix)?;
    let scene = Scene { game, root: &root, window: plan.decoded_window(game) };
    let (ledger, mut snapshot) = suspended.resume::<Snapshot>()?.unzip();
    let mut journal = Journal::new(plan, G::DIRECTION, observer, ledger.unwrap_or_default());
    if game.is_complete(&root.state) && snapshot.is_none() {
        journal.begin_run(plan.seed);
        journal.complete(game.score(&root.state), root.moves.clone());
    }
    let budget = (plan.width / TREES).max(1) as usize;
    loop {
        if snapshot.is_none() {
            if game.is_over(&root.state) || !journal.counts(game.bound(&root.state)) {
                return Ok(journal.exhausted(true));
            }
            if journal.is_spent() {
                return Ok(journal.finish(Ending::Budget, None));
            }
        }
        let seed = run_seed(plan.seed, journal.runs());
        let mut forest = match snapshot.take() {
            Some(snapshot) => Forest::rebuild(&scene, budget, snapshot).map_err(SearchError::ForeignCheckpoint)?,
            None => {
                journal.begin_run(seed);
                Forest::new(&root.state, budget)
            }
        };
        while !forest.is_done() {
            if journal.is_spent() {
                return Ok(journal.finish(Ending::Budget, None));
            }
            journal.mark();
            if let Some(ending) = gate.interrupted() {
                let checkpoint = suspended.suspend(&journal.marked(), &forest.snapshot());
                return Ok(journal.finish(ending, Some(checkpoint)));
            }
            if gate.checkpoint_due() {
                journal.checkpoint(suspended.suspend(&journal.marked(), &forest.snapshot()));
            }
            forest.grow(&scene, seed, &mut journal);
        }
        for tree in &forest.trees {
            if let Some(play) = tree.best() {
                journal.promise(play.score, root.play(play.moves.iter().copied()));
            }
        }
        if let Some(tree) = forest.trees.iter().find(|tree| tree.is_closed() && !tree.is_lossy()) {
            debug_assert!(tree.best().is_none_or(|play| !journal.counts(play.score)));
            return Ok(journal.exhausted(game.moves_keep_optimum()));
        }
        journal.end_run();
        if runs == Runs::One {
            return Ok(journal.finish(Ending::Budget, None));
        }
    }
}

impl<S: Clone + Send + Sync> Forest<S> {
    fn new(root: &S, budget: usize) -> Self {
        Self { batch: 0, trees: (0..TREES).map(|_| Tree::new(root, budget)).collect() }
    }

    /// Whether no tree is worth another batch.
    fn is_done(&self) -> bool {
        self.trees.iter().any(|tree| tree.is_closed() && !tree.is_lossy())
            || self.trees.iter().all(|tree| tree.is_closed() || tree.is_tired())
    }

    /// Gives every open tree a batch of iterations, then lets it learn.
    fn grow<G: Game<State = S>>(&mut self, scene: &Scene<'_, G>, seed: u64, journal: &mut Journal<'_>) {
        let batch_seed = mix2(seed, self.batch);
        let counts = |bound| journal.counts(bound);
        let spent: u64 = self
            .trees
            .par_iter_mut()
            .enumerate()
            .map(|(index, tree)| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(mix2(batch_seed, index as u64));
                let mut spent = 0;
                while spent < BATCH && !tree.is_closed() && !tree.is_tired() {
                    // An iteration from a leaf that is full or over may apply no move; it must not be free.
                    spent += tree.iterate(scene, &mut random, &counts).max(1);
                }
                tree.learn(scene);
                spent
            })
            .sum();
        self.batch += 1;
        journal.spend(spent);
        let plays = self.trees.iter().filter_map(Tree::best);
        let best = plays.min_by_key(|play| std::cmp::Reverse(G::DIRECTION.merit(play.score)));
        if let Some(play) = best
            && journal.counts(play.score)
        {
            journal.complete(play.score, scene.root.play(play.moves.iter().copied()));
        }
        journal.note(self.trees.iter().fold(spent, |digest, tree| mix2(digest, tree.digest())));
        journal.progress(self.trees.iter().map(Tree::depth).max().unwrap_or(0));
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { batch: self.batch, trees: self.trees.iter().map(Tree::record).collect() }
    }

    fn rebuild<G: Game<State = S>>(scene: &Scene<'_, G>, budget: usize, snapshot: Snapshot) -> Result<Self, String> {
        if snapshot.trees.len() != TREES as usize {
            return Err(format!("{} trees instead of {TREES}", snapshot.trees.len()));
        }
        let trees = snapshot.trees.into_par_iter().map(|record| Tree::rebuild(scene, budget, record));
        Ok(Self { batch: snapshot.batch, trees: trees.collect::<Result<_, _>>()? })
    }
}
