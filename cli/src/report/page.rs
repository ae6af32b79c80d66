//! The page around the tables.

use super::{Report, table};
use crate::farm_view::Figures;
use crate::markup::{document, escape};
use crate::output::short;
use crate::picture;
use cascade_games::GameId;

const STYLE: &str = include_str!("report.css");

/// What keeps the page from asking anyone for anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

pub(super) fn page(report: &Report) -> String {
    let made_at = humantime::format_rfc3339_seconds(report.made_at);
    let software = escape(&report.software);
    let figures: String = figures(report)
        .into_iter()
        .map(|(label, value)| format!("<div><dt>{label}</dt><dd>{}</dd></div>\n", escape(&value)))
        .collect();
    let games: String = GameId::ALL.into_iter().map(|game| section(report, game)).collect();
    let style = format!("{}\n{STYLE}", picture::STYLE);
    let body = format!(
        r#"<main>
<h1>Cascade: all bests</h1>
<p class="made">Made at {made_at} from {software}</p>
<dl class="figures">
{figures}</dl>
{games}</main>
"#
    );
    document(POLICY, &format!("Cascade: all bests, {made_at}"), &style, &body)
}

/// The figures of the whole farm.
fn figures(report: &Report) -> Vec<(&'static str, String)> {
    let infos: Vec<_> = report.entries.iter().map(|entry| entry.info.clone()).collect();
    let all = Figures::of(&infos);
    let mut figures = vec![("Instances with a best", format!("{} of {}", all.with_best, all.instances))];
    if let Some(mean) = all.mean_removals {
        figures.push(("Mean removals (tetris)", format!("{mean:.2}")));
    }
    if let Some(share) = all.mean_share {
        figures.push(("Share of bound (tritown)", format!("{:.1}%", share * 100.0)));
    }
    let marks: Vec<u32> = infos.iter().filter_map(|info| info.marks).collect();
    if !marks.is_empty() {
        figures.push(("Marks (tritown)", format!("{} of {}", marks.iter().sum::<u32>(), 10 * marks.len())));
    }
    figures.push(("Proved optimal", infos.iter().filter(|info| info.optimal).count().to_string()));
    figures.push(("Expansions", short(all.expansions as f64)));
    figures
}

fn section(report: &Report, game: GameId) -> String {
    let of_game = |entry: &&super::Entry| GameId::from_name(&entry.info.game) == Some(game);
    let entries: Vec<_> = report.entries.iter().filter(of_game).collect();
    if entries.is_empty() {
        return String::new();
    }
    let heading = match game {
        GameId::Tetris => "Tetris, again",
        GameId::Tritown => "Triple Town",
    };
    format!("<h2>{heading}</h2>\n{}", table::table(game, &entries))
}

#[cfg(test)]
mod tests {
    use super::super::Entry;
    use super::*;
    use crate::play::Play;
    use cascade_proto::v1::{Best, InstanceInfo, InstanceRef, SearchPlan, Strategy};
    use std::time::{Duration, UNIX_EPOCH};

    fn entry(name: &str, score: Option<i64>, marks: Option<u32>) -> Entry {
        let game = name.split('/').next().unwrap_or_default().to_owned();
        let info = InstanceInfo {
            instance: Some(InstanceRef { name: name.to_owned(), digest: vec![] }),
            game,
            origin: "<added>".to_owned(),
            best_score: score,
            bound: 1_600,
            bound_name: "counting".to_owned(),
            marks,
            ..InstanceInfo::default()
        };
        Entry { info, best: None, play: None }
    }

    #[test]
    fn figures_tables_and_sequences_are_on_the_page() {
        let mut first = entry("tetris/example", Some(2), None);
        first.play = Some(Play::example("a\nb\nb\nc\nb\nb\n", "30\n50\n"));
        first.best = Some(Best {
            text: "30\n50\n".to_owned(),
            worker: "attic & cellar".to_owned(),
            plan: Some(SearchPlan { strategy: Strategy::Beam.into(), width: 5_000, seed: 7, ..SearchPlan::default() }),
            ..Best::default()
        });
        let entries = vec![first, entry("tetris/other", None, None), entry("tritown/7", Some(800), Some(4))];
        let made_at = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let page = Report { made_at, software: "cascade 0.1".to_owned(), entries }.page();
        for part in [
            "Made at 2027-01-15T08:00:00Z from cascade 0.1",
            "<dt>Instances with a best</dt><dd>2 of 3</dd>",
            "<dt>Mean removals (tetris)</dt><dd>2.00</dd>",
            "<dt>Share of bound (tritown)</dt><dd>50.0%</dd>",
            "<dt>Marks (tritown)</dt><dd>4 of 10</dd>",
            "<td class=\"figure\">5,000</td><td class=\"figure\">7</td><td>attic &amp; cellar</td>",
            "<summary>Sequence of tetris/example</summary><pre>30\n50\n</pre>",
            "<td class=\"figure\">50.0%</td><td class=\"figure\">4</td><td>&lt;added&gt;</td><td>no</td>",
        ] {
            assert!(page.contains(part), "{part} is not on {page}");
        }
        assert_eq!(page.matches("<svg ").count(), 1);
        for loads in ["http:", "https:", " src=", "href=", "@import", "url("] {
            assert!(!page.contains(loads), "{loads}");
        }
    }
}
