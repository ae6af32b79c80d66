//! What two buildings close to each other do for each other, by how far their levels are apart. Kept up to date
//! square by square, summed by the lower level of the pair.

use super::estimate::Weights;
use super::level::VALUES;

/// Weights of pairs of levels (0 is empty).
#[derive(Clone, Debug)]
pub(super) struct Affinity {
    /// For two neighbours.
    pub(super) beside: [[i32; VALUES]; VALUES],
    /// For two squares two steps from each other.
    pub(super) near: [[i32; VALUES]; VALUES],
}

/// Sums of weights by the lower level of the pairs; pairs with an empty square gather at 0 and count for nothing.
pub(super) type Sums = [i32; VALUES];

impl Affinity {
    pub(super) fn new(weights: &Weights) -> Self {
        let table = |by_distance: [i64; 4]| {
            let mut table = [[0; VALUES]; VALUES];
            for low in 1..VALUES {
                for high in low..VALUES {
                    table[low][high] = by_distance[(high - low).min(3)] as i32;
                    table[high][low] = table[low][high];
                }
            }
            table
        };
        Self {
            beside: table([weights.like_beside, weights.step_beside, weights.stride_beside, weights.wall_beside]),
            near: table([weights.like_near, weights.step_near, weights.stride_near, weights.wall_near]),
        }
    }
}
