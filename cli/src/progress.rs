//! The live line of a search in this process; shown on a terminal only.

use crate::output::short;
use cascade_search::{Found, Observer, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often the line is written anew.
const REFRESH: Duration = Duration::from_millis(100);

/// Shows rate, best so far and time left on standard error.
pub(crate) struct SearchProgress {
    bar: ProgressBar,
    started: Instant,
    limit: Option<Duration>,
    shown: Mutex<Option<Instant>>,
}

impl SearchProgress {
    /// Starts the line of the instance called `name`; `limit` is the time the search has.
    pub(crate) fn new(name: &str, limit: Option<Duration>) -> Self {
        let bar = ProgressBar::new_spinner().with_prefix(name.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(REFRESH);
        Self { bar, started: Instant::now(), limit, shown: Mutex::new(None) }
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, progress: &Progress) {
        let elapsed = self.started.elapsed();
        let best = progress.best.map_or_else(|| "none yet".to_owned(), |score| score.to_string());
        let rate = progress.expansions as f64 / elapsed.as_secs_f64().max(1e-3);
        let time = match self.limit {
            Some(limit) => format!("{:.0} s left", limit.saturating_sub(elapsed).as_secs_f64()),
            None => format!("{:.0} s", elapsed.as_secs_f64()),
        };
        let expansions = short(progress.expansions as f64);
        self.bar.set_message(format!("best {best}  {expansions} expansions, {}/s  {time}", short(rate)));
    }
}

impl Observer for SearchProgress {
    fn improved(&self, _found: &Found) {}

    fn progress(&self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let now = Instant::now();
        let mut shown = self.shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if shown.is_none_or(|last| now.duration_since(last) >= REFRESH) {
            *shown = Some(now);
            self.show(progress);
        }
    }
}
