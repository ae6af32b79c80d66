//! What [`super::solve`] tries next.
//!
//! Beams from the start, each four times as wide as the last, alternate with repairs: part of a play as good as the best
//! is kept and the rest searched anew. A repair that does as well by other moves gives one more such play, so that repairs
//! walk on from one to the next ([`Plateau`]). The widest beam is sized to what is left of the budget, its repairs
//! included, because a beam cut short may have nothing to show.
//!
//! In long plays, a wide beam often does worse than the best of many narrow ones with other seeds. There, effort is
//! shared among the widths, the one that found the best getting most, and a wider one is begun when its turn comes.
//!
//! All of it follows from expansions alone, but for a deadline, which is turned into expansions
//! by the speed measured so far: the one place where a clock steers a search.

use super::Choice;
use super::plateau::Plateau;
use crate::plan::{Plan, Strategy, Window};
use crate::random::run_seed;
use cascade_games::mix::mix2;
use std::collections::BTreeMap;

/// Each beam from the start is wider than the last by this factor.
const GROWTH: u32 = 4;
/// The widest beam, and the most nodes, that are chosen unasked: memory is bounded.
const WIDEST: u32 = 1 << 20;
/// The nodes of the first Monte-Carlo run.
const FIRST_NODES: u32 = 32;
/// Repairs after each beam from the start.
const REPAIRS: u64 = 12;
/// The same in long plays, where each searches a window anew.
const WINDOW_REPAIRS: u64 = 2;
/// A beam from the start with its repairs, of plays that are not long, costs so many times what it does alone.
const WITH_REPAIRS: u64 = 8;
/// One repair in so many keeps nothing of the play.
const AFRESH: u64 = 10;
/// Plays longer than this are repaired in windows, shorter ones from a prefix on.
const LONG_PLAY: usize = 64;
/// Width of the beam that goes before those of a width asked for: a fair answer, should they not come to their end.
const WARM_UP: u32 = 64;
/// In long plays, effort on the width that found the best counts for this part only when widths take turns.
const WINNER_DISCOUNT: u64 = 4;
/// Of what is left, the share that the last wide beam is sized to, in percent.
const LAST_SHARE: u64 = 65;

/// What a solver knows when it asks for the next piece.
pub(super) struct Situation<'a> {
    /// The best play, if there is one.
    pub(super) best: Option<&'a [u32]>,
    pub(super) best_score: Option<i64>,
    /// What a play must beat to be as good as the best.
    pub(super) next_worse: Option<i64>,
    /// Plays as good as the best.
    pub(super) plateau: &'a Plateau,
    /// Expansions left, as far as the limits tell.
    pub(super) left: Option<u64>,
    /// The most that the budget allows.
    pub(super) budget_left: u64,
}

/// Decides piece after piece.
pub(super) struct Schedule {
    choice: Choice,
    fixed_width: Option<u32>,
    seed: u64,
    piece: u64,
    /// Width of the next beam from the start.
    next_width: u32,
    /// Width of the repairs that follow; in windows of long plays a multiple of it.
    repair_width: u32,
    /// Expansions spent on runs from the start, by width.
    efforts: BTreeMap<u32, u64>,
    /// Width of the last of them that found a better play than all before.
    winner: u32,
    /// Expansions that a beam from the start costs for each state of its width; unknown at first.
    cost: Option<u64>,
    repairs_due: u64,
    /// Repairs begun.
    repairs: u64,
    /// Whether there is no room for a wider beam and its repairs: repairs go on to the end.
    is_widest: bool,
    /// Whether the beam before those of a width asked for was run.
    is_warm: bool,
}

/// One plan, run once.
pub(super) struct Piece {
    pub(super) plan: Plan,
    /// Whether it searches the whole instance.
    pub(super) is_whole: bool,
}

impl Schedule {
    pub(super) fn new(choice: Choice, fixed_width: Option<u32>, seed: u64) -> Self {
        let next_width = if choice == Choice::Mcts { FIRST_NODES } else { 1 };
        Self {
            choice,
            fixed_width,
            seed,
            piece: 0,
            next_width,
            repair_width: 1,
            efforts: BTreeMap::new(),
            winner: next_width,
            cost: None,
            repairs_due: 0,
            repairs: 0,
            is_widest: false,
            is_warm: false,
        }
    }

