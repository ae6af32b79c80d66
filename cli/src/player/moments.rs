//! A play cut into what can be seen at once.

use cascade_games::{Replay, SceneKind};

/// One thing to look at: a scene of a move, or the board at rest after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Number of the move, from 1; 0 at the start.
    pub(super) turn: usize,
    /// Which of its scenes; none at rest.
    pub(super) scene: Option<usize>,
}

/// What a moment looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sight {
    /// The squares in their letters.
    pub(super) board: Vec<char>,
    /// Squares to point out.
    pub(super) marked: Vec<u16>,
}

impl Moment {
    /// All moments of `replay`, in order; never empty.
    pub(super) fn all(replay: &Replay) -> Vec<Self> {
        let mut moments = vec![Self { turn: 0, scene: None }];
        for (number, turn) in (1..).zip(&replay.turns) {
            moments.extend((0..turn.scenes.len()).map(|scene| Self { turn: number, scene: Some(scene) }));
            moments.push(Self { turn: number, scene: None });
        }
        moments
    }

    /// What is to be seen. Of what goes, it is where it stands, marked; of what comes or falls, where it came.
    pub(super) fn sight(self, replay: &Replay) -> Sight {
        let Some(number) = self.scene else {
            return Sight { board: replay.board_after(self.turn), marked: Vec::new() };
        };
        let mut board = replay.board_after(self.turn.saturating_sub(1));
        let scenes =
            self.turn.checked_sub(1).and_then(|turn| replay.turns.get(turn)).map_or(&[][..], |turn| &turn.scenes);
        scenes.iter().take(number).for_each(|scene| scene.apply(&mut board));
        let Some(scene) = scenes.get(number) else { return Sight { board, marked: Vec::new() } };
        if matches!(scene.kind, SceneKind::Fall | SceneKind::Build) {
            scene.apply(&mut board);
        }
        let marked = if scene.kind == SceneKind::Fall { Vec::new() } else { scene.squares.clone() };
        Sight { board, marked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Play;

    #[test]
    fn a_move_is_seen_scene_by_scene_and_then_at_rest() {
        let replay = Play::example("a\nb\nb\nc\nb\nb\n", "30\n").replay;
        let seen: Vec<_> = Moment::all(&replay)
            .into_iter()
            .map(|moment| {
                let sight = moment.sight(&replay);
                (moment.turn, String::from_iter(sight.board), sight.marked)
            })
            .collect();
        let expected = [
            (0, "abbcbb", vec![]),
            (1, "abbcbb", vec![3]),
            (1, ".abbbb", vec![]),
            (1, ".abbbb", vec![2, 3, 4, 5]),
            (1, ".....a", vec![]),
            (1, ".....a", vec![]),
        ];
        assert_eq!(seen, expected.map(|(turn, board, marked)| (turn, board.to_owned(), marked)));
    }
}
