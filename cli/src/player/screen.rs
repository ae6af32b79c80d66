//! What stands on the screen, line by line.

use super::controls::Controls;
use super::look::{Look, Piece};
use super::moments::{Moment, Sight};
use crate::narration;
use crate::output::points;
use crate::play::Play;
use crate::window::first_seen;
use cascade_games::Replay;

/// Characters that a square takes.
const SQUARE: usize = 3;
/// Lines above the board.
const ABOVE: usize = 4;
/// Lines below it: one that tells of a cut, and the keys.
const BELOW: usize = 2;
const KEYS: &str = "space play/pause  left/right move  , . scene  home/end  +/- speed  q quit";

/// A line of the screen.
pub(super) type Line = Vec<Piece>;

/// The lines for a terminal of `width` by `height` characters; no more and no wider than that.
pub(super) fn lines(play: &Play, controls: &Controls, width: usize, height: usize) -> Vec<Line> {
    let replay = &play.replay;
    let moment = controls.moment();
    let window = Window::new(replay, moment, width / SQUARE, height.saturating_sub(ABOVE + BELOW));
    let state = format!("{} at {}x", if controls.playing() { "playing" } else { "paused" }, controls.speed());
    let score = moment.turn.checked_sub(1).and_then(|turn| replay.turns.get(turn)).map_or(0, |turn| turn.score);
    let mut lines = vec![
        vec![Piece::new(Look::Strong, play.title())],
        vec![Piece::new(Look::Plain, what(replay, moment))],
        vec![
            Piece::new(Look::Plain, happening(replay, moment)),
            Piece::new(Look::Faint, format!("  score {}  {state}", points(score))),
        ],
        vec![],
    ];
    lines.extend(window.board(replay, &moment.sight(replay)));
    lines.push(vec![Piece::new(Look::Faint, window.cut(replay))]);
    lines.push(vec![Piece::new(Look::Faint, KEYS)]);
    lines.truncate(height);
    lines.into_iter().map(|line| clip(line, width)).collect()
}

fn what(replay: &Replay, moment: Moment) -> String {
    let turns = replay.turns.len();
    match moment.turn.checked_sub(1).and_then(|turn| replay.turns.get(turn)) {
        Some(turn) => format!("move {} of {turns}: {}", moment.turn, turn.words),
        None => format!("the start; {turns} moves follow"),
    }
}

fn happening(replay: &Replay, moment: Moment) -> String {
    let Some(turn) = moment.turn.checked_sub(1).and_then(|turn| replay.turns.get(turn)) else { return String::new() };
    match moment.scene.and_then(|scene| turn.scenes.get(scene)) {
        Some(scene) => narration::scene(scene),
        None => narration::turn(turn),
    }
}

/// The part of the board that is shown.
#[derive(Debug)]
struct Window {
    row: usize,
    rows: usize,
    column: usize,
    columns: usize,
}

impl Window {
    /// At most so many columns and rows, around the square that is played on.
    fn new(replay: &Replay, moment: Moment, columns: usize, rows: usize) -> Self {
        // At the start it is the square that comes first.
        let square = replay.turns.get(moment.turn.saturating_sub(1)).map_or(0, |turn| usize::from(turn.square));
        let wide = replay.columns.max(1);
        let (row, rows) = around(square / wide, rows, replay.rows);
        let (column, columns) = around(square % wide, columns, replay.columns);
        Self { row, rows, column, columns }
    }

    fn board(&self, replay: &Replay, sight: &Sight) -> Vec<Line> {
        let piece = |square: usize| {
            let letter = sight.board.get(square).copied().unwrap_or('.');
            let marked = sight.marked.iter().any(|&marked| usize::from(marked) == square);
            if marked {
                Piece::new(Look::Marked(letter), format!("[{letter}]"))
            } else {
                Piece::new(Look::Square(letter), format!(" {letter} "))
            }
        };
        let row = |row: usize| {
            (self.column..self.column + self.columns).map(|column| piece(row * replay.columns + column)).collect()
        };
        (self.row..self.row + self.rows).map(row).collect()
    }

