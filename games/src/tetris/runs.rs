//! Runs: maximal stretches of neighbouring columns that all hold a colour.

use super::features::{Counts, Feature};
use super::lanes::Lanes;

/// Columns in which a colour stands, bit `c` for column `c`, and how many of its squares are left of each column.
struct Columns {
    any: u32,
    single: u32,
    pair: u32,
    squares_before: [u8; 17],
}

impl Columns {
    #[inline(always)]
    fn new<L: Lanes>(squares: L) -> Self {
        let any = squares.columns();
        let beyond_one = squares.without_lowest();
        let two_or_more = beyond_one.columns();
        let three_or_more = beyond_one.without_lowest().columns();
        let mut squares_before = [0; 17];
        let [low, high] = prefix_sums(squares.column_counts());
        squares_before[1..9].copy_from_slice(&low.to_le_bytes());
        squares_before[9..].copy_from_slice(&high.to_le_bytes());
        Self { any, single: any & !two_or_more, pair: two_or_more & !three_or_more, squares_before }
    }
}

/// Sums of all bytes up to each byte, of 16 bytes whose whole sum is below 256.
#[inline(always)]
fn prefix_sums([low, high]: [u64; 2]) -> [u64; 2] {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = low.wrapping_mul(EACH);
    [low, high.wrapping_mul(EACH) + (low >> 56) * EACH]
}

/// Counts the features of the runs of one colour, whose squares are given.
#[inline(always)]
pub(super) fn count<L: Lanes>(squares: L, counts: &mut Counts) {
    let columns = Columns::new(squares);
    counts.add(Feature::Colour, i32::from(columns.any != 0));
    counts.add(Feature::RunColumn, columns.any.count_ones() as i32);
    let mut rest = columns.any;
    while rest != 0 {
        let first = rest.trailing_zeros();
        let end = first + (!(rest >> first)).trailing_zeros();
        let run = (1 << end) - (1 << first);
        rest &= !run;
        let size = i32::from(columns.squares_before[end as usize] - columns.squares_before[first as usize]);
        if size < 4 {
            counts.add(Feature::Stranded, size);
            counts.add(Feature::StrandedRun, 1);
            continue;
        }
        let single = (columns.single & run).count_ones() as i32;
        counts.add(Feature::SingleInColumn, single);
        counts.add(Feature::PairInColumn, (columns.pair & run).count_ones() as i32);
        if size < 8 {
            counts.add(Feature::ShortRunColumn, (end - first) as i32);
            counts.add(Feature::ShortRunSingle, single);
        }
        let by_size = match size {
            4 => Feature::RunOf4,
            5 => Feature::RunOf5,
            6 => Feature::RunOf6,
            7 => Feature::RunOf7,
            8 | 9 => Feature::RunOf8,
            10..=12 => Feature::RunOf10,
            _ => Feature::RunOf13,
        };
        counts.add(by_size, 1);
        match end - first {
            1 => counts.add(Feature::OneColumn, 1),
            2 => counts.add(Feature::TwoColumns, 1),
            3 => counts.add(Feature::ThreeColumns, 1),
            _ => {}
        }
    }
}
