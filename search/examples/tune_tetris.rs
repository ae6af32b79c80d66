//! Finds the weights of tetris's estimate: `cargo run --release -p cascade-search --example tune_tetris -- [ROUNDS [SEED]]`.
//!
//! Each round plays beams with the weights it has on fresh random grids of 16 times 16, and draws positions from every
//! layer: some that the beam kept and some children it may have dropped. A narrow beam from each tells what it still
//! costs. Within a layer only differences decide, so costs and features are taken relative to their layer's mean; ridge
//! regression, pulled towards the weights at hand, gives the next ones, and older rounds fade. Drawing from the layers of
//! the beam's own making is what matters: fitted to other positions, weights predict well and still mislead the beam.
//!
//! Same rounds and seed: same weights, whatever the number of threads. After each round the mean removals of a narrow
//! beam over other random grids goes to stderr; at the end the weights go to stdout, as `games/src/tetris/tuned.rs`
//! holds them. A round takes about a minute on two cores.

use cascade_games::Game;
use cascade_games::mix::{mix, mix2};
use cascade_games::tetris::{Place, TetrisGame, TetrisState, Weights, random_grid};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Grids played in a round.
const GRIDS: u64 = 40;
/// Width of the beams that positions are drawn from.
const WIDTH: usize = 200;
/// Width of the beams that tell what a position still costs.
const JUDGING_WIDTH: usize = 20;
/// Positions drawn from what a layer kept.
const KEPT_DRAWN: u64 = 5;
/// Positions drawn from the children of the layer before.
const CHILDREN_DRAWN: u64 = 2;
/// Spread of the noise that makes beams of a grid differ, in units of the estimate.
const NOISE: u64 = 400;
/// Costs count at most this much more than the least of their layer: hopeless positions would drown the others.
const WORST: f64 = 12.0;
/// What a round before counts against a fresh one.
const FADING: f64 = 0.8;
/// Positions' worth of pull towards the weights at hand.
const PULL: f64 = 300.0;
/// Grids that show progress, and the width they are played with.
const SHOWN: (u64, usize) = (60, 100);
/// A weight that makes single features readable through the estimate, divisible by all its divisors.
const PROBE: i32 = 96 * 64 * 16;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| match text.parse::<u64>() {
        Ok(number) => number,
        Err(_) => {
            eprintln!("tune_tetris: expected numbers [ROUNDS [SEED]], found '{text}'");
            std::process::exit(2);
        }
    });
    let rounds = arguments.next().unwrap_or(14);
    let seed = arguments.next().unwrap_or(1);
    let probes = Probes::new();
    let mut fit = Fit::new();
    let mut weights = Weights::default();
    for round in 0..rounds {
        let layers: Vec<Vec<Sample>> = (0..GRIDS)
            .into_par_iter()
            .flat_map_iter(|grid| draw(mix2(mix2(seed, round), grid), &weights, &probes))
            .collect();
        fit.fade();
        for layer in &layers {
            fit.add(layer, &weights);
        }
        weights = fit.improve(&weights);
        eprintln!("round {round}: a beam of width {} takes {:.2} removals", SHOWN.1, mean_removals(&weights));
    }
    print_weights(&weights);
}

/// A position's features, in the order of [`Weights::to_vec`], and the removals it still costs.
struct Sample {
    features: Vec<f64>,
    cost: f64,
}

/// Positions of every layer of one beam, layer by layer.
fn draw(seed: u64, weights: &Weights, probes: &Probes) -> Vec<Vec<Sample>> {
    let game = random_grid(16, 16, seed).with_weights(weights.clone());
    let layers = beam(&game, game.start(), WIDTH, seed);
    let mut drawn = Vec::new();
    for (number, pair) in (1_u64..).zip(layers.windows(2)) {
        let random = |of: usize, salt: u64| mix2(mix2(seed, number), salt) as usize % of.max(1);
        let kept = (0..KEPT_DRAWN).filter_map(|nth| pair[1].get(random(pair[1].len(), nth)).cloned());
        let children = (0..CHILDREN_DRAWN).filter_map(|nth| {
            let mut state = pair[0].get(random(pair[0].len(), 100 + nth))?.clone();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.apply(&mut state, *moves.get(random(moves.len(), 200 + nth))?);
            Some(state)
        });
        let sample = |state: TetrisState| {
            let removals = beam(&game, state.clone(), JUDGING_WIDTH, 0).len() - 1;
            Sample { features: probes.features(&state), cost: removals as f64 }
        };
        drawn.push(kept.chain(children).map(sample).collect());
    }
    // In the last layer the board is cleared, and everything is known.
    drawn.pop();
    drawn
}

/// The layers of a beam from `start`, up to the first that holds a cleared board. Seed 0 plays without noise.
fn beam(game: &TetrisGame, start: TetrisState, width: usize, seed: u64) -> Vec<Vec<TetrisState>> {
    let mut layers = Vec::new();
    let mut layer = vec![start];
    while !layer.iter().any(|state| game.is_complete(state)) {
        let mut children: Vec<(Reverse<i64>, u64, usize, Place)> = Vec::new();
        let mut moves = Vec::new();
        for (parent, state) in layer.iter().enumerate() {
            moves.clear();
            game.moves(state, &mut moves);
            for &place in &moves {
                let mut child = state.clone();
                game.apply(&mut child, place);
                let hash = game.hash(&child);
                let noise = if seed == 0 { 0 } else { (mix2(hash, seed) % NOISE) as i64 };
                let promise = if game.is_complete(&child) { i64::MAX } else { game.estimate(&child) + noise };
                children.push((Reverse(promise), hash, parent, place));
            }
        }
        children.sort_unstable();
        let mut seen = BTreeSet::new();
        let best = children.into_iter().filter(|&(_, hash, ..)| seen.insert(hash)).take(width);
        let next = best.map(|(_, _, parent, place)| {
            let mut child = layer[parent].clone();
            game.apply(&mut child, place);
            child
        });
        let next = next.collect();
        layers.push(std::mem::replace(&mut layer, next));
    }
    layers.push(layer);
    layers
}

