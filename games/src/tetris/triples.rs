//! Column triples: how three neighbouring columns hold a colour, each none, one, two, or three squares and more of it.
//!
//! A colour meets only within a run of columns, so how it is spread over neighbouring columns tells what it can still
//! become. A triple and its mirror image are one; three columns without the colour are no triple.

use super::columns::{Columns, FIRST, LAST};

/// Classes of columns: none, one, two, or more squares of a colour.
const CLASSES: usize = 4;

/// Number of triples: ten pairs of outer columns around each of four middle ones, but for the empty one.
pub(super) const TRIPLES: usize = CLASSES * CLASSES * (CLASSES + 1) / 2 - 1;

/// How often each triple occurs. Beyond the sides of the board there is no square.
#[inline(always)]
pub(super) fn triples(columns: &Columns) -> [i16; TRIPLES] {
    let &Columns { any, single, pair, .. } = columns;
    let classes = [!any, single, pair, any & !single & !pair];
    let mut left = classes.map(|class| class << 1 & !FIRST);
    let mut right = classes.map(|class| class >> 1 & !LAST);
    left[0] |= FIRST;
    right[0] |= LAST;
    let mut triples = [0; TRIPLES];
    let mut triple = 0;
    for (middle, class) in classes.into_iter().enumerate() {
        for outer in 0..CLASSES {
            for other in outer..CLASSES {
                if middle + outer + other != 0 {
                    let around = left[outer] & right[other] | left[other] & right[outer];
                    triples[triple] = (around & class).count_ones() as i16;
                    triple += 1;
                }
            }
        }
    }
    triples
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::estimate::inputs;
    use super::super::features::FEATURES;
    use super::super::random::random_grid;
    use super::CLASSES;
    use std::collections::BTreeMap;

    /// The triples of a board by their classes, outer ones in ascending order, counted one by one.
    fn counted(board: &Board) -> BTreeMap<(usize, usize, usize), i16> {
        let mut triples = BTreeMap::new();
        for counts in board.colour_counts() {
            let class = |column: usize| counts.get(column).map_or(0, |&count| usize::from(count).min(CLASSES - 1));
            for column in 0..counts.len() {
                let (left, right) = (class(column.wrapping_sub(1)), class(column + 1));
                *triples.entry((class(column), left.min(right), left.max(right))).or_default() += 1;
            }
        }
        triples
    }

    #[test]
    fn triples_are_counted_over_all_colours_and_columns() {
        for seed in 0..200 {
            let board = Board::new(random_grid(1 + seed as usize % 16, 16 - seed as usize % 5, seed).field());
            let mut expected = Vec::new();
            let counted = counted(&board);
            for middle in 0..CLASSES {
                for outer in 0..CLASSES {
                    expected.extend((outer..CLASSES).map(|other| counted.get(&(middle, outer, other)).copied()));
                }
            }
            let expected: Vec<i16> = expected[1..].iter().map(|count| count.unwrap_or(0)).collect();
            assert_eq!(inputs(&board)[FEATURES..FEATURES + super::TRIPLES], expected, "seed {seed}");
        }
    }
}
