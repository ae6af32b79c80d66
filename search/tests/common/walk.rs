//! A walk over a square of numbers, from the upper left corner right or down; each square entered is added. One may
//! stop anywhere. Many walks lead to one square, with different sums. Reach a large sum.

use cascade_games::mix::mix2;
use cascade_games::{Direction, Game};

#[derive(Clone, Debug)]
pub struct Walk {
    pub size: u32,
    pub values: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct Place {
    pub row: u32,
    pub column: u32,
    pub sum: i64,
}

impl Walk {
    /// Numbers from -9 to 9, from a seed.
    pub fn random(size: u32, seed: u64) -> Self {
        let values = (0..u64::from(size * size)).map(|index| (mix2(seed, index) % 19) as i64 - 9).collect();
        Self { size, values }
    }

    /// The largest sum, by dynamic programming.
    pub fn optimum(&self) -> i64 {
        let size = self.size as usize;
        let mut best = vec![0; size * size];
        for index in (0..size * size).rev() {
            let (row, column) = (index / size, index % size);
            let right = if column + 1 < size { self.values[index + 1] + best[index + 1] } else { 0 };
            let down = if row + 1 < size { self.values[index + size] + best[index + size] } else { 0 };
            best[index] = right.max(down).max(0);
        }
        best[0]
    }
}

impl Game for Walk {
    type State = Place;
    type Move = u32;
    type Outlook = ();
    const DIRECTION: Direction = Direction::Maximize;

    fn start(&self) -> Place {
        Place { row: 0, column: 0, sum: 0 }
    }
    fn moves(&self, state: &Place, moves: &mut Vec<u32>) {
        moves.extend((0..2).filter(|&mv| self.is_legal(state, mv)));
    }
    fn is_legal(&self, state: &Place, mv: u32) -> bool {
        match mv {
            0 => state.column + 1 < self.size,
            1 => state.row + 1 < self.size,
            _ => false,
        }
    }
    fn apply(&self, state: &mut Place, mv: u32) {
        if mv == 0 {
            state.column += 1;
        } else {
            state.row += 1;
        }
        state.sum += self.values[(state.row * self.size + state.column) as usize];
    }
    fn score(&self, state: &Place) -> i64 {
        state.sum
    }
    fn is_complete(&self, _: &Place) -> bool {
        true
    }
    fn is_over(&self, state: &Place) -> bool {
        state.row + 1 == self.size && state.column + 1 == self.size
    }
    fn hash(&self, state: &Place) -> u64 {
        mix2(u64::from(state.row), u64::from(state.column))
    }
    fn same_position(&self, left: &Place, right: &Place) -> bool {
        (left.row, left.column) == (right.row, right.column)
    }
    fn estimate(&self, state: &Place) -> i64 {
        state.sum
    }
    fn outlook(&self, _: &Place) {}

    fn estimate_child(&self, (): &(), child: &Place, least: i64) -> Option<i64> {
        Some(self.estimate(child)).filter(|&estimate| estimate >= least)
    }

    fn estimate_unit(&self) -> i64 {
        5
    }
    fn layer(&self, state: &Place) -> u32 {
        state.row + state.column
    }
    fn bound(&self, state: &Place) -> i64 {
        state.sum + 9 * i64::from(2 * self.size - 2 - state.row - state.column)
    }
    fn move_code(&self, state: &Place, mv: u32) -> u64 {
        mix2(self.hash(state), u64::from(mv))
    }
    fn encode(&self, mv: u32) -> u32 {
        mv
    }
    fn decode(&self, code: u32) -> Option<u32> {
        (code < 2).then_some(code)
    }
}
