//! The history of the best, over effort or time.

use super::open::{Detail, Open};
use super::theme::{self, Theme};
use super::view;
use crate::output::{points, short};
use crate::period;
use cascade_coordinator::history::{self, Over};
use cascade_proto::v1::HistoryEntry;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Paragraph};
use std::time::{Duration, SystemTime};

/// Draws it.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, open: &Open, detail: &Detail, theme: Theme, now: SystemTime) {
    let over = match open.over {
        Over::Effort => " Best over effort, t: time ",
        Over::Time => " Best over time, t: effort ",
    };
    let inner = view::inside(frame, view::titled(over), area);
    let spent = open.info().map_or(0, |info| info.expansions);
    let steps = steps(&detail.history, open.over, spent, now);
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
        frame.render_widget(Paragraph::new("no improvement yet"), inner);
        return;
    };
    let scores = || detail.history.iter().map(|entry| entry.score);
    let (low, high) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
    let span = |at: f64| match open.over {
        Over::Effort => short(at),
        Over::Time => period::rounded(Duration::try_from_secs_f64(at).unwrap_or_default()),
    };
    // A flat line needs some room around it, too.
    let margin = (high.saturating_sub(low) as f64 * 0.05).max(0.5);
    let scale_x = Axis::default()
        .style(theme::dim())
        .bounds([first.0, last.0.max(first.0 + 1.0)])
        .labels([span(first.0), span(last.0)]);
    let scale_y = Axis::default()
        .style(theme::dim())
        .bounds([low as f64 - margin, high as f64 + margin])
        .labels([points(low), points(high)]);
    let line = Dataset::default()
        .marker(Marker::Braille)
        .graph_type(GraphType::Line)
        .style(theme.ink(Color::Cyan))
        .data(&steps);
    frame.render_widget(Chart::new(vec![line]).x_axis(scale_x).y_axis(scale_y), inner);
}

/// The best as a line of steps: each score holds until the next was found, the last until now. Time is counted in
/// seconds from the first.
fn steps(history: &[HistoryEntry], over: Over, spent: u64, now: SystemTime) -> Vec<(f64, f64)> {
    let mut points = history::points(history, over);
    if let Some(&(reached, score)) = points.last() {
        let end = match over {
            Over::Effort => spent as f64,
            Over::Time => history::since_first(history, now),
        };
        points.push((end.max(reached), score));
    }
    history::steps(&points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_proto::convert::to_timestamp;

    #[test]
    fn each_score_holds_until_the_next_was_found() {
        let entry = |score, seconds: i64, total_expansions| HistoryEntry {
            score,
            found_at: Some(to_timestamp(seconds * 1000)),
            total_expansions,
            ..HistoryEntry::default()
        };
        let history = [entry(16, 100, 5), entry(14, 160, 50)];
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(400);
        let effort = [(5.0, 16.0), (50.0, 16.0), (50.0, 14.0), (90.0, 14.0)];
        assert_eq!(steps(&history, Over::Effort, 90, now), effort);
        let time = [(0.0, 16.0), (60.0, 16.0), (60.0, 14.0), (300.0, 14.0)];
        assert_eq!(steps(&history, Over::Time, 90, now), time);
        assert_eq!(steps(&[], Over::Time, 90, now), []);
    }
}
