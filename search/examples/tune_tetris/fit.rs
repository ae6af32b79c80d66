//! Gradient descent (Adam; Kingma and Ba, 2014) on the weights, in floating point; [`Fit::weights`] rounds them.

use crate::draw::Sample;
use cascade_games::mix::mix2;
use cascade_games::tetris::{Feature, HIDDEN, INPUTS, Inputs, Network, PHASES, SQUARE_KNOTS, UNIT_SCALE, Weights};
use rayon::prelude::*;

/// Layers whose gradients are added up before a step.
const BATCH: usize = 64;
/// Layers that one thread takes at a time.
const CHUNK: usize = 8;
/// Size of the first steps; later passes take smaller ones.
const STEP: f32 = 0.001;
/// What the size of a step is multiplied with after each pass.
const SLOWING: f32 = 0.985;
/// Costs count at most this much more than the least of their layer: hopeless positions would drown the others.
const WORST: f32 = 12.0;
/// Beyond this error, in removals, only its sign counts (Huber's loss): hopeless positions would drown the others.
const FAR: f32 = 1.5;
/// A unit's output is cut off here.
const MOST: f32 = 7.999;

const PHASE_WEIGHTS: usize = 0;
const KNOTS: usize = PHASE_WEIGHTS + PHASES.len() * INPUTS;
const UNITS: usize = KNOTS + SQUARE_KNOTS;
const BIASES: usize = UNITS + HIDDEN * INPUTS;
const OUTPUTS: usize = BIASES + HIDDEN;
const PARAMETERS: usize = OUTPUTS + HIDDEN;

/// The weights while they change: what they multiply is scaled to a spread of 1, and costs are in removals.
pub(crate) struct Fit {
    spread: [f32; INPUTS],
    parameters: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    size: f32,
}

