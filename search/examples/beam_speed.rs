//! Expansions a second of one beam by width and threads, and peak memory: `cargo run --release -p cascade-search --example
//! beam_speed [INSTANCE...] [WIDTH...]`. Without a name, one instance of each game. Every thread count does the same work,
//! the same layers of the same beams, in turns; the fastest turn counts. On a machine that has other work too, expansions
//! per second of this process's own processor time tell more than those per second on the wall.

#[path = "shared/progress.rs"]
mod progress;

use cascade_games::{Catalog, Game, GameVisitor};
use cascade_search::{Found, Limits, Observer, Plan, StopFlag, Strategy, SystemClock, run};
use std::time::Instant;

/// Expansions of a run, at the least.
const EXPANSIONS: u64 = 12_000_000;
/// Expansions of a run for each unit of width: enough for a very wide beam to fill its layers.
const EXPANSIONS_BY_WIDTH: u64 = 50;
/// Runs of each thread count.
const TURNS: usize = 4;

struct Quiet;

impl Observer for Quiet {
    fn improved(&self, _: &Found) {}
}

struct Measure {
    width: u32,
    threads: usize,
}

/// Seconds of one run, and what it came to.
struct Run {
    wall: f64,
    processor: f64,
    expansions: u64,
    score: Option<i64>,
}

impl GameVisitor for Measure {
    type Output = Result<Run, Box<dyn std::error::Error>>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let clock = SystemClock::start();
        let limits = Limits { clock: &clock, deadline: None, stop: StopFlag::default(), checkpoint_every: None };
        let expansions = EXPANSIONS.max(EXPANSIONS_BY_WIDTH * u64::from(self.width));
        let plan = Plan::new(Vec::new(), Strategy::Beam, self.width, 1, expansions);
        let started = Instant::now();
        let processor = processor_seconds();
        let outcome = pool.install(|| run(game, &plan, None, &limits, &Quiet))?;
        Ok(Run {
            wall: started.elapsed().as_secs_f64(),
            processor: processor_seconds() - processor,
            expansions: outcome.expansions,
            score: outcome.best.map(|best| best.score),
        })
    }
}

/// Processor time of this process in seconds (Linux counts it in hundredths).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The most memory this process ever held, in MiB.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    let kib: Option<f64> = line.split_whitespace().next().and_then(|number| number.parse().ok());
    kib.map_or_else(|| "-".to_owned(), |kib| format!("{:.0}", kib / 1024.0))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let catalog = Catalog::built_in()?;
    let (widths, mut names): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.parse::<u32>().is_ok());
    let mut widths: Vec<u32> = widths.iter().filter_map(|width| width.parse().ok()).collect();
    if widths.is_empty() {
        widths = vec![10, 100, 1_000, 10_000, 100_000, 1_000_000];
    }
    if names.is_empty() {
        names = vec!["tetris/baba".to_owned(), "tritown/7".to_owned()];
    }
    println!(
        "instance        width threads  Mexp/s  per cpu  speedup    score  peak MiB (of the whole process so far)"
    );
    let bar = progress::bar((names.len() * widths.len() * 2 * TURNS) as u64);
    for name in names {
        let instance = catalog.get(&name.parse()?)?;
        for &width in &widths {
            let measure = |threads| {
                bar.set_message(format!("{name}  width {width}  threads {threads}"));
                let run = instance.game.visit(Measure { width, threads });
                bar.inc(1);
                run
            };
            let mut fastest = [measure(1)?, measure(2)?];
            for _ in 1..TURNS {
                for (threads, fastest) in (1..).zip(&mut fastest) {
                    let run = measure(threads)?;
                    if run.wall < fastest.wall {
                        *fastest = run;
                    }
                }
            }
            for (threads, run) in (1..).zip(&fastest) {
                let line = format!(
                    "{name:<12} {width:>8} {threads:>7} {:>7.2} {:>8.2} {:>8.2} {:>8} {:>9}",
                    run.expansions as f64 / run.wall / 1e6,
                    run.expansions as f64 / run.processor / 1e6,
                    fastest[0].wall / run.wall,
                    run.score.map_or_else(|| "-".to_owned(), |score| score.to_string()),
                    peak_memory()
                );
                bar.suspend(|| println!("{line}"));
            }
        }
    }
    bar.finish_and_clear();
    Ok(())
}
