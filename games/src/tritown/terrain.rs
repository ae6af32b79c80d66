//! What never changes on a case's map: which squares are neighbours, and the hash keys of its squares.

use super::affinity::Affinity;
use super::level::VALUES;
use crate::mix::mix2;

/// Seed of the hash keys.
const KEYS: u64 = 0x7472_6974_6f77_6e01;

/// Up to `N` squares around one.
#[derive(Clone, Copy, Debug)]
struct Around<const N: usize> {
    squares: [u16; N],
    count: u8,
}

impl<const N: usize> Around<N> {
    fn new(squares: impl Iterator<Item = usize>) -> Self {
        let mut found = Self { squares: [0; N], count: 0 };
        for square in squares.take(N) {
            found.squares[usize::from(found.count)] = square as u16;
            found.count += 1;
        }
        found
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.squares[..usize::from(self.count)]
    }
}

/// Steps to the four neighbours, in the order of their squares.
const BESIDE: [(isize, isize); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// Steps to the squares two steps away.
const NEAR: [(isize, isize); 8] = [(-2, 0), (-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1), (2, 0)];

/// A map's squares without their buildings.
#[derive(Clone, Debug)]
pub(super) struct Terrain {
    rows: usize,
    columns: usize,
    climb: usize,
    beside: Vec<Around<4>>,
    near: Vec<Around<8>>,
    keys: Vec<[u64; VALUES]>,
    pub(super) affinity: Affinity,
}

impl Terrain {
    pub(super) fn new(rows: usize, columns: usize, affinity: Affinity) -> Self {
        let around = |square: usize, steps: &'static [(isize, isize)]| {
            steps.iter().filter_map(move |step| {
                let row = (square / columns).checked_add_signed(step.0).filter(|&row| row < rows)?;
                let column = (square % columns).checked_add_signed(step.1).filter(|&column| column < columns)?;
                Some(row * columns + column)
            })
        };
        let beside: Vec<Around<4>> = (0..rows * columns).map(|square| Around::new(around(square, &BESIDE))).collect();
        let near = (0..rows * columns).map(|square| Around::new(around(square, &NEAR))).collect();
        let keys = (0..rows * columns)
            .map(|square| {
                std::array::from_fn(|level| match level {
                    0 => 0,
                    level => mix2(KEYS ^ square as u64, level as u64),
                })
            })
            .collect();
        let climb = beside.iter().map(|around| usize::from(around.count)).max().unwrap_or(0);
        Self { rows, columns, climb, beside, near, keys, affinity }
    }

    pub(super) const fn rows(&self) -> usize {
        self.rows
    }

    pub(super) const fn columns(&self) -> usize {
        self.columns
    }

    /// Number of squares.
    pub(super) fn squares(&self) -> usize {
        self.beside.len()
    }

    /// The squares beside `square`.
    #[inline]
    pub(super) fn beside(&self, square: usize) -> &[u16] {
        self.beside[square].as_slice()
    }

    /// The squares two steps away from `square`.
    #[inline]
    pub(super) fn near(&self, square: usize) -> &[u16] {
        self.near[square].as_slice()
    }

    /// The largest number of neighbours that a square of this map has: no chain of reactions is longer.
    #[inline]
    pub(super) const fn climb(&self) -> usize {
        self.climb
    }

    /// The hash key of a building of `level` on `square`; 0 for an empty square.
    #[inline]
    pub(super) fn key(&self, square: usize, level: u8) -> u64 {
        self.keys[square][usize::from(level)]
    }
}
