//! The estimate: how promising a position is among those after equally many moves.

use super::board::Board;
use super::engine::TritownGame;
use super::level::VALUES;
use super::outlook::Outlook;
use super::sites;

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
    like_beside: 6,
    /// Two like buildings two steps apart.
    like_near: 2,
    /// Buildings of successive levels side by side, by what the lower can become.
    step_beside: 2,
    /// Buildings of successive levels two steps apart.
    step_near: 1,
    /// Buildings two levels apart side by side.
    stride_beside: 0,
    /// Buildings two levels apart, two steps apart.
    stride_near: 0,
    /// Buildings three or more levels apart side by side.
    wall_beside: 0,
    /// Buildings three or more levels apart, two steps apart.
    wall_near: -2,
    /// Share of the points to come that is lost when the map is full, in 1024ths.
    crowded: 326,
    /// Squares at which half of that is lost.
    crowded_at: 5,
    /// Share of the points to come that is lost between an empty map and a full one, in 1024ths.
    filled: 28,
    /// A building beside a site (see [`super::sites`]) where everything is ready.
    site: 3,
    /// Readiness of a level at a site where one building of two is there, in eighths.
    half_ready: 6,
    /// Moves to come at which neighbourhoods count half.
    fading: 4,
    /// How likely a merge to come is, in 1024ths.
    likelihood: 700,
    /// Worth of a star kept beyond what it counts for in the outlook, in 65536ths of the points to come.
    star: 0,
    /// Worth of a bomber kept, in 65536ths of the points to come.
    bomber: 192,
    /// Places looked at for a building that does not react (a number).
    puts: 12,
    /// Places looked at for a star (a number).
    star_places: 4,
    /// Buildings looked at for a bomber while there is room (a number).
    bomber_places: 0,
}

impl Weights {
    /// Points so far, what is still to be had by counting, less what stands in its way, and what the buildings'
    /// places do for it.
    pub(super) fn estimate(&self, game: &TritownGame, board: &Board) -> i64 {
        let outlook = game.outlook(board);
        let items = i64::from(board.bombers) * self.bomber + i64::from(board.stars) * self.star;
        let gain = outlook.gain - waiting(board, &outlook) + outlook.gain * items / 65_536;
        let places = self.places(game, board, &outlook) / 64;
        // Places are worth nothing without moves to make use of them.
        let left = i64::from(game.left(board));
        board.score() + gain - gain * self.loss(board) / 1024 + places * left / (left + self.fading).max(1)
    }

    /// Share of the points to come that the lack of room takes, in 1024ths.
    fn loss(&self, board: &Board) -> i64 {
        let squares = board.levels().len() as i64;
        let empty = i64::from(board.counts()[0]);
        self.crowded * self.crowded_at / (self.crowded_at + empty).max(1) + self.filled * (squares - empty) / squares
    }

    /// What the buildings' places are worth, in 64ths of a point.
    fn places(&self, game: &TritownGame, board: &Board, outlook: &Outlook) -> i64 {
        let half = self.half_ready.clamp(0, 8) as u64;
        let sites = sites::worth_of_readiness(&game.terrain, board.levels(), half, &outlook.worth);
        let pairs = board.affinity().iter().zip(&outlook.worth);
        pairs.map(|(&sum, &worth)| i64::from(sum) * worth).sum::<i64>() + self.site * sites / 64
    }
}

/// What the buildings on the map may miss of their worth because merges to come are only so likely. It shrinks with
/// every merge made, so that positions do not put off what they can do now.
fn waiting(board: &Board, outlook: &Outlook) -> i64 {
    let missed = |level| outlook.worth[level] - outlook.likely[level];
    (1..VALUES).map(|level| i64::from(board.counts()[level]) * missed(level)).sum()
}
