//! The board of a replay, and in words what happens on it.

use super::open::Open;
use super::player::Player;
use super::theme::{self, Theme};
use super::view;
use crate::output::points;
use crate::window::first_seen;
use cascade_games::SceneKind;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Color;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

/// The words below the board need so many columns.
const WORDS: u16 = 34;
/// Lines of words below the board.
const CAPTION: u16 = 2;
/// A square takes so many columns: its letter and a sign.
const SQUARE: usize = 2;

/// Columns that the replay of `open` takes of the `room` there is.
pub(super) fn width(open: &Open, room: u16) -> u16 {
    let board = open.replay.as_ref().map_or(0, |player| player.columns() * SQUARE);
    (board.min(usize::from(u16::MAX)) as u16).max(WORDS).min(room.max(WORDS))
}

/// Draws it.
pub(super) fn draw(frame: &mut Frame<'_>, area: Rect, open: &Open, theme: Theme) {
    let player = match &open.replay {
        Ok(player) => player,
        Err(reason) => {
            let inner = view::inside(frame, view::titled(" Replay "), area);
            frame.render_widget(Paragraph::new(reason.as_str()).wrap(Wrap { trim: true }), inner);
            return;
        }
    };
    let state = if player.is_playing() { ", playing" } else { "" };
    let title = format!(" Replay: move {} of {}{state} ", player.turn(), player.moves());
    let inner = view::inside(frame, view::titled(title), area);
    let rows = (player.rows().min(usize::from(u16::MAX)) as u16).min(inner.height.saturating_sub(CAPTION));
    let [board, words] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(inner);
    squares(frame, board, player, theme);
    frame.render_widget(Paragraph::new(caption(player)).wrap(Wrap { trim: true }), words);
}

/// The part of the board that fits, around the square of the move.
fn squares(frame: &mut Frame<'_>, area: Rect, player: &Player, theme: Theme) {
    let board = player.board();
    let marked = player.scene().map_or(&[][..], |(scene, _, _)| &scene.squares);
    let next = player.next().filter(|_| player.scene().is_none()).map(|turn| usize::from(turn.square));
    let columns = player.columns().max(1);
    let about = player.next().or(player.last()).map_or(0, |turn| usize::from(turn.square));
    let (height, width) = (usize::from(area.height), usize::from(area.width) / SQUARE);
    let first_row = first_seen(about / columns, height, player.rows());
    let first_column = first_seen(about % columns, width, columns);
    let lines: Vec<_> = (first_row..player.rows())
        .take(height)
        .map(|row| {
            let square = |column: usize| {
                let at = row * columns + column;
                let letter = board.get(at).copied().unwrap_or(' ');
                let is_marked = marked.iter().any(|&square| usize::from(square) == at);
                let sign = if is_marked {
                    '*'
                } else if next == Some(at) {
                    '<'
                } else {
                    ' '
                };
                let style = colour(letter).map_or(theme::dim(), |colour| theme.paper(colour));
                let style = if is_marked || sign == '<' { theme::chosen(style) } else { style };
                Span::styled(format!("{letter}{sign}"), style)
            };
            Line::from((first_column..columns).take(width).map(square).collect::<Vec<_>>())
        })
        .collect();
    frame.render_widget(Paragraph::new(lines), area);
}

/// The colour of a square; none for an empty one.
fn colour(letter: char) -> Option<Color> {
    Some(match letter {
        'a' | '3' => Color::Red,
        'b' | '2' => Color::Green,
        'c' | '4' => Color::Yellow,
        'd' | '5' => Color::Blue,
        '1' => Color::Gray,
        '6' => Color::Magenta,
        '7' => Color::Cyan,
        '8' => Color::LightRed,
        '9' => Color::LightYellow,
        _ => return None,
    })
}

/// The move and what happens.
fn caption(player: &Player) -> Vec<Line<'static>> {
    if let (Some((scene, number, all)), Some(turn)) = (player.scene(), player.next()) {
        let count = scene.squares.len();
        let squares = if count == 1 { "1 square".to_owned() } else { format!("{count} squares") };
        let happens = match scene.kind {
            SceneKind::Remove => "taken away",
            SceneKind::Fall => "fell",
            SceneKind::Vanish => "vanished",
            SceneKind::Build => "built on",
            SceneKind::Merge => "merged",
            SceneKind::Demolish => "emptied",
        };
        return vec![
            Line::styled(format!("{}: {}", player.turn() + 1, turn.words), theme::strong()),
            Line::from(format!("scene {number} of {all}: {squares} {happens} (*)")),
        ];
    }
    let done = match player.last() {
        Some(turn) => format!("{}: {}, score {}", player.turn(), turn.words, points(turn.score)),
        None => "the start".to_owned(),
    };
    let next = match player.next() {
        Some(turn) => format!("next: {} (<)", turn.words),
        None => "the end".to_owned(),
    };
    vec![Line::styled(done, theme::strong()), Line::from(next)]
}
