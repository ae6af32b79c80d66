//! The bests of all instances on one screen.

use crate::command::status::{share, short_name};
use crate::output::{self, Column, points};
use cascade_games::GameId;
use cascade_proto::v1::InstanceInfo;

/// Grids stand side by side up to this width.
const WIDTH: usize = 80;

/// Every best: grids side by side, cases in a table with their bounds.
pub(super) fn summary(instances: &[InstanceInfo]) -> String {
    let of = |game| {
        let of_game = move |info: &&InstanceInfo| GameId::from_name(&info.game) == Some(game);
        instances.iter().filter(of_game).collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    let grids = of(GameId::Tetris);
    if !grids.is_empty() {
        parts.push(format!("tetris, removals\n{}", side_by_side(&grids)));
    }
    let cases = of(GameId::Tritown);
    if !cases.is_empty() {
        parts.push(format!("tritown, points\n{}", case_table(&cases)));
    }
    if instances.iter().any(|info| info.optimal) {
        parts.push("* proved optimal".to_owned());
    }
    parts.join("\n\n")
}

fn side_by_side(grids: &[&InstanceInfo]) -> String {
    let items: Vec<_> = grids.iter().map(|info| (short_name(info), score(info))).collect();
    let name_width = items.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let score_width = items.iter().map(|(_, score)| score.len()).max().unwrap_or(0);
    let columns = ((WIDTH + 3) / (name_width + score_width + 4)).max(1);
    let cell = |(name, score): &(&str, String)| format!("{name:<name_width$} {score:>score_width$}");
    let line = |row: &[(&str, String)]| row.iter().map(cell).collect::<Vec<_>>().join("   ");
    items.chunks(columns).map(line).collect::<Vec<_>>().join("\n")
}

fn case_table(cases: &[&InstanceInfo]) -> String {
    let columns = [
        Column::Text("CASE"),
        Column::Figure("BEST"),
        Column::Figure("BOUND"),
        Column::Figure("SHARE"),
        Column::Figure("MARKS"),
        Column::Text("ORIGIN"),
    ];
    let rows = cases.iter().map(|info| {
        vec![
            short_name(info).to_owned(),
            score(info),
            points(info.bound),
            share(info).map_or_else(String::new, |share| format!("{:.1}%", share * 100.0)),
            info.marks.map_or_else(String::new, |marks| marks.to_string()),
            info.origin.clone(),
        ]
    });
    output::table(&columns, rows)
}

fn score(info: &InstanceInfo) -> String {
    let proved = if info.optimal { "*" } else { "" };
    info.best_score.map_or_else(|| "-".to_owned(), |score| format!("{}{proved}", points(score)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_proto::v1::InstanceRef;

    fn info(game: &str, name: &str, best: Option<i64>) -> InstanceInfo {
        InstanceInfo {
            instance: Some(InstanceRef { name: format!("{game}/{name}"), digest: Vec::new() }),
            game: game.into(),
            origin: "stand-in".into(),
            best_score: best,
            bound: 1_832,
            ..InstanceInfo::default()
        }
    }

    #[test]
    fn grids_stand_side_by_side_and_cases_in_a_table() {
        let proved = InstanceInfo { optimal: true, ..info("tritown", "1", Some(916)) };
        let text = summary(&[info("tetris", "baba", Some(15)), info("tetris", "r01", None), proved]);
        let expected = "\
tetris, removals
baba 15   r01   -

tritown, points
CASE  BEST  BOUND  SHARE  MARKS  ORIGIN
1     916*  1,832  50.0%         stand-in

* proved optimal";
        assert_eq!(text, expected);
    }
}
