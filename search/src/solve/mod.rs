//! One instance on one machine: plans one after another for as long as the limits allow.

mod plateau;
mod relay;
mod schedule;

use crate::gate::Gate;
use crate::journal::MOST_PROMISING;
use crate::limits::Limits;
use crate::observer::{Found, Observer};
use crate::outcome::{Ending, Outcome};
use crate::plan::{Plan, Strategy};
use crate::root::Root;
use crate::{Runs, carry_out};
use cascade_games::Game;
use cascade_games::mix::mix2;
use plateau::Plateau;
use relay::Relay;
use schedule::{Piece, Schedule, Situation};
use std::cmp::Reverse;
use std::time::Duration;

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
    /// A score that no play can beat, where one is known: a play that reaches it is proved and ends the search.
    pub bound: Option<i64>,
}

/// Searches `game` from its start until `limits` or the budget end it, or nothing is left to look at. The outcome holds a
/// complete play even if it is stopped at once, unless the first listed moves lead nowhere; with a budget in expansions
/// and no deadline it depends on game and options alone. Every improvement's plan can be run again with [`crate::run`].
pub fn solve<G: Game>(game: &G, options: &SolveOptions, limits: &Limits<'_>, observer: &dyn Observer) -> Outcome {
    let mut solver = Solver::new(game, options, limits, observer);
    solver.play_listed_moves();
    solver.end_at_bound();
    let mut schedule = Schedule::new(options.strategy, options.width, options.seed);
    while solver.ending.is_none() {
        let piece = schedule.next(&solver.situation());
        let before = solver.best_score();
        let spent = solver.carry_out(&piece);
        if piece.is_whole {
            schedule.learn(piece.plan.width, spent, solver.best_score() != before);
        }
    }
    solver.outcome()
}

struct Solver<'a, G: Game> {
    game: &'a G,
    options: &'a SolveOptions,
    limits: &'a Limits<'a>,
    observer: &'a dyn Observer,
    best: Option<Found>,
    /// Merits and plays, best first.
    promising: Vec<(i64, Vec<u32>)>,
    plateau: Plateau,
    expansions: u64,
    dearest_run: u64,
    runs: u64,
    trace: u64,
    proved: bool,
    ending: Option<Ending>,
    /// The moment of the clock at which the search began.
    started: Duration,
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
            plateau: Plateau::new(),
            expansions: 0,
            dearest_run: 0,
            runs: 0,
            trace: 0,
            proved: false,
            ending: Gate::new(limits).interrupted(),
            started: limits.clock.now(),
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
            self.promising.push((G::DIRECTION.merit(score), found.moves.clone()));
            self.best = Some(found);
        }
    }

    fn best_score(&self) -> Option<i64> {
        self.best.as_ref().map(|found| found.score)
    }

    fn budget_left(&self) -> u64 {
        self.options.expansions.map_or(u64::MAX, |budget| budget.saturating_sub(self.expansions))
    }

    fn situation(&self) -> Situation<'_> {
        let now = self.limits.clock.now();
        let elapsed = now.saturating_sub(self.started).as_secs_f64();
        let until_deadline = self.limits.deadline.map(|deadline| {
            let speed = self.expansions as f64 / elapsed.max(1e-6);
            (deadline.saturating_sub(now).as_secs_f64() * speed) as u64
        });
        let budget = self.options.expansions.map(|_| self.budget_left());
        Situation {
            best: self.best.as_ref().map(|found| found.moves.as_slice()),
            best_score: self.best_score(),
            next_worse: self.best_score().map(|score| G::DIRECTION.merit(G::DIRECTION.merit(score) - 1)),
            plateau: &self.plateau,
            left: [until_deadline, budget].into_iter().flatten().min(),
            budget_left: self.budget_left(),
        }
    }

    /// One run of a piece's plan; the expansions it took.
    fn carry_out(&mut self, piece: &Piece) -> u64 {
        let before = self.expansions;
        let best = self.best_score();
        let relay =
            Relay { observer: self.observer, direction: G::DIRECTION, expansions: before, runs: self.runs, best };
        let outcome = match carry_out(self.game, &piece.plan, None, self.limits, &relay, Runs::One) {
            Ok(outcome) => outcome,
            Err(_) => {
                self.ending = Some(Ending::Exhausted);
                return 0;
            }
        };
        self.expansions += outcome.expansions;
        self.dearest_run = self.dearest_run.max(outcome.dearest_run);
        self.runs += 1;
        self.trace = mix2(self.trace, outcome.trace);
        if let Some(found) = outcome.best {
            let score = found.score;
            if best.is_none_or(|best| G::DIRECTION.is_better(score, best)) {
                self.best = Some(Found { expansions: before + found.expansions, ..found });
            }
        }
        let game = self.game;
        let scored: Vec<_> =
            outcome.promising.into_iter().filter_map(|play| Some((score_of(game, &play)?, play))).collect();
        if let Some(best) = self.best_score() {
            self.plateau.reach(best, scored.iter().filter(|(score, _)| *score == best).map(|(_, play)| play));
        }
        self.keep_promising(scored);
        self.ending = match outcome.ending {
            Ending::Exhausted if !piece.is_whole => None,
            Ending::Budget => None,
            ending => Some(ending),
        };
        if self.ending.is_none() && self.budget_left() == 0 {
            self.ending = Some(Ending::Budget);
        }
        self.proved |= piece.is_whole && outcome.proved;
        self.end_at_bound();
        outcome.expansions
    }

    /// Ends the search if the best play is as good as a play can be.
    fn end_at_bound(&mut self) {
        let best = self.best_score();
        if best.zip(self.options.bound).is_some_and(|(score, bound)| !G::DIRECTION.is_better(bound, score)) {
            self.proved = true;
            self.ending = Some(Ending::Exhausted);
        }
    }

    /// Merges plays with their scores into the promising ones, best first, earlier ones before later ones of the same
    /// score.
    fn keep_promising(&mut self, scored: Vec<(i64, Vec<u32>)>) {
        for (score, play) in scored {
            if !self.promising.iter().any(|(_, known)| *known == play) {
                self.promising.push((G::DIRECTION.merit(score), play));
            }
        }
        self.promising.sort_by_key(|&(merit, _)| Reverse(merit));
        self.promising.truncate(MOST_PROMISING);
    }

    fn outcome(self) -> Outcome {
        Outcome {
            ending: self.ending.unwrap_or(Ending::Budget),
            proved: self.proved,
            best: self.best,
            expansions: self.expansions,
            dearest_run: self.dearest_run,
            promising: self.promising.into_iter().map(|(_, play)| play).collect(),
            trace: self.trace,
            checkpoint: None,
        }
    }
}

/// The score at the end of a play, if its moves are legal.
fn score_of<G: Game>(game: &G, play: &[u32]) -> Option<i64> {
    Root::replay(game, play).ok().map(|end| game.score(&end.state))
}
