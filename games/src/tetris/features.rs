//! What an estimate looks at: numbers that tell how a board is made up.

use super::board::Planes;
use super::columns::Columns;
use super::lanes::Lanes;
use super::runs;
use super::triples::{TRIPLES, triples};

/// Declares the features with their names.
macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A feature: a number of things of one kind on a board.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature {
            $($(#[$doc])* $name,)*
        }

        impl Feature {
            /// Every feature.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

features! {
    /// Squares in runs of fewer than four squares.
    Stranded,
    /// Runs of fewer than four squares.
    StrandedRun,
    /// Runs of 4 squares.
    RunOf4,
    /// Runs of 5 squares.
    RunOf5,
    /// Runs of 6 squares.
    RunOf6,
    /// Runs of 7 squares.
    RunOf7,
    /// Runs of 8 or 9 squares.
    RunOf8,
    /// Runs of 10 to 12 squares.
    RunOf10,
    /// Runs of 13 squares or more.
    RunOf13,
    /// Runs of four or more squares in a single column.
    OneColumn,
    /// Runs of four or more squares in two columns.
    TwoColumns,
    /// Runs of four or more squares in three columns.
    ThreeColumns,
    /// Columns of runs.
    RunColumn,
    /// Columns of runs of four to seven squares.
    ShortRunColumn,
    /// Columns that hold a single square of a run of four or more.
    SingleInColumn,
    /// Columns that hold two squares of a run of four or more.
    PairInColumn,
    /// Columns that hold a single square of a run of four to seven.
    ShortRunSingle,
    /// Colours that are left.
    Colour,
    /// Two like squares on top of each other.
    TouchingAbove,
    /// Two like squares of a column with one place between them.
    OneBetween,
    /// Two like squares of a column with two places between them.
    TwoBetween,
    /// Two like squares of a column with three places between them.
    ThreeBetween,
    /// Two like squares of a column with four places between them.
    FourBetween,
    /// Two like squares beside each other.
    TouchingBeside,
    /// Two like squares in neighbouring columns, one place higher or lower.
    BesideOffByOne,
    /// Two like squares in neighbouring columns, two places higher or lower.
    BesideOffByTwo,
    /// Two like squares in neighbouring columns, three places higher or lower.
    BesideOffByThree,
    /// Two like squares of a height, one column apart.
    Across,
    /// Two like squares one column apart, one place higher or lower.
    AcrossOffByOne,
    /// Squares with two like neighbours or more.
    Joint,
    /// Squares without a like neighbour.
    Single,
    /// Squares without a like one among neighbours, diagonal ones and those two places above and below.
    Lonely,
    /// Squares.
    Square,
    /// Columns in use.
    Column,
    /// Stretches of neighbouring columns in use.
    Stretch,
    /// Squares' sides that are free to the left or right.
    FreeSide,
    /// The height of the tallest column.
    Tallest,
    /// Like squares with one place between them that would make a cluster, were the square between taken out.
    ReadyGap,
    /// Like squares with two places between them, both with a like neighbour or one with two.
    NearlyReadyGap,
    /// Like squares in neighbouring columns, one place higher or lower, that would make a cluster side by side.
    ReadySlip,
    /// The same with two places.
    NearlyReadySlip,
}

/// Number of features.
pub const FEATURES: usize = Feature::ALL.len();

/// How often a board has each feature.
pub(super) struct Counts([i32; FEATURES]);

/// A board as numbers: its features, then its column triples, then zeroes up to a round number.
pub type Inputs = [i16; INPUTS];

/// Number of inputs: whole vector registers of them.
pub const INPUTS: usize = (FEATURES + TRIPLES).next_multiple_of(16);

impl Counts {
    /// The board in `planes` as numbers.
    #[inline(always)]
    pub(super) fn inputs<L: Lanes>(planes: &Planes) -> Inputs {
        let squares =
            Squares { low: L::load(planes.low), high: L::load(planes.high), occupied: L::load(planes.occupied) };
        let mut counts = Self([0; FEATURES]);
        let columns = Columns::new(squares.colours());
        runs::count(&columns, &mut counts);
        counts.pairs(&squares);
        counts.shape(squares.occupied);
        let mut inputs = [0; INPUTS];
        for (input, count) in inputs.iter_mut().zip(counts.0) {
            *input = count as i16;
        }
        inputs[FEATURES..FEATURES + TRIPLES].copy_from_slice(&triples(&columns));
        inputs
    }

    /// Raises `feature` by `count`.
    #[inline(always)]
    pub(super) const fn add(&mut self, feature: Feature, count: i32) {
        self.0[feature as usize] += count;
    }

    /// Like squares that touch, or that could meet when few others go.
    #[inline(always)]
    fn pairs<L: Lanes>(&mut self, squares: &Squares<L>) {
        let beside = Squares {
            low: squares.low.leftward(),
            high: squares.high.leftward(),
            occupied: squares.occupied.leftward(),
        };
        let across =
            Squares { low: beside.low.leftward(), high: beside.high.leftward(), occupied: beside.occupied.leftward() };
        let rising = |set: L| set.rise();
        let sinking = |set: L| set.sink();
        let by_two = |set: L| set.sink().sink();
        let by_three = |set: L| set.sink().sink().sink();

        let above = squares.alike(squares, sinking);
        let one_between = squares.alike(squares, by_two);
        let two_between = squares.alike(squares, by_three);
        let right = squares.alike(&beside, |set| set);
        let right_higher = squares.alike(&beside, sinking);
        let right_lower = squares.alike(&beside, rising);
        self.add(Feature::TouchingAbove, above.count());
        self.add(Feature::OneBetween, one_between.count());
        self.add(Feature::TwoBetween, two_between.count());
        self.add(Feature::ThreeBetween, squares.alike(squares, |set| by_two(by_two(set))).count());
        self.add(Feature::FourBetween, squares.alike(squares, |set| by_two(by_three(set))).count());
        self.add(Feature::TouchingBeside, right.count());
        self.add(Feature::BesideOffByOne, right_higher.count() + right_lower.count());
        // What is to the left and higher is seen from the other side: the right one's partner is lower.
        let two_higher = squares.alike(&beside, by_two);
        let two_lower = squares.alike(&beside, |set| set.rise().rise());
        let off_by_three =
            squares.alike(&beside, by_three).count() + squares.alike(&beside, |set| set.rise().rise().rise()).count();
        self.add(Feature::BesideOffByTwo, two_higher.count() + two_lower.count());
        self.add(Feature::BesideOffByThree, off_by_three);
        self.add(Feature::Across, squares.alike(&across, |set| set).count());
        let across_off = squares.alike(&across, sinking).count() + squares.alike(&across, rising).count();
        self.add(Feature::AcrossOffByOne, across_off);

        let (below, left) = (above.rise(), right.rightward());
        let (vertical, horizontal) = (above.or(below), left.or(right));
        let joint = above.and(below).or(left.and(right)).or(vertical.and(horizontal));
        let single = squares.occupied.without(vertical.or(horizontal));
        let near = one_between
            .or(one_between.rise().rise())
            .or(right_higher.or(right_higher.rightward().rise()))
            .or(right_lower.or(right_lower.rightward().sink()));
        self.add(Feature::Joint, joint.count());
        self.add(Feature::Single, single.count());
        self.add(Feature::Lonely, single.without(near).count());

        // Two squares that come to touch make a cluster if both have a like neighbour, or one has two.
        let linked = vertical.or(horizontal);
        let ready = |pairs: L, linked_there: L, joint_there: L| {
            pairs.and(linked.and(linked_there).or(joint).or(joint_there)).count()
        };
        let (linked_beside, joint_beside) = (linked.leftward(), joint.leftward());
        self.add(Feature::ReadyGap, ready(one_between, by_two(linked), by_two(joint)));
        self.add(Feature::NearlyReadyGap, ready(two_between, by_three(linked), by_three(joint)));
        let higher = ready(right_higher, sinking(linked_beside), sinking(joint_beside));
        let lower = ready(right_lower, rising(linked_beside), rising(joint_beside));
        self.add(Feature::ReadySlip, higher + lower);
        let higher = ready(two_higher, by_two(linked_beside), by_two(joint_beside));
        let lower = ready(two_lower, linked_beside.rise().rise(), joint_beside.rise().rise());
        self.add(Feature::NearlyReadySlip, higher + lower);
    }

    /// How the columns stand.
    #[inline(always)]
    fn shape<L: Lanes>(&mut self, occupied: L) {
        let columns = occupied.columns();
        let free = occupied.without(occupied.leftward()).count() + occupied.without(occupied.rightward()).count();
        self.add(Feature::Square, occupied.count());
        self.add(Feature::Column, columns.count_ones() as i32);
        self.add(Feature::Stretch, (columns & !(columns << 1)).count_ones() as i32);
        self.add(Feature::FreeSide, free);
        self.add(Feature::Tallest, occupied.tallest());
    }
}

/// Squares in lanes.
struct Squares<L> {
    low: L,
    high: L,
    occupied: L,
}

impl<L: Lanes> Squares<L> {
    /// Squares of the colours a, b, c and d.
    #[inline(always)]
    fn colours(&self) -> [L; 4] {
        let &Self { low, high, occupied } = self;
        [occupied.without(low.or(high)), low.without(high), high.without(low), low.and(high)]
    }

    /// Squares that look like the one of `others` that `shift` brings to their place.
    #[inline(always)]
    fn alike(&self, others: &Self, shift: impl Fn(L) -> L) -> L {
        let differs = self.low.xor(shift(others.low)).or(self.high.xor(shift(others.high)));
        self.occupied.and(shift(others.occupied)).without(differs)
    }
}
