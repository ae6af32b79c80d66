//! How many squares of each colour each column holds.

use super::bound::COLOURS;
use super::lanes::Lanes;

/// The first column, and the last, of each colour.
pub(super) const FIRST: u64 = 0x0001_0001_0001_0001;
pub(super) const LAST: u64 = FIRST << 15;

/// Columns of all colours.
const ALL: usize = 64;

/// Sets of columns, column `c` of colour `k` at bit `16k + c`, and the squares they hold.
pub(super) struct Columns {
    /// Columns that hold the colour.
    pub(super) any: u64,
    /// Columns that hold one square of it.
    pub(super) single: u64,
    /// Columns that hold two.
    pub(super) pair: u64,
    /// Squares in all columns before each bit, modulo 256.
    squares_before: [u8; ALL + 1],
}

impl Columns {
    /// The columns of the colours whose squares are given.
    #[inline(always)]
    pub(super) fn new<L: Lanes>(colours: [L; COLOURS]) -> Self {
        let mut columns = Self { any: 0, single: 0, pair: 0, squares_before: [0; ALL + 1] };
        let mut before = 0;
        for (colour, squares) in colours.into_iter().enumerate() {
            let beyond_one = squares.without_lowest();
            let any = u64::from(squares.columns());
            let two_or_more = u64::from(beyond_one.columns());
            let three_or_more = u64::from(beyond_one.without_lowest().columns());
            columns.any |= any << (16 * colour);
            columns.single |= (any & !two_or_more) << (16 * colour);
            columns.pair |= (two_or_more & !three_or_more) << (16 * colour);
            for (half, counts) in squares.column_counts().into_iter().enumerate() {
                let sums = prefix_sums(counts, before);
                let at = 16 * colour + 8 * half + 1;
                columns.squares_before[at..at + 8].copy_from_slice(&sums.to_le_bytes());
                before = sums >> 56;
            }
        }
        columns
    }

    /// Squares in the columns from bit `first` up to bit `end`, which is not among them; below 256.
    #[inline(always)]
    pub(super) fn squares(&self, first: u32, end: u32) -> u8 {
        self.squares_before[(end & 127).min(64) as usize].wrapping_sub(self.squares_before[(first & 63) as usize])
    }
}

/// Sums of all bytes up to each byte and of `before`, modulo 256.
#[inline(always)]
fn prefix_sums(bytes: u64, before: u64) -> u64 {
    // Bytes that overflow would carry into the next: even and odd ones are added up apart.
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    const EACH: u64 = 0x0001_0001_0001_0001;
    let even = (bytes & EVEN).wrapping_mul(EACH);
    let odd = (bytes >> 8 & EVEN).wrapping_mul(EACH);
    let at_even = (even + (odd << 16) + before * EACH) & EVEN;
    let at_odd = (even + odd + before * EACH) & EVEN;
    at_even | at_odd << 8
}
