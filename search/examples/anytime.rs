//! What a budget buys, strategies side by side: `cargo run --release -p cascade-search --example anytime -- [OPTION...]
//! INSTANCE|FILE...`
//!
//! Options: `--seconds S,S...` (10) or `--expansions N,N...`; `--strategy auto,beam,mcts` (auto), each with each budget;
//! `--width W`; `--seed N`; `--threads T` (2). An instance is a name (`tetris/baba`), a game (`tetris` for all its
//! built-in instances), a grid file or a case file; `--random-grids SEED` adds ten random grids of 16 times 16,
//! `--random-cases SEED` ten random cases of the stand-ins' shapes. Tetris shows removals, tritown the share of the
//! counting bound.

#[path = "shared/progress.rs"]
mod progress;

use cascade_games::mix::mix2;
use cascade_games::tetris::random_grid;
use cascade_games::tritown::random::Shape;
use cascade_games::{Catalog, Game, GameId, GameVisitor, Instance, Puzzle};
use cascade_search::{Choice, Found, Limits, Observer, SolveOptions, StopFlag, SystemClock, solve};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

struct Quiet;

impl Observer for Quiet {
    fn improved(&self, _: &Found) {}
}

#[derive(Clone, Copy)]
enum Budget {
    Seconds(f64),
    Expansions(u64),
}

struct Measure {
    options: SolveOptions,
    budget: Budget,
}

/// What came of one search.
struct Outcome {
    score: i64,
    expansions: u64,
    seconds: f64,
}

impl GameVisitor for &Measure {
    type Output = Option<Outcome>;

    fn visit<G: Game>(self, game: &G) -> Option<Outcome> {
        let clock = SystemClock::start();
        let mut options = self.options;
        let mut deadline = None;
        match self.budget {
            Budget::Seconds(seconds) => deadline = Some(Duration::from_secs_f64(seconds)),
            Budget::Expansions(expansions) => options.expansions = Some(expansions),
        }
        let limits = Limits { clock: &clock, deadline, stop: StopFlag::default(), checkpoint_every: None };
        let started = Instant::now();
        let outcome = solve(game, &options, &limits, &Quiet);
        let seconds = started.elapsed().as_secs_f64();
        Some(Outcome { score: outcome.best?.score, expansions: outcome.expansions, seconds })
    }
}

