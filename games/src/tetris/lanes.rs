//! Sixteen columns of sixteen places as one 256-bit word, a column to a 16-bit lane, the floor at its lowest bit.

/// Sets of places on a board, and the ways to move all of a set's places at once.
///
/// Places that a move would push out of the 16 times 16 are dropped.
pub(super) trait Lanes: Copy {
    /// The set whose column `c` is lane `c % 4` of word `c / 4`.
    fn load(words: [u64; 4]) -> Self;
    /// The words that [`Lanes::load`] takes.
    fn store(self) -> [u64; 4];
    /// Places in both sets.
    fn and(self, other: Self) -> Self;
    /// Places of this set that are not in `other`.
    fn without(self, other: Self) -> Self;
    /// Places in either set.
    fn or(self, other: Self) -> Self;
    /// Places in exactly one of the sets.
    fn xor(self, other: Self) -> Self;
    /// Every place one higher.
    fn rise(self) -> Self;
    /// Every place one lower.
    fn sink(self) -> Self;
    /// Every place one column to the right.
    fn rightward(self) -> Self;
    /// Every place one column to the left.
    fn leftward(self) -> Self;
    /// In each column, all places below its lowest one; all 16 where it has none.
    fn below_lowest(self) -> Self;
    /// The set without the lowest place of each column.
    fn without_lowest(self) -> Self;
    /// The columns that hold a place, bit `c` for column `c`.
    fn columns(self) -> u32;
    /// Whether there is no place in the set.
    fn is_empty(self) -> bool;

    /// Number of places in the set.
    #[inline(always)]
    fn count(self) -> i32 {
        let [a, b, c, d] = self.store();
        (a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones()) as i32
    }

    /// Number of places in each column: column `c` in byte `c % 8` of word `c / 8`.
    #[inline(always)]
    fn column_counts(self) -> [u64; 2] {
        let [a, b, c, d] = self.store().map(count_lanes);
        [pack(a) | pack(b) << 32, pack(c) | pack(d) << 32]
    }

    /// The highest place's height plus one; 0 where there is none.
    #[inline(always)]
    fn tallest(self) -> i32 {
        let [a, b, c, d] = self.store();
        let two = a | b | c | d;
        let one = two | two >> 32;
        (32 - ((one | one >> 16) as u16 as u32).leading_zeros()) as i32
    }
}

/// Bits set in each 16-bit lane.
#[inline(always)]
const fn count_lanes(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    (bytes + (bytes >> 8)) & 0x00ff_00ff_00ff_00ff
}

/// The low bytes of four 16-bit lanes, side by side.
#[inline(always)]
const fn pack(lanes: u64) -> u64 {
    let pairs = (lanes | lanes >> 8) & 0x0000_ffff_0000_ffff;
    (pairs | pairs >> 16) & 0xffff_ffff
}

/// The lanes on any machine: four to a 64-bit word.
#[derive(Clone, Copy)]
pub(super) struct PortableLanes([u64; 4]);

/// The floor of four columns.
const FLOOR: u64 = 0x0001_0001_0001_0001;
/// The highest places of four columns.
const CEILING: u64 = FLOOR << 15;

impl PortableLanes {
    #[inline(always)]
    fn each(self, change: impl Fn(u64) -> u64) -> Self {
        Self(self.0.map(change))
    }

    #[inline(always)]
    fn both(self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([combine(a, e), combine(b, f), combine(c, g), combine(d, h)])
    }
}

impl Lanes for PortableLanes {
    #[inline(always)]
    fn load(words: [u64; 4]) -> Self {
        Self(words)
    }

    #[inline(always)]
    fn store(self) -> [u64; 4] {
        self.0
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.both(other, |left, right| left & right)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.both(other, |left, right| left & !right)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.both(other, |left, right| left | right)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.both(other, |left, right| left ^ right)
    }

    #[inline(always)]
    fn rise(self) -> Self {
        self.each(|word| (word & !CEILING) << 1)
    }

    #[inline(always)]
    fn sink(self) -> Self {
        self.each(|word| (word & !FLOOR) >> 1)
    }

    #[inline(always)]
    fn rightward(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a << 16, b << 16 | a >> 48, c << 16 | b >> 48, d << 16 | c >> 48])
    }

    #[inline(always)]
    fn leftward(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a >> 16 | b << 48, b >> 16 | c << 48, c >> 16 | d << 48, d >> 16])
    }

    #[inline(always)]
    fn below_lowest(self) -> Self {
        // One less in each lane, without borrowing from the next, flips the lowest bit and all below it.
        self.each(|word| (((word | CEILING) - FLOOR) ^ (!word & CEILING)) & !word)
    }

    #[inline(always)]
    fn without_lowest(self) -> Self {
        self.each(|word| word & (((word | CEILING) - FLOOR) ^ (!word & CEILING)))
    }

    #[inline(always)]
    fn columns(self) -> u32 {
        let columns = |word: u64| {
            // The highest bit of each lane that is not 0; then the four bits are gathered at the top.
            let marks = (((word & !CEILING) + !CEILING) | word) & CEILING;
            (marks >> 15).wrapping_mul(0x1000_2000_4000_8000) >> 60
        };
        let [a, b, c, d] = self.0.map(columns);
        (a | b << 4 | c << 8 | d << 12) as u32
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }
}
