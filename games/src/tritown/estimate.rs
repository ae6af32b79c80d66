//! The estimate: how promising a position is among those after equally many moves.

use super::board::Board;
use super::engine::TritownGame;
use super::level::{TOP, VALUES};

macro_rules! weights {
    ($($(#[$doc:meta])* $field:ident: $value:literal,)*) => {
        /// Weights of the estimate's parts, in 64ths unless said otherwise.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights {
            $($(#[$doc])* pub $field: i64,)*
        }

        impl Weights {
            /// Name of and access to every weight, for tuners.
            pub const FIELDS: &[(&str, fn(&mut Self) -> &mut i64)] = &[$((stringify!($field), |weights| &mut weights.$field),)*];
        }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($field: $value,)* }
            }
        }
    };
}

weights! {
    /// Two like buildings side by side, by what they can become.
    like_beside: 16,
    /// Two like buildings two steps apart.
    like_near: 8,
    /// Buildings of successive levels side by side, by what the lower can become.
    step_beside: 8,
    /// Buildings of successive levels two steps apart.
    step_near: 2,
    /// Buildings two levels apart side by side.
    stride_beside: 2,
    /// Buildings two levels apart, two steps apart.
    stride_near: 0,
    /// Buildings three or more levels apart side by side.
    wall_beside: -4,
    /// Buildings three or more levels apart, two steps apart.
    wall_near: 0,
    /// Share of the points to come that is lost when the map is full, in 1024ths.
    crowded: 600,
    /// Squares at which half of that is lost.
    crowded_at: 6,
    /// Share of the points to come that is lost between an empty map and a full one, in 1024ths.
    filled: 200,
    /// A place where what stands around can merge in a chain.
    ladder: 8,
    /// The second best such place.
    second_ladder: 4,
    /// Moves to come at which neighbourhoods count half.
    fading: 10,
    /// How likely a merge to come is, in 1024ths.
    likelihood: 800,
    /// Worth of a bomber kept, in 65536ths of the points to come.
    bomber: 100,
    /// Share of the relaxed bound, 1024ths.
    potential: 1024,
    /// Places looked at for a building that does not react (a number).
    puts: 12,
    /// Places looked at for a star (a number).
    star_places: 3,
    /// Buildings looked at for a bomber (a number).
    bomber_places: 2,
}

impl Weights {
    pub(super) fn estimate(&self, game: &TritownGame, board: &Board) -> i64 {
        let outlook = game.outlook(board);
        let gain = outlook.gain * self.potential / 1024;
        let cells = board.levels().len() as i64;
        let empty = i64::from(board.counts()[0]);
        let mut loss = self.crowded * self.crowded_at / (self.crowded_at + empty).max(1);
        loss += self.filled * (cells - empty) / cells;
        let left = (game.case.sequence.len() - board.built as usize) as i64 + i64::from(board.stars);
        let (best, second) =
            if self.ladder != 0 || self.second_ladder != 0 { ladders(game, board, &outlook.worth) } else { (0, 0) };
        let neighbourhoods: i64 =
            board.affinity().iter().zip(&outlook.worth).map(|(&sum, &worth)| i64::from(sum) * worth).sum();
        let structure = neighbourhoods + self.ladder * best + self.second_ladder * second;
        let waiting: i64 = (1..VALUES)
            .map(|level| i64::from(board.counts()[level]) * (outlook.worth[level] - outlook.likely[level]))
            .sum();
        let gain = gain - waiting + (gain * i64::from(board.bombers) * self.bomber >> 16);
        board.score() + gain - gain * loss / 1024 + structure / 64 * left / (left + self.fading).max(1)
    }
}

fn ladders(game: &TritownGame, board: &Board, worths: &[i64; VALUES]) -> (i64, i64) {
    let levels = board.levels();
    let (mut best, mut second) = (0, 0);
    for (square, &level) in levels.iter().enumerate() {
        if level != 0 {
            continue;
        }
        let mut sizes = [0u8; VALUES + 1];
        for &beside in game.terrain.beside(square) {
            let level = levels[usize::from(beside)];
            let pair = game.terrain.beside(beside.into()).iter().any(|&next| levels[usize::from(next)] == level);
            sizes[usize::from(level)] += 1 + u8::from(pair);
        }
        let mut worth = 0;
        let mut run = 0;
        for level in 1..usize::from(TOP) {
            if sizes[level] >= 2 {
                run += 1;
                worth += worths[level] * run;
            } else {
                run = 0;
            }
        }
        if worth > best {
            second = best;
            best = worth;
        } else if worth > second {
            second = worth;
        }
    }
    (best, second)
}
