//! The table of one game's instances, with pictures and sequences to open.

use super::Entry;
use crate::best::strategy;
use crate::command::status::{name, share};
use crate::markup::escape;
use crate::output::points;
use crate::picture::Film;
use cascade_games::GameId;
use cascade_proto::json::rfc3339;
use prost_types::Timestamp;
use std::fmt::Write as _;

/// Boards of each film strip.
const MOST_BOARDS: usize = 12;

/// A column: its heading, and whether it holds figures.
type Column = (&'static str, bool);

const INSTANCE: Column = ("Instance", false);
const BOUND: Column = ("Bound", true);
const PROVED: Column = ("Proved", false);
const FOUND: [Column; 5] =
    [("Strategy", false), ("Width", true), ("Seed", true), ("Worker", false), ("Found (UTC)", false)];

/// The table of `entries`, all of `game`.
pub(super) fn table(game: GameId, entries: &[&Entry]) -> String {
    let columns = columns(game);
    let heads = columns.iter().map(|&(heading, figure)| cell("th scope=\"col\"", "th", figure, heading));
    let body: String = entries.iter().map(|entry| rows(game, entry, columns.len())).collect();
    let head: String = heads.collect();
    format!("<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n")
}

fn columns(game: GameId) -> Vec<Column> {
    let (score, shares): (Column, &[Column]) = match game {
        GameId::Tetris => (("Removals", true), &[]),
        GameId::Tritown => (("Points", true), &[("Share of bound", true), ("Marks", true), ("Origin", false)]),
    };
    [&[INSTANCE, score, BOUND][..], shares, &[PROVED], &FOUND].concat()
}

/// The row of an instance, and what can be opened below it.
fn rows(game: GameId, entry: &Entry, columns: usize) -> String {
    let cells: String = cells(game, entry).iter().map(|(figure, text)| cell("td", "td", *figure, text)).collect();
    let mut rows = format!("<tr>{cells}</tr>\n");
    if let Some(best) = &entry.best {
        let (pictures, name) = (pictures(entry), escape(name(&entry.info)));
        let text = escape(&best.text);
        // Writing to a String does not fail.
        let _ = writeln!(
            rows,
            "<tr class=\"more\"><td colspan=\"{columns}\">{pictures}<details><summary>Sequence of {name}</summary>\
             <pre>{text}</pre></details></td></tr>"
        );
    }
    rows
}

fn cells(game: GameId, entry: &Entry) -> Vec<(bool, String)> {
    let info = &entry.info;
    let text = |text: String| (false, text);
    let figure = |figure: String| (true, figure);
    let mut cells = vec![
        text(name(info).to_owned()),
        figure(info.best_score.map_or_else(|| "-".to_owned(), points)),
        figure(points(info.bound)),
    ];
    if game == GameId::Tritown {
        cells.push(figure(share(info).map_or_else(String::new, |share| format!("{:.1}%", share * 100.0))));
        cells.push(figure(info.marks.map_or_else(String::new, |marks| marks.to_string())));
        cells.push(text(info.origin.clone()));
    }
    cells.push(text(if info.optimal { format!("yes, {}", info.bound_name) } else { "no".to_owned() }));
    let plan = entry.best.as_ref().and_then(|best| best.plan.as_ref());
    cells.push(text(entry.best.as_ref().map_or("", strategy).to_owned()));
    cells.push(figure(plan.map_or_else(String::new, |plan| points(plan.width.into()))));
    cells.push(figure(plan.map_or_else(String::new, |plan| plan.seed.to_string())));
    cells.push(text(entry.best.as_ref().map_or_else(String::new, |best| best.worker.clone())));
    let found_at = entry.best.as_ref().and_then(|best| best.found_at.as_ref());
    cells.push(text(found_at.map_or_else(String::new, found)));
    cells
}

/// When something was found, to the second.
fn found(at: &Timestamp) -> String {
    rfc3339(at).split('.').next().unwrap_or_default().replace('T', " ")
}

fn pictures(entry: &Entry) -> String {
    let Some(play) = &entry.play else { return String::new() };
    let film = Film::of(play, MOST_BOARDS).element();
    let name = escape(name(&entry.info));
    format!("<details><summary>Play of {name}</summary><div class=\"wide\">{film}</div></details>")
}

fn cell(open: &str, close: &str, figure: bool, text: &str) -> String {
    let class = if figure { " class=\"figure\"" } else { "" };
    format!("<{open}{class}>{}</{close}>", escape(text))
}
