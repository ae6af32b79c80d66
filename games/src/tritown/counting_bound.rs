//! The counting bound: no play scores more than its buildings can be worth when all that limits their merging is
//! their number and the climb limit.
//!
//! Of three buildings of a level comes one of the next. A building put down sets off at most as many merges as its
//! square has neighbours: at every step of the chain another neighbour must hold what merges. So each merge into a level
//! belongs to the chain of one placement, which started at most [`Resources::climb`] levels below. How the buildings
//! lie is left out, which makes the bound loose on tight maps.

use super::level::{MERGE, POINTS, TOP, VALUES};
use std::collections::HashMap;

/// Steps after which the exact bound is given up; twenty stars take some 5,000 of them in most cases, 250,000 at worst.
const MOST_STEPS: u64 = 1_000_000;

/// What there is to build with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Resources {
    /// Buildings on the map, by level (index 0 unused).
    pub(super) standing: [u32; VALUES],
    /// Buildings still to come in the sequence, by level (index 0 unused).
    pub(super) coming: [u32; VALUES],
    /// Stars left.
    pub(super) stars: u32,
    /// The largest number of neighbours of a square.
    pub(super) climb: usize,
}

/// The climb from level to level while the levels below are settled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Climb {
    /// Merges into the level reached.
    merged: u32,
    /// Of them, chains by the level they started at.
    chains: [u32; VALUES],
}

impl Resources {
    /// The most points that any play can add: the integer programme's optimum. `None` when that takes too long, which
    /// needs far more stars than any known case has.
    ///
    /// Level by level, for every number of stars left and every way the merges can stand, the most points so far.
    pub(super) fn most_points(&self) -> Option<i64> {
        let mut layer = HashMap::from([((self.stars, Climb::start()), 0)]);
        let mut steps = 0;
        for level in 1..usize::from(TOP) {
            let mut above = HashMap::new();
            for ((stars, climb), points) in layer {
                for played in 0..=stars {
                    let Some((next, gained)) = self.step(level, &climb, played) else { break };
                    let most = above.entry((stars - played, next)).or_insert(i64::MIN);
                    *most = (points + gained).max(*most);
                    steps += 1;
                    if steps > MOST_STEPS {
                        return None;
                    }
                }
            }
            layer = above;
        }
        let top = i64::from(self.coming[usize::from(TOP)]) * POINTS[usize::from(TOP)];
        layer.into_values().max().map(|most| top + most)
    }

    /// Settles `level` with `stars` of them played at it, merging all that can merge: nothing is gained by merging
    /// less, nor by letting young chains die before old ones. `None` when a star above level 1 finds no merge.
    fn step(&self, level: usize, climb: &Climb, stars: u32) -> Option<(Climb, i64)> {
        let placed = self.coming[level] + stars;
        let mut next = climb.clone();
        next.chains[level] = placed;
        let oldest = (level + 1).saturating_sub(self.climb);
        let alive: u32 = (oldest..=level).map(|start| next.chains[start]).sum();
        next.merged = ((self.standing[level] + placed + climb.merged) / MERGE).min(alive);
        if level > 1 && stars > next.merged {
            return None;
        }
        next.keep_youngest(oldest, level);
        let points = i64::from(placed) * POINTS[level] + i64::from(next.merged) * POINTS[level + 1];
        Some((next, points))
    }

    /// An upper bound of the points from `level` on: as if every star stood at every level at once.
    fn optimistic(&self, level: usize, climb: &Climb, stars: u32) -> i64 {
        let mut climb = climb.clone();
        let mut merged_into = [0; VALUES];
        let mut points = 0;
        for level in level..usize::from(TOP) {
            climb.chains[level] = self.coming[level];
            let oldest = (level + 1).saturating_sub(self.climb);
            let alive: u32 = (oldest..=level).map(|start| climb.chains[start]).sum::<u32>();
            let alive = if self.climb == 0 { 0 } else { alive + stars };
            climb.merged = ((self.standing[level] + self.coming[level] + climb.merged + stars) / MERGE).min(alive);
            climb.keep_youngest(oldest, level);
            merged_into[level + 1] = climb.merged;
            points += i64::from(self.coming[level]) * POINTS[level] + i64::from(climb.merged) * POINTS[level + 1];
        }
        // A star above level 1 needs a merge of its own; the rest stay ones.
        let mut unplayed = stars;
        for level in (level.max(2)..usize::from(TOP)).rev() {
            let played = unplayed.min(merged_into[level + 1]);
            points += i64::from(played) * POINTS[level];
            unplayed -= played;
        }
        points + i64::from(unplayed) * POINTS[1]
    }

