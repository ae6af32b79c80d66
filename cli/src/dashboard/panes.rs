//! The lists below the board: workers, and what happened.

use super::model::{Focus, Model};
use super::theme::{self, Theme};
use super::view;
use crate::best::ago_at;
use crate::output::short;
use cascade_proto::v1::{Event, WorkerInfo};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Row, Table};
use std::time::SystemTime;

/// From so many lines on both lists are shown.
const BOTH: u16 = 12;
/// The workers get this part of them at most.
const WORKERS_PART: u16 = 2;

/// Draws the list that has the focus, or both where there is room.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, model: &Model, theme: Theme, now: SystemTime) {
    let titles = |shown: &[Focus]| {
        let title = |focus: Focus| {
            let text = match focus {
                Focus::Workers => format!(" Workers {} ", model.farm.workers.len()),
                _ => format!(" Events {} ", model.farm.events.len()),
            };
            let style = if model.focus == focus { theme::strong() } else { theme::dim() };
            let text = if shown.contains(&focus) { format!("[{}]", text.trim()) } else { text };
            Span::styled(text, style)
        };
        [Focus::Workers, Focus::Events].map(title)
    };
    if area.height < BOTH {
        let inner = view::inside(frame, view::titled(Line::from(titles(&[model.list]).to_vec())), area);
        match model.list {
            Focus::Events => events(frame, inner, model, theme, now),
            _ => workers(frame, inner, model, theme),
        }
        return;
    }
    let wanted = model.farm.workers.len().min(usize::from(u16::MAX)) as u16;
    // A title and the columns' names stand above the workers.
    let height = wanted.saturating_add(2).clamp(3, area.height / WORKERS_PART);
    let [above, below] = Layout::vertical([Constraint::Length(height), Constraint::Fill(1)]).areas(area);
    let [worker_title, event_title] = titles(&[Focus::Workers, Focus::Events]);
    let inner = view::inside(frame, view::titled(Line::from(worker_title)), above);
    workers(frame, inner, model, theme);
    let inner = view::inside(frame, view::titled(Line::from(event_title)), below);
    events(frame, inner, model, theme, now);
}

fn workers(frame: &mut Frame<'_>, area: Rect, model: &Model, theme: Theme) {
    let row = |worker: &WorkerInfo| {
        let state = if worker.reason.is_empty() {
            worker.state.clone()
        } else {
            format!("{}: {}", worker.state, worker.reason)
        };
        let mut speeds: Vec<_> = worker.speed.iter().collect();
        speeds.sort_by_key(|(game, _)| *game);
        let speeds: Vec<_> = speeds.into_iter().map(|(game, speed)| format!("{game} {}", short(*speed))).collect();
        let style = if worker.state == "connected" { Style::new() } else { theme.ink(Color::Yellow) };
        let cells = [worker.name.clone(), state, worker.threads.to_string(), speeds.join(" "), worker.leases.join(" ")];
        Row::new(cells).style(style)
    };
    let rows: Vec<_> = model.farm.workers.iter().skip(model.worker_scroll).map(row).collect();
    let widths = [
        Constraint::Length(16),
        Constraint::Length(11),
        Constraint::Length(7),
        Constraint::Length(27),
        Constraint::Fill(1),
    ];
    let names = Row::new(["WORKER", "STATE", "THREADS", "EXPANSIONS/S", "SEARCHES"]).style(theme::dim());
    frame.render_widget(Table::new(rows, widths).header(names), area);
}

/// The newest event stands above.
fn events(frame: &mut Frame<'_>, area: Rect, model: &Model, theme: Theme, now: SystemTime) {
    let row = |event: &Event| {
        let ago = event.at.as_ref().map_or_else(String::new, |at| ago_at(at, now));
        let style = match (event.severity.as_str(), event.kind.as_str()) {
            ("error", _) => theme.alarm(),
            ("warning", _) => theme.ink(Color::Yellow),
            (_, "new-best") => theme.ink(Color::Green),
            _ => Style::new(),
        };
        let about = if event.instance.is_empty() { event.worker.clone() } else { event.instance.clone() };
        let detail = match (event.instance.is_empty(), event.worker.is_empty()) {
            (false, false) => format!("{}, on {}", event.detail, event.worker),
            _ => event.detail.clone(),
        };
        let sign = match event.severity.as_str() {
            "error" => "!! ",
            "warning" => "! ",
            _ => "",
        };
        Row::new([ago, format!("{sign}{}", event.kind), about, detail]).style(style)
    };
    let rows: Vec<_> = model.farm.events.iter().rev().skip(model.event_scroll).map(row).collect();
    let widths = [Constraint::Length(12), Constraint::Length(15), Constraint::Length(16), Constraint::Fill(1)];
    let names = Row::new(["WHEN", "WHAT", "OF", "DETAIL"]).style(theme::dim());
    frame.render_widget(Table::new(rows, widths).header(names), area);
}