impl Fit {
    /// Starts from `weights`; a network of zeroes is given random units.
    pub(crate) fn new(weights: &Weights, layers: &[&[Sample]], seed: u64) -> Self {
        let samples: Vec<&Sample> = layers.iter().copied().flatten().collect();
        let count = samples.len().max(1) as f32;
        let centre: [f32; INPUTS] = std::array::from_fn(|input| {
            samples.iter().map(|sample| f32::from(sample.inputs[input])).sum::<f32>() / count
        });
        let spread = std::array::from_fn(|input| {
            let off = |sample: &&Sample| (f32::from(sample.inputs[input]) - centre[input]).powi(2);
            (samples.iter().map(off).sum::<f32>() / count).sqrt().max(0.3)
        });
        let mut parameters = vec![0.0; PARAMETERS];
        for (phase, row) in weights.phases.iter().enumerate() {
            for input in 0..INPUTS {
                parameters[PHASE_WEIGHTS + phase * INPUTS + input] = f32::from(row[input]) / 1000.0 * spread[input];
            }
        }
        for (knot, &cost) in weights.squares.iter().enumerate() {
            parameters[KNOTS + knot] = cost as f32 / 1000.0;
        }
        let network = &*weights.network;
        let random = |salt: usize| (mix2(seed, salt as u64) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        for unit in 0..HIDDEN {
            let is_new = network.hidden[unit].iter().all(|&weight| weight == 0);
            let mut bias = network.bias[unit] as f32 / UNIT_SCALE as f32;
            for input in 0..INPUTS {
                let place = UNITS + unit * INPUTS + input;
                parameters[place] = f32::from(network.hidden[unit][input]) / UNIT_SCALE as f32 * spread[input];
                if is_new {
                    parameters[place] = random(place) * 0.15;
                    bias -= parameters[place] * centre[input] / spread[input];
                }
            }
            parameters[BIASES + unit] = bias;
            parameters[OUTPUTS + unit] =
                if is_new { random(OUTPUTS + unit) * 0.05 } else { network.output[unit] as f32 / 1000.0 };
        }
        Self { spread, parameters, mean: vec![0.0; PARAMETERS], square: vec![0.0; PARAMETERS], steps: 0, size: STEP }
    }

    /// Learns from all layers once, in an order that `seed` gives; the mean error by Huber's loss.
    pub(crate) fn pass(&mut self, layers: &[&[Sample]], seed: u64) -> f32 {
        let mut order: Vec<&[Sample]> = layers.to_vec();
        let mut keyed: Vec<(u64, usize)> = (0..order.len()).map(|at| (mix2(seed, at as u64), at)).collect();
        keyed.sort_unstable();
        for (to, &(_, from)) in keyed.iter().enumerate() {
            order[to] = layers[from];
        }
        let (mut error, mut samples) = (0.0, 0);
        for batch in order.chunks(BATCH) {
            let parts: Vec<(Vec<f32>, f32)> = batch.par_chunks(CHUNK).map(|chunk| self.gradient(chunk)).collect();
            let mut sum = vec![0.0; PARAMETERS];
            let count: usize = batch.iter().map(|layer| layer.len()).sum();
            for (gradient, off) in parts {
                sum.iter_mut().zip(gradient).for_each(|(sum, part)| *sum += part);
                error += off;
            }
            samples += count;
            self.step(&sum, count.max(1) as f32);
        }
        self.size *= SLOWING;
        error / samples.max(1) as f32
    }

    /// The gradient of the squared errors, and their sum.
    fn gradient(&self, layers: &[&[Sample]]) -> (Vec<f32>, f32) {
        let mut gradient = vec![0.0; PARAMETERS];
        let mut error = 0.0;
        for layer in layers {
            let traces: Vec<Trace> = layer.iter().map(|sample| self.predict(sample)).collect();
            let least = layer.iter().map(|sample| sample.cost).fold(f32::INFINITY, f32::min);
            let off = |(sample, trace): (&Sample, &Trace)| trace.cost - sample.cost.min(least + WORST);
            let offs: Vec<f32> = layer.iter().zip(&traces).map(off).collect();
            let mean = offs.iter().sum::<f32>() / offs.len().max(1) as f32;
            let pulls: Vec<f32> = offs.iter().map(|off| (off - mean).clamp(-FAR, FAR)).collect();
            error += offs.iter().zip(&pulls).map(|(off, pull)| pull * (2.0 * (off - mean) - pull)).sum::<f32>();
            let mean_pull = pulls.iter().sum::<f32>() / pulls.len().max(1) as f32;
            for (trace, pull) in traces.iter().zip(pulls) {
                self.add_gradient(trace, pull - mean_pull, &mut gradient);
            }
        }
        (gradient, error)
    }

    fn predict(&self, sample: &Sample) -> Trace {
        let inputs: [f32; INPUTS] = std::array::from_fn(|input| f32::from(sample.inputs[input]) / self.spread[input]);
        let squares = i32::from(sample.inputs[Feature::Square as usize]);
        let phase = usize::from(squares >= PHASES[1]);
        let (from, to) = (PHASES[phase], PHASES[phase + 1]);
        let late = (squares.min(to) - from) as f32 / (to - from) as f32;
        let (knot, passed) = ((squares / 16) as usize, (squares % 16) as f32 / 16.0);
        let p = &self.parameters;
        let row = |at: usize| inputs.iter().zip(&p[at..at + INPUTS]).map(|(input, weight)| input * weight).sum::<f32>();
        let units: [f32; HIDDEN] = std::array::from_fn(|unit| row(UNITS + unit * INPUTS) + p[BIASES + unit]);
        let next = (knot + 1).min(SQUARE_KNOTS - 1);
        let count = p[KNOTS + knot] * (1.0 - passed) + p[KNOTS + next] * passed;
        let phases =
            row(PHASE_WEIGHTS + phase * INPUTS) * (1.0 - late) + row(PHASE_WEIGHTS + (phase + 1) * INPUTS) * late;
        let network: f32 = (0..HIDDEN).map(|unit| units[unit].clamp(0.0, MOST) * p[OUTPUTS + unit]).sum();
        Trace { inputs, phase, late, knot, passed, units, cost: phases + count + network }
    }

    fn add_gradient(&self, trace: &Trace, off: f32, gradient: &mut [f32]) {
        let mut add_row = |at: usize, factor: f32| {
            for (sum, input) in gradient[at..at + INPUTS].iter_mut().zip(&trace.inputs) {
                *sum += factor * input;
            }
        };
        add_row(PHASE_WEIGHTS + trace.phase * INPUTS, off * (1.0 - trace.late));
        add_row(PHASE_WEIGHTS + (trace.phase + 1) * INPUTS, off * trace.late);
        let is_active = |unit: &f32| (0.0..MOST).contains(unit);
        for unit in (0..HIDDEN).filter(|&unit| is_active(&trace.units[unit])) {
            add_row(UNITS + unit * INPUTS, off * self.parameters[OUTPUTS + unit]);
        }
        for unit in 0..HIDDEN {
            if is_active(&trace.units[unit]) {
                gradient[BIASES + unit] += off * self.parameters[OUTPUTS + unit];
            }
            gradient[OUTPUTS + unit] += off * trace.units[unit].clamp(0.0, MOST);
        }
        gradient[KNOTS + trace.knot] += off * (1.0 - trace.passed);
        gradient[KNOTS + (trace.knot + 1).min(SQUARE_KNOTS - 1)] += off * trace.passed;
    }

    fn step(&mut self, sum: &[f32], count: f32) {
        self.steps += 1;
        let (slow, fast) = (0.9_f32, 0.999_f32);
        let (mean_seen, square_seen) = (1.0 - slow.powi(self.steps), 1.0 - fast.powi(self.steps));
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((parameter, (mean, square)), sum) in self.parameters.iter_mut().zip(moments).zip(sum) {
            let gradient = sum / count;
            *mean = slow * *mean + (1.0 - slow) * gradient;
            *square = fast * *square + (1.0 - fast) * gradient * gradient;
            *parameter -= self.size * (*mean / mean_seen) / ((*square / square_seen).sqrt() + 1e-8);
        }
    }

    /// The weights as the estimate takes them.
    pub(crate) fn weights(&self) -> Weights {
        let p = &self.parameters;
        let round = |value: f32| value.round().clamp(f32::from(i16::MIN), f32::from(i16::MAX));
        let row = |at: usize, scale: f32| -> Inputs {
            std::array::from_fn(|input| round(p[at + input] / self.spread[input] * scale) as i16)
        };
        let whole = |at: usize, scale: f32| (p[at] * scale).round() as i32;
        let network = Network {
            hidden: std::array::from_fn(|unit| row(UNITS + unit * INPUTS, UNIT_SCALE as f32)),
            bias: std::array::from_fn(|unit| whole(BIASES + unit, UNIT_SCALE as f32)),
            output: std::array::from_fn(|unit| whole(OUTPUTS + unit, 1000.0)),
        };
        Weights {
            phases: std::array::from_fn(|phase| row(PHASE_WEIGHTS + phase * INPUTS, 1000.0)),
            squares: std::array::from_fn(|knot| whole(KNOTS + knot, 1000.0)),
            network: Box::new(network),
        }
    }
}

/// A prediction and what it was made of.
struct Trace {
    inputs: [f32; INPUTS],
    phase: usize,
    late: f32,
    knot: usize,
    passed: f32,
    units: [f32; HIDDEN],
    cost: f32,
}
