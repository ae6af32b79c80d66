//! Sites: empty squares on which a chain of merges can be set off.
//!
//! What merges stands where the last building was put, so a chain climbs on one square, and each of its steps takes
//! two buildings that hang together with another neighbour of that square. A building is worth most beside a site
//! where the levels below it are ready as well.

use super::case::Case;
use super::level::{TOP, VALUES};
use super::terrain::Terrain;

/// Readiness of a level that needs nothing but the building that sets it off.
const READY: u32 = 8;

/// For each level, the sum over its buildings of how far their best site is: readiness of the level there times the
/// readiness of the unbroken run of levels that ends in it, in 64ths. `half` is the readiness, in eighths, of a level of
/// which one building of two is there.
pub(super) fn readiness(terrain: &Terrain, levels: &[u8], half: u32) -> [i64; VALUES] {
    let mut paired = [false; Case::MOST_SQUARES];
    let mut best = [0u16; Case::MOST_SQUARES];
    for (square, &level) in levels.iter().enumerate() {
        paired[square] = level > 0 && terrain.beside(square).iter().any(|&other| levels[usize::from(other)] == level);
    }
    for (square, &level) in levels.iter().enumerate() {
        if level > 0 {
            continue;
        }
        let beside = terrain.beside(square);
        let mut sizes = [0u8; VALUES];
        let mut present = 0u32;
        for &other in beside {
            let other = usize::from(other);
            sizes[usize::from(levels[other])] += 1 + u8::from(paired[other]);
            present |= 1 << levels[other];
        }
        // Empty squares and the top level merge with nothing.
        present &= !(1 | 1 << TOP);
        let mut reached = [0u16; VALUES];
        let mut run = 0;
        let mut last = 0;
        while present != 0 {
            let level = present.trailing_zeros() as usize;
            present &= present - 1;
            let ready = if sizes[level] >= 2 { READY } else { half };
            run = if level == last + 1 { run + ready } else { ready };
            last = level;
            reached[level] = (ready * run) as u16;
        }
        for &other in beside {
            let other = usize::from(other);
            best[other] = best[other].max(reached[usize::from(levels[other])]);
        }
    }
    let mut sums = [0; VALUES];
    for (&level, &best) in levels.iter().zip(&best) {
        sums[usize::from(level)] += i64::from(best);
    }
    sums
}
