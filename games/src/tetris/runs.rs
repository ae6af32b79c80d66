//! Runs: maximal stretches of neighbouring columns that all hold a colour.

use super::bound::CLUSTER;
use super::columns::{Columns, FIRST, LAST};
use super::features::{Counts, Feature};

/// Runs of fewer squares are short.
const LONG: i32 = 8;

/// The feature that counts runs of each size; larger ones are in the last.
const BY_SIZE: [Feature; 14] = {
    use Feature::{RunOf4, RunOf5, RunOf6, RunOf7, RunOf8, RunOf10, RunOf13, StrandedRun};
    [
        StrandedRun,
        StrandedRun,
        StrandedRun,
        StrandedRun,
        RunOf4,
        RunOf5,
        RunOf6,
        RunOf7,
        RunOf8,
        RunOf8,
        RunOf10,
        RunOf10,
        RunOf10,
        RunOf13,
    ]
};

/// Counts the features of the runs of all colours.
#[inline(always)]
pub(super) fn count(columns: &Columns, counts: &mut Counts) {
    let any = columns.any;
    let of_colour = |colour: u32| i32::from(any >> (16 * colour) & 0xffff != 0);
    counts.add(Feature::Colour, (0..4).map(of_colour).sum());
    counts.add(Feature::RunColumn, any.count_ones() as i32);
    let mut firsts = any & !(any << 1 & !FIRST);
    let mut lasts = any & !(any >> 1 & !LAST);
    let mut by_width = [0; 4];
    let (mut long, mut short) = (0, 0);
    // The number of runs is all that a processor has to guess here: no branch inside.
    while firsts != 0 {
        let (first, end) = (firsts.trailing_zeros(), lasts.trailing_zeros() + 1);
        let run = (u64::MAX >> (64 - end)) & (u64::MAX << first);
        firsts &= firsts - 1;
        lasts &= lasts - 1;
        let size = i32::from(columns.squares(first, end));
        counts.add(BY_SIZE[size.min(13) as usize], 1);
        let is_alive = size >= CLUSTER as i32;
        let (alive, little) = (u64::from(is_alive).wrapping_neg(), u64::from(is_alive & (size < LONG)).wrapping_neg());
        counts.add(Feature::Stranded, if is_alive { 0 } else { size });
        long |= run & alive;
        short |= run & little;
        by_width[(end - first).min(4) as usize & 3] += i32::from(is_alive);
    }
    counts.add(Feature::SingleInColumn, (columns.single & long).count_ones() as i32);
    counts.add(Feature::PairInColumn, (columns.pair & long).count_ones() as i32);
    counts.add(Feature::ShortRunColumn, short.count_ones() as i32);
    counts.add(Feature::ShortRunSingle, (columns.single & short).count_ones() as i32);
    counts.add(Feature::OneColumn, by_width[1]);
    counts.add(Feature::TwoColumns, by_width[2]);
    counts.add(Feature::ThreeColumns, by_width[3]);
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::estimate::inputs;
    use super::super::features::Feature;
    use super::super::random::random_grid;

    /// Squares and columns of every run, found column by column.
    fn runs(board: &Board) -> Vec<(usize, usize)> {
        let mut runs = Vec::new();
        for counts in board.colour_counts() {
            let stretches = counts.split(|&count| count == 0).filter(|run| !run.is_empty());
            runs.extend(stretches.map(|run| (run.iter().map(|&count| usize::from(count)).sum(), run.len())));
        }
        runs
    }

    #[test]
    fn runs_are_counted_by_their_squares_and_columns() {
        for seed in 0..300 {
            let board = Board::new(random_grid(1 + seed as usize % 16, 16 - seed as usize % 7, seed).field());
            let (found, runs) = (inputs(&board), runs(&board));
            let counted = |wanted: &dyn Fn(usize, usize) -> bool| {
                runs.iter().filter(|&&(squares, columns)| wanted(squares, columns)).count()
            };
            let stranded: usize = runs.iter().filter(|run| run.0 < 4).map(|run| run.0).sum();
            let expected = [
                (Feature::Stranded, stranded),
                (Feature::StrandedRun, counted(&|squares, _| squares < 4)),
                (Feature::RunOf4, counted(&|squares, _| squares == 4)),
                (Feature::RunOf7, counted(&|squares, _| squares == 7)),
                (Feature::RunOf8, counted(&|squares, _| (8..10).contains(&squares))),
                (Feature::RunOf10, counted(&|squares, _| (10..13).contains(&squares))),
                (Feature::RunOf13, counted(&|squares, _| squares >= 13)),
                (Feature::OneColumn, counted(&|squares, columns| squares >= 4 && columns == 1)),
                (Feature::TwoColumns, counted(&|squares, columns| squares >= 4 && columns == 2)),
                (Feature::ThreeColumns, counted(&|squares, columns| squares >= 4 && columns == 3)),
                (Feature::RunColumn, runs.iter().map(|run| run.1).sum()),
                (Feature::ShortRunColumn, runs.iter().filter(|run| (4..8).contains(&run.0)).map(|run| run.1).sum()),
            ];
            for (feature, count) in expected {
                assert_eq!(usize::try_from(found[feature as usize]), Ok(count), "seed {seed}: {feature:?}");
            }
        }
    }
}
