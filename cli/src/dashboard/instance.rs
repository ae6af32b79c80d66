//! One instance: its best, how it is searched, its history, and the replay of its best.

use super::board::percent;
use super::open::{Detail, List, Open};
use super::theme::{self, Theme};
use super::{chart, replay, view};
use crate::best::{ago_at, strategy};
use crate::command::status::share;
use crate::output::{points, short};
use cascade_games::GameId;
use cascade_proto::json::strategy_name;
use cascade_proto::v1::{Best, InstanceInfo};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Row, Table, Wrap};
use std::time::SystemTime;

/// Lines of figures and summary.
const HEAD: u16 = 4;
/// Columns that chart and lists get at least.
const RIGHT_LEAST: u16 = 42;

/// Draws it.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, open: &Open, theme: Theme, now: SystemTime) {
    let [head, body] = Layout::vertical([Constraint::Length(HEAD), Constraint::Fill(1)]).areas(area);
    let left = replay::width(open, area.width.saturating_sub(RIGHT_LEAST));
    let [board, _, right] =
        Layout::horizontal([Constraint::Length(left), Constraint::Length(1), Constraint::Fill(1)]).areas(body);
    let [history, lists] = Layout::vertical([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(right);
    replay::draw(frame, board, open, theme);
    let Some(detail) = &open.detail else {
        frame.render_widget(Paragraph::new(Line::styled(open.name.as_str(), theme::strong())), head);
        return;
    };
    figures(frame, head, open, detail, now);
    chart::draw(frame, history, open, detail, theme, now);
    list(frame, lists, open, detail, now);
}

fn figures(frame: &mut Frame<'_>, area: Rect, open: &Open, detail: &Detail, now: SystemTime) {
    let [lines, summary] = Layout::vertical([Constraint::Length(2), Constraint::Fill(1)]).areas(area);
    let mut parts = vec![Span::styled(open.name.as_str(), theme::strong())];
    parts.extend(open.info().map(|info| Span::raw(format!("  {}", standing(info)))));
    let found = detail.best.as_ref().map_or_else(|| "no best yet".to_owned(), |best| origin(best, now));
    frame.render_widget(Paragraph::new(vec![Line::from(parts), Line::from(found)]), lines);
    let words = Paragraph::new(detail.explained.summary.as_str()).wrap(Wrap { trim: true });
    frame.render_widget(words, summary);
}

/// Score, bound and what is proved.
fn standing(info: &InstanceInfo) -> String {
    let unit = GameId::from_name(&info.game).map_or("", GameId::score_unit);
    let mut parts = Vec::new();
    parts.extend(info.best_score.map(|score| format!("{} {unit}", points(score))));
    if info.optimal {
        parts.push(format!("proved optimal ({})", info.bound_name));
    } else {
        let share = share(info).map_or_else(String::new, |share| format!("{} of ", percent(share)));
        parts.push(format!("{share}bound {} ({})", points(info.bound), info.bound_name));
    }
    parts.extend(info.marks.map(|marks| format!("{marks} of 10 marks")));
    parts.push(format!("{} expansions", short(info.expansions as f64)));
    if info.paused {
        parts.push("PAUSED".to_owned());
    }
    parts.join("  ")
}

/// How, by whom and when the best was found.
fn origin(best: &Best, now: SystemTime) -> String {
    let ago = best.found_at.as_ref().map_or_else(String::new, |at| format!(" {}", ago_at(at, now)));
    match &best.plan {
        Some(plan) => {
            format!("found{ago} by {} of width {}, seed {}, on {}", strategy(best), plan.width, plan.seed, best.worker)
        }
        None => format!("imported{ago}"),
    }
}

fn list(frame: &mut Frame<'_>, area: Rect, open: &Open, detail: &Detail, now: SystemTime) {
    let title = |list: List| {
        if list == open.list {
            Span::styled(format!("[{}]", list.title()), theme::strong())
        } else {
            Span::styled(format!(" {} ", list.title()), theme::dim())
        }
    };
    let inner = view::inside(frame, view::titled(Line::from(List::ALL.map(title).to_vec())), area);
    match open.list {
        List::Searches => searches(frame, inner, open, detail),
        List::Leases => {
            let lines: Vec<_> =
                detail.explained.endings.iter().skip(open.scroll).map(|line| Line::from(line.as_str())).collect();
            frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), inner);
        }
        List::Improvements => improvements(frame, inner, open, detail, now),
    }
}

fn searches(frame: &mut Frame<'_>, area: Rect, open: &Open, detail: &Detail) {
    let rows = detail.explained.arms.iter().skip(open.scroll).map(|arm| {
        Row::new([
            arm.name.clone(),
            arm.finished.to_string(),
            arm.out.to_string(),
            short(arm.expansions as f64),
            arm.best.map_or_else(|| "-".to_owned(), points),
        ])
    });
    let widths = [
        Constraint::Length(13),
        Constraint::Length(5),
        Constraint::Length(4),
        Constraint::Length(6),
        Constraint::Fill(1),
    ];
    let names = Row::new(["SEARCH", "DONE", "OUT", "SPENT", "BEST"]).style(theme::dim());
    frame.render_widget(Table::new(rows, widths).header(names), area);
}

/// The newest improvement stands above.
fn improvements(frame: &mut Frame<'_>, area: Rect, open: &Open, detail: &Detail, now: SystemTime) {
    let rows = detail.history.iter().rev().skip(open.scroll).map(|entry| {
        Row::new([
            points(entry.score),
            entry.found_at.as_ref().map_or_else(String::new, |at| ago_at(at, now)),
            format!("{} {}", strategy_name(entry.strategy()), entry.width),
            entry.worker.clone(),
        ])
    });
    let widths = [Constraint::Length(10), Constraint::Length(11), Constraint::Length(11), Constraint::Fill(1)];
    let names = Row::new(["SCORE", "WHEN", "BY", "ON"]).style(theme::dim());
    frame.render_widget(Table::new(rows, widths).header(names), area);
}
