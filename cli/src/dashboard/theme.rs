//! Colours and other emphasis. A colour is never the only sign of anything: without colours nothing is lost.

use ratatui::style::{Color, Modifier, Style};

/// Whether colours are used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    colours: bool,
}

impl Theme {
    pub(super) const fn new(colours: bool) -> Self {
        Self { colours }
    }

    /// Letters in `colour`.
    pub(super) fn ink(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(colour) } else { Style::new() }
    }

    /// Black letters on `colour`.
    pub(super) fn paper(self, colour: Color) -> Style {
        if self.colours { Style::new().fg(Color::Black).bg(colour) } else { Style::new() }
    }

    /// The colour of something as good as `quality` tells, from 0 to 1.
    pub(super) fn grade(self, quality: f64) -> Style {
        self.ink(match quality {
            quality if quality >= 0.9 => Color::LightGreen,
            quality if quality >= 0.6 => Color::Green,
            quality if quality >= 0.3 => Color::Yellow,
            _ => Color::Red,
        })
    }

    /// Something to act on.
    pub(super) fn alarm(self) -> Style {
        self.ink(Color::Red).add_modifier(Modifier::BOLD)
    }
}

/// What matters less.
pub(super) fn dim() -> Style {
    Style::new().add_modifier(Modifier::DIM)
}

/// What matters more.
pub(super) fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

/// What is selected.
pub(super) fn chosen(style: Style) -> Style {
    style.add_modifier(Modifier::REVERSED)
}
