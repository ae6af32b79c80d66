//! A film strip: small boards, one a move.

use super::board::{SIDE, outline, squares};
use super::{STYLE, going};
use crate::markup::escape;
use crate::narration;
use crate::output::points;
use crate::play::Play;
use cascade_games::{GameId, Replay, SceneKind};
use std::fmt::Write as _;

/// The width that boards stand in.
const WIDTH: usize = 1160;
/// Room around the whole.
const MARGIN: usize = 24;
/// Room between boards.
const GAP: usize = 20;
/// Room for the title of a picture of its own.
const TITLE: usize = 44;
/// Room for the words below a board.
const WORDS: usize = 34;
/// The least width of a board with its words.
const NARROWEST: usize = 176;
/// The width that a board may have; small ones are drawn larger to come near it.
const BOARD: usize = 160;
/// How much larger than usual a small board may be drawn.
const LARGEST: usize = 3;

/// A play as a film strip in SVG.
#[derive(Debug)]
pub(crate) struct Film {
    title: String,
    width: usize,
    height: usize,
    boards: String,
}

/// One board with its words.
struct Frame {
    board: Vec<char>,
    played: Option<usize>,
    going: Vec<Vec<u16>>,
    words: String,
    aside: String,
}

impl Film {
    /// `play` in at most so many boards, 2 or more, evenly chosen; the first and the last are always there.
    pub(crate) fn of(play: &Play, most: usize) -> Self {
        let replay = &play.replay;
        let scale = (BOARD / (replay.columns.max(replay.rows).max(1) * SIDE)).clamp(1, LARGEST);
        let (board_width, board_height) = (replay.columns * SIDE * scale, replay.rows * SIDE * scale);
        let step = board_width.max(NARROWEST) + GAP;
        let chosen = chosen(replay.turns.len() + 1, most);
        let in_a_row = ((WIDTH + GAP) / step).clamp(1, chosen.len().max(1));
        let mut boards = String::new();
        for (place, &number) in chosen.iter().enumerate() {
            let (x, y) = (place % in_a_row * step, place / in_a_row * (board_height + WORDS + GAP));
            let frame = Frame::of(play, number);
            // Writing to a String does not fail.
            let _ =
                write!(boards, r#"<g transform="translate({x} {y})">{}</g>"#, frame.svg(replay, scale, board_height));
        }
        let rows = chosen.len().div_ceil(in_a_row);
        let height = rows * (board_height + WORDS + GAP) - GAP;
        Self { title: play.title(), width: in_a_row * step - GAP, height, boards }
    }

    /// The film strip as a file of its own.
    pub(crate) fn document(&self) -> String {
        let (width, height) = (self.width + 2 * MARGIN, self.height + 2 * MARGIN + TITLE);
        let title = escape(&self.title);
        let (baseline, top) = (MARGIN + 18, MARGIN + TITLE);
        format!(
            r#"<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" class="film" role="img" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>{title}</title>
<style>
{STYLE}</style>
<rect class="ground" width="{width}" height="{height}"/>
<text class="title" x="{MARGIN}" y="{baseline}">{title}</text>
<g transform="translate({MARGIN} {top})">{}</g>
</svg>
"#,
            self.boards
        )
    }

    /// The film strip as a part of a page that has [`STYLE`].
    pub(crate) fn element(&self) -> String {
        // Outlines reach half their width beyond the boards.
        let (width, height) = (self.width + 2, self.height + 2);
        let label = escape(&format!("Film strip of {}", self.title));
        format!(
            r#"<svg class="film" role="img" aria-label="{label}" width="{width}" height="{height}" viewBox="-1 -1 {width} {height}">{}</svg>"#,
            self.boards
        )
    }
}

impl Frame {
    /// The board before the move of this number, from 0, with what the move does; after the last, the board at the end.
    fn of(play: &Play, number: usize) -> Self {
        let replay = &play.replay;
        let mut board = replay.board_after(number);
        let Some(turn) = replay.turns.get(number) else {
            let left = board.iter().filter(|&&letter| letter != '.').count();
            let aside = match play.name.game() {
                GameId::Tetris if left == 0 => "the board is cleared".to_owned(),
                GameId::Tetris => format!("{left} squares left"),
                GameId::Tritown => format!("score {}", points(replay.score())),
            };
            return Self { board, played: None, going: Vec::new(), words: "The end".to_owned(), aside };
        };
        let going = going::groups(&board, replay.columns, turn);
        if let Some(built) = turn.scenes.first().filter(|scene| scene.kind == SceneKind::Build) {
            built.apply(&mut board);
        }
        Self {
            board,
            played: Some(turn.square.into()),
            going,
            words: format!("{}. {}", number + 1, turn.words),
            aside: narration::turn(turn),
        }
    }

    fn svg(&self, replay: &Replay, scale: usize, height: usize) -> String {
        let columns = replay.columns;
        let mut svg = format!(r#"<g transform="scale({scale})">{}"#, squares(&self.board, columns));
        for group in &self.going {
            let _ = write!(svg, r#"<path class="going" d="{}"/>"#, outline(group, columns));
        }
        if let Some(square) = self.played {
            let (x, y) = (square % columns.max(1) * SIDE + SIDE / 2, square / columns.max(1) * SIDE + SIDE / 2);
            let _ = write!(svg, r#"<circle class="played" cx="{x}" cy="{y}" r="4.2"/>"#);
        }
        let (words, aside) = (escape(&self.words), escape(&self.aside));
        let (first, second) = (height + 15, height + 29);
        let _ = write!(
            svg,
            r#"</g><text class="move" y="{first}">{words}</text><text class="aside" y="{second}">{aside}</text>"#
        );
        svg
    }
}

/// At most `most` of the numbers below `all`, evenly spread, with the first and the last.
fn chosen(all: usize, most: usize) -> Vec<usize> {
    let count = all.min(most.max(2));
    match count {
        0 | 1 => (0..count).collect(),
        _ => (0..count).map(|number| number * (all - 1) / (count - 1)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_chosen_evenly_with_the_first_and_the_last() {
        assert_eq!(chosen(4, 60), [0, 1, 2, 3]);
        assert_eq!(chosen(1, 60), [0]);
        assert_eq!(chosen(9, 3), [0, 4, 8]);
        let many = chosen(3001, 60);
        assert_eq!((many.len(), many.first(), many.last()), (60, Some(&0), Some(&3000)));
        assert!(many.is_sorted_by(|left, right| left < right));
    }

    #[test]
    fn each_move_has_a_board_with_its_square_and_what_goes() {
        let play = Play::example("a\nb\nb\nc\nb\nb\n", "30\n50\n");
        let svg = Film::of(&play, 60).document();
        assert_eq!(svg.matches(r#"class="floor""#).count(), 3);
        assert_eq!(svg.matches(r#"class="played""#).count(), 2);
        assert_eq!(svg.matches(r#"class="going""#).count(), 1);
        for words in ["1. remove row 4 column 1", "4 squares vanish", "nothing vanishes", "the board is cleared"] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
        assert_eq!(Film::of(&play, 2).document().matches(r#"class="floor""#).count(), 2);
    }

    #[test]
    fn a_square_that_is_built_on_is_shown_with_its_building() {
        let svg = Film::of(&Play::example("1 3 0 0 1.. 1 2", "PUT 1 3 END"), 60).document();
        assert!(svg.contains(">12</text>"), "{svg}");
        assert!(svg.contains("score 20"), "{svg}");
    }
}
