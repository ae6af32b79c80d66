//! Monte-Carlo search for one player.
//!
//! A run grows a fixed number of trees, each with its own random numbers, by an iteration each at a time; after each such
//! round the best play of all is reported, and after some of them each tree's rollout policy learns from the tree's own
//! best play ([`policy`]). A node's moves are ranked by the estimate, and edges are followed by an upper confidence bound
//! over mean and best ([`tree`]); rollouts are narrow beams over moves drawn by the policy ([`rollout`]), the wider the
//! larger the trees may grow. A run ends when its trees are full and had as many iterations again; then the next begins
//! with another seed. A round that is interrupted never was. Nothing depends on the number of threads.

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
use tree::{Iteration, Tree, TreeRecord};

/// Trees of a run.
const TREES: u32 = 16;
/// Rounds between two lessons of the policies.
const LESSON: u64 = 4;
/// Rollouts are wider by one for so many nodes that a run may have.
const NODES_A_STATE: u32 = 32;
/// The widest rollouts.
const WIDEST_ROLLOUT: u32 = 32;

/// A run between two rounds, as a checkpoint keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Snapshot {
    round: u64,
    trees: Vec<TreeRecord>,
}

struct Forest<S> {
    /// Rounds so far.
    round: u64,
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
    let scene = Scene {
        game,
        root: &root,
        window: plan.decoded_window(game),
        nodes: (plan.width / TREES).max(1) as usize,
        rollout_width: (plan.width / NODES_A_STATE).clamp(1, WIDEST_ROLLOUT) as usize,
    };
    let (ledger, mut snapshot) = suspended.resume::<Snapshot>()?.unzip();
    let mut journal = Journal::new(plan, G::DIRECTION, observer, ledger.unwrap_or_default());
    if game.is_complete(&root.state) && snapshot.is_none() {
        journal.begin_run(plan.seed);
        journal.complete(game.score(&root.state), root.moves.clone());
    }
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
            Some(snapshot) => Forest::rebuild(&scene, snapshot).map_err(SearchError::ForeignCheckpoint)?,
            None => {
                journal.begin_run(seed);
                Forest::new(&root.state)
            }
        };
        while !forest.is_done(scene.nodes) {
            if journal.is_spent() {
                return Ok(journal.finish(Ending::Budget, None));
            }
            journal.mark();
            if gate.checkpoint_due() {
                journal.checkpoint(suspended.suspend(&journal.marked(), &forest.snapshot()));
            }
            if let Err(ending) = forest.grow(&scene, seed, gate, &mut journal) {
                let checkpoint = suspended.suspend(&journal.marked(), &forest.snapshot());
                return Ok(journal.finish(ending, Some(checkpoint)));
            }
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
    fn new(root: &S) -> Self {
        Self { round: 0, trees: (0..TREES).map(|_| Tree::new(root)).collect() }
    }

    /// Whether no tree is worth another round. A tree grows to so many `nodes`.
    fn is_done(&self, nodes: usize) -> bool {
        self.trees.iter().any(|tree| tree.is_closed() && !tree.is_lossy())
            || self.trees.iter().all(|tree| tree.is_closed() || tree.is_tired(nodes))
    }

    /// Gives every open tree an iteration, and now and then a lesson.
    ///
    /// # Errors
    /// Why it was interrupted; then nothing has changed.
    fn grow<G: Game<State = S>>(
        &mut self,
        scene: &Scene<'_, G>,
        seed: u64,
        gate: &Gate<'_>,
        journal: &mut Journal<'_>,
    ) -> Result<(), Ending> {
        let round_seed = mix2(seed, self.round);
        let counts = |bound| journal.counts(bound);
        let open = self.trees.par_iter_mut().enumerate().with_max_len(1);
        let open = open.filter(|(_, tree)| !tree.is_closed() && !tree.is_tired(scene.nodes));
        let looks = open.map(|(index, tree)| {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(mix2(round_seed, index as u64));
            Ok((tree.look(scene, gate, &mut random, &counts)?, tree))
        });
        let iterations: Vec<(Iteration<S>, &mut Tree<S>)> = looks.collect::<Result<_, Ending>>()?;
        let mut spent = 0;
        for (iteration, tree) in iterations {
            spent += iteration.expansions();
            tree.book(scene, iteration);
        }
        self.round += 1;
        if self.round.is_multiple_of(LESSON) {
            self.trees.par_iter_mut().for_each(|tree| tree.learn(scene));
        }
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
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot { round: self.round, trees: self.trees.iter().map(Tree::record).collect() }
    }

    fn rebuild<G: Game<State = S>>(scene: &Scene<'_, G>, snapshot: Snapshot) -> Result<Self, String> {
        if snapshot.trees.len() != TREES as usize {
            return Err(format!("{} trees instead of {TREES}", snapshot.trees.len()));
        }
        let trees = snapshot.trees.into_par_iter().map(|record| Tree::rebuild(scene, record));
        Ok(Self { round: snapshot.round, trees: trees.collect::<Result<_, _>>()? })
    }
}
