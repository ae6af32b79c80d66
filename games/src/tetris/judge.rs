//! The judge: the rules of the statement, one by one, on a plain array. Slow, trusted, independent of the board.

use super::LARGEST_SIDE;

/// What an empty square holds.
pub const EMPTY: u8 = b' ';

/// Squares of one colour that are connected; four or more of them vanish.
const SMALLEST_CLUSTER: usize = 4;

/// A square by row (0 at the top) and column (0 at the left).
pub type Square = (usize, usize);

/// What happens while a removal runs its course.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The square was taken away.
    Removed(Square),
    /// What hung in the air fell, if anything did.
    Fell,
    /// These clusters vanished.
    Vanished(&'a [Vec<Square>]),
}

/// A grid of squares as it stands: letters `a` to `d`, or [`EMPTY`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    rows: usize,
    columns: usize,
    squares: [[u8; LARGEST_SIDE]; LARGEST_SIDE],
}

/// The square holds nothing, so nothing can be removed there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing stands there")]
pub struct NothingThere;

impl Field {
    /// A field of `rows`, which are equally long, at most 16 long and at most 16.
    #[must_use]
    pub(super) fn new(rows: &[Vec<u8>]) -> Self {
        let mut squares = [[EMPTY; LARGEST_SIDE]; LARGEST_SIDE];
        for (square_row, row) in squares.iter_mut().zip(rows) {
            for (square, letter) in square_row.iter_mut().zip(row) {
                *square = *letter;
            }
        }
        Self { rows: rows.len(), columns: rows.first().map_or(0, Vec::len), squares }
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// What stands at a square; [`EMPTY`] outside the grid.
    #[must_use]
    pub fn at(&self, (row, column): Square) -> u8 {
        self.squares.get(row).and_then(|row| row.get(column)).copied().unwrap_or(EMPTY)
    }

    /// Number of squares that are not empty.
    #[must_use]
    pub fn squares_left(&self) -> usize {
        self.squares.iter().flatten().filter(|&&letter| letter != EMPTY).count()
    }

    /// Removes one square, then lets squares fall and clusters vanish until nothing changes.
    ///
    /// # Errors
    /// When the square is empty or outside the grid.
    pub fn remove(&mut self, square: Square) -> Result<(), NothingThere> {
        self.remove_watched(square, &mut |_, _| {})
    }

    /// As [`Field::remove`], and tells each step and the field after it.
    ///
    /// # Errors
    /// When the square is empty or outside the grid.
    pub fn remove_watched(
        &mut self,
        square: Square,
        watch: &mut dyn FnMut(Step<'_>, &Self),
    ) -> Result<(), NothingThere> {
        if self.at(square) == EMPTY {
            return Err(NothingThere);
        }
        self.squares[square.0][square.1] = EMPTY;
        watch(Step::Removed(square), self);
        self.fall();
        watch(Step::Fell, self);
        loop {
            let clusters = self.clusters();
            if clusters.is_empty() {
                return Ok(());
            }
            for &(row, column) in clusters.iter().flatten() {
                self.squares[row][column] = EMPTY;
            }
            watch(Step::Vanished(&clusters), self);
            self.fall();
            watch(Step::Fell, self);
        }
    }

    /// All clusters of four or more squares, in the order of their first squares; squares in ascending order.
    #[must_use]
    pub fn clusters(&self) -> Vec<Vec<Square>> {
        let mut seen = [[false; LARGEST_SIDE]; LARGEST_SIDE];
        let mut clusters = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                if self.squares[row][column] == EMPTY || seen[row][column] {
                    continue;
                }
                let mut cluster = self.connected((row, column));
                for &(row, column) in &cluster {
                    seen[row][column] = true;
                }
                if cluster.len() >= SMALLEST_CLUSTER {
                    cluster.sort_unstable();
                    clusters.push(cluster);
                }
            }
        }
        clusters
    }

    /// The squares connected with `start` by neighbours of its colour.
    fn connected(&self, start: Square) -> Vec<Square> {
        let mut found = vec![start];
        let mut next = 0;
        while let Some(&(row, column)) = found.get(next) {
            next += 1;
            let neighbours =
                [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
            for neighbour in neighbours {
                if self.at(neighbour) == self.at(start) && !found.contains(&neighbour) {
                    found.push(neighbour);
                }
            }
        }
        found
    }

    /// Lets every square fall as deep as it goes.
    fn fall(&mut self) {
        for column in 0..self.columns {
            let mut landing = self.rows;
            for row in (0..self.rows).rev() {
                let letter = self.squares[row][column];
                if letter != EMPTY {
                    self.squares[row][column] = EMPTY;
                    landing -= 1;
                    self.squares[landing][column] = letter;
                }
            }
        }
    }

    /// The field as the contest prints it: 16 rows of 16 squares, a smaller field in the top left corner.
    pub(super) const fn printed(&self) -> &[[u8; LARGEST_SIDE]; LARGEST_SIDE] {
        &self.squares
    }

    /// How many squares of each colour each column holds.
    #[must_use]
    pub fn colour_counts(&self) -> super::bound::ColourCounts {
        let mut counts = super::bound::ColourCounts::default();
        for (column, letter) in self.squares.iter().flat_map(|row| row.iter().enumerate()) {
            if *letter != EMPTY {
                counts[usize::from(letter - b'a')][column] += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn field(rows: &[&str]) -> Field {
        Field::new(&rows.iter().map(|row| row.bytes().collect()).collect::<Vec<_>>())
    }

    #[test]
    fn squares_above_a_removed_one_fall() {
        let mut field = field(&["ab", "ba", "ab"]);
        field.remove((1, 0)).unwrap();
        assert_eq!(field, super::tests::field(&[" b", "aa", "ab"]));
    }

    #[test]
    fn three_alike_stay_and_a_diagonal_does_not_connect() {
        let mut field = field(&["cab", "aab", "bca"]);
        field.remove((0, 0)).unwrap();
        assert_eq!(field.squares_left(), 8);
    }

    #[test]
    fn all_clusters_of_one_moment_vanish_before_anything_falls() {
        // The c's would let two of the d's fall away from the other two, if they went first.
        let mut field = field(&["   d  ", "abdcdd", "cccbab"]);
        field.remove((2, 3)).unwrap();
        assert_eq!(field, super::tests::field(&["      ", "      ", "ab  ab"]));
    }

    #[test]
    fn an_empty_square_and_one_outside_are_refused() {
        let mut field = field(&["ab", "ba"]);
        field.remove((0, 0)).unwrap();
        assert_eq!(field.remove((0, 0)), Err(NothingThere));
        assert_eq!(field.remove((5, 0)), Err(NothingThere));
    }
}
