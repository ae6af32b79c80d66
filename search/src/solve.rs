//! One instance on one machine: plans one after another for as long as the limits allow.

use crate::gate::Gate;
use crate::journal::MOST_PROMISING;
use crate::limits::Limits;
use crate::observer::{Found, Observer, Progress};
use crate::outcome::{Ending, Outcome};
use crate::plan::{Plan, Strategy};
use crate::random::run_seed;
use crate::{Runs, carry_out};
use cascade_games::Game;
use cascade_games::mix::mix2;

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
pub fn solve<G: Game>(game: &G, options: &SolveOptions, limits: &Limits<'_>, observer: &dyn Observer) -> Outcome {
    let mut solver = Solver::new(game, options, limits, observer);
    solver.play_listed_moves();
    let mut piece = 0;
    while solver.ending.is_none() {
        let width = options.width.unwrap_or_else(|| 1 << (piece / 2).min(17));
        let strategy = if options.strategy == Choice::Mcts { Strategy::Mcts } else { Strategy::Beam };
        solver.carry_out(strategy, width, run_seed(options.seed, piece));
        piece += 1;
    }
    solver.outcome()
}

struct Solver<'a, G: Game> {
    game: &'a G,
    options: &'a SolveOptions,
    limits: &'a Limits<'a>,
    observer: &'a dyn Observer,
    best: Option<Found>,
    promising: Vec<Vec<u32>>,
    expansions: u64,
    runs: u64,
    trace: u64,
    proved: bool,
    ending: Option<Ending>,
}

impl<'a, G: Game> Solver<'a, G> {
    fn new(game: &'a G, options: &'a SolveOptions, limits: &'a Limits<'a>, observer: &'a dyn Observer) -> Self {
        Self {
            game,
            options,
            limits,
            observer,
            best: None,
            promising: Vec::new(),
            expansions: 0,
            runs: 0,
            trace: 0,
            proved: false,
            ending: Gate::new(limits).interrupted(),
        }
    }

    /// An answer before any search: the first listed moves, to the end of the play.
    fn play_listed_moves(&mut self) {
        let game = self.game;
        let mut state = game.start();
        let mut play = Vec::new();
        let mut best: Option<(i64, usize)> = None;
        let mut moves = Vec::new();
        loop {
            let score = game.score(&state);
            if game.is_complete(&state) && best.is_none_or(|(known, _)| G::DIRECTION.is_better(score, known)) {
                best = Some((score, play.len()));
            }
            moves.clear();
            game.moves(&state, &mut moves);
            let Some(&mv) = moves.first().filter(|_| !game.is_over(&state)) else { break };
            game.apply(&mut state, mv);
            play.push(game.encode(mv));
        }
        if let Some((score, length)) = best {
            play.truncate(length);
            let plan = Plan::new(play.clone(), Strategy::Beam, 1, self.options.seed, 0);
            let found = Found { moves: play, score, expansions: 0, plan };
            self.observer.improved(&found);
            self.best = Some(found);
        }
    }

    /// One run of `strategy` from the start.
    fn carry_out(&mut self, strategy: Strategy, width: u32, seed: u64) {
        let left = self.options.expansions.map_or(u64::MAX, |budget| budget.saturating_sub(self.expansions));
        let beat = self.best.as_ref().map(|found| found.score);
        let plan = Plan { beat, ..Plan::new(Vec::new(), strategy, width, seed, left) };
        let relay = Relay { observer: self.observer, expansions: self.expansions, runs: self.runs, best: beat };
        let Ok(outcome) = carry_out(self.game, &plan, None, self.limits, &relay, Runs::One) else {
            self.ending = Some(Ending::Exhausted);
            return;
        };
        let before = self.expansions;
        self.expansions += outcome.expansions;
        self.runs += 1;
        self.trace = mix2(self.trace, outcome.trace);
        if let Some(found) = outcome.best {
            self.best = Some(Found { expansions: before + found.expansions, ..found });
        }
        let earlier = std::mem::take(&mut self.promising);
        self.promising = outcome.promising;
        self.promising.extend(earlier);
        self.promising.truncate(MOST_PROMISING);
        self.ending = match outcome.ending {
            Ending::Budget if self.options.expansions.is_none_or(|budget| self.expansions < budget) => None,
            ending => Some(ending),
        };
        self.proved |= outcome.proved;
    }

    fn outcome(self) -> Outcome {
        Outcome {
            ending: self.ending.unwrap_or(Ending::Budget),
            proved: self.proved,
            best: self.best,
            expansions: self.expansions,
            promising: self.promising,
            trace: self.trace,
            checkpoint: None,
        }
    }
}

/// Tells the person's observer of one plan's search as part of the whole.
struct Relay<'a> {
    observer: &'a dyn Observer,
    expansions: u64,
    runs: u64,
    best: Option<i64>,
}

impl Observer for Relay<'_> {
    fn improved(&self, found: &Found) {
        self.observer.improved(&Found { expansions: self.expansions + found.expansions, ..found.clone() });
    }

    fn progress(&self, progress: &Progress) {
        self.observer.progress(&Progress {
            expansions: self.expansions + progress.expansions,
            runs: self.runs + progress.runs,
            layer: progress.layer,
            best: progress.best.or(self.best),
        });
    }
}
