//! Seeded random cases, for tests and for tuning.

use super::case::Case;
use super::level::TOP;
use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The shape of a family of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of the map.
    pub rows: usize,
    /// Columns of the map.
    pub columns: usize,
    /// Stars.
    pub stars: u32,
    /// Bombers.
    pub bombers: u32,
    /// Length of the building sequence.
    pub length: usize,
    /// Share of the map that holds buildings at the start, in percent.
    pub filled: u32,
    /// How often each level from 1 comes in the sequence, relative to the others.
    pub levels: [u32; TOP as usize],
    /// How often each level from 1 stands on the map at the start, relative to the others.
    pub standing: [u32; TOP as usize],
}

impl Shape {
    /// Shapes like those of the ten stand-in cases, in their order.
    pub const STAND_INS: [Self; 10] = [
        Self::new([3, 3, 1, 1, 8], 20, [4, 4, 0, 0, 0, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0, 0, 0, 0]),
        Self::new([4, 4, 1, 1, 40], 6, [60, 32, 8, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 0, 0]),
        Self::new([6, 6, 2, 2, 150], 20, [80, 12, 6, 2, 0, 0, 0, 0, 0], [3, 3, 2, 0, 0, 0, 0, 0, 0]),
        Self::new([6, 6, 0, 0, 400], 0, [1, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0]),
        Self::new([2, 14, 3, 3, 120], 45, [48, 28, 14, 10, 0, 0, 0, 0, 0], [4, 3, 1, 3, 2, 0, 0, 0, 0]),
        Self::new([8, 8, 5, 5, 500], 50, [53, 24, 14, 5, 3, 1, 0, 0, 0], [40, 30, 15, 8, 8, 5, 0, 0, 0]),
        Self::new([5, 5, 10, 10, 300], 50, [73, 19, 7, 1, 0, 0, 0, 0, 0], [3, 3, 5, 1, 1, 0, 0, 0, 0]),
        Self::new([10, 10, 8, 4, 1_200], 30, [61, 25, 10, 2, 1, 1, 0, 0, 0], [6, 6, 2, 8, 2, 0, 3, 0, 0]),
        Self::new([12, 12, 20, 20, 600], 80, [26, 24, 20, 13, 9, 5, 3, 0, 0], [15, 18, 18, 16, 14, 13, 13, 3, 0]),
        Self::new([15, 15, 10, 10, 3_000], 28, [63, 21, 8, 5, 2, 1, 0, 0, 0], [20, 15, 10, 12, 7, 0, 0, 0, 0]),
    ];

    const fn new(
        [rows, columns, stars, bombers, length]: [usize; 5],
        filled: u32,
        levels: [u32; TOP as usize],
        standing: [u32; TOP as usize],
    ) -> Self {
        Self { rows, columns, stars: stars as u32, bombers: bombers as u32, length, filled, levels, standing }
    }

    /// A small shape drawn from `seed`: at most `squares` squares and `length` buildings, all levels, some items.
    #[must_use]
    pub fn tiny(seed: u64, squares: usize, length: usize) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        // The smaller of two draws: square maps are as frequent as long ones.
        let rows = [(); 2].map(|()| 1 + below(&mut random, squares as u32)).into_iter().min().unwrap_or(1) as usize;
        let columns = 1 + below(&mut random, (squares / rows) as u32) as usize;
        // Mostly low levels, so that reactions are frequent; sometimes only the highest ones.
        let mut levels = [12, 6, 3, 2, 1, 1, 1, 1, 1];
        if below(&mut random, 3) == 0 {
            levels = [0, 0, 0, 0, 0, 1, 3, 5, 1];
        }
        let items = [below(&mut random, 4), below(&mut random, 4)];
        Self {
            rows,
            columns,
            stars: items[0],
            bombers: items[1],
            length: below(&mut random, length as u32 + 1) as usize,
            filled: below(&mut random, 101),
            levels,
            standing: levels,
        }
    }

    /// The case of this shape that `seed` stands for.
    #[must_use]
    pub fn case(&self, seed: u64) -> Case {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let map = (0..self.rows * self.columns)
            .map(|_| if below(&mut random, 100) < self.filled { draw(&mut random, &self.standing) } else { 0 })
            .collect();
        let sequence = (0..self.length).map(|_| draw(&mut random, &self.levels)).collect();
        Case { rows: self.rows, columns: self.columns, stars: self.stars, bombers: self.bombers, map, sequence }
    }
}

/// A number from 0 to `limit` - 1; 0 when the limit is 0.
fn below(random: &mut Xoshiro256PlusPlus, limit: u32) -> u32 {
    ((u64::from(random.next_u32()) * u64::from(limit)) >> 32) as u32
}

/// A level drawn by weight.
fn draw(random: &mut Xoshiro256PlusPlus, weights: &[u32; TOP as usize]) -> u8 {
    let mut left = below(random, weights.iter().sum());
    for (level, &weight) in (1..).zip(weights) {
        if left < weight {
            return level;
        }
        left -= weight;
    }
    1
}
