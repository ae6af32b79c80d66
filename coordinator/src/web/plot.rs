//! How a best came to be, drawn.

use crate::history::{Over, points, since_first, steps};
use cascade_proto::v1::HistoryEntry;
use plotters::prelude::*;
use std::time::SystemTime;

/// Width and height in pixels.
const SIZE: (u32, u32) = (720, 320);
/// Colours that stand for the page's own until the drawing is done, with the names of those.
const INK: (RGBColor, &str, &str) = (RGBColor(1, 2, 3), "#010203", "var(--ink, #1b1f24)");
const LINE: (RGBColor, &str, &str) = (RGBColor(1, 2, 4), "#010204", "var(--line, #d0d4da)");
const ACCENT: (RGBColor, &str, &str) = (RGBColor(1, 2, 5), "#010205", "var(--accent, #0b62c4)");
const BOUND: (RGBColor, &str, &str) = (RGBColor(1, 2, 6), "#010206", "var(--good, #1a7f37)");

/// The steps of `history`, oldest first, up to `now`, with the `bound` beside them, as SVG. `unit` is what scores count.
pub(super) fn history(
    history: &[HistoryEntry],
    bound: Option<i64>,
    unit: &str,
    over: Over,
    now: SystemTime,
) -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    let mut points = points(history, over);
    if let Some(&(end, last)) = points.last() {
        // The best still stands: its line goes on to now, or a little over the effort.
        let end = match over {
            Over::Time => since_first(history, now).max(end),
            Over::Effort => end * 1.05 + 1.0,
        };
        points.push((end, last));
    }
    let (span, words) = match over {
        Over::Time => span(points.last().map_or(0.0, |point| point.0)),
        Over::Effort => (1.0, "expansions spent"),
    };
    points.iter_mut().for_each(|point| point.0 /= span);
    let scores = points.iter().map(|point| point.1).chain(bound.map(|bound| bound as f64));
    let (low, high) = scores.fold((f64::MAX, f64::MIN), |(low, high), score| (low.min(score), high.max(score)));
    let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
    let margin = ((high - low) * 0.08).max(0.5);
    let right = points.last().map_or(1.0, |point| point.0).max(1e-3);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let label = |size| ("sans-serif", size).into_font().color(&INK.0);
        let mut chart = ChartBuilder::on(&area)
            .margin(12)
            .x_label_area_size(56)
            .y_label_area_size(84)
            .build_cartesian_2d(0.0..right, low - margin..high + margin)?;
        chart
            .configure_mesh()
            .disable_x_mesh()
            .bold_line_style(LINE.0)
            .light_line_style(TRANSPARENT)
            .axis_style(LINE.0)
            .label_style(label(20))
            .axis_desc_style(label(20))
            .x_desc(words)
            .y_desc(unit)
            .y_labels(6)
            .x_labels(6)
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&|value| short(*value))
            .draw()?;
        if let Some(bound) = bound {
            let level = bound as f64;
            chart.draw_series(LineSeries::new([(0.0, level), (right, level)], BOUND.0.stroke_width(2)))?;
        }
        chart.draw_series(LineSeries::new(steps(&points), ACCENT.0.stroke_width(2)))?;
        let found = points.iter().take(points.len().saturating_sub(1));
        chart.draw_series(found.map(|&point| Circle::new(point, 3, ACCENT.0.filled())))?;
        area.present()?;
    }
    Ok([INK, LINE, ACCENT, BOUND].iter().fold(svg, |svg, (_, drawn, meant)| svg.replace(drawn, meant)))
}

/// The unit of time that `seconds` are told in, and its words.
fn span(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s < 120.0 => (1.0, "seconds since the first"),
        s if s < 7_200.0 => (60.0, "minutes since the first"),
        s if s < 259_200.0 => (3_600.0, "hours since the first"),
        _ => (86_400.0, "days since the first"),
    }
}

/// A figure in few characters.
fn short(value: f64) -> String {
    let magnitude = value.abs();
    let (scaled, unit) = match magnitude {
        m if m >= 1e12 => (value / 1e12, "T"),
        m if m >= 1e9 => (value / 1e9, "G"),
        m if m >= 1e6 => (value / 1e6, "M"),
        m if m >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{scaled:.2}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_proto::convert::to_timestamp;

    #[test]
    fn any_history_is_drawn_in_the_pages_colours() {
        let found_at = Some(to_timestamp(1_767_225_600_000));
        let one = vec![HistoryEntry { score: 20, found_at, ..HistoryEntry::default() }];
        for (entries, bound) in [(vec![], None), (one.clone(), Some(6)), (one, None), (vec![], Some(i64::MAX))] {
            for over in [Over::Time, Over::Effort] {
                let svg = history(&entries, bound, "removals", over, SystemTime::now()).expect("drawn");
                assert!(svg.starts_with("<svg") && svg.contains("var(--ink"), "{svg}");
                assert!(!svg.contains("#01020"), "{svg}");
            }
        }
    }
}
