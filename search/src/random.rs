//! Randomness that depends on seeds alone.

use cascade_games::mix::mix2;
use std::hash::Hasher;

/// The seed of run `index` of a search with `seed`. Run 0 has the search's own seed; no other run has seed 0.
pub(crate) fn run_seed(seed: u64, index: u64) -> u64 {
    match index {
        0 => seed,
        _ => mix2(seed, index).max(1),
    }
}

/// Noise of one run: a fixed number for each position, so that equal positions stay equal.
#[derive(Clone, Copy)]
pub(crate) struct Noise {
    seed: u64,
    amplitude: u64,
}

impl Noise {
    /// Noise up to `amplitude` either way; none when it is 0.
    pub(crate) fn new(seed: u64, amplitude: i64) -> Self {
        Self { seed, amplitude: amplitude.max(0).unsigned_abs().min(u64::from(u32::MAX / 2)) }
    }

    /// The noise of the position with `hash`, uniform in `-amplitude..=amplitude`.
    pub(crate) fn of(self, hash: u64) -> i64 {
        if self.amplitude == 0 {
            return 0;
        }
        let random = mix2(self.seed, hash) >> 32;
        let drawn = (random * (2 * self.amplitude + 1)) >> 32;
        drawn.cast_signed() - self.amplitude.cast_signed()
    }
}

/// A hasher for what is mixed already: positions' hashes, codes of moves.
#[derive(Clone, Copy, Default)]
pub(crate) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn noise_fills_its_range_and_no_more() {
        let noise = Noise::new(7, 3);
        let mut seen = [0; 7];
        for hash in 0..7000 {
            seen[usize::try_from(noise.of(hash) + 3).unwrap()] += 1;
        }
        assert!(seen.iter().all(|&count| count > 800), "{seen:?}");
    }

    #[test]
    fn only_the_first_run_may_have_seed_zero() {
        assert_eq!(run_seed(0, 0), 0);
        assert!((1..10_000).all(|index| run_seed(0, index) != 0));
    }
}
