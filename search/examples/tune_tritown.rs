//! Measures and tunes the estimate of Triple Town on seeded random cases of the stand-ins' shapes.
//!
//! `cargo run --release -p cascade-search --example tune_tritown -- [OPTION...] [WEIGHT=VALUE...]`
//! Options: `--rounds N` (0: only measure), `--cases N` a shape (2), `--shapes 3,5,6` (all), `--expansions N` a case
//! (100000), `--strategy beam|auto` (beam), `--seed N` (1), `--stand-ins` (measure the stand-ins themselves).
//!
//! The measure is the mean share of the counting bound. A round draws fresh cases, changes up to three weights at random
//! and takes the change over when it wins on them and on a second draw: wins by luck are frequent, as single cases vary
//! by more than most changes do. Same options, same weights, whatever the number of threads.

#[path = "shared/progress.rs"]
mod progress;

use cascade_games::mix::mix2;
use cascade_games::tritown::random::Shape;
use cascade_games::tritown::{STAND_INS, TritownGame, Weights};
use cascade_search::{Choice, Found, Limits, Observer, SolveOptions, StopFlag, SystemClock, solve};
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::error::Error;

struct Quiet;

impl Observer for Quiet {
    fn improved(&self, _: &Found) {}
}

struct Options {
    rounds: u64,
    cases: u64,
    shapes: Vec<usize>,
    solve: SolveOptions,
    seed: u64,
    stand_ins: bool,
    weights: Weights,
}

impl Options {
    fn read() -> Result<Self, Box<dyn Error>> {
        let solve = SolveOptions { strategy: Choice::Beam, expansions: Some(100_000), ..SolveOptions::default() };
        let shapes = (1..=STAND_INS.len()).collect();
        let weights = Weights::default();
        let mut options = Self { rounds: 0, cases: 2, shapes, solve, seed: 1, stand_ins: false, weights };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            if let Some((name, value)) = argument.split_once('=') {
                *weight(&mut options.weights, name)? = value.parse()?;
                continue;
            }
            if argument == "--stand-ins" {
                options.stand_ins = true;
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{argument} wants a value"))?;
            match argument.as_str() {
                "--rounds" => options.rounds = value.parse()?,
                "--cases" => options.cases = value.parse()?,
                "--expansions" => options.solve.expansions = Some(value.parse()?),
                "--seed" => options.seed = value.parse()?,
                "--strategy" if value == "beam" => options.solve.strategy = Choice::Beam,
                "--strategy" if value == "auto" => options.solve.strategy = Choice::Auto,
                "--shapes" => options.shapes = value.split(',').map(str::parse).collect::<Result<_, _>>()?,
                _ => return Err(format!("unknown option or value: {argument} {value}").into()),
            }
        }
        match options.shapes.iter().find(|&&shape| shape == 0 || shape > STAND_INS.len()) {
            Some(shape) => {
                Err(format!("--shapes: expected numbers from 1 to {}, found {shape}", STAND_INS.len()).into())
            }
            None => Ok(options),
        }
    }

    /// The cases of one draw, with the number of their shape.
    fn draw(&self, draw: u64) -> Result<Vec<(usize, TritownGame)>, Box<dyn Error>> {
        let mut cases = Vec::new();
        for &shape in &self.shapes {
            if self.stand_ins {
                let (number, text) = STAND_INS[shape - 1];
                cases.push((shape, TritownGame::parse(text, number)?));
                continue;
            }
            for case in 0..self.cases {
                let seed = mix2(mix2(self.seed, draw), mix2(shape as u64, case));
                cases.push((shape, TritownGame::new(Shape::STAND_INS[shape - 1].case(seed))));
            }
        }
        Ok(cases)
    }

    /// Share of the counting bound reached on each case, each a step of `bar`.
    fn shares(&self, cases: &[(usize, TritownGame)], weights: &Weights, bar: &ProgressBar) -> Vec<f64> {
        let share = |(_, game): &(usize, TritownGame)| {
            let game = game.with_weights(weights.clone());
            let limits = Limits {
                clock: &SystemClock::start(),
                deadline: None,
                stop: StopFlag::default(),
                checkpoint_every: None,
            };
            let score = solve(&game, &self.solve, &limits, &Quiet).best.map_or(0, |found| found.score);
            bar.inc(1);
            score as f64 / game.counting_bound().unwrap_or(i64::MAX).max(1) as f64
        };
        cases.par_iter().map(share).collect()
    }

    /// `weights` with one to three of them changed.
    fn changed(&self, round: u64, weights: &Weights) -> Weights {
        let mut changed = weights.clone();
        let draw = |index: u64| mix2(mix2(self.seed, round), index);
        for change in 0..1 + draw(0) % 3 {
            let (_, field) = Weights::FIELDS[(draw(10 + change) % Weights::FIELDS.len() as u64) as usize];
            let value = field(&mut changed);
            let spread = (value.abs() * 3 / 4).max(3);
            *value += (draw(20 + change) % (2 * spread as u64 + 1)) as i64 - spread;
        }
        changed
    }
}

fn weight<'a>(weights: &'a mut Weights, name: &str) -> Result<&'a mut i64, String> {
    match Weights::FIELDS.iter().find(|(field, _)| *field == name) {
        Some((_, field)) => Ok(field(weights)),
        None => Err(format!("there is no weight '{name}'")),
    }
}

fn mean(shares: &[f64]) -> f64 {
    shares.iter().sum::<f64>() / shares.len().max(1) as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read()?;
    let mut weights = options.weights.clone();
    let last = options.draw(0)?;
    let draw = last.len() as u64;
    // A round that wins on its first draw has a second.
    let bar = progress::bar(draw + options.rounds * 2 * draw);
    let mut taken_over = 0;
    for round in 1..=options.rounds {
        let challenger = options.changed(round, &weights);
        let wins = |draw| -> Result<f64, Box<dyn Error>> {
            let cases = options.draw(draw)?;
            Ok(mean(&options.shares(&cases, &challenger, &bar)) - mean(&options.shares(&cases, &weights, &bar)))
        };
        bar.set_message(format!("round {round}  {taken_over} changes taken over  {:.1} cases/s", bar.per_sec()));
        let first = wins(2 * round)?;
        if first > 0.0 {
            bar.inc_length(2 * draw);
            let second = wins(2 * round + 1)?;
            if second > 0.0 {
                weights = challenger;
                taken_over += 1;
                bar.suspend(|| println!("round {round}: better by {first:.4} and {second:.4}: {weights:?}"));
            }
        }
    }
    let shares = options.shares(&last, &weights, &bar);
    bar.finish_and_clear();
    for &shape in &options.shapes {
        let of_shape: Vec<f64> =
            last.iter().zip(&shares).filter(|((other, _), _)| *other == shape).map(|(_, share)| *share).collect();
        println!("shape {shape:>2}: {:.3}", mean(&of_shape));
    }
    println!("mean: {:.4}", mean(&shares));
    Ok(())
}
