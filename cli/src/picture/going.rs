//! Which squares of a board go in a move.

use cascade_games::{SceneKind, Turn};
use std::collections::BTreeMap;

/// The groups that go in `turn`, each by the places where its squares stand on the board `before` it.
pub(super) fn groups(before: &[char], columns: usize, turn: &Turn) -> Vec<Vec<u16>> {
    let mut board = before.to_vec();
    // What stood where before the move.
    let mut origins: Vec<u16> = (0..=u16::MAX).take(board.len()).collect();
    let mut groups = Vec::new();
    for scene in &turn.scenes {
        let stood = scene.squares.iter().filter_map(|&square| origins.get(usize::from(square)).copied());
        match scene.kind {
            SceneKind::Vanish => {
                // Groups that go at once differ in their letters, or do not touch.
                let mut alike: BTreeMap<Option<&char>, Vec<u16>> = BTreeMap::new();
                stood.for_each(|square| alike.entry(before.get(usize::from(square))).or_default().push(square));
                groups.extend(alike.into_values());
            }
            SceneKind::Merge => groups.push(stood.collect()),
            SceneKind::Fall => fall(&board, columns, &mut origins),
            SceneKind::Remove | SceneKind::Build | SceneKind::Demolish => {}
        }
        scene.apply(&mut board);
    }
    groups
}

/// Lets `origins` fall as the squares of `board` do.
fn fall(board: &[char], columns: usize, origins: &mut [u16]) {
    for column in 0..columns {
        let from_the_floor: Vec<usize> = (column..board.len()).step_by(columns.max(1)).rev().collect();
        let holds = |square: &&usize| board.get(**square).is_some_and(|&letter| letter != '.');
        let falling: Vec<u16> =
            from_the_floor.iter().filter(holds).filter_map(|&square| origins.get(square).copied()).collect();
        for (&square, origin) in from_the_floor.iter().zip(falling) {
            if let Some(place) = origins.get_mut(square) {
                *place = origin;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Play;

    #[test]
    fn squares_that_fell_before_they_go_are_found_where_they_stood() {
        let replay = Play::example("a\na\nb\nb\nc\nb\nb\na\na\n", "40\n").replay;
        assert_eq!(groups(&replay.start, 1, &replay.turns[0]), [vec![2, 3, 5, 6], vec![0, 1, 7, 8]]);
    }

    #[test]
    fn mergers_are_found_with_the_square_built_on() {
        let replay = Play::example("2 3 0 0 ..1 221 1 1", "PUT 1 2 END").replay;
        assert_eq!(groups(&replay.start, 3, &replay.turns[0]), [vec![1, 2, 5], vec![1, 4, 3]]);
    }
}
