//! Sites: empty squares on which a chain of merges can be set off.
//!
//! What merges stands where the last building was put, so a chain climbs on one square, and each of its steps takes
//! two buildings that hang together with another neighbour of that square. A building is worth most beside a site
//! where the levels below it are ready as well.
//!
//! All levels of a site are handled at once, a byte of a word for each of the levels 1 to 8 (the top level merges with
//! nothing), on a copy of the map with a border of top levels.

use super::level::{TOP, VALUES};
use super::terrain::Terrain;

/// Readiness of a level that needs nothing but the building that sets it off.
const READY: u64 = 8;

/// Every byte of a word.
const BYTES: u64 = 0x0101_0101_0101_0101;

/// Marks a building that has a like neighbour, beside its level in the lower bits.
const PAIRED: u8 = 1 << 4;

/// What a neighbour adds to the sizes of a site's groups, by its level and mark: one building, or (at least) two.
const SIZES: [u64; 32] = {
    let mut sizes = [0; 32];
    let mut level = 1;
    while level < TOP {
        sizes[level as usize] = 1 << lane(level);
        sizes[(level | PAIRED) as usize] = 2 << lane(level);
        level += 1;
    }
    sizes
};

/// The lowest bit of a level's byte; for empty squares and the top level that of any, since they are worth nothing.
const fn lane(level: u8) -> u32 {
    (level.wrapping_sub(1) as u32 & 7) * 8
}

/// Sums over all buildings what their level is `worth`, times how far their best site is: readiness of the level
/// there times the readiness of the unbroken run of levels that ends in it, in 64ths. `half` is the readiness, in
/// eighths and at most 8, of a level of which one building of two is there.
pub(super) fn worth_of_readiness(terrain: &Terrain, levels: &[u8], half: u64, worth: &[i64; VALUES]) -> i64 {
    // Most maps fit the small copy, which is quicker to clear.
    match (terrain.rows() + 2) * (terrain.columns() + 1) {
        0..400 => on_copy::<400>(terrain, levels, half, worth),
        _ => on_copy::<1200>(terrain, levels, half, worth),
    }
}

fn on_copy<const N: usize>(terrain: &Terrain, levels: &[u8], half: u64, worth: &[i64; VALUES]) -> i64 {
    let (rows, columns) = (terrain.rows(), terrain.columns());
    // One column between the rows borders both: the end of one and the start of the next.
    let stride = columns + 1;
    let mut copy = [TOP; N];
    for (row, levels) in levels.chunks_exact(columns).enumerate() {
        copy[(row + 1) * stride..][..columns].copy_from_slice(levels);
    }
    let marked = mark_pairs(&copy, stride, rows * stride);
    let mut sites = [0u16; N];
    let mut count = 0;
    for (square, &level) in copy.iter().enumerate().skip(stride).take(rows * stride) {
        sites[count] = square as u16;
        count += usize::from(level == 0);
    }
    let mut best = [0u16; N];
    for &site in &sites[..count] {
        let site = usize::from(site);
        let beside = [site - stride, site - 1, site + 1, site + stride];
        let sizes: u64 = beside.iter().map(|&square| SIZES[usize::from(marked[square] & 31)]).sum();
        let (ready, run) = ready_runs(sizes, half);
        for square in beside {
            let lane = lane(marked[square] & !PAIRED);
            let reached = (ready >> lane & 0xff) * (run >> lane & 0xff);
            best[square] = best[square].max(reached as u16);
        }
    }
    let worth_of = |(&level, &best): (&u8, &u16)| worth[usize::from(level)] * i64::from(best);
    copy.iter().zip(&best).skip(stride).take(rows * stride).map(worth_of).sum()
}

/// The squares from the second row on, each level with its mark when a neighbour is like it.
fn mark_pairs<const N: usize>(copy: &[u8; N], stride: usize, count: usize) -> [u8; N] {
    let mut marked = [0; N];
    let from = |start: usize| &copy[start..start + count];
    let (above, left, here) = (from(0), from(stride - 1), from(stride));
    let (right, below) = (from(stride + 1), from(2 * stride));
    for (index, marked) in marked[stride..stride + count].iter_mut().enumerate() {
        let level = here[index];
        let like = (above[index] == level) | (left[index] == level) | (right[index] == level) | (below[index] == level);
        *marked = if like { level | PAIRED } else { level };
    }
    marked
}

/// Readiness of each level, and of the run of levels without a gap that ends in it. At most four levels are there.
#[inline]
fn ready_runs(sizes: u64, half: u64) -> (u64, u64) {
    // Sizes are at most 8: the top bit of each byte tells whether adding went beyond.
    let fill = |tops: u64| (tops >> 7) * 0xff;
    let some = fill((sizes + 0x7f * BYTES) & (0x80 * BYTES));
    let pair = fill((sizes + 0x7e * BYTES) & (0x80 * BYTES));
    let ready = pair & (READY * BYTES) | some & !pair & (half * BYTES);
    let mut run = ready;
    let mut lower = ready;
    for _ in 0..3 {
        lower = lower << 8 & some;
        run += lower;
    }
    (ready, run)
}

#[cfg(test)]
mod tests {
    use super::super::affinity::Affinity;
    use super::super::estimate::Weights;
    use super::super::random::Shape;
    use super::*;

    /// The same square by square and level by level.
    fn plainly(terrain: &Terrain, levels: &[u8], half: u64, worth: &[i64; VALUES]) -> i64 {
        let level_of = |&square: &u16| levels[usize::from(square)];
        let mut best = vec![0; levels.len()];
        for site in (0..levels.len()).filter(|&square| levels[square] == 0) {
            let mut run = 0;
            for level in 1..TOP {
                let group: Vec<u16> =
                    terrain.beside(site).iter().copied().filter(|square| level_of(square) == level).collect();
                let paired = |&square: &u16| terrain.beside(square.into()).iter().any(|other| level_of(other) == level);
                let ready = match group.len() {
                    0 => 0,
                    1 if !group.iter().any(paired) => half,
                    _ => READY,
                };
                run = if ready == 0 && group.is_empty() { 0 } else { run + ready };
                for square in group {
                    let best = &mut best[usize::from(square)];
                    *best = (ready * run).max(*best);
                }
            }
        }
        levels.iter().zip(best).map(|(&level, best)| worth[usize::from(level)] * best as i64).sum()
    }

    #[test]
    fn all_levels_at_once_give_what_level_by_level_gives() {
        let worth = std::array::from_fn(|level| if level < usize::from(TOP) { 7_i64.pow(level as u32) - 1 } else { 0 });
        for seed in 0..3_000 {
            let large = Shape { rows: 18, columns: 23, filled: 60, ..Shape::tiny(seed, 4, 0) };
            let shape = if seed % 10 == 0 { large } else { Shape::tiny(seed, 40, 0) };
            let map = shape.case(seed).map;
            let terrain = Terrain::new(shape.rows, shape.columns, Affinity::new(&Weights::default()));
            let half = seed % 9;
            let plain = plainly(&terrain, &map, half, &worth);
            assert_eq!(worth_of_readiness(&terrain, &map, half, &worth), plain, "{shape:?}");
        }
    }
}
