//! How the best of an instance came to be, as a line to draw: over time or over effort.

use cascade_proto::json::system_time;
use cascade_proto::v1::HistoryEntry;
use std::time::SystemTime;

/// What the line runs over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// Seconds since the first best.
    #[default]
    Time,
    /// Expansions spent on the instance.
    Effort,
}

/// Where each best of `history`, oldest first, stands: over what it runs, and its score.
#[must_use]
pub fn points(history: &[HistoryEntry], over: Over) -> Vec<(f64, f64)> {
    let place = |entry: &HistoryEntry| match over {
        Over::Effort => entry.total_expansions as f64,
        Over::Time => entry.found_at.as_ref().map_or(0.0, |at| since_first(history, system_time(at))),
    };
    history.iter().map(|entry| (place(entry), entry.score as f64)).collect()
}

/// Seconds from the first best of `history` to `moment`; 0 if that was before.
#[must_use]
pub fn since_first(history: &[HistoryEntry], moment: SystemTime) -> f64 {
    let first = history.first().and_then(|entry| entry.found_at.as_ref()).map(system_time);
    first.and_then(|first| moment.duration_since(first).ok()).unwrap_or_default().as_secs_f64()
}

/// The line through `points`: a best holds until the next.
#[must_use]
pub fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut steps: Vec<(f64, f64)> = Vec::with_capacity(points.len() * 2);
    for &(x, y) in points {
        let before = steps.last().map(|&(_, before)| (x, before));
        steps.extend(before.filter(|&before| before != (x, y)));
        steps.push((x, y));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_proto::convert::to_timestamp;

    #[test]
    fn a_best_holds_until_the_next() {
        let entry = |score, seconds: i64, total_expansions| HistoryEntry {
            score,
            found_at: Some(to_timestamp(1_767_225_600_000 + seconds * 1000)),
            total_expansions,
            ..HistoryEntry::default()
        };
        let history = [entry(20, 0, 0), entry(17, 7200, 5_000_000)];
        assert_eq!(points(&history, Over::Time), [(0.0, 20.0), (7200.0, 17.0)]);
        assert_eq!(points(&history, Over::Effort), [(0.0, 20.0), (5e6, 17.0)]);
        assert_eq!(steps(&[(0.0, 20.0), (2.0, 17.0)]), [(0.0, 20.0), (2.0, 20.0), (2.0, 17.0)]);
    }
}
