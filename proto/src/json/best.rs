//! A best.

use super::{named, rfc3339};
use crate::v1;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The best judged sequence of an instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The instance's name.
    pub instance: String,
    /// Removals (tetris, less is better) or points (tritown, more is better).
    pub score: i64,
    /// Lines in the contest's own format.
    pub sequence: Vec<String>,
    /// Who found it.
    pub worker: String,
    /// `beam`, `mcts` or `import`.
    pub strategy: String,
    /// Beam width or tree size; null for an imported sequence.
    pub width: Option<u32>,
    /// Null for an imported sequence.
    pub seed: Option<u64>,
    /// No play is better; null if no bound is known.
    pub bound: Option<i64>,
    /// The argument behind the bound.
    pub bound_name: Option<String>,
    /// The score equals the bound.
    pub optimal: bool,
    /// When it was found.
    pub found_at: Option<String>,
    /// Expansions spent on the instance until then.
    pub total_expansions: u64,
}

impl From<&v1::Best> for Best {
    fn from(best: &v1::Best) -> Self {
        let bound_name = named(&best.bound_name);
        Self {
            instance: best.instance.as_ref().map_or_else(String::new, |instance| instance.name.clone()),
            score: best.score,
            sequence: best.text.lines().map(str::to_owned).collect(),
            worker: best.worker.clone(),
            strategy: best.plan.as_ref().map_or("import", |plan| strategy_name(plan.strategy())).to_owned(),
            width: best.plan.as_ref().map(|plan| plan.width),
            seed: best.plan.as_ref().map(|plan| plan.seed),
            bound: bound_name.is_some().then_some(best.bound),
            bound_name,
            optimal: best.optimal,
            found_at: best.found_at.as_ref().map(rfc3339),
            total_expansions: best.total_expansions,
        }
    }
}

/// The name of a strategy from the wire.
#[must_use]
pub const fn strategy_name(strategy: v1::Strategy) -> &'static str {
    match strategy {
        v1::Strategy::Unspecified => "unknown",
        v1::Strategy::Beam => "beam",
        v1::Strategy::Mcts => "mcts",
    }
}
