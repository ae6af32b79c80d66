//! The estimate: how promising a position is among those after equally many moves.

use super::board::Board;
use super::engine::TritownGame;
use crate::game::Game;

/// Weights of the estimate's parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Points for an empty square.
    pub empty: i64,
    /// Share of the next level's points, in 64ths, for two like buildings side by side.
    pub pair: i64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { empty: 30, pair: 8 }
    }
}

impl Weights {
    /// Points so far, the most that can come by counting, and what room and neighbourhoods are worth.
    pub(super) fn estimate(&self, game: &TritownGame, board: &Board) -> i64 {
        let mut value = game.bound(board) + self.empty * i64::from(board.counts()[0]);
        let levels = board.levels();
        for (square, &level) in levels.iter().enumerate() {
            if level == 0 {
                continue;
            }
            let like = game.terrain.beside(square).iter().filter(|&&other| levels[usize::from(other)] == level).count();
            value += self.pair * super::level::POINTS[usize::from(level)] * like as i64 / 64;
        }
        value
    }
}
