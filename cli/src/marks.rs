//! Marks of a tritown case in words.

/// The marks `earned` and, where one is still lacking, the next with the points it takes.
pub(crate) fn describe(earned: u8, next: Option<(u8, i64)>) -> String {
    match next {
        Some((mark, points)) => format!("{earned} of 10 marks; mark {mark} takes {points} points"),
        None => format!("{earned} of 10 marks"),
    }
}
