//! Which widths are used, and which of them fits a budget.

/// Trees of Monte-Carlo search, in nodes, from small to large, each with the width of a beam that is about as dear. Larger
/// ones also have wider rollouts.
const TREES: [(u32, u32); 5] = [(32, 16), (128, 256), (512, 4_096), (2_048, 32_768), (8_192, 131_072)];

/// The widest search ever asked for: what a worker's memory surely holds.
pub(super) const WIDEST: u32 = 1_000_000;

/// Part of a budget that a search is planned to cost; the rest is room for what the plan misjudges.
const FILL: f64 = 0.75;

/// The next wider of the widths 1, 2, 5, 10, 20, 50, …
pub(super) fn wider(width: u32) -> Option<u32> {
    widths().find(|&next| next > width)
}

/// The next narrower one.
pub(super) fn narrower(width: u32) -> Option<u32> {
    widths().take_while(|&next| next < width).last()
}

/// The widest that a budget of so many expansions carries, when a width of one costs `unit`. At least 1, even where the
/// budget carries none.
pub(super) fn fitting(unit: f64, budget: u64) -> u32 {
    widths().take_while(|&width| needed(unit, width) <= budget).last().unwrap_or(1)
}

/// The budget that a search of this width should have.
pub(super) fn needed(unit: f64, width: u32) -> u64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and a float turns into an integer with saturation"
    )]
    let budget = (unit * f64::from(width) / FILL) as u64;
    budget.max(1)
}

/// The largest tree of Monte-Carlo search, in nodes, that such a budget carries; the smallest where it carries none.
pub(super) fn fitting_nodes(unit: f64, budget: u64) -> u32 {
    let (smallest, _) = TREES[0];
    let carried = TREES.iter().rev().find(|&&(_, beam)| needed(unit, beam) <= budget);
    carried.map_or(smallest, |&(nodes, _)| nodes)
}

fn widths() -> impl Iterator<Item = u32> {
    (0..=6).flat_map(|power| [1, 2, 5].map(|digit| digit * 10_u32.pow(power))).take_while(|&width| width <= WIDEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_a_ladder() {
        assert_eq!(wider(1), Some(2));
        assert_eq!(wider(5), Some(10));
        assert_eq!(narrower(10), Some(5));
        assert_eq!(narrower(1), None);
        assert_eq!(wider(WIDEST), None);
    }

    #[test]
    fn a_search_is_planned_with_room_to_spare() {
        assert_eq!(fitting(2_000.0, 3_000_000), 1_000);
        assert_eq!(fitting(450_000.0, 1_000), 1);
        assert!(needed(2_000.0, 1_000) <= 3_000_000);
        assert_eq!(fitting_nodes(1_000.0, 50_000_000), 2_048);
        assert_eq!(fitting_nodes(450_000.0, 50_000_000), 32);
    }
}
