//! What is still to be had by counting, quickly: the points to come, and what a building of each level is worth.

use super::level::{MERGE, POINTS, TOP, VALUES};

/// The outlook of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// Points to come when everything merges that can by counting, stars played high.
    pub(super) gain: i64,
    /// What a building of each level can still become: its share of the points above it, as far as there are enough.
    pub(super) worth: [i64; VALUES],
    /// The same when every merge still to come is only so likely.
    pub(super) likely: [i64; VALUES],
}

/// One, in the fixed point of shares.
const ONE: i64 = 1 << 12;

impl Outlook {
    /// The outlook with these buildings `standing`, these `coming`, and at most `climb` merges a placement.
    pub(super) fn new(
        standing: &[u16; VALUES],
        coming: &[u32; VALUES],
        stars: u32,
        climb: usize,
        likelihood: i64,
    ) -> Self {
        let mut merged = [0u32; VALUES + 1];
        let mut supply = [0u32; VALUES];
        let mut played = [0u32; VALUES];
        settle(standing, coming, climb, &played, &mut supply, &mut merged);
        if stars > 0 {
            // A star saves most at the highest level that has two buildings to join.
            let mut left = stars;
            for level in (1..usize::from(TOP)).rev() {
                played[level] = left.min(supply[level] / 2);
                left -= played[level];
            }
            settle(standing, coming, climb, &played, &mut supply, &mut merged);
        }
        let mut gain = 0;
        let mut worth = [0; VALUES];
        let mut likely = [0; VALUES];
        for level in (1..VALUES).rev() {
            gain += i64::from(coming[level] + merged[level]) * POINTS[level];
            gain += i64::from(played[level]) * POINTS[level];
            if level < usize::from(TOP) && supply[level] > 0 {
                let share = (i64::from(merged[level + 1] * MERGE) * ONE / i64::from(supply[level])).min(ONE);
                worth[level] = (POINTS[level + 1] + worth[level + 1]) / i64::from(MERGE) * share / ONE;
                likely[level] =
                    (POINTS[level + 1] + likely[level + 1]) * likelihood / 1024 / i64::from(MERGE) * share / ONE;
            }
        }
        Self { gain, worth, likely }
    }
}

fn settle(
    standing: &[u16; VALUES],
    coming: &[u32; VALUES],
    climb: usize,
    played: &[u32; VALUES],
    supply: &mut [u32; VALUES],
    merged: &mut [u32; VALUES + 1],
) {
    let mut chains = [0u32; VALUES];
    for level in 1..usize::from(TOP) {
        chains[level] = coming[level] + played[level];
        supply[level] = u32::from(standing[level]) + chains[level] + merged[level];
        let oldest = (level + 1).saturating_sub(climb);
        let alive: u32 = if climb == 0 { 0 } else { chains[oldest..=level].iter().sum() };
        let mut left = (supply[level] / MERGE).min(alive);
        merged[level + 1] = left;
        for chain in chains[oldest..=level].iter_mut().rev() {
            *chain = (*chain).min(left);
            left -= *chain;
        }
    }
}
