//! The weights that tuning arrived at, in the form that the example `tune_tetris` of the search crate prints. They come
//! from an earlier form of that program, by the same method: fourteen rounds of regression on random grids. Running it
//! anew starts from these and gives others.

use super::weights::Weights;

/// Found on random grids of 16 times 16 squares.
pub(super) const TUNED: Weights = Weights {
    phases: [
        [
            898, -343, 1165, 767, 837, 1066, 861, 905, 996, -68, -144, -180, -115, -6, 92, 77, -58, 80, 125, -198, -79,
            36, 30, 218, -222, -135, -83, -56, 14, -338, 261, 17, 129, -111, 193, -39, -42,
        ],
        [
            568, -166, 554, 268, 330, 572, 425, 246, 338, 320, 171, -13, 201, -63, 6, -11, 4, -890, 22, -59, -14, 12,
            45, 74, -86, -24, -22, -10, -2, -93, 108, 24, 33, -45, 297, 32, -11,
        ],
        [
            703, -263, 558, 427, 796, 1024, 444, 400, 411, 68, 303, -58, 183, -13, 91, 18, -80, 491, 6, -15, -2, -12,
            3, 70, -49, -16, 1, -9, -7, -87, 63, 11, 25, -163, 174, 28, -279,
        ],
    ],
    squares: [-2689, -923, 423, 917, 662, 329, 178, 303, 336, 516, 1155, 1083, 1363, 1637, 1792, 1736, 1696],
};
