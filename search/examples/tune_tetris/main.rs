//! Finds the weights of tetris's estimate: `cargo run --release -p cascade-search --example tune_tetris -- [ROUNDS [SEED]]`.
//!
//! Each round plays beams with the weights it has on fresh random grids of 16 times 16, and draws positions from every
//! layer ([`draw`]): some that the beam kept and some children it may have dropped. A narrow beam from each tells what
//! it still costs. Within a layer only differences decide, so costs and predictions are taken relative to their layer's
//! mean; gradient descent ([`fit`]) on the positions of the latest rounds gives the next weights. Drawing from the layers
//! of the beam's own making is what matters: fitted to other positions, weights predict well and still mislead the beam.
//!
//! It starts from the weights at hand. Same rounds and seed: same weights, whatever the number of threads. After each
//! round the mean removals of a narrow beam over other random grids goes to stderr; the weights of the round that did
//! best go to stdout, as `games/src/tetris/tuned.rs` holds them. A round takes about a minute on two cores.

mod beam;
mod draw;
mod fit;
mod print;
#[path = "../shared/progress.rs"]
mod progress;

use beam::removals;
use cascade_games::mix::{mix, mix2};
use cascade_games::tetris::{Weights, random_grid};
use draw::{Sample, draw};
use fit::Fit;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::collections::VecDeque;

/// Grids played in a round.
const GRIDS: u64 = 120;
/// Rounds whose positions are kept.
const REMEMBERED: usize = 16;
/// Passes over all positions after each round.
const PASSES: u64 = 3;
/// Grids that show progress, and the width they are played with.
const SHOWN: (u64, usize) = (150, 100);

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| match text.parse::<u64>() {
        Ok(number) => number,
        Err(_) => {
            eprintln!("tune_tetris: expected numbers [ROUNDS [SEED]], found '{text}'");
            std::process::exit(2);
        }
    });
    let rounds = arguments.next().unwrap_or(20);
    let seed = arguments.next().unwrap_or(1);
    let mut weights = Weights::default();
    let bar = progress::bar(SHOWN.0 + rounds * (GRIDS + SHOWN.0));
    let mut best = (mean_removals(&weights, &bar), weights.clone());
    bar.suspend(|| eprintln!("before: a beam of width {} takes {:.3} removals", SHOWN.1, best.0));
    let mut remembered: VecDeque<Vec<Vec<Sample>>> = VecDeque::new();
    let mut fit: Option<Fit> = None;
    for round in 0..rounds {
        bar.set_message(format!("round {round}  best {:.3}  {:.1} grids/s", best.0, bar.per_sec()));
        let draw_layers = |grid| {
            let layers = draw(mix2(mix2(seed, round), grid), &weights);
            bar.inc(1);
            layers
        };
        let layers: Vec<Vec<Sample>> = (0..GRIDS).into_par_iter().flat_map_iter(draw_layers).collect();
        remembered.push_back(layers);
        if remembered.len() > REMEMBERED {
            remembered.pop_front();
        }
        let all: Vec<&[Sample]> = remembered.iter().flatten().map(Vec::as_slice).collect();
        let fit = fit.get_or_insert_with(|| Fit::new(&weights, &all, seed));
        let mut error = 0.0;
        for pass in 0..PASSES {
            error = fit.pass(&all, mix2(mix2(seed, round), pass));
        }
        weights = fit.weights();
        let shown = mean_removals(&weights, &bar);
        bar.suspend(|| {
            eprintln!("round {round}: off by {error:.4}; a beam of width {} takes {shown:.3} removals", SHOWN.1);
        });
        if shown < best.0 {
            best = (shown, weights.clone());
        }
    }
    bar.finish_and_clear();
    print::print(&best.1);
}

/// Mean removals over random grids that no round has played, each a step of `bar`.
fn mean_removals(weights: &Weights, bar: &ProgressBar) -> f64 {
    let (grids, width) = SHOWN;
    let removals = |grid| {
        let game = random_grid(16, 16, mix(grid)).with_weights(weights.clone());
        let removals = removals(&game, width);
        bar.inc(1);
        removals
    };
    (0..grids).into_par_iter().map(removals).sum::<usize>() as f64 / grids as f64
}
