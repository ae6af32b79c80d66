//! The whole screen: one of the two views, the line of keys below it, and help above all.

use super::model::{Model, Trouble};
use super::theme::{self, Theme};
use super::{help, instance, overview};
use crate::period;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Paragraph};
use std::time::SystemTime;

/// Less than this is too little to show anything of use.
const LEAST: (u16, u16) = (60, 20);

/// Draws the dashboard as it is at `now`.
pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, theme: Theme, now: SystemTime) {
    let area = frame.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let words = format!("{}x{} is too small: the dashboard needs {}x{}", area.width, area.height, LEAST.0, LEAST.1);
        frame.render_widget(Paragraph::new(words), area);
        return;
    }
    let [view, keys] = Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(area);
    match &model.open {
        Some(open) => instance::draw(frame, view, open, theme, now),
        None => overview::draw(frame, view, model, theme, now),
    }
    frame.render_widget(Paragraph::new(last_line(model, theme, now)), keys);
    if model.shows_help {
        help::draw(frame, area);
    }
}

/// The keys, unless there is something more urgent to say.
fn last_line<'a>(model: &'a Model, theme: Theme, now: SystemTime) -> Line<'a> {
    if model.is_typing {
        return Line::from(vec![
            Span::styled(format!("/{}_", model.filter), theme::strong()),
            Span::raw("  Enter keep  Esc drop"),
        ]);
    }
    match model.trouble(now) {
        Some(Trouble::Reconnecting(reason)) => {
            return Line::styled(format!("reconnecting: {reason}"), theme.alarm());
        }
        Some(Trouble::Silent(silent)) => {
            return Line::styled(format!("no answer for {}", period::rounded(silent)), theme.alarm());
        }
        None => {}
    }
    if let Some(notice) = &model.notice {
        return Line::styled(notice.as_str(), theme.alarm());
    }
    let keys = match &model.open {
        Some(_) => "←→ move  ,. scene  Space play  t axis  Tab list  ↑↓ scroll  Esc back  ? keys",
        None => "arrows select  Enter open  Tab list  / filter  ? keys  q quit",
    };
    Line::styled(keys, theme::dim())
}

/// A block with a line above that has `title` in it.
pub(super) fn titled<'a>(title: impl Into<Line<'a>>) -> Block<'a> {
    Block::new().borders(Borders::TOP).border_style(theme::dim()).title(title)
}

/// Draws `block` and returns what it leaves.
pub(super) fn inside(frame: &mut Frame<'_>, block: Block<'_>, area: Rect) -> Rect {
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}
