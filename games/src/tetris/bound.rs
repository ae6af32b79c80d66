//! The run bound: removals that a board still costs at least.
//!
//! Squares never change column. So a colour's squares can meet only inside one maximal run of neighbouring columns that
//! all hold the colour, and columns only ever lose squares: runs never join. A run of fewer than four squares can
//! therefore never hold a cluster, and each of its squares costs a removal.

use super::LARGEST_SIDE;

/// Number of colours.
pub const COLOURS: usize = 4;

/// Squares by colour and column.
pub type ColourCounts = [[u8; LARGEST_SIDE]; COLOURS];

/// Squares of a run that can still become a cluster.
pub(super) const CLUSTER: u32 = 4;

/// Removals that a board with these squares costs at least: 0 only when it is empty.
#[must_use]
pub fn run_bound(counts: &ColourCounts) -> u32 {
    let empty = counts.iter().flatten().all(|&count| count == 0);
    let stranded: u32 = counts.iter().map(stranded).sum();
    if empty { 0 } else { stranded.max(1) }
}

/// Squares of one colour that stand in runs too small to become a cluster.
fn stranded(counts: &[u8; LARGEST_SIDE]) -> u32 {
    counts
        .split(|&count| count == 0)
        .map(|run| run.iter().map(|&count| u32::from(count)).sum::<u32>())
        .filter(|&squares| squares < CLUSTER)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(first: [u8; 5]) -> ColourCounts {
        let mut counts = ColourCounts::default();
        counts[2][3..8].copy_from_slice(&first);
        counts
    }

    #[test]
    fn only_an_empty_board_costs_nothing() {
        assert_eq!(run_bound(&ColourCounts::default()), 0);
        assert_eq!(run_bound(&counts([1, 1, 1, 1, 0])), 1);
    }

    #[test]
    fn runs_of_fewer_than_four_squares_cost_each_of_them() {
        assert_eq!(run_bound(&counts([3, 0, 1, 1, 0])), 5);
        assert_eq!(run_bound(&counts([3, 0, 1, 1, 2])), 3);
    }
}
