//! A play move by move, for people who watch: what the judge saw happen, scene by scene.

/// A whole play on a board of `rows` by `columns` squares, numbered row by row from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
    /// The squares at the start, in the letters of the game's instance format; `.` is empty.
    pub start: Vec<char>,
    /// One turn for each move.
    pub turns: Vec<Turn>,
}

/// One move and all it set off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The move in words, rows and columns counted from 1.
    pub words: String,
    /// The square it is played on.
    pub square: u16,
    /// What happened, in order; never empty.
    pub scenes: Vec<Scene>,
    /// The score after it.
    pub score: i64,
}

/// One thing that happened at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What.
    pub kind: SceneKind,
    /// The squares it happened to: of what goes, where it stood; of what falls, where it lands.
    pub squares: Vec<u16>,
    /// The squares that look otherwise afterwards, and how.
    pub changes: Vec<(u16, char)>,
}

/// What can happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SceneKind {
    /// The player takes a square away.
    Remove,
    /// Squares fall.
    Fall,
    /// Groups go.
    Vanish,
    /// The player builds.
    Build,
    /// A group becomes one building of the next level.
    Merge,
    /// The player empties a square.
    Demolish,
}

impl SceneKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [Self::Remove, Self::Fall, Self::Vanish, Self::Build, Self::Merge, Self::Demolish];

    /// The name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Remove => "remove",
            Self::Fall => "fall",
            Self::Vanish => "vanish",
            Self::Build => "build",
            Self::Merge => "merge",
            Self::Demolish => "demolish",
        }
    }
}

impl Replay {
    /// The score after the last move; 0 without moves.
    #[must_use]
    pub fn score(&self) -> i64 {
        self.turns.last().map_or(0, |turn| turn.score)
    }

    /// The board after the first `turns` turns.
    #[must_use]
    pub fn board_after(&self, turns: usize) -> Vec<char> {
        let mut board = self.start.clone();
        for scene in self.turns.iter().take(turns).flat_map(|turn| &turn.scenes) {
            scene.apply(&mut board);
        }
        board
    }
}

impl Scene {
    /// The scene that turns the board `before` into `after`.
    pub(crate) fn between(kind: SceneKind, squares: Vec<u16>, before: &[char], after: &[char]) -> Self {
        let changed = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
        Self { kind, squares, changes: changed.map(|(square, (_, after))| (square as u16, *after)).collect() }
    }

    /// Changes `board` as this scene does.
    pub fn apply(&self, board: &mut [char]) {
        for &(square, letter) in &self.changes {
            if let Some(place) = board.get_mut(usize::from(square)) {
                *place = letter;
            }
        }
    }
}
