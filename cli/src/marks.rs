//! Marks of a tritown case in words.

use cascade_games::Puzzle;

/// The marks that `score` earns and what the next takes; `None` where the instance does not know its marks.
pub(crate) fn describe(puzzle: &dyn Puzzle, score: i64) -> Option<String> {
    let earned = puzzle.marks(score)?;
    Some(match puzzle.next_mark(score) {
        Some((next, from)) => format!("{earned} of 10 marks; mark {next} takes {from} points"),
        None => format!("{earned} of 10 marks"),
    })
}