    /// The next piece.
    pub(super) fn next(&mut self, situation: &Situation<'_>) -> Piece {
        let seed = run_seed(self.seed, self.piece);
        self.piece += 1;
        let plan = |prefix, strategy, width, window| Plan {
            window,
            beat: situation.best_score,
            ..Plan::new(prefix, strategy, width, seed, situation.budget_left)
        };
        if self.choice == Choice::Auto
            && self.repairs_due > 0
            && let Some(best) = situation.best.filter(|best| best.len() > 1)
        {
            self.repairs += 1;
            if best.len() > LONG_PLAY {
                self.repairs_due -= 1;
                let (prefix, window, width) = self.repair_window(best, seed);
                return Piece { plan: plan(prefix, Strategy::Beam, width, Some(window)), is_whole: false };
            }
            self.repairs_due -= u64::from(!self.is_widest);
            let plays = situation.plateau.plays();
            let play = plays.get(draw(seed, 4, 0, plays.len())).map_or(best, Vec::as_slice);
            let kept = if self.repairs.is_multiple_of(AFRESH) { 0 } else { kept(play.len(), seed) };
            let width = self.fitting(play.len(), kept, situation.left);
            let plan = Plan { beat: situation.next_worse, ..plan(play[..kept].to_vec(), Strategy::Beam, width, None) };
            return Piece { plan, is_whole: kept == 0 };
        }
        if !self.is_warm && self.fixed_width.is_some_and(|width| width > WARM_UP) {
            self.is_warm = true;
            self.piece = 0;
            let plan = Plan { seed: 0, ..plan(Vec::new(), Strategy::Beam, WARM_UP, None) };
            return Piece { plan, is_whole: true };
        }
        let strategy = if self.choice == Choice::Mcts { Strategy::Mcts } else { Strategy::Beam };
        let is_long = strategy == Strategy::Beam && situation.best.is_some_and(|best| best.len() > LONG_PLAY);
        let width = match self.fixed_width {
            Some(width) => width,
            None if is_long => self.take_turns(situation.left),
            None => self.widen(situation.left),
        };
        self.repair_width = if is_long { self.winner.min(width) } else { width };
        self.repairs_due = if is_long { WINDOW_REPAIRS } else { REPAIRS };
        let mut plan = plan(Vec::new(), strategy, width, None);
        if is_long && self.fixed_width.is_none() && !self.efforts.contains_key(&width) {
            // Noise helps restarts; the first run of a width does without.
            plan.seed = 0;
        }
        Piece { plan, is_whole: true }
    }

    /// Takes note of what a whole run of `width` cost, and whether it found a better play.
    pub(super) fn learn(&mut self, width: u32, expansions: u64, improved: bool) {
        *self.efforts.entry(width).or_default() += expansions;
        if improved {
            self.winner = width;
        }
        // Later runs have more to beat and end sooner; the dearest run of this width or wider tells what to expect.
        let cost = expansions.div_ceil(u64::from(width.max(1))).max(1);
        self.cost = Some(if width > 1 { cost } else { self.cost.unwrap_or(cost).max(cost) });
    }

    /// The width of the next run from the start.
    fn widen(&mut self, left: Option<u64>) -> u32 {
        let width = self.next_width;
        self.next_width = width.saturating_mul(GROWTH).min(WIDEST);
        let (Some(left), Some(cost), Choice::Auto | Choice::Beam) = (left, self.cost, self.choice) else {
            return width;
        };
        let (with_repairs, share) = match self.choice {
            Choice::Auto => (WITH_REPAIRS, 100 / WITH_REPAIRS),
            Choice::Beam | Choice::Mcts => (1, LAST_SHARE),
        };
        let of_width = |width: u32| cost.saturating_mul(with_repairs).saturating_mul(u64::from(width));
        if of_width(width).saturating_add(of_width(self.next_width)) <= left {
            return width;
        }
        // There is no room for this run and a wider one: one run as wide as may be.
        let widest = left.saturating_mul(share) / 100 / cost;
        self.next_width = width;
        self.is_widest = true;
        u32::try_from(widest).unwrap_or(WIDEST).clamp(1, WIDEST)
    }

