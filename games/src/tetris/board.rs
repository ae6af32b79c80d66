//! The fast board: two colour planes and the occupied places, all 256 squares at once.

use super::bound::{COLOURS, ColourCounts};
use super::judge::{EMPTY, Field};
use super::place::Place;
use super::reaction;

/// Words of a plane: four columns to a word.
const WORDS: usize = 4;

/// A board in which everything has fallen and no cluster is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    planes: Planes,
}

/// Columns of 16 bits each, four to a word, the floor at the lowest bit. Colour bits are 0 where nothing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Planes {
    /// Squares of colours b and d.
    pub(super) low: [u64; WORDS],
    /// Squares of colours c and d.
    pub(super) high: [u64; WORDS],
    /// Squares of any colour.
    pub(super) occupied: [u64; WORDS],
}

impl Board {
    /// The board of `field`, in which nothing floats and no cluster stands.
    #[must_use]
    pub fn new(field: &Field) -> Self {
        let mut planes = Planes { low: [0; WORDS], high: [0; WORDS], occupied: [0; WORDS] };
        for column in 0..field.columns() {
            for row in 0..field.rows() {
                let letter = field.at((row, column));
                if letter == EMPTY {
                    continue;
                }
                let (word, bit) = locate(Place::new(column, field.rows() - 1 - row));
                let colour = letter - b'a';
                planes.low[word] |= u64::from(colour & 1) << bit;
                planes.high[word] |= u64::from(colour >> 1) << bit;
                planes.occupied[word] |= 1 << bit;
            }
        }
        Self { planes }
    }

    /// Whether no square is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.planes.occupied == [0; WORDS]
    }

    /// Number of squares left.
    #[must_use]
    pub fn squares_left(&self) -> u32 {
        self.planes.occupied.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether a square stands at `place`.
    #[must_use]
    pub fn is_occupied(&self, place: Place) -> bool {
        let (word, bit) = locate(place);
        self.planes.occupied[word] >> bit & 1 == 1
    }

    /// The colour at `place`, 0 to 3, if a square stands there.
    #[must_use]
    pub fn colour(&self, place: Place) -> Option<u8> {
        let (word, bit) = locate(place);
        let colour = (self.planes.low[word] >> bit & 1) | (self.planes.high[word] >> bit & 1) << 1;
        self.is_occupied(place).then_some(colour as u8)
    }

    /// Removes the square at `place` and lets everything fall and vanish until nothing changes.
    pub fn remove(&mut self, place: Place) {
        let (word, bit) = locate(place);
        let column = 0xffff << (bit & !15);
        let below = column & ((1 << bit) - 1);
        let take_out = |plane: &mut u64| {
            let fallen = (*plane & column) >> 1 & column & !below;
            *plane = *plane & !column | *plane & below | fallen;
        };
        take_out(&mut self.planes.low[word]);
        take_out(&mut self.planes.high[word]);
        take_out(&mut self.planes.occupied[word]);
        reaction::settle(&mut self.planes);
    }

    /// Appends the removals that lead to different boards, in ascending order: of squares of one colour that stand on
    /// each other, the lowest stands for all.
    pub fn distinct_removals(&self, places: &mut Vec<Place>) {
        let Planes { low, high, occupied } = &self.planes;
        for word in 0..WORDS {
            let below = |plane: u64| plane << 1;
            let differs = (low[word] ^ below(low[word])) | (high[word] ^ below(high[word]));
            let mut listed = occupied[word] & (differs | FLOOR);
            while listed != 0 {
                places.push(Place::from_bit(word * 64 + listed.trailing_zeros() as usize));
                listed &= listed - 1;
            }
        }
    }

    /// A hash of the board, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let Planes { low, high, occupied } = &self.planes;
        let pairs = [low, high, occupied].into_iter().flat_map(|plane| [(plane[0], plane[1]), (plane[2], plane[3])]);
        pairs.zip(HASH_KEYS).fold(0, |hash: u64, ((first, second), key)| {
            let product = u128::from(first ^ key) * u128::from(second ^ hash ^ key.rotate_left(32));
            (product as u64) ^ (product >> 64) as u64
        })
    }

    /// How many squares of each colour each column holds.
    #[must_use]
    pub fn colour_counts(&self) -> ColourCounts {
        let Planes { low, high, occupied } = &self.planes;
        let mut counts = ColourCounts::default();
        for (colour, columns) in (0..COLOURS as u64).zip(&mut counts) {
            for (column, count) in columns.iter_mut().enumerate() {
                let (word, bit) = locate(Place::new(column, 0));
                let (other_low, other_high) = ((colour & 1).wrapping_sub(1), (colour >> 1).wrapping_sub(1));
                let squares = occupied[word] & (low[word] ^ other_low) & (high[word] ^ other_high);
                *count = (squares >> bit & 0xffff).count_ones() as u8;
            }
        }
        counts
    }

    /// The square at `place` and its neighbours (above, below, left, right), three bits each: equal where all look alike.
    #[must_use]
    pub fn surroundings(&self, place: Place) -> u32 {
        let (column, height) = (place.column(), place.height());
        let neighbours = [
            Some((column, height)),
            Some((column, height + 1)),
            height.checked_sub(1).map(|height| (column, height)),
            column.checked_sub(1).map(|column| (column, height)),
            Some((column + 1, height)),
        ];
        neighbours.into_iter().fold(0, |seen, neighbour| {
            let inside = neighbour.filter(|&(column, height)| column < 16 && height < 16);
            let colour = inside.and_then(|(column, height)| self.colour(Place::new(column, height)));
            seen << 3 | colour.map_or(4, u32::from)
        })
    }

    /// The planes, for what is computed of them.
    pub(super) const fn planes(&self) -> &Planes {
        &self.planes
    }
}

/// The floor of four columns.
const FLOOR: u64 = 0x0001_0001_0001_0001;

/// Arbitrary odd constants: digits of pi.
const HASH_KEYS: [u64; 6] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7345,
    0xa409_3822_299f_31d1,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
    0xbe54_66cf_34e9_0c6d,
];

/// Word and bit of `place` in a plane.
const fn locate(place: Place) -> (usize, usize) {
    (place.bit() / 64, place.bit() % 64)
}
