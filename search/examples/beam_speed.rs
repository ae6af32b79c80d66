//! Expansions a second by width and threads, and peak memory: `cargo run --release -p cascade-search --example
//! beam_speed [INSTANCE...] [WIDTH...]`. Without a name, one instance of each game. On a machine that has other work
//! too, expansions per second of this process's own processor time tell more than those per second on the wall.

use cascade_games::{Catalog, Game, GameVisitor};
use cascade_search::{Found, Limits, Observer, Plan, StopFlag, Strategy, SystemClock, run};
use std::time::Instant;

const SECONDS_EACH: f64 = 3.0;

struct Quiet;

impl Observer for Quiet {
    fn improved(&self, _: &Found) {}
}

struct Measure {
    width: u32,
    threads: usize,
}

impl GameVisitor for Measure {
    type Output = String;

    fn visit<G: Game>(self, game: &G) -> String {
        let pool = match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => pool,
            Err(error) => return error.to_string(),
        };
        let clock = SystemClock::start();
        let deadline = Some(std::time::Duration::from_secs_f64(SECONDS_EACH));
        let limits = Limits { clock: &clock, deadline, stop: StopFlag::default(), checkpoint_every: None };
        let plan = Plan::new(Vec::new(), Strategy::Beam, self.width, 1, u64::MAX);
        let started = Instant::now();
        let processor = processor_seconds();
        let outcome = pool.install(|| run(game, &plan, None, &limits, &Quiet));
        let seconds = started.elapsed().as_secs_f64();
        let processor = processor_seconds() - processor;
        match outcome {
            Ok(outcome) => format!(
                "{:>8.2} {:>8.2} {:>8}",
                outcome.expansions as f64 / seconds / 1e6,
                outcome.expansions as f64 / processor / 1e6,
                outcome.best.map_or_else(|| "-".to_owned(), |best| best.score.to_string())
            ),
            Err(error) => error.to_string(),
        }
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
    println!("instance        width threads  Mexp/s  per cpu    score  peak MiB (of the whole process so far)");
    for name in names {
        let instance = catalog.get(&name.parse()?)?;
        for &width in &widths {
            for threads in [1, 2] {
                let row = instance.game.visit(Measure { width, threads });
                println!("{name:<12} {width:>8} {threads:>7} {row} {:>9}", peak_memory());
            }
        }
    }
    Ok(())
}