    /// The width whose effort, another run included, would be least: of those from a step below the one that found the
    /// best up to the next one, as far as a run of it fits what is left.
    fn take_turns(&mut self, left: Option<u64>) -> u32 {
        let (cost, winner, next) = (self.cost.unwrap_or(1), self.winner, self.next_width);
        let run = |width: u32| cost.saturating_mul(width.into());
        let effort = |width: u32| {
            let effort = self.efforts.get(&width).copied().unwrap_or(0).saturating_add(run(width));
            if width == winner { effort / WINNER_DISCOUNT } else { effort }
        };
        let tried = self.efforts.keys().copied().filter(|&width| width >= winner / GROWTH);
        let fitting = tried.chain([next]).filter(|&width| left.is_none_or(|left| run(width) <= left / 2));
        let width = fitting.min_by_key(|&width| (effort(width), width)).unwrap_or(winner);
        if width == next {
            self.next_width = next.saturating_mul(GROWTH).min(WIDEST);
        }
        width
    }

    /// The width of a repair that keeps `kept` of a play's `moves`: that of the beam before it, as far as it fits what is
    /// left.
    fn fitting(&self, moves: usize, kept: usize, left: Option<u64>) -> u32 {
        let (Some(left), Some(cost)) = (left, self.cost) else { return self.repair_width };
        let (moves, searched) = (moves.max(1) as u64, (moves - kept).max(1) as u64);
        let widest = left.saturating_mul(moves) / searched / cost;
        u32::try_from(widest).unwrap_or(WIDEST).clamp(1, self.repair_width)
    }

    /// A window of `best` to search anew, the moves before it, and how wide to search.
    fn repair_window(&self, best: &[u32], seed: u64) -> (Vec<u32>, Window, u32) {
        let length = draw(seed, 2, best.len() / 32, best.len() / 4).clamp(4, 256);
        let start = draw(seed, 3, 0, best.len() - length.min(best.len() - 1));
        let end = (start + length).min(best.len());
        // As dear as a quarter of the last run from the start.
        let share = (best.len() / (4 * length)).max(1) as u32;
        let width = self.repair_width.saturating_mul(share).min(WIDEST);
        let window = Window { length: length as u32, suffix: best[end..].to_vec() };
        (best[..start].to_vec(), window, width)
    }
}

/// How many of a play's `moves` a repair keeps: at least one, at most three quarters.
fn kept(moves: usize, seed: u64) -> usize {
    draw(seed, 1, 1, (moves * 3 / 4).max(2))
}

