//! Random grids that the rules allow, for tests and for tuning.

use super::game::TetrisGame;
use crate::mix::mix2;

/// A full grid of `rows` times `columns` squares (each 1 to 16) without a cluster: the same for the same seed everywhere.
#[must_use]
pub fn random_grid(rows: usize, columns: usize, seed: u64) -> TetrisGame {
    debug_assert!((1..=16).contains(&rows) && (1..=16).contains(&columns));
    let mut drawn = 0;
    let mut letter = || {
        drawn += 1;
        b"abcd"[(mix2(seed, drawn) >> 62) as usize]
    };
    let mut grid: Vec<Vec<u8>> = (0..rows).map(|_| (0..columns).map(|_| letter()).collect()).collect();
    loop {
        match TetrisGame::of_rows(&grid) {
            Ok(game) => return game,
            // A square of the cluster is drawn anew until none is left.
            Err(illegal) => {
                let square = illegal.squares[illegal.squares.len() / 2];
                grid[usize::from(square >> 4)][usize::from(square & 15)] = letter();
            }
        }
    }
}
