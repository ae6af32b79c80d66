//! The board that searches play on: small to copy, and no move looks at more than it touches.

use super::affinity::Sums;
use super::level::{POINTS, TOP, VALUES};
use super::terrain::Terrain;

/// Squares that a board holds in itself, without a pointer.
const INLINE: usize = 256;

/// Levels of all squares, row by row; 0 is empty.
#[derive(Clone, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "the large variant is the usual one, and copies must not allocate")]
enum Squares {
    Inline { levels: [u8; INLINE], count: u16 },
    Large(Box<[u8]>),
}

impl Squares {
    fn of(levels: &[u8]) -> Self {
        if levels.len() > INLINE {
            return Self::Large(levels.into());
        }
        let mut inline = [0; INLINE];
        inline[..levels.len()].copy_from_slice(levels);
        Self::Inline { levels: inline, count: levels.len() as u16 }
    }

    #[inline]
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Inline { levels, count } => &levels[..usize::from(*count)],
            Self::Large(levels) => levels,
        }
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [u8] {
        match self {
            Self::Inline { levels, count } => &mut levels[..usize::from(*count)],
            Self::Large(levels) => levels,
        }
    }
}

/// A position of Triple Town with the score so far.
#[derive(Clone)]
pub struct Board {
    squares: Squares,
    tally: Tally,
    /// Number of buildings of the sequence used up.
    pub(super) built: u32,
    /// Stars left.
    pub(super) stars: u16,
    /// Bombers left.
    pub(super) bombers: u16,
}

/// What is kept up to date square by square.
#[derive(Clone)]
struct Tally {
    score: i64,
    /// Exclusive or of the keys of all buildings.
    hash: u64,
    /// Weights of pairs of buildings close to each other, by the lower level.
    affinity: Sums,
    /// Number of squares by level; empty ones first.
    counts: [u16; VALUES],
}

impl Board {
    pub(super) fn new(levels: &[u8], stars: u16, bombers: u16, terrain: &Terrain) -> Self {
        let mut tally = Tally { score: 0, hash: 0, affinity: [0; VALUES], counts: [0; VALUES] };
        tally.counts[0] = levels.len() as u16;
        let mut squares = Squares::of(&vec![0; levels.len()]);
        for (square, &level) in levels.iter().enumerate() {
            tally.set(squares.as_mut_slice(), terrain, square, level);
        }
        Self { squares, tally, built: 0, stars, bombers }
    }

    /// Level of every square, row by row; 0 is empty.
    #[must_use]
    #[inline]
    pub fn levels(&self) -> &[u8] {
        self.squares.as_slice()
    }

    /// Number of buildings of the sequence used up.
    #[must_use]
    pub const fn built(&self) -> u32 {
        self.built
    }

    /// Stars left.
    #[must_use]
    pub const fn stars(&self) -> u32 {
        self.stars as u32
    }

    /// Bombers left.
    #[must_use]
    pub const fn bombers(&self) -> u32 {
        self.bombers as u32
    }

    /// Number of squares by level; empty ones first.
    #[inline]
    pub(super) const fn counts(&self) -> &[u16; VALUES] {
        &self.tally.counts
    }

    #[inline]
    pub(super) const fn score(&self) -> i64 {
        self.tally.score
    }

    /// Weights of pairs of buildings close to each other, by the lower level.
    #[inline]
    pub(super) const fn affinity(&self) -> &Sums {
        &self.tally.affinity
    }

    /// Hash of the squares alone.
    #[inline]
    pub(super) const fn hash_of_squares(&self) -> u64 {
        self.tally.hash
    }

    /// Whether squares, place in the sequence and items are equal; the score may differ.
    pub(super) fn same_position(&self, other: &Self) -> bool {
        (self.built, self.stars, self.bombers) == (other.built, other.stars, other.bombers)
            && self.tally.hash == other.tally.hash
            && self.levels() == other.levels()
    }

    /// Puts a building of `level` on an empty square and lets every reaction run its course.
    pub(super) fn build(&mut self, terrain: &Terrain, square: usize, mut level: u8) {
        let levels = self.squares.as_mut_slice();
        self.tally.score += POINTS[usize::from(level)];
        while reacts(levels, terrain, square, level) {
            self.tally.clear_group(levels, terrain, square, level);
            level += 1;
            self.tally.score += POINTS[usize::from(level)];
        }
        self.tally.set(levels, terrain, square, level);
    }

    /// The level that a star becomes on an empty square: the highest that reacts there, else 1.
    #[inline]
    pub(super) fn star_level(&self, terrain: &Terrain, square: usize) -> u8 {
        self.highest_reaction(terrain, square).unwrap_or(1)
    }

    /// The highest level that reacts when built on an empty square, if any does.
    #[inline]
    pub(super) fn highest_reaction(&self, terrain: &Terrain, square: usize) -> Option<u8> {
        let levels = self.levels();
        let mut highest = 0;
        for &neighbour in terrain.beside(square) {
            let level = levels[usize::from(neighbour)];
            if level > highest && reacts(levels, terrain, square, level) {
                highest = level;
            }
        }
        (highest > 0).then_some(highest)
    }

    /// Empties a square that holds a building, for half its points.
    pub(super) fn bomb(&mut self, terrain: &Terrain, square: usize) {
        let levels = self.squares.as_mut_slice();
        self.tally.score -= POINTS[usize::from(levels[square])] / 2;
        self.tally.set(levels, terrain, square, 0);
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Board")
            .field("levels", &self.levels())
            .field("score", &self.score())
            .field("built", &self.built)
            .field("stars", &self.stars)
            .field("bombers", &self.bombers)
            .finish()
    }
}

impl Tally {
    #[inline]
    fn set(&mut self, levels: &mut [u8], terrain: &Terrain, square: usize, level: u8) {
        let before = std::mem::replace(&mut levels[square], level);
        self.counts[usize::from(before)] -= 1;
        self.counts[usize::from(level)] += 1;
        self.hash ^= terrain.key(square, before) ^ terrain.key(square, level);
        let affinity = &terrain.affinity;
        for (others, weights) in [(terrain.beside(square), &affinity.beside), (terrain.near(square), &affinity.near)] {
            for &other in others {
                let other = levels[usize::from(other)];
                let weights = &weights[usize::from(other)];
                self.affinity[usize::from(other.min(before))] -= weights[usize::from(before)];
                self.affinity[usize::from(other.min(level))] += weights[usize::from(level)];
            }
        }
    }

    /// Empties the buildings of `level` that hang together with `square`, itself left as it is. Recursion goes as
    /// deep as the group is large; groups beyond a few buildings stand only on maps that start with them.
    fn clear_group(&mut self, levels: &mut [u8], terrain: &Terrain, square: usize, level: u8) {
        for &neighbour in terrain.beside(square) {
            let neighbour = usize::from(neighbour);
            if levels[neighbour] == level {
                self.set(levels, terrain, neighbour, 0);
                self.clear_group(levels, terrain, neighbour, level);
            }
        }
    }
}

/// Whether a building of `level` on `square`, which is empty, reacts: whether at least two more of the level hang
/// together with it. Two neighbours do, or one that has a neighbour of its own.
#[inline]
pub(super) fn reacts(levels: &[u8], terrain: &Terrain, square: usize, level: u8) -> bool {
    if level >= TOP {
        return false;
    }
    let mut first = None;
    for &neighbour in terrain.beside(square) {
        if levels[usize::from(neighbour)] == level && first.replace(neighbour).is_some() {
            return true;
        }
    }
    first.is_some_and(|first| terrain.beside(first.into()).iter().any(|&next| levels[usize::from(next)] == level))
}
