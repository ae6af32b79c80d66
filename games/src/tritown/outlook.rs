//! What is still to be had by counting, quickly: the points to come, and what a building of each level is worth.
//!
//! The counting bound asks for the best numbers of stars at each level, exactly; that takes too long for every
//! position of a search. Here stars are played greedily: from some level on upwards, wherever two buildings wait for a
//! third. The best of these plans is a play of the counting game, if not always its best.

use super::level::{MERGE, POINTS, TOP, VALUES};

const TOP_LEVEL: usize = TOP as usize;

/// The outlook of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Points to come when everything merges that can by counting, stars played high.
    pub(super) gain: i64,
    /// What a building of each level can still become: its share of the points above it, as far as there are enough.
    pub(super) worth: [i64; VALUES],
    /// The lowest level that a star is planned for; 1 without a plan.
    pub(super) stars_from: u8,
    /// The same as `worth` when every merge still to come is only so likely.
    pub(super) likely: [i64; VALUES],
}

/// One, in the fixed point of shares.
const ONE: i64 = 1 << 12;

/// What there is to build with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stock<'a> {
    /// Squares by level.
    pub(super) standing: &'a [u16; VALUES],
    /// Buildings to come in the sequence by level.
    pub(super) coming: &'a [u32; VALUES],
    /// Stars left.
    pub(super) stars: u32,
    /// The most merges that a placement sets off.
    pub(super) climb: usize,
}

/// The way up from level to level.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    /// Merges into this level.
    merged: u32,
    /// Of their chains, those that started one, two and three levels below.
    chains: [u32; 3],
    /// Buildings of this level there ever are, once settled.
    supply: u32,
    /// Points of this and all lower levels, once settled.
    points: i64,
}

impl Stock<'_> {
    /// Settles `level`, with at most `stars` of them played where two buildings wait; gives the step to the next level
    /// and the stars played.
    #[inline]
    fn settle(&self, level: usize, step: &mut Step, stars: u32) -> (Step, u32) {
        let before = u32::from(self.standing[level]) + self.coming[level] + step.merged;
        let played = stars.min(before / 2);
        let placed = self.coming[level] + played;
        step.supply = before + played;
        let alive = if self.climb == 0 { 0 } else { placed + step.chains.iter().sum::<u32>() };
        let merged = (step.supply / MERGE).min(alive);
        let points = step.points + i64::from(placed) * POINTS[level] + i64::from(merged) * POINTS[level + 1];
        // The chains that started last go on: they have the longest way before them.
        let mut left = merged;
        let mut take = |chain: u32, age: usize| {
            let taken = chain.min(left);
            left -= taken;
            if age < self.climb { taken } else { 0 }
        };
        let chains = [take(placed, 1), take(step.chains[0], 2), take(step.chains[1], 3)];
        (Step { merged, chains, supply: 0, points }, played)
    }

    /// The way up from `from`, whose step is known, with `stars` played from there on.
    fn climb_from(&self, from: usize, steps: &mut [Step; VALUES], mut stars: u32) -> u32 {
        for level in from..TOP_LEVEL {
            let (next, played) = self.settle(level, &mut steps[level], stars);
            stars -= played;
            steps[level + 1] = next;
        }
        stars
    }

    /// The outlook; `likelihood` of a merge in 1024ths.
    pub(super) fn outlook(&self, likelihood: i64) -> Outlook {
        let mut best = [Step::default(); VALUES];
        self.climb_from(1, &mut best, 0);
        let mut stars_from = 1;
        if self.stars > 0 {
            let bare = best;
            for from in (1..TOP_LEVEL).rev() {
                let mut steps = bare;
                let left = self.climb_from(from, &mut steps, self.stars);
                if steps[TOP_LEVEL].points > best[TOP_LEVEL].points {
                    best = steps;
                    stars_from = from as u8;
                }
                if left == 0 {
                    break;
                }
            }
        }
        let mut outlook = Outlook { gain: best[TOP_LEVEL].points, stars_from, worth: [0; VALUES], likely: [0; VALUES] };
        outlook.gain += i64::from(self.coming[TOP_LEVEL]) * POINTS[TOP_LEVEL];
        for level in (1..TOP_LEVEL).rev() {
            let supply = i64::from(best[level].supply.max(1));
            let share = (i64::from(best[level + 1].merged * MERGE) * ONE / supply).min(ONE);
            let above = |worth: i64| (POINTS[level + 1] + worth) / i64::from(MERGE) * share / ONE;
            outlook.worth[level] = above(outlook.worth[level + 1]);
            outlook.likely[level] = above(outlook.likely[level + 1]) * likelihood / 1024;
        }
        outlook
    }
}
