//! How promising a way to search is: the expected number of improvements for an expansion.
//!
//! Of `n` tries that are alike, the next one is a record with probability `1 / (n + 1)`, whatever they are tries of
//! (Rényi 1962). Counted in effort instead of tries: after `E` expansions the next `b` hold a record with probability
//! `b / (E + b)`, which is `1 / (E + b)` for each expansion. A way to search that was tried little is therefore worth
//! trying, and effort evens out among equals. Two things set ways apart: those that brought improvements lately count
//! for more, and those whose best lags behind the instance's best for less, since a record of theirs may still be none
//! of the instance.

/// What an older improvement is worth after one more finished lease.
const MEMORY: f64 = 0.75;

/// Expected improvements for an expansion, of something that gained `gains` lately, had `spent` expansions (those
/// on lease included) and would get `budget` more.
pub(super) fn rate(gains: f64, spent: u64, budget: u64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "relative values; a float's precision is plenty")]
    let effort = (spent.saturating_add(budget)).max(1) as f64;
    (1.0 + gains) / effort
}

/// The chance that a record of something whose best lies `gap` below the best is one of the whole: falls with the gap
/// as measured by the usual `spread` of results. Close to `exp(-gap / spread)`, in arithmetic that is the same on
/// every machine.
pub(super) fn closeness(gap: i64, spread: f64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "relative values; a float's precision is plenty")]
    let x = gap.max(0) as f64 / spread.max(1.0);
    1.0 / (1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0)))
}

/// Recent gains after one more finished lease.
pub(super) fn remember(gains: f64, improved: bool) -> f64 {
    gains * MEMORY + if improved { 1.0 } else { 0.0 }
}

/// The usual spread of results after one more, which lay `gap` below the best.
pub(super) fn widen(spread: f64, gap: i64) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "relative values; a float's precision is plenty")]
    let gap = gap.max(0) as f64;
    (spread * 0.9 + gap * 0.1).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_and_lag_make_less_promising_and_gains_more() {
        assert!(rate(0.0, 0, 100) > rate(0.0, 100, 100));
        assert!(rate(1.0, 100, 100) > rate(0.0, 100, 100));
        assert!(closeness(0, 1.0) > closeness(1, 1.0));
        assert!(closeness(3, 1.0) < closeness(3, 10.0));
        assert!(closeness(i64::MAX, 1.0) >= 0.0);
        assert!(rate(0.0, u64::MAX, u64::MAX) > 0.0);
    }
}