/// One column of the table.
struct Column {
    title: String,
    measure: Measure,
    sum: f64,
    expansions: u64,
    seconds: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut options = SolveOptions::default();
    let mut budgets = vec![("10s".to_owned(), Budget::Seconds(10.0))];
    let mut strategies = vec!["auto".to_owned()];
    let mut threads = 2;
    let mut catalog = Catalog::built_in()?;
    let mut wanted: Vec<String> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} wants a value"));
        match argument.as_str() {
            "--expansions" => {
                let budget = |text: &str| Ok((text.to_owned(), Budget::Expansions(text.parse()?)));
                budgets = value()?.split(',').map(budget).collect::<Result<_, Box<dyn Error>>>()?;
            }
            "--seconds" => {
                let budget = |text: &str| Ok((format!("{text}s"), Budget::Seconds(text.parse()?)));
                budgets = value()?.split(',').map(budget).collect::<Result<_, Box<dyn Error>>>()?;
            }
            "--strategy" => strategies = value()?.split(',').map(str::to_owned).collect(),
            "--width" => options.width = Some(value()?.parse()?),
            "--seed" => options.seed = value()?.parse()?,
            "--threads" => threads = value()?.parse()?,
            "--random-grids" => {
                let seed: u64 = value()?.parse()?;
                for number in 1..=10 {
                    let grid = random_grid(16, 16, mix2(seed, number));
                    wanted.extend(add_file(&mut catalog, &format!("random{number}.txt"), grid.content())?);
                }
            }
            "--random-cases" => {
                let seed: u64 = value()?.parse()?;
                for (number, shape) in (1..).zip(Shape::STAND_INS) {
                    let case = shape.case(mix2(seed, number)).content();
                    wanted.extend(add_file(&mut catalog, &format!("tritownR{number}.in"), &case)?);
                }
            }
            path if Path::new(path).is_file() => {
                wanted.extend(add_file(&mut catalog, path, &std::fs::read_to_string(path)?)?);
            }
            name => wanted.push(name.to_owned()),
        }
    }
    let mut columns = Vec::new();
    for name in &strategies {
        let strategy = match name.as_str() {
            "auto" => Choice::Auto,
            "beam" => Choice::Beam,
            "mcts" => Choice::Mcts,
            other => return Err(format!("expected auto, beam or mcts, found '{other}'").into()),
        };
        for (title, budget) in &budgets {
            let measure = Measure { options: SolveOptions { strategy, ..options }, budget: *budget };
            columns.push(Column { title: format!("{name} {title}"), measure, sum: 0.0, expansions: 0, seconds: 0.0 });
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    print_row("instance", columns.iter().map(|column| column.title.clone()));
    let mut rows = 0;
    let instances: Vec<&Instance> =
        catalog.instances().into_iter().filter(|instance| is_wanted(instance, &wanted)).collect();
    let bar = progress::bar((instances.len() * columns.len()) as u64);
    for instance in instances {
        let bound = counting_bound(instance);
        let mut cells = Vec::new();
        for column in &mut columns {
            let (name, title) = (&instance.name, &column.title);
            let (mean, speed) = (column.sum / f64::from(rows), column.expansions as f64 / column.seconds / 1e6);
            let so_far = if rows > 0 { format!("  mean {mean:.3}  {speed:.2} Mexp/s") } else { String::new() };
            bar.set_message(format!("{name}  {title}{so_far}"));
            let found = pool.install(|| instance.game.visit(&column.measure));
            let Some(found) = found else { return Err(format!("no play of {} was found", instance.name).into()) };
            let shown = bound.map_or(found.score as f64, |bound| found.score as f64 / bound as f64);
            column.sum += shown;
            column.expansions += found.expansions;
            column.seconds += found.seconds;
            bar.inc(1);
            cells.push(if bound.is_some() { format!("{shown:.3}") } else { found.score.to_string() });
        }
        bar.suspend(|| print_row(&instance.name.to_string(), cells));
        rows += 1;
    }
    bar.finish_and_clear();
    print_row(&format!("mean of {rows}"), columns.iter().map(|column| format!("{:.3}", column.sum / f64::from(rows))));
    let speed = |column: &Column| format!("{:.2}", column.expansions as f64 / column.seconds / 1e6);
    print_row("Mexp/s", columns.iter().map(speed));
    Ok(())
}

fn print_row(name: &str, cells: impl IntoIterator<Item = String>) {
    let cells: String = cells.into_iter().map(|cell| format!("{cell:>15}")).collect();
    println!("{name:<16}{cells}");
}

/// Adds a grid or case file; the names of the instances it holds.
fn add_file(catalog: &mut Catalog, path: &str, text: &str) -> Result<Vec<String>, Box<dyn Error>> {
    catalog.add_file(path, text)?;
    let of_file = |instance: &&&Instance| match &instance.origin {
        cascade_games::Origin::File(file) => file == path,
        _ => false,
    };
    Ok(catalog.instances().iter().filter(of_file).map(|instance| instance.name.to_string()).collect())
}

fn is_wanted(instance: &Instance, wanted: &[String]) -> bool {
    let name = instance.name.to_string();
    wanted.iter().any(|wanted| *wanted == name || *wanted == instance.name.game().name())
}

/// What a tritown score is measured by; the tightest bound where the counting bound is not to be had.
fn counting_bound(instance: &Instance) -> Option<i64> {
    if instance.name.game() != GameId::Tritown {
        return None;
    }
    let bounds = instance.puzzle().bounds();
    let counting = bounds.iter().find(|bound| bound.name == "counting").or(bounds.first());
    counting.map(|bound| bound.value)
}
