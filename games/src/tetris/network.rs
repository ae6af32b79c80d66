//! A small neural network over the numbers that describe a board, in integers: the same on every machine.
//!
//! One hidden layer of rectified units. It corrects what the weights of single
//! features cannot say: that something costs more when something else is there as well.

use super::features::{INPUTS, Inputs};

/// Units of the hidden layer.
pub const HIDDEN: usize = 16;

/// What 1.0 is, in a unit's weights and bias.
pub const UNIT_SCALE: i32 = 4096;

/// A unit's output is cut off here, in [`UNIT_SCALE`]: about 8.
const MOST: i32 = i16::MAX as i32;

/// Bits of a unit's output that are dropped before it is weighed.
const DROPPED: u32 = 4;

/// The network's weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Weights of the inputs in each hidden unit, times [`UNIT_SCALE`].
    pub hidden: [Inputs; HIDDEN],
    /// Each unit's bias, times [`UNIT_SCALE`].
    pub bias: [i32; HIDDEN],
    /// What each unit's output of 1.0 costs, in thousandths of a removal.
    pub output: [i32; HIDDEN],
}

impl Network {
    /// The network that says 0 of every board.
    pub const ZERO: Self = Self { hidden: [[0; INPUTS]; HIDDEN], bias: [0; HIDDEN], output: [0; HIDDEN] };

    /// What the board costs beyond the features' weights, in thousandths of a removal.
    #[inline(always)]
    pub(super) fn correction(&self, inputs: &Inputs) -> i32 {
        let mut sum = 0_i32;
        for ((weights, bias), output) in self.hidden.iter().zip(self.bias).zip(self.output) {
            let unit = (dot(inputs, weights) + bias).clamp(0, MOST) >> DROPPED;
            sum += unit * output;
        }
        sum / (UNIT_SCALE >> DROPPED)
    }

    /// Adds what one more of each input would add to the correction, were all units as silent or as loud as now.
    #[inline(always)]
    pub(super) fn add_slope(&self, inputs: &Inputs, slope: &mut [i32; INPUTS]) {
        for ((weights, bias), output) in self.hidden.iter().zip(self.bias).zip(self.output) {
            if (1..MOST).contains(&(dot(inputs, weights) + bias)) {
                for (slope, &weight) in slope.iter_mut().zip(weights) {
                    *slope += i32::from(weight) * output / UNIT_SCALE;
                }
            }
        }
    }
}

/// The sum of the products.
#[inline(always)]
pub(super) fn dot(inputs: &Inputs, weights: &Inputs) -> i32 {
    inputs.iter().zip(weights).map(|(&input, &weight)| i32::from(input) * i32::from(weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_rectified_cut_off_and_weighed() {
        let mut network = Network::ZERO;
        let mut inputs = [0; INPUTS];
        inputs[3] = 2;
        // 2 * 0.5 + 0.25 = 1.25, times 80 thousandths.
        network.hidden[0][3] = 2048;
        network.bias[0] = 1024;
        network.output[0] = 80;
        assert_eq!(network.correction(&inputs), 100);
        // Below 0: silent.
        network.hidden[1][3] = -2048;
        network.output[1] = 7000;
        assert_eq!(network.correction(&inputs), 100);
        // 2 * 7.9 is cut off at about 8.
        network.hidden[2][3] = 32_000;
        network.output[2] = -1000;
        assert_eq!(network.correction(&inputs), 100 - 7996);
    }
}
