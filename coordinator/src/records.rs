//! The record sequences that ship with the program.

/// Name of the instance and the sequence in the contest's own format, from `configs/records`.
pub(crate) const RECORDS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/records.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_games::{Catalog, InstanceName};

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
}
