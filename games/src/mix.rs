//! A 64-bit finaliser: spreads every input bit over the whole word.

/// Mixes `value` so that close inputs give unrelated outputs (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
#[must_use]
pub const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Mixes two words into one; the order of the two matters.
#[must_use]
pub const fn mix2(first: u64, second: u64) -> u64 {
    mix(mix(first) ^ second.rotate_left(32))
}
