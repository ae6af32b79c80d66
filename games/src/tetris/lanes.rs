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
    /// Whether there is no place in the set.
    fn is_empty(self) -> bool;
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
    fn is_empty(self) -> bool {
        let [a, b, c, d] = self.0;
        a | b | c | d == 0
    }
}
