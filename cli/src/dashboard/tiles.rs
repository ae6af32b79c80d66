//! The tiles of the board.

use super::board::{Board, GUTTER, Row, figure};
use super::model::{Focus, Model};
use super::theme::{self, Theme};
use crate::command::status::{name, share, short_name};
use cascade_games::GameId;
use cascade_proto::v1::InstanceInfo;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use std::time::SystemTime;

/// Draws the rows of `board` that fit, so that the selected tile is among them.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, model: &Model, board: &Board, theme: Theme, now: SystemTime) {
    if board.rows.is_empty() {
        let words = if model.filter.is_empty() { "no instances" } else { "no name has that in it" };
        frame.render_widget(Paragraph::new(words), area);
        return;
    }
    let height = usize::from(area.height);
    let selected = model.selected();
    let row = selected.and_then(|at| board.place(at)).map_or(0, |(row, _)| row);
    let first = row.saturating_sub(height / 2).min(board.rows.len().saturating_sub(height));
    let lines: Vec<_> = board
        .rows
        .iter()
        .skip(first)
        .take(height)
        .enumerate()
        .map(|(number, row)| {
            // The game is told beside the first row that is seen, too.
            let title = row.title.clone().or_else(|| (number == 0).then(|| game(model, row).to_owned()));
            let gutter = usize::from(GUTTER);
            let mut spans = vec![Span::styled(format!("{:<gutter$}", title.unwrap_or_default()), theme::dim())];
            for &at in &row.tiles {
                if let Some(info) = model.farm.instances.get(at) {
                    spans.push(tile(info, row, model, selected == Some(at), theme, now));
                }
            }
            Line::from(spans)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn game<'a>(model: &'a Model, row: &Row) -> &'a str {
    let first = row.tiles.first().and_then(|&at| model.farm.instances.get(at));
    first.map_or("", |info| info.game.as_str())
}

fn tile(
    info: &InstanceInfo,
    row: &Row,
    model: &Model,
    is_selected: bool,
    theme: Theme,
    now: SystemTime,
) -> Span<'static> {
    let is_fresh = model.is_fresh(name(info), now);
    let (names, figures) = (row.names, row.figures);
    let short: String = short_name(info).chars().take(names).collect();
    let text = format!(
        "{}{short:<names$} {:>figures$}{}",
        if is_selected { '>' } else { ' ' },
        figure(info),
        match info {
            _ if is_fresh => '+',
            InstanceInfo { optimal: true, .. } => '*',
            InstanceInfo { paused: true, .. } | InstanceInfo { priority: 0, .. } => '=',
            _ => ' ',
        }
    );
    let mut style = quality(info, &model.farm.instances).map_or(theme::dim(), |quality| theme.grade(quality));
    if is_fresh {
        style = style.patch(theme::strong());
    }
    if is_selected && model.focus == Focus::Board {
        style = theme::chosen(style);
    }
    Span::styled(text, style)
}

/// How good the best of `info` is, from 0 to 1: by its share of the bound, or among the bests of its game.
fn quality(info: &InstanceInfo, instances: &[InstanceInfo]) -> Option<f64> {
    let score = info.best_score?;
    if let Some(share) = share(info) {
        return Some(share);
    }
    let direction = GameId::from_name(&info.game)?.direction();
    let merits = instances
        .iter()
        .filter(|other| other.game == info.game)
        .filter_map(|other| other.best_score)
        .map(|score| direction.merit(score));
    let (worst, best) = (merits.clone().min()?, merits.max()?);
    let above = direction.merit(score).saturating_sub(worst) as f64;
    Some(if best > worst { above / best.saturating_sub(worst) as f64 } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_graded_among_each_other_and_cases_by_their_bound() {
        let info = |game: &str, best: Option<i64>| InstanceInfo {
            game: game.into(),
            best_score: best,
            bound: 200,
            ..InstanceInfo::default()
        };
        let all = [
            info("tetris", Some(12)),
            info("tetris", Some(14)),
            info("tetris", Some(16)),
            info("tetris", None),
            info("tritown", Some(100)),
        ];
        let qualities: Vec<_> = all.iter().map(|info| quality(info, &all)).collect();
        assert_eq!(qualities, [Some(1.0), Some(0.5), Some(0.0), None, Some(0.5)]);
    }
}
