//! A best as programs and people read it.

use crate::output::{self, Column};
use cascade_proto::convert;
use cascade_proto::v1::{Best, Strategy};
use prost_types::Timestamp;
use serde::Serialize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A best for programs.
#[derive(Debug, Serialize)]
pub(crate) struct BestJson {
    instance: String,
    score: i64,
    /// Lines in the contest's own format.
    sequence: Vec<String>,
    worker: String,
    /// `beam`, `mcts` or `import`.
    strategy: &'static str,
    /// Absent for an imported sequence.
    seed: Option<u64>,
    /// No play is better; absent if no bound is known.
    bound: Option<i64>,
    /// The argument behind the bound.
    bound_name: Option<String>,
    /// The score equals the bound.
    optimal: bool,
    /// RFC 3339, UTC.
    found_at: Option<String>,
}

impl From<&Best> for BestJson {
    fn from(best: &Best) -> Self {
        Self {
            instance: name(best).to_owned(),
            score: best.score,
            sequence: best.text.lines().map(str::to_owned).collect(),
            worker: best.worker.clone(),
            strategy: strategy(best),
            seed: best.plan.as_ref().map(|plan| plan.seed),
            bound: bound(best),
            bound_name: bound(best).map(|_| best.bound_name.clone()),
            optimal: best.optimal,
            found_at: best.found_at.as_ref().map(rfc3339),
        }
    }
}

/// The instance's name.
pub(crate) fn name(best: &Best) -> &str {
    best.instance.as_ref().map_or("", |instance| instance.name.as_str())
}

/// What no play beats, if that is known.
pub(crate) fn bound(best: &Best) -> Option<i64> {
    (!best.bound_name.is_empty()).then_some(best.bound)
}

/// How it was found.
pub(crate) fn strategy(best: &Best) -> &'static str {
    best.plan.as_ref().map_or("import", |plan| strategy_name(plan.strategy()))
}

/// The name of a strategy from the wire.
pub(crate) fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Unspecified => "unknown",
        Strategy::Beam => "beam",
        Strategy::Mcts => "mcts",
    }
}

/// All of `bests` as a table.
pub(crate) fn table(bests: &[Best]) -> String {
    let columns = [
        Column::Text("INSTANCE"),
        Column::Figure("SCORE"),
        Column::Figure("BOUND"),
        Column::Text("BOUND BY"),
        Column::Text("WORKER"),
        Column::Text("STRATEGY"),
        Column::Figure("WIDTH"),
        Column::Figure("SEED"),
        Column::Text("FOUND"),
    ];
    let rows = bests.iter().map(|best| {
        let plan = best.plan.as_ref();
        vec![
            name(best).to_owned(),
            best.score.to_string(),
            bound(best).map_or_else(String::new, |bound| bound.to_string()),
            if best.optimal { format!("{}, optimal", best.bound_name) } else { best.bound_name.clone() },
            best.worker.clone(),
            strategy(best).to_owned(),
            plan.map_or_else(String::new, |plan| plan.width.to_string()),
            plan.map_or_else(String::new, |plan| plan.seed.to_string()),
            best.found_at.as_ref().map_or_else(String::new, ago),
        ]
    });
    output::table(&columns, rows)
}

/// A point in time as RFC 3339 in UTC, to the millisecond.
pub(crate) fn rfc3339(timestamp: &Timestamp) -> String {
    humantime::format_rfc3339_millis(system_time(timestamp)).to_string()
}

/// How long ago, in whole seconds.
pub(crate) fn ago(timestamp: &Timestamp) -> String {
    ago_at(timestamp, SystemTime::now())
}

/// How long before `now`, in whole seconds.
pub(crate) fn ago_at(timestamp: &Timestamp, now: SystemTime) -> String {
    let past = now.duration_since(system_time(timestamp)).unwrap_or_default();
    format!("{} ago", crate::period::rounded(past))
}

/// A point in time from the wire.
pub(crate) fn system_time(timestamp: &Timestamp) -> SystemTime {
    let millis = convert::from_timestamp(timestamp);
    UNIX_EPOCH + Duration::from_millis(u64::try_from(millis).unwrap_or(0))
}