/// A number from `from` up to below `to`, or `from` where there is none.
fn draw(seed: u64, salt: u64, from: usize, to: usize) -> usize {
    let span = to.saturating_sub(from).max(1) as u64;
    from + (mix2(seed, salt) % span) as usize
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn situation(best: Option<&[u32]>, left: u64) -> Situation<'_> {
        static NOWHERE: Plateau = Plateau::new();
        let best_score = best.map(|_| 1);
        Situation { best, best_score, next_worse: best_score, plateau: &NOWHERE, left: Some(left), budget_left: left }
    }

    fn widths(left: u64, cost: u64) -> Vec<u32> {
        let mut schedule = Schedule::new(Choice::Beam, None, 1);
        let mut left = left;
        let mut widths = Vec::new();
        while left > cost {
            let width = schedule.next(&situation(None, left)).plan.width;
            let spent = cost * u64::from(width);
            schedule.learn(width, spent, false);
            widths.push(width);
            left = left.saturating_sub(spent);
        }
        widths
    }

    #[test]
    fn the_widest_beam_takes_most_of_the_budget_and_fits_it() {
        let widths = widths(30_000_000, 1_500);
        assert_eq!(widths[..4], [1, 4, 16, 64]);
        let widest = *widths.iter().max().unwrap();
        assert!(widest > 10_000 && widest < 20_000, "{widths:?}");
    }

    #[test]
    fn a_width_asked_for_is_used_with_the_seed_asked_for_after_a_narrow_beam() {
        let mut schedule = Schedule::new(Choice::Beam, Some(1000), 9);
        let mut next = || schedule.next(&Situation { left: None, ..situation(None, 1) }).plan;
        let pieces: Vec<(u32, u64)> = [next(), next(), next()].iter().map(|plan| (plan.width, plan.seed)).collect();
        assert_eq!(pieces, [(WARM_UP, 0), (1000, 9), (1000, run_seed(9, 1))]);
    }

    #[test]
    fn repairs_keep_part_of_the_play() {
        let mut schedule = Schedule::new(Choice::Auto, None, 1);
        schedule.repair_width = 100;
        for length in [2, 3, 17, 64] {
            assert!((0..200).all(|seed| (1..length).contains(&kept(length, seed))));
        }
        for length in [65, 400, 5000] {
            let best: Vec<u32> = (0..length).collect();
            for seed in 0..200 {
                let (prefix, window, width) = schedule.repair_window(&best, seed);
                assert!(width >= 1 && best.starts_with(&prefix) && best.ends_with(&window.suffix) && window.length > 0);
                assert_eq!(prefix.len() + window.length as usize + window.suffix.len(), best.len());
            }
        }
    }

    #[test]
    fn every_play_of_the_plateau_is_drawn() {
        let plays: Vec<Vec<u32>> = (0..64).map(|play| vec![play; 16]).collect();
        let mut plateau = Plateau::new();
        plays.iter().for_each(|play| plateau.reach(1, std::iter::once(play)));
        let mut schedule = Schedule::new(Choice::Auto, None, 1);
        let mut drawn = std::collections::BTreeSet::new();
        for _ in 0..2000 {
            schedule.repairs_due = 1;
            let plan = schedule.next(&Situation { plateau: &plateau, ..situation(Some(&plays[0]), 1_000_000) }).plan;
            drawn.extend(plan.prefix.first().copied());
        }
        assert_eq!(drawn.len(), 64);
    }

    #[test]
    fn repairs_go_on_to_the_end_once_the_widest_beam_is_done_and_fit_what_is_left() {
        let play = vec![0; 16];
        let mut schedule = Schedule::new(Choice::Auto, None, 1);
        let mut left = 10_000_000;
        let (mut whole, mut repairs) = (Vec::new(), 0);
        while left > 400 {
            let situation = situation(Some(&play), left);
            let Piece { plan, is_whole } = schedule.next(&situation);
            let searched = (16 - plan.prefix.len()) as u64;
            let spent = 400 * u64::from(plan.width) * searched / 16;
            assert!(spent <= left, "{spent} of {left}");
            left -= spent.max(1);
            if is_whole {
                schedule.learn(plan.width, spent, false);
                whole.push(plan.width);
            } else {
                repairs += 1;
                assert!(plan.width <= *whole.last().unwrap());
            }
        }
        let widest = *whole.iter().max().unwrap();
        assert!((2_000..4_000).contains(&widest), "{whole:?}");
        assert!(repairs > 4 * whole.len(), "{repairs} repairs, {whole:?}");
    }

    #[test]
    fn in_long_plays_the_width_that_found_the_best_gets_most_of_the_effort_and_others_their_turns() {
        let play = vec![0; 1000];
        let mut schedule = Schedule::new(Choice::Beam, None, 1);
        let mut efforts = BTreeMap::<u32, u64>::new();
        let mut left = 100_000_000;
        while left > 1_000_000 {
            let width = schedule.next(&situation(Some(&play), left)).plan.width;
            let spent = 10_000 * u64::from(width);
            *efforts.entry(width).or_default() += spent;
            schedule.learn(width, spent, efforts.len() < 4 || width == 16);
            left = left.saturating_sub(spent);
        }
        let total: u64 = efforts.values().sum();
        assert!(efforts[&16] * 3 > total && efforts[&16] * 5 < 4 * total, "{efforts:?}");
        assert!([4, 64, 256].iter().all(|width| efforts[width] * 20 > total), "{efforts:?}");
    }
}
