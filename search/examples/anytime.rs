//! What a budget buys: mean scores of `solve` over instances, by strategy and width.
//!
//! `cargo run --release -p cascade-search --example anytime -- [OPTION...] INSTANCE|FILE...`
//! Options: `--expansions N`, or `--seconds S` (10); `--strategy auto|beam|mcts` (auto); `--width W`; `--seed N`;
//! `--threads T` (2). An instance is a name (`tetris/baba`), a game (`tetris` for all its built-in instances) or a
//! grid file.

use cascade_games::{Catalog, Game, GameVisitor, Instance};
use cascade_search::{Choice, Found, Limits, Observer, SolveOptions, StopFlag, SystemClock, solve};
use std::error::Error;
use std::time::{Duration, Instant};

struct Quiet;

impl Observer for Quiet {
    fn improved(&self, _: &Found) {}
}

struct Measure<'a> {
    options: &'a SolveOptions,
    seconds: Option<f64>,
}

struct Row {
    score: i64,
    expansions: u64,
    found_at: u64,
    width: u32,
    seconds: f64,
}

impl GameVisitor for Measure<'_> {
    type Output = Option<Row>;

    fn visit<G: Game>(self, game: &G) -> Option<Row> {
        let clock = SystemClock::start();
        let deadline = self.seconds.map(Duration::from_secs_f64);
        let limits = Limits { clock: &clock, deadline, stop: StopFlag::default(), checkpoint_every: None };
        let started = Instant::now();
        let outcome = solve(game, self.options, &limits, &Quiet);
        let best = outcome.best?;
        Some(Row {
            score: best.score,
            expansions: outcome.expansions,
            found_at: best.expansions,
            width: best.plan.width,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = SolveOptions::default();
    let mut seconds = 10.0;
    let mut threads = 2;
    let mut catalog = Catalog::built_in()?;
    let mut wanted: Vec<String> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--expansions" => options.expansions = Some(value()?.parse()?),
            "--seconds" => seconds = value()?.parse()?,
            "--width" => options.width = Some(value()?.parse()?),
            "--seed" => options.seed = value()?.parse()?,
            "--threads" => threads = value()?.parse()?,
            "--strategy" => {
                options.strategy = match value()?.as_str() {
                    "auto" => Choice::Auto,
                    "beam" => Choice::Beam,
                    "mcts" => Choice::Mcts,
                    other => return Err(format!("unknown strategy '{other}'").into()),
                }
            }
            path if std::path::Path::new(path).is_file() => {
                catalog.add_file(path, &std::fs::read_to_string(path)?)?;
                let stem = std::path::Path::new(path).file_stem().unwrap_or_default();
                wanted.push(format!("tetris/{}", stem.to_string_lossy()));
            }
            name => wanted.push(name.to_owned()),
        }
    }
    let asked = |instance: &&&Instance| {
        let name = instance.name.to_string();
        wanted.iter().any(|wanted| *wanted == name || *wanted == instance.name.game().name())
    };
    let instances = catalog.instances();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let seconds = options.expansions.is_none().then_some(seconds);
    println!("instance        score   found at    expansions  width of best  seconds");
    let mut scores = Vec::new();
    for instance in instances.iter().filter(asked) {
        let row = pool.install(|| instance.game.visit(Measure { options: &options, seconds }));
        let Some(Row { score, expansions, found_at, width, seconds }) = row else { continue };
        let name = instance.name.to_string();
        println!("{name:<14} {score:>6} {found_at:>10} {expansions:>13} {width:>14} {seconds:>8.1}");
        scores.push(score);
    }
    let mean = scores.iter().sum::<i64>() as f64 / scores.len().max(1) as f64;
    println!("mean of {}: {mean:.2}", scores.len());
    Ok(())
}
