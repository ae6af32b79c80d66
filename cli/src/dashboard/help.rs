//! All keys, above everything else.

use super::theme;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

const KEYS: [&str; 17] = [
    "Everywhere",
    "  q, Ctrl-C      quit",
    "  ?              these keys",
    "All instances",
    "  arrows, hjkl   select, or scroll a list",
    "  Enter          open the selected instance",
    "  Tab            board, workers, events",
    "  /              show only names with some letters in them",
    "  Esc            show all names again; quit",
    "One instance",
    "  left, right    a move back, a move on",
    "  , .            a scene back, a scene on",
    "  Space          play, pause",
    "  g G            to the start, to the end",
    "  t              history over effort, over time",
    "  Tab, up, down  another list, scroll it",
    "  Esc            back to all instances",
];

/// Draws the keys in the middle of `area`.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect) {
    let longest = KEYS.iter().map(|line| line.len()).max().unwrap_or(0) as u16;
    let (width, height) = ((longest + 4).min(area.width), (KEYS.len() as u16 + 2).min(area.height));
    let place = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    let style = |line: &'static str| {
        if line.starts_with(' ') { Line::from(line) } else { Line::styled(line, theme::strong()) }
    };
    let lines: Vec<_> = KEYS.into_iter().map(style).collect();
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(lines).block(Block::bordered().title(" Keys, any closes this ")), place);
}
