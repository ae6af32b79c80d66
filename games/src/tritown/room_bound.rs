//! The room bound: no play scores more than it could if buildings lay wherever they are wanted, as long as they fit.
//!
//! A position is cut down to how many buildings of each level stand, what was built and which items are left. In every
//! play each command leads from one such count to another:
//!
//! - A building needs an empty square. It stays, or merges with some of its level, at least two and at most all; what
//!   comes of that stays or merges in turn, as often as its square has neighbours (see [`super::counting_bound`]).
//! - A star is a building of level 1, or of a higher one if that merges at once.
//! - A bomber takes a building away for half its points.
//!
//! All these ways are open to the counts, whether or not the squares lie so that the rules would allow, or force, them.
//! So to every play belongs a way through the counts with the same points, and the best way bounds all plays. Unlike the
//! counting bound it knows the order of the buildings and that a small map is soon full: what waits to be merged takes up
//! squares. It is found by trying all ways, each count once, which only small maps allow.

use super::case::Case;
use super::level::{POINTS, TOP, VALUES};

/// The most squares of a map whose counts fit a key: four bits a level.
const MOST_SQUARES: usize = 15;
/// Ways looked at before the bound is given up.
const MOST_STEPS: u64 = 4_000_000;
/// Bits of a key for the stars left, and for the bombers.
const ITEM_BITS: u32 = 14;
const _: () = assert!(Case::MOST_ITEMS < 1 << ITEM_BITS);

/// The most points still to come, by counts.
#[derive(Clone, Debug)]
pub(super) struct RoomBound {
    /// For each number of commands carried out: counts in ascending order, and the most points to come from each.
    layers: Vec<(Vec<Key>, Vec<i64>)>,
}

/// Buildings by level, four bits each, then stars and bombers left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

impl Key {
    fn new(counts: &[u16; VALUES], stars: u32, bombers: u32) -> Self {
        let standing = counts[1..].iter().rev().fold(0, |key, &count| key << 4 | u64::from(count));
        Self((standing << ITEM_BITS | u64::from(stars)) << ITEM_BITS | u64::from(bombers))
    }

    const fn items(self, shift: u32) -> u32 {
        (self.0 >> shift) as u32 & ((1 << ITEM_BITS) - 1)
    }

    const fn bombers(self) -> u32 {
        self.items(0)
    }

    const fn stars(self) -> u32 {
        self.items(ITEM_BITS)
    }

    const fn shift(level: u8) -> u32 {
        2 * ITEM_BITS + 4 * (level as u32 - 1)
    }

    /// Buildings of `level`.
    const fn count(self, level: u8) -> u64 {
        self.0 >> Self::shift(level) & 15
    }

    fn standing(self) -> u64 {
        (1..=TOP).map(|level| self.count(level)).sum()
    }

    const fn with(self, level: u8) -> Self {
        Self(self.0 + (1 << Self::shift(level)))
    }

    const fn without(self, level: u8, buildings: u64) -> Self {
        Self(self.0 - (buildings << Self::shift(level)))
    }

    const fn without_star(self) -> Self {
        Self(self.0 - (1 << ITEM_BITS))
    }

    const fn without_bomber(self) -> Self {
        Self(self.0 - 1)
    }
}

impl RoomBound {
    /// The bound of `case`, on whose map no square has more than `climb` neighbours. `None` when the map is too large or
    /// finding it takes too long.
    pub(super) fn new(case: &Case, climb: usize) -> Option<Self> {
        if case.map.len() > MOST_SQUARES {
            return None;
        }
        let ways = Ways { case, climb };
        let mut counts = [0; VALUES];
        for &level in &case.map {
            counts[usize::from(level)] += 1;
        }
        let mut layers = vec![(vec![Key::new(&counts, case.stars, case.bombers)], Vec::new())];
        let mut steps = 0;
        while let Some((keys, _)) = layers.last() {
            let mut next = Vec::new();
            for &key in keys {
                ways.from(key, layers.len() - 1, &mut |key, _| next.push(key));
                if steps + next.len() as u64 > MOST_STEPS {
                    return None;
                }
            }
            if next.is_empty() {
                break;
            }
            steps += next.len() as u64;
            next.sort_unstable();
            next.dedup();
            layers.push((next, Vec::new()));
        }
        let mut bound = Self { layers };
        for layer in (0..bound.layers.len()).rev() {
            let most = |&key: &Key| {
                let mut most = 0;
                ways.from(key, layer, &mut |next, points| {
                    most = most.max(points + bound.most_to_come(layer + 1, next).unwrap_or(0));
                });
                most
            };
            bound.layers[layer].1 = bound.layers[layer].0.iter().map(most).collect();
        }
        Some(bound)
    }

