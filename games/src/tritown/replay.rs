//! A play of commands as people watch it.

use super::TritownGame;
use super::judge::{Judge, Square, Step};
use crate::error::IllegalMove;
use crate::replay::{Replay, Scene, SceneKind, Turn};

/// Plays `moves` by the judge.
pub(super) fn replay(game: &TritownGame, moves: &[u32]) -> Result<Replay, IllegalMove> {
    let case = &game.case;
    let mut judge = Judge::new(case);
    let start = letters(&judge);
    let mut turns = Vec::with_capacity(moves.len());
    for (number, &code) in (1..).zip(moves) {
        let command = game.command(number, code)?;
        let mut before = letters(&judge);
        let mut scenes: Vec<Scene> = Vec::new();
        // A group goes and its building appears at once.
        let mut merging: Option<Vec<u16>> = None;
        let mut watch = |step: Step<'_>, judge: &Judge<'_>| {
            let number_of = |&(row, column): &Square| (row * case.columns + column) as u16;
            let (kind, squares) = match step {
                Step::Merging(group) => {
                    merging = Some(group.iter().map(number_of).collect());
                    return;
                }
                Step::Built(square) => match merging.take() {
                    Some(group) => (SceneKind::Merge, group),
                    None => (SceneKind::Build, vec![number_of(&square)]),
                },
                Step::Demolished(square) => (SceneKind::Demolish, vec![number_of(&square)]),
            };
            let after = letters(judge);
            scenes.push(Scene::between(kind, squares, &before, &after));
            before = after;
        };
        judge.play_watched(command, &mut watch).map_err(|reason| IllegalMove { number, reason })?;
        let square = command.square();
        let (row, column) = (square / case.columns + 1, square % case.columns + 1);
        turns.push(Turn {
            words: format!("{} row {row} column {column}", command.word()),
            square: square as u16,
            scenes,
            score: judge.score(),
        });
    }
    Ok(Replay { rows: case.rows, columns: case.columns, start, turns })
}

fn letters(judge: &Judge<'_>) -> Vec<char> {
    judge.levels().into_iter().map(|level| if level == 0 { '.' } else { char::from(b'0' + level) }).collect()
}
