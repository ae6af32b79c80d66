//! A best as people read it.

use crate::output::{self, Column};
use cascade_proto::json::{strategy_name, system_time};
use cascade_proto::v1::Best;
use prost_types::Timestamp;
use std::time::SystemTime;

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

/// How long ago, in whole seconds.
pub(crate) fn ago(timestamp: &Timestamp) -> String {
    ago_at(timestamp, SystemTime::now())
}

/// How long before `now`, in whole seconds.
pub(crate) fn ago_at(timestamp: &Timestamp, now: SystemTime) -> String {
    let past = now.duration_since(system_time(timestamp)).unwrap_or_default();
    format!("{} ago", crate::period::rounded(past))
}
