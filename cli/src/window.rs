//! A part of something that does not fit.

/// The first of `all` rows or columns that is seen through a window of `seen` so that the one at `about` is, in the middle
/// where that is possible.
pub(crate) fn first_seen(about: usize, seen: usize, all: usize) -> usize {
    about.saturating_sub(seen / 2).min(all.saturating_sub(seen))
}
