//! Where a square stands on a board.

/// A place on a board, by column from the left and height above the floor; ordered by column, then height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place(u8);

impl Place {
    /// The place at `height` (0 on the floor) in `column` (0 at the left). Both are below 16.
    #[must_use]
    pub const fn new(column: usize, height: usize) -> Self {
        debug_assert!(column < 16 && height < 16);
        Self((column << 4 | height) as u8)
    }

    /// The place that has number `bit` (below 256) when places are counted up each column, column by column.
    pub(super) const fn from_bit(bit: usize) -> Self {
        debug_assert!(bit < 256);
        Self(bit as u8)
    }

    /// The number that [`Place::from_bit`] takes.
    pub(super) const fn bit(self) -> usize {
        self.0 as usize
    }

    /// The column, from the left.
    #[must_use]
    pub const fn column(self) -> usize {
        (self.0 >> 4) as usize
    }

    /// The height above the floor.
    #[must_use]
    pub const fn height(self) -> usize {
        (self.0 & 15) as usize
    }

    /// The contest's index in a grid of `rows` rows: row from the top, times 16, plus column.
    #[must_use]
    pub const fn index(self, rows: usize) -> u32 {
        ((rows - 1 - self.height()) * 16 + self.column()) as u32
    }

    /// The place that `index` names in a grid of `rows` rows and `columns` columns, if it is inside.
    #[must_use]
    pub const fn from_index(index: u32, rows: usize, columns: usize) -> Option<Self> {
        let (row, column) = (index as usize / 16, index as usize % 16);
        if row < rows && column < columns { Some(Self::new(column, rows - 1 - row)) } else { None }
    }
}