    fn most_to_come(&self, layer: usize, key: Key) -> Option<i64> {
        let (keys, most) = self.layers.get(layer)?;
        keys.binary_search(&key).ok().and_then(|place| most.get(place)).copied()
    }

    /// The most points that any play adds after `commands`, with so many buildings by level and items left.
    pub(super) fn most_points(&self, commands: usize, counts: &[u16; VALUES], stars: u32, bombers: u32) -> Option<i64> {
        self.most_to_come(commands, Key::new(counts, stars, bombers))
    }

    /// The most points that any play of the case has.
    pub(super) fn most_points_of_all(&self) -> i64 {
        self.layers.first().and_then(|(_, most)| most.first()).copied().unwrap_or(0)
    }
}

/// From counts to counts.
struct Ways<'a> {
    case: &'a Case,
    climb: usize,
}

impl Ways<'_> {
    /// Tells `found` all that one command can make of `key` after so many commands, and the points of each.
    fn from(&self, key: Key, commands: usize, found: &mut impl FnMut(Key, i64)) {
        let played = (self.case.stars - key.stars() + self.case.bombers - key.bombers()) as usize;
        let next_level = self.case.sequence.get(commands - played).copied();
        if key.standing() < self.case.map.len() as u64 {
            if let Some(level) = next_level {
                self.build(key, level, self.climb, 0, found);
            }
            if key.stars() > 0 {
                let key = key.without_star();
                self.build(key, 1, self.climb, 0, found);
                for level in 2..TOP {
                    self.merge(key, level, self.climb, POINTS[usize::from(level)], found);
                }
            }
        }
        // Points come from building alone.
        if key.bombers() > 0 && (next_level.is_some() || key.stars() > 0) {
            for level in (1..=TOP).filter(|&level| key.count(level) > 0) {
                found(key.without(level, 1).without_bomber(), -(POINTS[usize::from(level)] / 2));
            }
        }
    }

    /// A building of `level` comes to stand, and stays or merges up to `climb` times.
    fn build(&self, key: Key, level: u8, climb: usize, points: i64, found: &mut impl FnMut(Key, i64)) {
        let points = points + POINTS[usize::from(level)];
        found(key.with(level), points);
        self.merge(key, level, climb, points, found);
    }

    /// One more building of `level` merges with two or more that stand.
    fn merge(&self, key: Key, level: u8, climb: usize, points: i64, found: &mut impl FnMut(Key, i64)) {
        if level == TOP || climb == 0 {
            return;
        }
        for others in 2..=key.count(level) {
            self.build(key.without(level, others), level + 1, climb - 1, points, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn most(text: &str, climb: usize) -> Option<i64> {
        let case = Case::parse(text, "case").expect("valid");
        RoomBound::new(&case, climb).map(|bound| bound.most_points_of_all())
    }

    #[test]
    fn the_order_of_buildings_and_the_squares_count() {
        // Three ones merge, but on two squares they never stand together.
        assert_eq!(most("1 3 0 0 ... 3 1 1 1", 2), Some(3 * 4 + 20));
        assert_eq!(most("1 2 0 0 .. 3 1 1 1", 1), Some(2 * 4));
        // On four squares the twos that come first leave no room for three ones.
        assert_eq!(most("1 5 0 0 ..... 5 2 2 1 1 1", 2), Some(2 * 20 + 3 * 4 + 20 + 100));
        assert_eq!(most("1 4 0 0 .... 5 2 2 1 1 1", 2), Some(2 * 20 + 2 * 4));
    }

    #[test]
    fn stars_and_bombers_do_what_the_rules_allow_at_best() {
        assert_eq!(most("1 3 1 0 55. 0", 2), Some(1500 + 5000));
        assert_eq!(most("1 3 1 0 99. 0", 2), Some(4));
        assert_eq!(most("1 2 0 1 12 1 4", 1), Some(500 - 2));
        assert_eq!(most("1 2 0 1 12 0", 1), Some(0));
    }

    #[test]
    fn large_maps_and_long_ways_are_given_up() {
        assert_eq!(most(&format!("4 4 0 0 {} 1 1", ".... ".repeat(4)), 4), None);
        let sequence = "1 2 3 4 ".repeat(200);
        assert_eq!(most(&format!("3 5 50 50 {} 800 {sequence}", "..... ".repeat(3)), 4), None);
    }
}
