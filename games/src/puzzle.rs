//! The erased, trusted view of an instance: what a coordinator judges with.

use crate::digest::Digest;
use crate::error::{FormatError, IllegalMove};
use crate::game::Direction;
use crate::registry::GameId;
use crate::replay::Replay;
use std::fmt::Debug;

/// What the judge says of a sequence of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The score after the last move.
    pub score: i64,
    /// Whether the play may stop there: cleared (tetris), always (tritown).
    pub complete: bool,
}

/// A partial state as the coordinator knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// All that can still matter, canonically; two prefixes are one partial state when these bytes are equal.
    pub key: Vec<u8>,
    /// The score so far.
    pub score: i64,
    /// Number of moves made.
    pub layer: u32,
    /// Whether the play may stop here.
    pub complete: bool,
    /// An optimistic final score: no play that goes on from here ends better.
    pub bound: i64,
}

/// A proven bound of an instance's score, and the argument it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// No play ends better than this score.
    pub value: i64,
    /// Short name of the argument: `counting`, `room`, `runs`, or [`Bound::EXHAUSTIVE_SEARCH`].
    pub name: &'static str,
}

impl Bound {
    /// The name of a bound that a search proved.
    pub const EXHAUSTIVE_SEARCH: &'static str = "exhaustive search";

    /// What a search `proved`, if that says more than this bound; else this bound.
    #[must_use]
    pub fn or_proved(self, proved: Option<i64>, direction: Direction) -> Self {
        match proved.filter(|&proved| direction.is_better(self.value, proved)) {
            Some(value) => Self { value, name: Self::EXHAUSTIVE_SEARCH },
            None => self,
        }
    }
}

/// What `cascade check` says of a text in the contest's own format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// Whether the play is valid and ends as the game wants.
    pub correct: bool,
    /// The score reached; for a play that is not correct, the score up to where it went wrong, if any.
    pub score: Option<i64>,
    /// The verdict in the words of the contest, one line or more, without a final line break.
    pub verdict: String,
    /// Line of the text at fault, from 1.
    pub line: Option<usize>,
    /// Contest points (tetris) where they apply.
    pub points: Option<i64>,
    /// Marks from 0 to 10 (tritown) when the marks file is known.
    pub marks: Option<u8>,
}

/// One instance with its rules, judged slowly and plainly. Object safe: everything that is not a search works with it.
pub trait Puzzle: Debug + Send + Sync {
    /// Which game this is an instance of.
    fn game(&self) -> GameId;

    /// The canonical text of the instance; [`crate::registry::AnyGame::parse`] reads it back.
    fn content(&self) -> &str;

    /// Digest of game and canonical content.
    fn digest(&self) -> Digest;

    /// Replays `moves` by the judge.
    ///
    /// # Errors
    /// The first move that the rules forbid.
    fn judge(&self, moves: &[u32]) -> Result<Judged, IllegalMove>;

    /// Replays `moves` by the judge and tells all that happens.
    ///
    /// # Errors
    /// The first move that the rules forbid.
    fn replay(&self, moves: &[u32]) -> Result<Replay, IllegalMove>;

    /// The partial state that `moves` lead to, by the judge.
    ///
    /// # Errors
    /// The first move that the rules forbid.
    fn position(&self, moves: &[u32]) -> Result<Position, IllegalMove>;

    /// Proven bounds of the whole instance, tightest first; never empty.
    fn bounds(&self) -> Vec<Bound>;

    /// The tightest of [`Puzzle::bounds`].
    fn tightest_bound(&self) -> Bound {
        let none = || Bound { value: self.game().direction().merit(i64::MAX), name: "none" };
        self.bounds().into_iter().next().unwrap_or_else(none)
    }

    /// `moves` in the contest's own format, with a final line break.
    fn format(&self, moves: &[u32]) -> String;

    /// Reads a sequence in the contest's own format. `source_name` stands in errors.
    ///
    /// # Errors
    /// Where the text is not of the format, names a move that the rules forbid, or does not end as it must.
    fn parse(&self, text: &str, source_name: &str) -> Result<Vec<u32>, FormatError>;

    /// Judges a text in the contest's own format; `entry_bytes` is the size of the contest entry that printed it
    /// (counted by tetris points, 0 when unknown).
    fn check(&self, text: &str, source_name: &str, entry_bytes: u64) -> CheckReport;

    /// The mark from 0 to 10 that `score` earns, where the instance knows its marks (tritown's `.ans`).
    fn marks(&self, score: i64) -> Option<u8>;

    /// The mark that `score` lacks next and the score that earns it, where the instance knows its marks and `score` does
    /// not earn them all.
    fn next_mark(&self, _score: i64) -> Option<(u8, i64)> {
        None
    }
}
