//! What the parts of a board are thought to cost.

/// Declares the struct of weights together with its names and its form as an array, for programs that tune it.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $value:literal,)*) => {
        /// What each feature of a board is thought to cost, in thousandths of a removal.
        ///
        /// The default was found by playing: see the example `tune_tetris` of the search crate.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Default for Weights {
            fn default() -> Self {
                Self { $($name: $value,)* }
            }
        }

        impl Weights {
            /// The features' names.
            pub const NAMES: &[&str] = &[$(stringify!($name),)*];

            /// The weights in the order of [`Weights::NAMES`].
            #[must_use]
            pub fn to_vec(&self) -> Vec<i32> {
                vec![$(self.$name,)*]
            }

            /// The weights that [`Weights::to_vec`] gave; `None` when there are not as many as there are names.
            #[must_use]
            pub fn from_slice(weights: &[i32]) -> Option<Self> {
                let &[$($name,)*] = weights else {
                    return None;
                };
                Some(Self { $($name,)* })
            }
        }
    };
}

weights! {
    /// Each square in a run of fewer than four squares.
    stranded = 1230,
    /// Each run of fewer than four squares.
    stranded_run = -200,
    /// Each run of 4 squares.
    run_of_4 = 858,
    /// Each run of 5 squares.
    run_of_5 = 88,
    /// Each run of 6 squares.
    run_of_6 = 100,
    /// Each run of 7 squares.
    run_of_7 = 966,
    /// Each run of 8 or 9 squares.
    run_of_8 = 1364,
    /// Each run of 10 to 12 squares.
    run_of_10 = 547,
    /// Each run of 13 squares or more.
    run_of_13 = 531,
    /// Each run of four or more squares in a single column.
    one_column = 2195,
    /// Each run of four or more squares in two columns.
    two_columns = 162,
    /// Each run of four or more squares in three columns.
    three_columns = -130,
    /// Each column of a run.
    run_column = 96,
    /// Each column of a run of four to seven squares.
    short_run_column = 53,
    /// Each column that holds a single square of a run of four or more.
    single_in_column = 312,
    /// Each column that holds two squares of a run of four or more.
    pair_in_column = 131,
    /// Each column that holds a single square of a run of four to seven.
    short_run_single = -172,
    /// Each colour that is left.
    colour = -473,
    /// Each two like squares on top of each other.
    touching_above = 56,
    /// Each two like squares of a column with one place between them.
    one_between = -18,
    /// Each two like squares of a column with two places between them.
    two_between = 25,
    /// Each two like squares of a column with three places between them.
    three_between = 105,
    /// Each two like squares of a column with four places between them.
    four_between = 146,
    /// Each two like squares beside each other.
    touching_beside = 172,
    /// Each two like squares in neighbouring columns, one place higher or lower.
    beside_off_by_one = -128,
    /// Each two like squares in neighbouring columns, two places higher or lower.
    beside_off_by_two = -61,
    /// Each two like squares in neighbouring columns, three places higher or lower.
    beside_off_by_three = 9,
    /// Each two like squares of a height, one column apart.
    across = -45,
    /// Each two like squares one column apart, one place higher or lower.
    across_off_by_one = 10,
    /// Each square with two like neighbours or more.
    joint = -217,
    /// Each square without a like neighbour.
    single = 190,
    /// Each square without a like one among neighbours, diagonal ones and those two places above and below.
    lonely = 0,
    /// Each square.
    square = 63,
    /// Each column in use.
    column = -141,
    /// Each stretch of neighbouring columns in use.
    stretch = 377,
    /// Each square's side that is free to the left or right.
    free_side = 0,
    /// The height of the tallest column.
    tallest = 71,
}
