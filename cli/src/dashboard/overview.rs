//! All instances: the farm's figures, the board, and lists of workers and events.

use super::model::{Focus, Model};
use super::theme::{self, Theme};
use super::{header, panes, tiles, view};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use std::time::SystemTime;

/// The lists get so many lines at least.
const LISTS_LEAST: u16 = 4;

/// Draws it.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, model: &Model, theme: Theme, now: SystemTime) {
    let board = model.board();
    let wanted = board.rows.len().min(usize::from(u16::MAX)) as u16;
    let room = area.height.saturating_sub(header::HEIGHT + 1 + LISTS_LEAST);
    let [figures, tiles, lists] = Layout::vertical([
        Constraint::Length(header::HEIGHT),
        Constraint::Length(1 + wanted.clamp(1, room.max(1))),
        Constraint::Fill(1),
    ])
    .areas(area);
    header::draw(frame, figures, model, theme, now);
    let inner = view::inside(frame, view::titled(board_title(model)), tiles);
    tiles::draw(frame, inner, model, &board, theme, now);
    panes::draw(frame, lists, model, theme, now);
}

fn board_title(model: &Model) -> Line<'static> {
    let all = model.farm.instances.len();
    let counted = if model.filter.is_empty() {
        format!(" {all} instances ")
    } else {
        format!(" {} of {all} instances, with \"{}\" ", model.shown().len(), model.filter)
    };
    let style = if model.focus == Focus::Board { theme::strong() } else { theme::dim() };
    Line::from(vec![Span::styled(counted, style), Span::styled("+ new  * proved  = paused ", theme::dim())])
}
