//! How promising a board is: a prediction of the removals it still costs.
//!
//! Few squares left is not close to the end: squares stranded in short runs are dear, crowded boards are cheap. So the
//! prediction looks at the runs of each colour, at like squares that could soon meet, and at the shape of the board.

use super::board::{Board, Planes};
use super::dispatch::{Kernel, dispatch};
use super::lanes::Lanes;
use super::runs;
use super::weights::Weights;

/// A fifth of a removal is a visible difference between siblings.
pub(super) const UNIT: i64 = 200;

/// The predicted cost of what is left, in thousandths of a removal, negated: more is better.
pub(super) fn estimate(board: &Board, weights: &Weights) -> i64 {
    -i64::from(dispatch(Cost { planes: board.planes(), weights }))
}

struct Cost<'a> {
    planes: &'a Planes,
    weights: &'a Weights,
}

impl Kernel for Cost<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> i32 {
        let Self { planes, weights } = self;
        let squares =
            Squares { low: L::load(planes.low), high: L::load(planes.high), occupied: L::load(planes.occupied) };
        colours(&squares, weights) + pairs(&squares, weights) + shape(squares.occupied, weights)
    }
}

/// The board in lanes.
struct Squares<L> {
    low: L,
    high: L,
    occupied: L,
}

impl<L: Lanes> Squares<L> {
    /// Squares that look like the one that `shift` brings to their place.
    #[inline(always)]
    fn alike(&self, shift: impl Fn(L) -> L) -> L {
        let differs = self.low.xor(shift(self.low)).or(self.high.xor(shift(self.high)));
        self.occupied.and(shift(self.occupied)).without(differs)
    }
}

#[inline(always)]
fn colours<L: Lanes>(squares: &Squares<L>, weights: &Weights) -> i32 {
    let &Squares { low, high, occupied } = squares;
    let d = low.and(high);
    [occupied.without(low.or(high)), low.without(high), high.without(low), d]
        .into_iter()
        .map(|colour| runs::cost(colour, weights))
        .sum()
}

/// Like squares that touch, or that could meet when few others go.
#[inline(always)]
fn pairs<L: Lanes>(squares: &Squares<L>, weights: &Weights) -> i32 {
    let above = squares.alike(|set| set.sink());
    let two_above = squares.alike(|set| set.sink().sink());
    let three_above = squares.alike(|set| set.sink().sink().sink());
    let four_above = squares.alike(|set| set.sink().sink().sink().sink());
    let five_above = squares.alike(|set| set.sink().sink().sink().sink().sink());
    let right = squares.alike(|set| set.leftward());
    let right_higher = squares.alike(|set| set.leftward().sink());
    let right_lower = squares.alike(|set| set.leftward().rise());
    let off_by_two = squares.alike(|set| set.leftward().sink().sink()).count()
        + squares.alike(|set| set.leftward().rise().rise()).count();
    let off_by_three = squares.alike(|set| set.leftward().sink().sink().sink()).count()
        + squares.alike(|set| set.leftward().rise().rise().rise()).count();
    let across = squares.alike(|set| set.leftward().leftward()).count();
    let across_off_by_one = squares.alike(|set| set.leftward().leftward().sink()).count()
        + squares.alike(|set| set.leftward().leftward().rise()).count();

    let (below, left) = (above.rise(), right.rightward());
    let (vertical, horizontal) = (above.or(below), left.or(right));
    let joint = above.and(below).or(left.and(right)).or(vertical.and(horizontal));
    let touching = vertical.or(horizontal);
    let near = two_above
        .or(two_above.rise().rise())
        .or(right_higher)
        .or(right_higher.rightward().rise())
        .or(right_lower)
        .or(right_lower.rightward().sink());
    let single = squares.occupied.without(touching);

    weights.touching_above * above.count()
        + weights.one_between * two_above.count()
        + weights.two_between * three_above.count()
        + weights.three_between * four_above.count()
        + weights.four_between * five_above.count()
        + weights.touching_beside * right.count()
        + weights.beside_off_by_one * (right_higher.count() + right_lower.count())
        + weights.beside_off_by_two * off_by_two
        + weights.beside_off_by_three * off_by_three
        + weights.across * across
        + weights.across_off_by_one * across_off_by_one
        + weights.joint * joint.count()
        + weights.single * single.count()
        + weights.lonely * single.without(near).count()
}

/// How the columns stand.
#[inline(always)]
fn shape<L: Lanes>(occupied: L, weights: &Weights) -> i32 {
    let columns = occupied.columns();
    let stretches = (columns & !(columns << 1)).count_ones() as i32;
    let free_sides = occupied.without(occupied.leftward()).count() + occupied.without(occupied.rightward()).count();
    weights.square * occupied.count()
        + weights.column * columns.count_ones() as i32
        + weights.stretch * stretches
        + weights.free_side * free_sides
        + weights.tallest * occupied.tallest()
}