    /// A cheap upper bound of [`Resources::most_points`]; equal to it without stars.
    #[must_use]
    pub(super) fn most_points_relaxed(&self) -> i64 {
        let top = i64::from(self.coming[usize::from(TOP)]) * POINTS[usize::from(TOP)];
        top + self.optimistic(1, &Climb::start(), self.stars)
    }
}

impl Climb {
    const fn start() -> Self {
        Self { merged: 0, chains: [0; VALUES] }
    }

    /// Lets the merges into the level above `level` go to the chains that started last.
    fn keep_youngest(&mut self, oldest: usize, level: usize) {
        let mut left = self.merged;
        for start in (oldest..=level).rev() {
            self.chains[start] = self.chains[start].min(left);
            left -= self.chains[start];
        }
        for chain in &mut self.chains[..oldest] {
            *chain = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mix::mix2;
    use crate::tritown::{STAND_INS, TritownGame};

    #[test]
    fn the_example_and_the_stand_ins_have_their_known_bounds() {
        let known = [916, 5016, 29_964, 21_660, 77_292, 1_329_840, 241_896, 3_047_008, 11_570_632, 6_580_488];
        for ((number, text), bound) in STAND_INS.into_iter().zip(known) {
            let game = TritownGame::parse(text, number).expect("valid");
            assert_eq!(game.counting_bound(), Some(bound), "case {number}");
        }
        let example = TritownGame::parse("2 3 1 1 ..1 221 2 1 3", "example").expect("valid");
        assert_eq!(example.counting_bound(), Some(824));
    }

    /// Numbers of chains by start and end that the programme allows, tried one after the other.
    struct Programme<'a> {
        resources: &'a Resources,
        /// Chains still without an end: the level they start at, and whether a star starts them.
        starts: Vec<(usize, bool)>,
        placed: [u32; VALUES],
        merged_into: [u32; VALUES],
        points: i64,
        best: i64,
    }

    impl Programme<'_> {
        fn assign(&mut self, index: usize) {
            let Some(&(start, star)) = self.starts.get(index) else {
                let enough = (2..=9).all(|level| {
                    MERGE * self.merged_into[level]
                        <= self.resources.standing[level - 1] + self.placed[level - 1] + self.merged_into[level - 1]
                });
                if enough {
                    self.best = self.best.max(self.points);
                }
                return;
            };
            let starts = if star { 1..=8 } else { start..=start };
            for start in starts {
                let least = if star && start > 1 { start + 1 } else { start };
                self.placed[start] += 1;
                self.points += POINTS[start];
                for end in start..=(start + self.resources.climb).min(9) {
                    if end > start {
                        self.count_merge(end, 1);
                    }
                    if end >= least {
                        self.assign(index + 1);
                    }
                }
                for end in start + 1..=(start + self.resources.climb).min(9) {
                    self.count_merge(end, -1);
                }
                self.placed[start] -= 1;
                self.points -= POINTS[start];
            }
        }

        fn count_merge(&mut self, end: usize, by: i32) {
            self.merged_into[end] = self.merged_into[end].wrapping_add_signed(by);
            self.points += i64::from(by) * POINTS[end];
        }
    }

    fn random(seed: u64) -> Resources {
        let draw = |index: u64, below: u64| (mix2(seed, index) % below) as u32;
        let mut resources =
            Resources { standing: [0; VALUES], coming: [0; VALUES], stars: draw(0, 3), climb: draw(1, 5) as usize };
        for index in 0..draw(2, 12) {
            resources.standing[1 + draw(100 + u64::from(index), 9) as usize] += 1;
        }
        for index in 0..draw(3, 5) {
            resources.coming[1 + draw(200 + u64::from(index), 9) as usize] += 1;
        }
        resources
    }

    #[test]
    fn the_optimum_is_that_of_the_integer_programme() {
        for seed in 0..600 {
            let resources = random(seed);
            let mut starts = vec![(0, true); resources.stars as usize];
            for level in 1..=9 {
                starts.extend(vec![(level, false); resources.coming[level] as usize]);
            }
            let mut programme = Programme {
                resources: &resources,
                starts,
                placed: [0; VALUES],
                merged_into: [0; VALUES],
                points: 0,
                best: 0,
            };
            programme.assign(0);
            assert_eq!(resources.most_points(), Some(programme.best), "{resources:?}");
        }
    }

    #[test]
    fn the_relaxation_is_never_below_the_optimum() {
        for seed in 0..5_000 {
            let resources = random(seed);
            let (exact, relaxed) = (resources.most_points().expect("few stars"), resources.most_points_relaxed());
            assert!(relaxed >= exact && (resources.stars > 0 || relaxed == exact), "{resources:?}");
        }
    }
}
