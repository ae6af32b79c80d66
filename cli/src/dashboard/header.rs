//! The farm in three lines.

use super::board::percent;
use super::model::Model;
use super::theme::{self, Theme};
use crate::best::ago_at;
use crate::command::status::uptime;
use crate::farm_view::Figures;
use crate::output::{grouped, short};
use crate::period;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use std::time::SystemTime;

/// Lines it takes.
pub(super) const HEIGHT: u16 = 3;

/// Draws it.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, model: &Model, theme: Theme, now: SystemTime) {
    let status = &model.farm.status;
    let figures = Figures::of(&model.farm.instances);
    let first = vec![
        Span::styled("Cascade", theme::strong()),
        Span::raw(format!("  epoch {}  up {}  store ", status.epoch, period::rounded(uptime(status)))),
        Span::raw(status.store.as_str()),
    ];
    let mut bests = vec![format!("{} of {} have a best", figures.with_best, figures.instances)];
    bests.extend(figures.mean_removals.map(|mean| format!("tetris mean {mean:.2} removals")));
    bests.extend(figures.mean_share.map(|share| format!("tritown {} of bound", percent(share))));
    let mut work = vec![
        format!("{}/s", short(status.expansions_per_second)),
        format!("{} spent", short(status.total_expansions as f64)),
        counted(status.workers_connected, "worker"),
        format!("{} out", counted(status.leases_out, "lease")),
    ];
    work.push(match &status.last_improvement {
        Some(at) => format!("improved {}", ago_at(at, now)),
        None => "no improvement yet".to_owned(),
    });
    let mut work = vec![Span::raw(work.join("  "))];
    if status.paused {
        work.push(Span::styled("  PAUSED", theme.alarm()));
    }
    frame.render_widget(Paragraph::new(vec![Line::from(first), Line::from(bests.join("  ")), Line::from(work)]), area);
}

fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}
