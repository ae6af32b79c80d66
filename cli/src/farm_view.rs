//! The live view of a farm: a status line on a terminal, plain lines elsewhere, and a line for each improvement.

use crate::best::{ago, name, strategy};
use crate::command::status::{STAND_IN, share};
use crate::output::{grouped, short};
use crate::period;
use cascade_games::GameId;
use cascade_proto::v1::{Best, InstanceInfo};
use indicatif::{ProgressBar, ProgressStyle};
use prost_types::Timestamp;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How often a plain summary line is written.
const SUMMARY_EVERY: Duration = Duration::from_secs(10);
/// How often the spinner of a terminal turns.
const TURN: Duration = Duration::from_millis(120);
/// Improvement lines written at most in one second; the rest is counted.
const LINES_A_SECOND: u32 = 10;

/// What the status line tells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// Instances there are.
    pub(crate) instances: usize,
    /// Those that have a best.
    pub(crate) with_best: usize,
    /// Mean removals over the grids that have a best.
    pub(crate) mean_removals: Option<f64>,
    /// Mean share of the bound over the cases that have a best.
    pub(crate) mean_share: Option<f64>,
    /// Instances that stand in for official ones.
    pub(crate) stand_ins: usize,
    /// When the last best was found.
    pub(crate) last_improvement: Option<Timestamp>,
    /// Expansions spent by all.
    pub(crate) expansions: u64,
}

impl Figures {
    /// The figures of `instances`.
    pub(crate) fn of(instances: &[InstanceInfo]) -> Self {
        let mut removals = Mean::default();
        let mut shares = Mean::default();
        let mut figures = Self { instances: instances.len(), ..Self::default() };
        for info in instances {
            figures.expansions += info.expansions;
            figures.stand_ins += usize::from(info.origin == STAND_IN);
            let Some(score) = info.best_score else { continue };
            figures.with_best += 1;
            if GameId::from_name(&info.game) == Some(GameId::Tetris) {
                removals.add(score as f64);
            }
            share(info).into_iter().for_each(|share| shares.add(share));
            if let Some(at) = &info.best_found_at {
                let newer =
                    figures.last_improvement.is_none_or(|last| (at.seconds, at.nanos) > (last.seconds, last.nanos));
                figures.last_improvement = if newer { Some(*at) } else { figures.last_improvement };
            }
        }
        figures.mean_removals = removals.value();
        figures.mean_share = shares.value();
        figures
    }

    /// One line of them; `rate` in expansions a second.
    pub(crate) fn line(&self, rate: f64, left: Option<Duration>) -> String {
        let mut parts = vec![format!("{} of {} have a best", self.with_best, self.instances)];
        if let Some(mean) = self.mean_removals {
            parts.push(format!("tetris mean {mean:.2} removals"));
        }
        if let Some(share) = self.mean_share {
            parts.push(format!("tritown {:.1}% of bound", share * 100.0));
        }
        parts.push(format!("{}/s", short(rate)));
        if let Some(at) = &self.last_improvement {
            parts.push(format!("improved {}", ago(at)));
        }
        if let Some(left) = left {
            parts.push(format!("{} left", period::rounded(left)));
        }
        parts.join("  ")
    }
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

/// Writes to standard error what a farm does.
pub(crate) struct FarmView {
    bar: ProgressBar,
    scores: BTreeMap<String, i64>,
    last_summary: Option<Instant>,
    budget: LineBudget,
}

impl FarmView {
    /// A view that knows nothing yet.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TURN);
        Self { bar, scores: BTreeMap::new(), last_summary: None, budget: LineBudget::default() }
    }

    /// Takes `best` as known: no line is written for it.
    pub(crate) fn know(&mut self, best: &Best) {
        self.scores.insert(name(best).to_owned(), best.score);
    }

    /// Writes a line for `best`, unless it is known or too many were written within this second.
    pub(crate) fn improved(&mut self, best: &Best) {
        let before = self.scores.insert(name(best).to_owned(), best.score);
        if before == Some(best.score) {
            return;
        }
        if let Some(left_out) = self.budget.spend(Instant::now()) {
            if left_out > 0 {
                self.say(&format!("… and {} more improvements", grouped(left_out)));
            }
            self.say(&improvement(best, before));
        }
    }

    /// Brings the status line up to date. Where there is no terminal, a plain line is written every ten seconds.
    pub(crate) fn show(&mut self, line: &str) {
        if !self.bar.is_hidden() {
            self.bar.set_message(line.to_owned());
            return;
        }
        let now = Instant::now();
        if self.last_summary.is_none_or(|last| now.duration_since(last) >= SUMMARY_EVERY) {
            self.last_summary = Some(now);
            eprintln!("{line}");
        }
    }

    /// Writes a line of its own.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Takes the status line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// A handle that writes whole log lines above the status line.
    pub(crate) fn log_writer(&self) -> LogWriter {
        LogWriter(self.bar.clone())
    }
}

impl Drop for FarmView {
    fn drop(&mut self) {
        self.finish();
    }
}

fn improvement(best: &Best, before: Option<i64>) -> String {
    let before = before.map_or_else(String::new, |score| format!(" (was {score})"));
    let width = best.plan.as_ref().map_or_else(String::new, |plan| format!(" {}", plan.width));
    format!("{}  {}{before}  {}{width} on {}", name(best), best.score, strategy(best), best.worker)
}

/// Keeps a burst of improvements from flooding the screen.
#[derive(Default)]
struct LineBudget {
    second: Option<Instant>,
    written: u32,
    left_out: u64,
}

impl LineBudget {
    /// Whether a line may be written at `now`: then how many were left out before it.
    fn spend(&mut self, now: Instant) -> Option<u64> {
        if self.second.is_none_or(|start| now.duration_since(start) >= Duration::from_secs(1)) {
            self.second = Some(now);
            self.written = 0;
        }
        if self.written == LINES_A_SECOND {
            self.left_out += 1;
            return None;
        }
        self.written += 1;
        Some(std::mem::take(&mut self.left_out))
    }
}

/// Writes log lines to standard error without breaking the status line.
#[derive(Clone)]
pub(crate) struct LogWriter(ProgressBar);

impl std::io::Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.suspend(|| std::io::stderr().write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        std::io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(game: &str, best: Option<i64>, bound: i64) -> InstanceInfo {
        InstanceInfo { game: game.into(), best_score: best, bound, expansions: 10, ..InstanceInfo::default() }
    }

    #[test]
    fn means_count_only_instances_with_a_best() {
        let figures = Figures::of(&[
            info("tetris", Some(16), 4),
            info("tetris", Some(17), 4),
            info("tetris", None, 4),
            info("tritown", Some(50), 100),
        ]);
        assert_eq!((figures.instances, figures.with_best, figures.expansions), (4, 3, 40));
        assert_eq!(figures.mean_removals, Some(16.5));
        assert_eq!(
            figures.line(1.5e6, Some(Duration::from_secs(61))),
            "3 of 4 have a best  tetris mean 16.50 removals  tritown 50.0% of bound  1.50M/s  1m 1s left"
        );
    }

    #[test]
    fn a_burst_is_cut_and_what_was_left_out_is_counted() {
        let mut budget = LineBudget::default();
        let start = Instant::now();
        for _ in 0..LINES_A_SECOND {
            assert_eq!(budget.spend(start), Some(0));
        }
        assert_eq!(budget.spend(start), None);
        assert_eq!(budget.spend(start), None);
        assert_eq!(budget.spend(start + Duration::from_secs(1)), Some(2));
    }
}
