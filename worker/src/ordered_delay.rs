//! A delay that the coordinator ordered, kept also when the worker is restarted meanwhile.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;
use tracing::warn;

/// Shorter delays are not worth a file: a restart takes about as long.
const WORTH_KEEPING: Duration = Duration::from_secs(2);

/// When the coordinator may be asked for work again.
#[derive(Debug)]
pub(crate) struct OrderedDelay {
    file: PathBuf,
    until: Mutex<Option<Instant>>,
}

impl OrderedDelay {
    /// Reads back a delay that a former run was given.
    pub(crate) fn open(file: PathBuf) -> Self {
        let left = fs::read_to_string(&file).ok().and_then(|text| parse(&text)).map(|(ordered_at, delay)| {
            let now = since_epoch(SystemTime::now());
            left(ordered_at, delay, now)
        });
        let until = left.filter(|left| !left.is_zero()).and_then(|left| Instant::now().checked_add(left));
        Self { file, until: Mutex::new(until) }
    }

    /// The coordinator ordered `delay` from now.
    pub(crate) fn order(&self, delay: Duration) {
        *self.until.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now().checked_add(delay);
        if delay < WORTH_KEEPING {
            return;
        }
        let ordered_at = since_epoch(SystemTime::now());
        let text = format!("ordered at {} for {} ms\n", ordered_at.as_millis(), delay.as_millis());
        if let Err(failure) = fs::write(&self.file, text) {
            warn!(file = %self.file.display(), %failure, "cannot keep an ordered delay");
        }
    }

    /// Waits until the delay, if any, is over.
    pub(crate) async fn over(&self) {
        tokio::time::sleep(self.left()).await;
    }

    /// What is left of the delay now.
    fn left(&self) -> Duration {
        let until = *self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.map_or(Duration::ZERO, |until| until.saturating_duration_since(Instant::now()))
    }
}

/// What is left of a delay. The clock may have been set meanwhile: never more than the whole delay is left.
fn left(ordered_at: Duration, delay: Duration, now: Duration) -> Duration {
    match now.checked_sub(ordered_at) {
        Some(passed) => delay.saturating_sub(passed),
        None => delay,
    }
}

fn parse(text: &str) -> Option<(Duration, Duration)> {
    let rest = text.strip_prefix("ordered at ")?.strip_suffix(" ms\n")?;
    let (ordered_at, delay) = rest.split_once(" for ")?;
    Some((Duration::from_millis(ordered_at.parse().ok()?), Duration::from_millis(delay.parse().ok()?)))
}

fn since_epoch(time: SystemTime) -> Duration {
    time.duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_left_shrinks_with_time_and_never_exceeds_the_delay() {
        let at = MINUTE * 1000;
        assert_eq!(left(at, MINUTE, at + MINUTE / 4), MINUTE * 3 / 4);
        assert_eq!(left(at, MINUTE, at + MINUTE * 2), Duration::ZERO);
        assert_eq!(left(at, MINUTE, at - MINUTE * 500), MINUTE);
    }

    #[test]
    fn an_ordered_delay_is_kept_across_a_restart() {
        let root = tempfile::tempdir().expect("a directory");
        let file = root.path().join("delay");
        OrderedDelay::open(file.clone()).order(MINUTE * 60);
        let left = OrderedDelay::open(file.clone()).left();
        assert!(left > MINUTE * 50 && left <= MINUTE * 60, "{left:?}");
        fs::write(&file, "ordered at noon").expect("written");
        assert_eq!(OrderedDelay::open(file).left(), Duration::ZERO);
    }
}
