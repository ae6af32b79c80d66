//! The record sequences that ship with the program.

/// Name of the instance and the sequence in the contest's own format, from `configs/records`.
pub(crate) const RECORDS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/records.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_games::{Catalog, GameId, InstanceName};
    use std::collections::BTreeSet;

    #[test]
    fn every_record_is_judged_right() {
        let catalog = Catalog::built_in().expect("built in");
        for (name, text) in RECORDS {
            let name: InstanceName = name.parse().expect("a name");
            let puzzle = catalog.get(&name).expect("a built-in instance").puzzle();
            let report = puzzle.check(text, "record", 0);
            assert!(report.correct, "{name}: {}", report.verdict);
        }
    }

    #[test]
    fn every_fill_has_a_record() {
        let catalog = Catalog::built_in().expect("built in");
        let fills: BTreeSet<_> = catalog
            .instances()
            .into_iter()
            .filter(|instance| instance.puzzle().game() == GameId::Tetris)
            .map(|instance| instance.name.to_string())
            .collect();
        let recorded = RECORDS.iter().map(|(name, _)| (*name).to_owned()).filter(|name| name.starts_with("tetris/"));
        assert_eq!(recorded.collect::<BTreeSet<_>>(), fills);
    }
}
