//! Search plans on the wire and in the search.

use crate::error::LeaseFault;
use cascade_proto::convert::required;
use cascade_proto::v1;
use cascade_search::{Plan, Strategy, Window};

/// The plan that `wire` says.
///
/// # Errors
/// When a part is missing or the strategy is not known to this build.
pub fn from_wire(wire: &v1::SearchPlan) -> Result<Plan, LeaseFault> {
    let prefix = required(wire.prefix.as_ref(), "plan.prefix")?.moves.clone();
    let strategy = match v1::Strategy::try_from(wire.strategy) {
        Ok(v1::Strategy::Beam) => Strategy::Beam,
        Ok(v1::Strategy::Mcts) => Strategy::Mcts,
        Ok(v1::Strategy::Unspecified) | Err(_) => return Err(LeaseFault::UnknownStrategy(wire.strategy)),
    };
    let window = match &wire.window {
        None => None,
        Some(window) => {
            let suffix = required(window.suffix.as_ref(), "plan.window.suffix")?.moves.clone();
            Some(Window { length: window.length, suffix })
        }
    };
    Ok(Plan {
        prefix,
        strategy,
        width: wire.width,
        seed: wire.seed,
        expansions: wire.expansions,
        window,
        beat: wire.beat,
    })
}

/// `plan` for the wire.
#[must_use]
pub fn to_wire(plan: &Plan) -> v1::SearchPlan {
    let strategy = match plan.strategy {
        Strategy::Beam => v1::Strategy::Beam,
        Strategy::Mcts => v1::Strategy::Mcts,
    };
    v1::SearchPlan {
        prefix: Some(v1::Sequence { moves: plan.prefix.clone() }),
        strategy: strategy.into(),
        width: plan.width,
        seed: plan.seed,
        expansions: plan.expansions,
        window: plan.window.as_ref().map(|window| v1::Window {
            length: window.length,
            suffix: Some(v1::Sequence { moves: window.suffix.clone() }),
        }),
        beat: plan.beat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_back() {
        for window in [None, Some(Window { length: 9, suffix: vec![4, 5] })] {
            for (strategy, beat) in [(Strategy::Beam, None), (Strategy::Mcts, Some(-7))] {
                let plan = Plan { window: window.clone(), beat, ..Plan::new(vec![1, 2], strategy, 3, 4, 5) };
                assert_eq!(from_wire(&to_wire(&plan)).expect("good"), plan);
            }
        }
    }

    #[test]
    fn a_strategy_of_other_software_is_named() {
        let plan = Plan::new(vec![], Strategy::Beam, 1, 1, 1);
        let wire = v1::SearchPlan { strategy: 77, ..to_wire(&plan) };
        assert_eq!(from_wire(&wire).expect_err("unknown").to_string(), "unknown strategy 77");
    }
}
