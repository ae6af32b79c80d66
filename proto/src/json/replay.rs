//! A play as JSON, as pages that show it read it.

use cascade_games::{InstanceName, Scene as GameScene, Turn as GameTurn};
use serde::Serialize;
use utoipa::ToSchema;

/// A whole play: the board at the start, and what each move changes. Squares are numbered row by row from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Replay {
    /// The game's name.
    pub game: &'static str,
    /// The instance's full name.
    pub instance: String,
    /// The score after the last move.
    pub score: i64,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The squares at the start, a letter each; `.` is empty.
    pub start: String,
    /// One turn for each move.
    pub turns: Vec<Turn>,
}

/// One move and all it set off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Turn {
    /// The move in words.
    pub words: String,
    /// The square it is played on.
    pub square: u16,
    /// The score after it.
    pub score: i64,
    /// What happened, in order.
    pub scenes: Vec<Scene>,
}

/// One thing that happened at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Scene {
    /// What: `remove`, `fall`, `vanish`, `build`, `merge` or `demolish`.
    pub kind: &'static str,
    /// The squares it happened to: of what goes, where it stood; of what falls, where it lands.
    pub squares: Vec<u16>,
    /// The squares that look otherwise afterwards, and their letters.
    pub changes: Vec<(u16, char)>,
}

impl Replay {
    /// The play `replay` of the instance called `instance`.
    #[must_use]
    pub fn new(instance: &InstanceName, replay: &cascade_games::Replay) -> Self {
        Self {
            game: instance.game().name(),
            instance: instance.to_string(),
            score: replay.score(),
            rows: replay.rows,
            columns: replay.columns,
            start: replay.start.iter().collect(),
            turns: replay.turns.iter().map(Turn::from).collect(),
        }
    }
}

impl From<&GameTurn> for Turn {
    fn from(turn: &GameTurn) -> Self {
        Self {
            words: turn.words.clone(),
            square: turn.square,
            score: turn.score,
            scenes: turn.scenes.iter().map(Scene::from).collect(),
        }
    }
}

impl From<&GameScene> for Scene {
    fn from(scene: &GameScene) -> Self {
        Self { kind: scene.kind.name(), squares: scene.squares.clone(), changes: scene.changes.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_games::{AnyGame, GameId};

    #[test]
    fn a_play_is_written_as_pages_read_it() {
        let game = AnyGame::parse(GameId::Tritown, "1 3 1 0 1.1 0", "small").expect("valid");
        let replay = game.puzzle().replay(&[1 << 16 | 1]).expect("legal");
        let name = InstanceName::new(GameId::Tritown, "small").expect("a name");
        let expected = serde_json::json!({
            "game": "tritown", "instance": "tritown/small", "score": 24, "rows": 1, "columns": 3, "start": "1.1",
            "turns": [{
                "words": "STAR row 1 column 2", "square": 1, "score": 24,
                "scenes": [
                    { "kind": "build", "squares": [1], "changes": [[1, "1"]] },
                    { "kind": "merge", "squares": [1, 0, 2], "changes": [[0, "."], [1, "2"], [2, "."]] },
                ],
            }],
        });
        assert_eq!(serde_json::to_value(Replay::new(&name, &replay)).expect("serialises"), expected);
    }
}
