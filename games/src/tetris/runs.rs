//! Runs: maximal stretches of neighbouring columns that all hold a colour.

use super::lanes::Lanes;
use super::weights::Weights;

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

/// What the runs of one colour, whose squares are given, are thought to cost.
#[inline(always)]
pub(super) fn cost<L: Lanes>(squares: L, weights: &Weights) -> i32 {
    let columns = Columns::new(squares);
    let mut cost = if columns.any == 0 { 0 } else { weights.colour };
    let mut rest = columns.any;
    cost += weights.run_column * rest.count_ones() as i32;
    while rest != 0 {
        let first = rest.trailing_zeros();
        let end = first + (!(rest >> first)).trailing_zeros();
        let run = (1 << end) - (1 << first);
        rest &= !run;
        let count = i32::from(columns.squares_before[end as usize] - columns.squares_before[first as usize]);
        if count < 4 {
            cost += weights.stranded * count + weights.stranded_run;
            continue;
        }
        let single = (columns.single & run).count_ones() as i32;
        let pair = (columns.pair & run).count_ones() as i32;
        let width = (end - first) as i32;
        cost += weights.single_in_column * single + weights.pair_in_column * pair;
        if count < 8 {
            cost += weights.short_run_column * width + weights.short_run_single * single;
        }
        cost += match count {
            4 => weights.run_of_4,
            5 => weights.run_of_5,
            6 => weights.run_of_6,
            7 => weights.run_of_7,
            8 | 9 => weights.run_of_8,
            10..=12 => weights.run_of_10,
            _ => weights.run_of_13,
        };
        cost += match width {
            1 => weights.one_column,
            2 => weights.two_columns,
            3 => weights.three_columns,
            _ => 0,
        };
    }
    cost
}
