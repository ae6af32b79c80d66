//! Text with its look.

use ratatui::crossterm::QueueableCommand;
use ratatui::crossterm::style::{Attribute, Color, ContentStyle, PrintStyledContent, StyledContent};
use std::io::{self, Write};

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// As the terminal has it.
    Plain,
    /// A heading.
    Strong,
    /// An aside.
    Faint,
    /// A square of the board with this letter.
    Square(char),
    /// Such a square, pointed out.
    Marked(char),
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) look: Look,
}

impl Piece {
    pub(super) fn new(look: Look, text: impl Into<String>) -> Self {
        Self { text: text.into(), look }
    }
}

/// Black and white of the 256 colours.
const INK: Color = Color::AnsiValue(16);
const FLASH: Color = Color::AnsiValue(231);

impl Look {
    /// The style; marks and weights stay where there are no colours.
    fn style(self, colours: bool) -> ContentStyle {
        let mut style = ContentStyle::new();
        match self {
            Self::Plain => {}
            Self::Strong => style.attributes.set(Attribute::Bold),
            Self::Faint | Self::Square('.') => style.attributes.set(Attribute::Dim),
            Self::Square(letter) if colours => {
                style.foreground_color = Some(INK);
                style.background_color = Some(colour(letter));
            }
            Self::Square(_) => {}
            Self::Marked(_) => {
                style.attributes.set(Attribute::Bold);
                if colours {
                    style.foreground_color = Some(INK);
                    style.background_color = Some(FLASH);
                } else {
                    style.attributes.set(Attribute::Reverse);
                }
            }
        }
        style
    }
}

/// The colour of a letter, light enough for black on it.
const fn colour(letter: char) -> Color {
    Color::AnsiValue(match letter {
        'a' => 75,
        'b' => 215,
        'c' => 78,
        'd' => 176,
        '1' => 187,
        '2' => 150,
        '3' => 79,
        '4' => 117,
        '5' => 111,
        '6' => 141,
        '7' => 175,
        '8' => 209,
        '9' => 220,
        _ => 250,
    })
}

/// Queues `piece` on `out`.
pub(super) fn queue(out: &mut impl Write, piece: &Piece, colours: bool) -> io::Result<()> {
    let print = PrintStyledContent(StyledContent::new(piece.look.style(colours), piece.text.as_str()));
    out.queue(print).map(drop)
}
