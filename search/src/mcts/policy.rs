//! A rollout policy learnt by nested rollout policy adaptation (Rosin 2011), in integers.

use crate::random::AsIs;
use rand_core::RngCore;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// One in the fixed-point binary logarithms of the weights.
const ONE: i64 = 1 << 16;
/// How far one adaptation moves a weight at most: Rosin's step of 1 in natural logarithms, times log2(e).
const STEP: i64 = 94_548;
/// Binary logarithms are kept within this.
const LARGEST: i64 = 20 * ONE;

/// Weights of moves by their code: a move is drawn in proportion to 2 to the power of its weight.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    /// Binary logarithms; absent means 0. Only looked up, never iterated over, but for [`Policy::sorted`].
    weights: HashMap<u64, i64, BuildHasherDefault<AsIs>>,
}

impl Policy {
    /// A policy from what [`Policy::sorted`] gave.
    pub(crate) fn from_sorted(weights: Vec<(u64, i64)>) -> Self {
        let clamp = |(code, weight): (u64, i64)| (code, weight.clamp(-LARGEST, LARGEST));
        Self { weights: weights.into_iter().map(clamp).collect() }
    }

    /// All weights in the order of their codes.
    pub(crate) fn sorted(&self) -> Vec<(u64, i64)> {
        let mut weights: Vec<_> = self.weights.iter().map(|(&code, &weight)| (code, weight)).collect();
        weights.sort_unstable();
        weights
    }

    /// How likely a move is drawn, compared with others.
    pub(crate) fn weight(&self, code: u64) -> u64 {
        exp2(self.weights.get(&code).copied().unwrap_or(0))
    }

    /// Makes `chosen` more likely among the moves with `codes`, the others less, by the gradient of its probability.
    pub(crate) fn adapt(&mut self, codes: &[u64], chosen: usize) {
        let likelihoods: Vec<u64> = codes.iter().map(|&code| self.weight(code)).collect();
        let total: u64 = likelihoods.iter().sum();
        for (index, (&code, &likelihood)) in codes.iter().zip(&likelihoods).enumerate() {
            let share = (u128::from(likelihood) * STEP.unsigned_abs() as u128 / u128::from(total.max(1))) as i64;
            let change = if index == chosen { STEP - share } else { -share };
            if change != 0 {
                let weight = self.weights.entry(code).or_default();
                *weight = (*weight + change).clamp(-LARGEST, LARGEST);
            }
        }
    }
}

/// 2 to the power of `x / ONE`, in units of 2^-24: a cubic between the powers of two, within 0.02 %.
fn exp2(x: i64) -> u64 {
    let whole = x.div_euclid(ONE);
    let part = x.rem_euclid(ONE);
    let mut curve = 5_114; // 0.0780
    for coefficient in [14_807, 45_615, ONE] {
        curve = coefficient + ((curve * part) >> 16);
    }
    (curve.unsigned_abs()) << (whole + 8).clamp(0, 40) >> (-(whole + 8)).clamp(0, 40)
}

/// Moves up to `count` different indices to the front of `order`, drawn in proportion to `weights`; how many.
pub(crate) fn draw(order: &mut [usize], weights: &[u64], count: usize, random: &mut impl RngCore) -> usize {
    let count = count.min(order.len());
    let mut total: u64 = order.iter().map(|&index| weights[index]).sum();
    for place in 0..count {
        let mut left = below(random, total);
        let rest = &order[place..];
        let drawn = rest.iter().position(|&index| {
            let weight = weights[index];
            let hit = left < weight;
            left = left.saturating_sub(weight);
            hit
        });
        let drawn = place + drawn.unwrap_or(0);
        total -= weights[order[drawn]];
        order.swap(place, drawn);
    }
    count
}

/// A number below `limit`, or 0.
pub(crate) fn below(random: &mut impl RngCore, limit: u64) -> u64 {
    ((u128::from(random.next_u64()) * u128::from(limit)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn powers_of_two_are_close() {
        for x in (-12 * ONE..20 * ONE).step_by(997) {
            let exact = 2f64.powf(x as f64 / ONE as f64) * f64::from(1 << 24);
            let error = (exp2(x) as f64 - exact).abs() / exact;
            assert!(error < 0.0006, "{x}: {error}");
        }
    }

    #[test]
    fn adaptation_makes_the_chosen_move_likely() {
        let mut policy = Policy::default();
        let codes = [3, 5, 8, 13];
        for _ in 0..20 {
            policy.adapt(&codes, 2);
        }
        let others: u64 = [3, 5, 13].map(|code| policy.weight(code)).iter().sum();
        assert!(policy.weight(8) > 10 * others);
        assert_eq!(Policy::from_sorted(policy.sorted()).sorted(), policy.sorted());
    }

    #[test]
    fn draws_follow_the_weights() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let weights = [100, 300, 600];
        let mut firsts = [0u32; 3];
        for _ in 0..10_000 {
            let mut order = [0, 1, 2];
            assert_eq!(draw(&mut order, &weights, 2, &mut random), 2);
            assert_ne!(order[0], order[1]);
            firsts[order[0]] += 1;
        }
        assert!(firsts[0].abs_diff(1000) < 200 && firsts[1].abs_diff(3000) < 300 && firsts[2].abs_diff(6000) < 300);
    }
}
