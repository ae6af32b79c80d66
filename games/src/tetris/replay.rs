//! A play of removals as people watch it.

use super::judge::{EMPTY, Field, Square, Step};
use super::puzzle::remove_watched;
use crate::error::IllegalMove;
use crate::replay::{Replay, Scene, SceneKind, Turn};

/// Plays `moves` from `start` by the judge.
pub(super) fn replay(start: &Field, moves: &[u32]) -> Result<Replay, IllegalMove> {
    let mut field = start.clone();
    let mut turns = Vec::with_capacity(moves.len());
    for (number, &code) in (1..).zip(moves) {
        let mut before = letters(&field);
        let mut scenes = Vec::new();
        let mut watch = |step: Step<'_>, field: &Field| {
            let after = letters(field);
            let number_of = |&(row, column): &Square| (row * field.columns() + column) as u16;
            let (kind, squares) = match step {
                Step::Removed(square) => (SceneKind::Remove, vec![number_of(&square)]),
                Step::Fell => (SceneKind::Fall, landed(&before, &after)),
                Step::Vanished(clusters) => (SceneKind::Vanish, clusters.iter().flatten().map(number_of).collect()),
            };
            if before != after {
                scenes.push(Scene::between(kind, squares, &before, &after));
            }
            before = after;
        };
        remove_watched(&mut field, code, &mut watch)
            .map_err(|reason| IllegalMove { number, reason: reason.to_string() })?;
        let (row, column) = (code as usize / 16, code as usize % 16);
        turns.push(Turn {
            words: format!("remove row {} column {}", row + 1, column + 1),
            square: (row * field.columns() + column) as u16,
            scenes,
            score: number as i64,
        });
    }
    Ok(Replay { rows: start.rows(), columns: start.columns(), start: letters(start), turns })
}

fn letters(field: &Field) -> Vec<char> {
    let squares = (0..field.rows()).flat_map(|row| (0..field.columns()).map(move |column| (row, column)));
    squares.map(|square| if field.at(square) == EMPTY { '.' } else { char::from(field.at(square)) }).collect()
}

/// The squares that hold something after a fall and did not hold the same before.
fn landed(before: &[char], after: &[char]) -> Vec<u16> {
    let moved = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after && **after != '.');
    moved.map(|(square, _)| square as u16).collect()
}
