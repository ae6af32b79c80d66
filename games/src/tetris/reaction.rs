//! Chain reactions: clusters vanish and squares fall, until nothing changes.

use super::board::Planes;
use super::dispatch::{Kernel, dispatch};
use super::lanes::Lanes;

/// Lets clusters vanish and squares fall until nothing changes. Nothing floats when this is called.
pub(super) fn settle(planes: &mut Planes) {
    dispatch(Settle(planes));
}

struct Settle<'a>(&'a mut Planes);

impl Kernel for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        settle_on::<L>(self.0);
    }
}

#[inline(always)]
fn settle_on<L: Lanes>(planes: &mut Planes) {
    let (mut low, mut high) = (L::load(planes.low), L::load(planes.high));
    let mut occupied = L::load(planes.occupied);
    let mut changed = false;
    loop {
        let links = Links::new(low, high, occupied);
        let seeds = links.seeds();
        if seeds.is_empty() {
            break;
        }
        changed = true;
        let mut vanishing = links.flood(seeds);
        // Takes the lowest vanishing square out of every column at once; few columns lose more than two or three.
        while !vanishing.is_empty() {
            let resting = vanishing.below_lowest();
            let fall = |plane: L| plane.and(resting).or(plane.sink().without(resting));
            (low, high, occupied) = (fall(low), fall(high), fall(occupied));
            vanishing = vanishing.sink().without(resting);
        }
    }
    if changed {
        *planes = Planes { low: low.store(), high: high.store(), occupied: occupied.store() };
    }
}

/// For every square, which of its neighbours have its colour.
struct Links<L> {
    above: L,
    below: L,
    left: L,
    right: L,
}

impl<L: Lanes> Links<L> {
    #[inline(always)]
    fn new(low: L, high: L, occupied: L) -> Self {
        let alike = |low_there: L, high_there: L, occupied_there: L| {
            occupied.and(occupied_there).without(low.xor(low_there).or(high.xor(high_there)))
        };
        let above = alike(low.sink(), high.sink(), occupied.sink());
        let right = alike(low.leftward(), high.leftward(), occupied.leftward());
        Self { above, below: above.rise(), left: right.rightward(), right }
    }

    /// At least one square of every cluster of four or more, and none of a smaller one.
    ///
    /// A cluster holds a square with three like neighbours, or else it is a path or a ring, and two squares with two
    /// each are neighbours in it. The other way round, such squares have four in their cluster, for the grid has no
    /// triangles.
    #[inline(always)]
    fn seeds(&self) -> L {
        let &Self { above, below, left, right } = self;
        let (vertical, horizontal) = (above.or(below), left.or(right));
        let (upright, level) = (above.and(below), left.and(right));
        let two = upright.or(level).or(vertical.and(horizontal));
        let three = upright.and(horizontal).or(level.and(vertical));
        let pair = above.and(two.sink()).or(right.and(two.leftward()));
        three.or(two.and(pair))
    }

    /// Everything connected with `squares`.
    #[inline(always)]
    fn flood(&self, mut squares: L) -> L {
        loop {
            let upright = squares.and(self.above).rise().or(squares.and(self.below).sink());
            let level = squares.and(self.right).rightward().or(squares.and(self.left).leftward());
            let grown = squares.or(upright).or(level);
            if grown.xor(squares).is_empty() {
                return grown;
            }
            squares = grown;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::lanes::PortableLanes;
    use super::super::random::random_grid;
    use super::*;
    use crate::mix::mix2;

    /// The processor's path is the vector one where there is one; tests against the judge run on it.
    #[test]
    fn the_portable_path_settles_as_the_processors_own_does() {
        let mut reactions = 0;
        for seed in 0..2000 {
            let mut planes = *Board::new(random_grid(16, 16, seed).field()).planes();
            for drawn in 0..20 {
                // Loses some squares' low bits: colours change at random, and clusters stand everywhere.
                let random = |word: u64| mix2(mix2(seed, drawn), word) & mix2(mix2(seed, drawn), word + 4);
                planes.low = std::array::from_fn(|word| planes.low[word] & !random(word as u64));
                let mut portable = planes;
                let before = planes;
                settle(&mut planes);
                Settle(&mut portable).run::<PortableLanes>();
                assert_eq!(planes, portable, "seed {seed}, draw {drawn}");
                reactions += usize::from(planes != before);
            }
        }
        assert!(reactions > 4000, "only {reactions} reactions");
    }
}