/// Games whose estimate shows a single weight each.
struct Probes(Vec<TetrisGame>);

impl Probes {
    fn new() -> Self {
        let probe = |shown: usize| {
            let row: Vec<i32> = (0..Weights::COUNT).map(|weight| if weight == shown { PROBE } else { 0 }).collect();
            random_grid(1, 1, 0).with_weights(Weights::from_slice(&row).unwrap_or_default())
        };
        Self((0..Weights::COUNT).map(probe).collect())
    }

    fn features(&self, state: &TetrisState) -> Vec<f64> {
        self.0.iter().map(|probe| -probe.estimate(state) as f64 / f64::from(PROBE)).collect()
    }
}

/// The sums of the regression: the weights' changes `x` solve `normal * x = residual`.
struct Fit {
    normal: Vec<Vec<f64>>,
    residual: Vec<f64>,
    samples: f64,
}

impl Fit {
    fn new() -> Self {
        Self {
            normal: vec![vec![0.0; Weights::COUNT]; Weights::COUNT],
            residual: vec![0.0; Weights::COUNT],
            samples: 0.0,
        }
    }

    fn fade(&mut self) {
        self.normal.iter_mut().flatten().chain(&mut self.residual).for_each(|sum| *sum *= FADING);
        self.samples *= FADING;
    }

    /// Adds the samples of one layer, relative to their mean.
    fn add(&mut self, layer: &[Sample], weights: &Weights) {
        let weights = weights.to_vec();
        let count = layer.len() as f64;
        let least = layer.iter().map(|sample| sample.cost).fold(f64::INFINITY, f64::min);
        let capped = |sample: &Sample| sample.cost.min(least + WORST);
        let mean_cost = layer.iter().map(capped).sum::<f64>() / count;
        let mean = |feature: usize| layer.iter().map(|sample| sample.features[feature]).sum::<f64>() / count;
        let means: Vec<f64> = (0..Weights::COUNT).map(mean).collect();
        for sample in layer {
            let relative: Vec<f64> = sample.features.iter().zip(&means).map(|(value, mean)| value - mean).collect();
            let predicted: f64 = relative.iter().zip(&weights).map(|(value, &weight)| value * f64::from(weight)).sum();
            let error = capped(sample) - mean_cost - predicted / 1000.0;
            for (row, value) in relative.iter().enumerate().filter(|&(_, &value)| value != 0.0) {
                self.residual[row] += value * error;
                self.normal[row].iter_mut().zip(&relative).for_each(|(sum, other)| *sum += value * other);
            }
        }
        self.samples += count;
    }

    /// Better weights than `weights`; residuals are kept in terms of them.
    fn improve(&mut self, weights: &Weights) -> Weights {
        let changes: Vec<i32> = self.solve().into_iter().map(|change| (change * 1000.0).round() as i32).collect();
        for (residual, row) in self.residual.iter_mut().zip(&self.normal) {
            *residual -= row.iter().zip(&changes).map(|(sum, &change)| sum * f64::from(change) / 1000.0).sum::<f64>();
        }
        let row: Vec<i32> = weights.to_vec().iter().zip(changes).map(|(weight, change)| weight + change).collect();
        Weights::from_slice(&row).unwrap_or_default()
    }

    /// Gauss-Jordan elimination, pivots on the diagonal: the pull makes the matrix positive definite.
    fn solve(&self) -> Vec<f64> {
        let mut rows = self.normal.clone();
        for (place, row) in rows.iter_mut().enumerate() {
            row[place] += row[place] * PULL / self.samples + 3.0;
            row.push(self.residual[place]);
        }
        for pivot in 0..rows.len() {
            let pivot_row = rows[pivot].clone();
            for (_, row) in rows.iter_mut().enumerate().filter(|&(number, _)| number != pivot) {
                let factor = row[pivot] / pivot_row[pivot];
                row.iter_mut().zip(&pivot_row).for_each(|(value, other)| *value -= factor * other);
            }
        }
        rows.iter().enumerate().map(|(place, row)| row[Weights::COUNT] / row[place]).collect()
    }
}

/// Mean removals over random grids that no round has played.
fn mean_removals(weights: &Weights) -> f64 {
    let (grids, width) = SHOWN;
    let removals = |grid| {
        let game = random_grid(16, 16, mix(grid)).with_weights(weights.clone());
        beam(&game, game.start(), width, 0).len() - 1
    };
    (0..grids).into_par_iter().map(removals).sum::<usize>() as f64 / grids as f64
}

fn print_weights(weights: &Weights) {
    let line = |row: &[i32]| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    println!("Weights {{\n    phases: [");
    weights.phases.iter().for_each(|phase| println!("        [{}],", line(phase)));
    println!("    ],\n    squares: [{}],\n}}", line(&weights.squares));
}
