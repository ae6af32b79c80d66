//! Levels of buildings and what they are worth.

/// The highest level. Buildings of this level never merge.
pub const TOP: u8 = 9;

/// Number of values a square can have: empty, and the nine levels.
pub(super) const VALUES: usize = TOP as usize + 1;

/// Points for building or forming a building, by level; nothing for an empty square.
pub const POINTS: [i64; TOP as usize + 1] = [0, 4, 20, 100, 500, 1_500, 5_000, 20_000, 100_000, 500_000];

/// How many connected buildings of one level it takes to merge.
pub(super) const MERGE: u32 = 3;

/// Points of a building of `level`.
#[must_use]
pub(super) const fn points(level: u8) -> i64 {
    POINTS[level as usize]
}
