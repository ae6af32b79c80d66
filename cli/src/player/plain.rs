//! A play as text: the boards one after another.

use crate::narration;
use crate::output::points;
use crate::play::Play;
use cascade_games::Replay;
use std::fmt::Write as _;

/// The start, then each move in words and the board after it.
pub(crate) fn text(play: &Play) -> String {
    let Replay { columns, start, turns, .. } = &play.replay;
    let mut board = start.clone();
    let mut text = format!("{}\n\nstart\n{}", play.title(), rows(&board, *columns));
    for (number, turn) in (1..).zip(turns) {
        turn.scenes.iter().for_each(|scene| scene.apply(&mut board));
        let (words, happens, score) = (&turn.words, narration::turn(turn), points(turn.score));
        // Writing to a String does not fail.
        let _ = write!(text, "\nmove {number} of {}: {words}; {happens}; score {score}\n", turns.len());
        text.push_str(&rows(&board, *columns));
    }
    text
}

fn rows(board: &[char], columns: usize) -> String {
    let row = |letters: &[char]| letters.iter().map(char::to_string).collect::<Vec<_>>().join(" ") + "\n";
    board.chunks(columns.max(1)).map(row).collect()
}