    /// Says what is cut off, if anything is.
    fn cut(&self, replay: &Replay) -> String {
        if self.rows == replay.rows && self.columns == replay.columns {
            return String::new();
        }
        format!(
            "the terminal is too small for the whole board: rows {}-{} of {}, columns {}-{} of {}",
            self.row + 1,
            self.row + self.rows,
            replay.rows,
            self.column + 1,
            self.column + self.columns,
            replay.columns
        )
    }
}

/// The beginning and length of at most `room` of `all`, with `place` in the middle where that is possible.
fn around(place: usize, room: usize, all: usize) -> (usize, usize) {
    let shown = room.clamp(1, all.max(1));
    (first_seen(place, shown, all), shown)
}

/// As much of `line` as fits into `width` characters.
fn clip(line: Line, width: usize) -> Line {
    let mut left = width;
    let mut clipped = Vec::new();
    for piece in line {
        let text: String = piece.text.chars().take(left).collect();
        left -= text.chars().count();
        clipped.push(Piece { text, look: piece.look });
    }
    clipped
}

#[cfg(test)]
mod tests {
    use super::super::controls::Action;
    use super::*;

    fn shown(play: &Play, actions: &[Action], width: usize, height: usize) -> Vec<String> {
        let mut controls = Controls::new(&play.replay);
        actions.iter().for_each(|&action| controls.act(action));
        let text = |line: Line| line.into_iter().map(|piece| piece.text).collect::<String>().trim_end().to_owned();
        lines(play, &controls, width, height).into_iter().map(text).collect()
    }

    #[test]
    fn a_scene_is_shown_with_what_happens_and_its_squares_pointed_out() {
        let play = Play::example("abc\ncad\nbcb\n", "21\n10\n");
        let expected = [
            "tetris/example: 2 removals",
            "move 2 of 2: remove row 2 column 1",
            "the square is taken away  score 2  paused at 1x",
            "",
            " a  .  c",
            "[c] b  d",
            " b  a  b",
            "",
            KEYS,
        ];
        let scene = [Action::NextMove, Action::NextScene];
        assert_eq!(shown(&play, &scene, 80, 24), expected);
    }

    #[test]
    fn a_board_larger_than_the_terminal_is_cut_around_the_move_and_that_is_said() {
        let rows: String =
            (0..16).map(|row| if row % 2 == 0 { "abcdabcdabcdabcd\n" } else { "cdabcdabcdabcdab\n" }).collect();
        let play = Play::example(&rows, "fe\n");
        let screen = shown(&play, &[Action::NextScene], 24, 12);
        assert!(screen.iter().all(|line| line.chars().count() <= 24) && screen.len() == 12, "{screen:?}");
        assert!(screen[9].ends_with("[a] b"), "{screen:?}");
        let wide = shown(&play, &[Action::NextScene], 100, 12);
        let said = "the terminal is too small for the whole board: rows 11-16 of 16, columns 1-16 of 16";
        assert_eq!(wide[10], said);
        for (width, height) in [(0, 0), (1, 1), (2, 5), (3, 7)] {
            assert!(shown(&play, &[], width, height).len() <= height);
        }
    }

    #[test]
    fn a_large_board_fits_a_usual_terminal() {
        let rows: String =
            (0..16).map(|row| if row % 2 == 0 { "abcdabcdabcdabcd\n" } else { "cdabcdabcdabcdab\n" }).collect();
        let screen = shown(&Play::example(&rows, "fe\n"), &[], 80, 24);
        assert_eq!(screen.iter().filter(|line| line.contains(" a  b  c  d ")).count(), 16, "{screen:?}");
        assert!(screen.iter().any(|line| line == KEYS) && !screen.iter().any(|line| line.contains("too small")));
    }
}
