//! How large an instance is, which says what a search of it costs.

use cascade_games::{Game, GameVisitor};

/// Of so many moves, spread evenly over those on offer, the walk takes the most promising.
const TASTED: usize = 64;

/// After so many moves the play is a long one, and the walk takes the most promising of [`GLANCED`] moves only: a start
/// should not wait for it.
const CLOSELY: u32 = 100;

/// See [`CLOSELY`].
const GLANCED: usize = 8;

/// The walk is cut off here, whatever the game.
const LONGEST: u32 = 100_000;

/// What one play of an instance amounts to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    /// Expansions of a beam of width one, from the start to the end.
    pub(super) unit: f64,
    /// Moves of a play.
    pub(super) moves: f64,
    walked: f64,
    /// Whether a worker's search told the unit; until then it follows from the walk.
    measured: bool,
}

impl Size {
    /// From an instance's engine, by walking one fair play and counting the moves on offer.
    pub(super) fn measure(game: &cascade_games::AnyGame) -> Self {
        game.visit(Walk)
    }

    /// A worker's beam of this width, from start to end, took so many expansions.
    pub(super) fn learn(&mut self, width: u32, expansions: u64) {
        let seen = self.plausible(width, expansions);
        // A beam's plays are shorter than a walk, so the first search that is seen says more than the walk did.
        self.unit = if self.measured { f64::midpoint(self.unit, seen) } else { seen };
        self.measured = true;
    }

    /// A worker's beam of this width was not at its end after so many expansions.
    pub(super) fn learn_at_least(&mut self, width: u32, expansions: u64) {
        self.unit = self.unit.max(self.plausible(width, expansions));
    }

    /// What was measured, as a part of what the walk said.
    pub(super) fn ratio(&self) -> Option<f64> {
        self.measured.then(|| self.unit / self.walked)
    }

    /// Elsewhere beams took this part of what walks said. That holds until something is measured here.
    pub(super) fn assume(&mut self, ratio: f64) {
        if !self.measured {
            self.unit = self.walked * ratio;
        }
    }

    /// The instance's best play has so many moves.
    pub(super) fn learn_moves(&mut self, moves: usize) {
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let moves = moves.max(1) as f64;
        self.moves = moves;
    }

    /// A worker's word on the unit: it may move the estimate, not turn it upside down.
    fn plausible(&self, width: u32, expansions: u64) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let seen = expansions as f64 / f64::from(width.max(1));
        seen.clamp(self.walked / 30.0, self.walked * 3.0)
    }

    /// Expansions of a beam of width one over `length` of the instance's moves, or over what follows `layer`.
    pub(super) fn part(&self, layer: u32, length: Option<u32>) -> f64 {
        let share = match length {
            Some(length) => f64::from(length) / self.moves,
            None => 1.0 - f64::from(layer) / self.moves,
        };
        self.unit * share.clamp(0.05, 1.0)
    }
}

struct Walk;

impl GameVisitor for Walk {
    type Output = Size;

    fn visit<G: Game>(self, game: &G) -> Size {
        let mut state = game.start();
        let mut moves = Vec::new();
        let (mut expansions, mut steps) = (0_u64, 0_u32);
        while steps < LONGEST && !game.is_over(&state) {
            moves.clear();
            game.moves(&state, &mut moves);
            expansions += moves.len() as u64;
            let tasted = if steps < CLOSELY { TASTED } else { GLANCED }.min(moves.len());
            let after = (0..tasted)
                .map(|taste| {
                    let mut after = state.clone();
                    game.apply(&mut after, moves[taste * moves.len() / tasted]);
                    after
                })
                .max_by_key(|after| game.estimate(after));
            let Some(after) = after else { break };
            state = after;
            steps += 1;
        }
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let unit = expansions.max(1) as f64;
        Size { unit, moves: f64::from(steps.max(1)), walked: unit, measured: false }
    }
}
