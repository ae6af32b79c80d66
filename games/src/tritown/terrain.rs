//! What never changes on a case's map: which squares are neighbours, and the hash keys of its squares.

use super::level::VALUES;
use crate::mix::mix2;

/// Seed of the hash keys.
const KEYS: u64 = 0x7472_6974_6f77_6e01;

/// The neighbours of one square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    squares: [u16; 4],
    count: u8,
}

impl Neighbours {
    #[inline]
    pub(super) fn as_slice(&self) -> &[u16] {
        &self.squares[..usize::from(self.count)]
    }
}

/// A map's squares without their buildings.
#[derive(Clone, Debug)]
pub(super) struct Terrain {
    neighbours: Vec<Neighbours>,
    keys: Vec<[u64; VALUES]>,
}

impl Terrain {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let neighbours = (0..rows * columns)
            .map(|square| {
                let (row, column) = (square / columns, square % columns);
                let beside = [
                    (row > 0).then(|| square - columns),
                    (column > 0).then(|| square - 1),
                    (column + 1 < columns).then(|| square + 1),
                    (row + 1 < rows).then(|| square + columns),
                ];
                let mut found = Neighbours { squares: [0; 4], count: 0 };
                for neighbour in beside.into_iter().flatten() {
                    found.squares[usize::from(found.count)] = neighbour as u16;
                    found.count += 1;
                }
                found
            })
            .collect();
        let keys = (0..rows * columns)
            .map(|square| {
                std::array::from_fn(|level| match level {
                    0 => 0,
                    level => mix2(KEYS ^ square as u64, level as u64),
                })
            })
            .collect();
        Self { neighbours, keys }
    }

    /// Number of squares.
    pub(super) fn squares(&self) -> usize {
        self.neighbours.len()
    }

    /// The squares beside `square`.
    #[inline]
    pub(super) fn beside(&self, square: usize) -> &[u16] {
        self.neighbours[square].as_slice()
    }

    /// The largest number of neighbours that a square of this map has: no chain of reactions is longer.
    pub(super) fn climb(&self) -> usize {
        self.neighbours.iter().map(|neighbours| usize::from(neighbours.count)).max().unwrap_or(0)
    }

    /// The hash key of a building of `level` on `square`; 0 for an empty square.
    #[inline]
    pub(super) fn key(&self, square: usize, level: u8) -> u64 {
        self.keys[square][usize::from(level)]
    }
}
