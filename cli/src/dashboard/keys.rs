//! What each key does.

use super::board::Step;
use super::model::{Focus, Model};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Lines that a page moves.
const PAGE: usize = 10;

impl Model {
    /// Does what `key` asks for.
    pub(super) fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        self.notice = None;
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            // As a signal would end it: on a raw terminal Ctrl-C is a key like any other.
            self.is_done |= key.code == KeyCode::Char('c');
        } else if self.shows_help {
            self.shows_help = false;
        } else if self.is_typing {
            self.type_filter(key.code);
        } else if key.code == KeyCode::Char('q') {
            self.is_done = true;
        } else if key.code == KeyCode::Char('?') {
            self.shows_help = true;
        } else if self.open.is_some() {
            self.key_in_instance(key.code);
        } else {
            self.key_in_overview(key.code);
        }
    }

    fn type_filter(&mut self, key: KeyCode) {
        match key {
            KeyCode::Enter => self.is_typing = false,
            KeyCode::Esc => {
                self.is_typing = false;
                self.filter.clear();
            }
            KeyCode::Backspace => {
                self.filter.pop();
            }
            KeyCode::Char(letter) => self.filter.push(letter),
            _ => {}
        }
    }

    fn key_in_overview(&mut self, key: KeyCode) {
        match key {
            KeyCode::Esc if self.filter.is_empty() => self.is_done = true,
            KeyCode::Esc => self.filter.clear(),
            KeyCode::Char('/') => {
                self.focus = Focus::Board;
                self.is_typing = true;
            }
            KeyCode::Tab => self.focus_on(match self.focus {
                Focus::Board => Focus::Workers,
                Focus::Workers => Focus::Events,
                Focus::Events => Focus::Board,
            }),
            KeyCode::BackTab => self.focus_on(match self.focus {
                Focus::Board => Focus::Events,
                Focus::Workers => Focus::Board,
                Focus::Events => Focus::Workers,
            }),
            KeyCode::Enter => self.open_selected(),
            _ => match self.focus {
                Focus::Board => {
                    if let Some(step) = board_step(key) {
                        self.select(step);
                    }
                }
                Focus::Workers => scroll(&mut self.worker_scroll, self.farm.workers.len(), key),
                Focus::Events => scroll(&mut self.event_scroll, self.farm.events.len(), key),
            },
        }
    }

    fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        if focus != Focus::Board {
            self.list = focus;
        }
    }

    fn key_in_instance(&mut self, key: KeyCode) {
        let Some(open) = &mut self.open else { return };
        match key {
            KeyCode::Esc | KeyCode::Backspace => self.open = None,
            KeyCode::Tab => open.next_list(),
            KeyCode::BackTab => open.previous_list(),
            KeyCode::Char('t') => open.turn_axis(),
            KeyCode::Up | KeyCode::Down | KeyCode::PageUp | KeyCode::PageDown | KeyCode::Char('j' | 'k') => {
                let lines = open.lines();
                scroll(&mut open.scroll, lines, key);
            }
            _ => {
                let Some(player) = open.player_mut() else { return };
                match key {
                    KeyCode::Right | KeyCode::Char('l') => player.next_move(),
                    KeyCode::Left | KeyCode::Char('h') => player.previous_move(),
                    KeyCode::Char('.') => player.next_scene(),
                    KeyCode::Char(',') => player.previous_scene(),
                    KeyCode::Char(' ') => player.play_or_pause(),
                    KeyCode::Home | KeyCode::Char('g') => player.rewind(),
                    KeyCode::End | KeyCode::Char('G') => player.skip_to_end(),
                    _ => {}
                }
            }
        }
    }
}

fn board_step(key: KeyCode) -> Option<Step> {
    match key {
        KeyCode::Left | KeyCode::Char('h') => Some(Step::Left),
        KeyCode::Right | KeyCode::Char('l') => Some(Step::Right),
        KeyCode::Up | KeyCode::Char('k') => Some(Step::Up),
        KeyCode::Down | KeyCode::Char('j') => Some(Step::Down),
        KeyCode::Home | KeyCode::Char('g') => Some(Step::First),
        KeyCode::End | KeyCode::Char('G') => Some(Step::Last),
        _ => None,
    }
}

/// Scrolls a list of `lines`; the last line never leaves it.
fn scroll(scroll: &mut usize, lines: usize, key: KeyCode) {
    let last = lines.saturating_sub(1);
    *scroll = match key {
        KeyCode::Up | KeyCode::Char('k') => scroll.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => *scroll + 1,
        KeyCode::PageUp => scroll.saturating_sub(PAGE),
        KeyCode::PageDown => *scroll + PAGE,
        KeyCode::Home | KeyCode::Char('g') => 0,
        KeyCode::End | KeyCode::Char('G') => last,
        _ => *scroll,
    }
    .min(last);
}
