//! A grid as a [`Puzzle`]: everything here rests on the judge.

use super::bound::run_bound;
use super::game::TetrisGame;
use super::judge::{EMPTY, Field, Step};
use super::sequence::{self, Removal};
use crate::digest::Digest;
use crate::error::{FormatError, IllegalMove};
use crate::puzzle::{Bound, CheckReport, Judged, Position, Puzzle};
use crate::registry::GameId;
use crate::replay::Replay;
use std::fmt::Write as _;

/// Contest points for each index.
const POINTS_PER_REMOVAL: i64 = 10;
/// Contest points for printing the grid.
const POINTS_FOR_GRID: i64 = 500;
/// Contest points for each square of a printed grid that is wrong.
const POINTS_PER_WRONG: i64 = 5;
/// Contest points for each square of a printed grid that is right.
const POINTS_PER_RIGHT: i64 = 2;
/// Squares of a printed grid.
const PRINTED_SQUARES: i64 = 256;

impl TetrisGame {
    /// Plays `moves` by the judge.
    fn play(&self, moves: impl Iterator<Item = u32>) -> Result<Field, IllegalMove> {
        let mut field = self.field().clone();
        for (number, code) in (1..).zip(moves) {
            remove(&mut field, code).map_err(|reason| IllegalMove { number, reason: reason.to_string() })?;
        }
        Ok(field)
    }

    /// Plays what was read; an error tells the removals made before it.
    fn play_read(&self, removals: &[Removal], source_name: &str) -> Result<Field, (usize, FormatError)> {
        let mut field = self.field().clone();
        for (made, removal) in removals.iter().enumerate() {
            remove(&mut field, removal.index).map_err(|reason| {
                let expected = match reason {
                    Refused::Cleared => "the end",
                    Refused::Empty(_) | Refused::Outside { .. } => "the index of a square that is not empty",
                };
                let found = format!("{:02x}, but {reason}", removal.index);
                (made, FormatError::new(source_name, removal.line, found, expected))
            })?;
        }
        Ok(field)
    }
}

/// Why the rules forbid a removal.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refused {
    #[error("the board is cleared already")]
    Cleared,
    #[error("square {index:02x} is outside the {rows}x{columns} grid")]
    Outside { index: u32, rows: usize, columns: usize },
    #[error("square {0:02x} is empty")]
    Empty(u32),
}

/// Removes the square with the given index.
fn remove(field: &mut Field, index: u32) -> Result<(), Refused> {
    remove_watched(field, index, &mut |_, _| {})
}

/// As [`remove`], and tells each step.
pub(super) fn remove_watched(
    field: &mut Field,
    index: u32,
    watch: &mut dyn FnMut(Step<'_>, &Field),
) -> Result<(), Refused> {
    if field.squares_left() == 0 {
        return Err(Refused::Cleared);
    }
    let (row, column) = (index as usize / 16, index as usize % 16);
    if row >= field.rows() || column >= field.columns() {
        return Err(Refused::Outside { index, rows: field.rows(), columns: field.columns() });
    }
    field.remove_watched((row, column), watch).map_err(|_| Refused::Empty(index))
}

/// The board in few bytes: for each column its height and its colours from the floor, four to a byte.
fn key(field: &Field) -> Vec<u8> {
    let mut key = Vec::new();
    for column in 0..field.columns() {
        let letters = (0..field.rows()).rev().map(|row| field.at((row, column)));
        let colours: Vec<u8> =
            letters.take_while(|&letter| letter != EMPTY).map(|letter| (letter - b'a') & 3).collect();
        key.push(colours.len() as u8);
        key.extend(colours.chunks(4).map(|four| four.iter().rev().fold(0, |byte, colour| byte << 2 | colour)));
    }
    key
}

impl Puzzle for TetrisGame {
    fn game(&self) -> GameId {
        GameId::Tetris
    }

    fn content(&self) -> &str {
        self.content_text()
    }

    fn digest(&self) -> Digest {
        self.content_digest()
    }

    fn judge(&self, moves: &[u32]) -> Result<Judged, IllegalMove> {
        let field = self.play(moves.iter().copied())?;
        Ok(Judged { score: moves.len() as i64, complete: field.squares_left() == 0 })
    }

    fn replay(&self, moves: &[u32]) -> Result<Replay, IllegalMove> {
        super::replay::replay(self.field(), moves)
    }

    fn position(&self, moves: &[u32]) -> Result<Position, IllegalMove> {
        let field = self.play(moves.iter().copied())?;
        let score = moves.len() as i64;
        Ok(Position {
            key: key(&field),
            score,
            layer: moves.len() as u32,
            complete: field.squares_left() == 0,
            bound: score + i64::from(run_bound(&field.colour_counts())),
        })
    }

    fn bounds(&self) -> Vec<Bound> {
        vec![Bound { value: run_bound(&self.field().colour_counts()).into(), name: "runs" }]
    }

    fn format(&self, moves: &[u32]) -> String {
        moves.iter().fold(String::new(), |mut text, code| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{code:02x}");
            text
        })
    }

    fn parse(&self, text: &str, source_name: &str) -> Result<Vec<u32>, FormatError> {
        let output = sequence::read(text, source_name)?;
        self.play_read(&output.removals, source_name).map_err(|(_, error)| error)?;
        Ok(output.removals.iter().map(|removal| removal.index).collect())
    }

    fn check(&self, text: &str, source_name: &str, entry_bytes: u64) -> CheckReport {
        let invalid = |score, error: FormatError| CheckReport {
            correct: false,
            score,
            verdict: format!("Output Invalid! {error}"),
            line: Some(error.line),
            points: None,
            marks: None,
        };
        let output = match sequence::read(text, source_name) {
            Ok(output) => output,
            Err(error) => return invalid(None, error),
        };
        let field = match self.play_read(&output.removals, source_name) {
            Ok(field) => field,
            Err((made, error)) => return invalid(Some(made as i64), error),
        };
        let removals = output.removals.len() as i64;
        let entry_points = i64::try_from(entry_bytes).unwrap_or(i64::MAX);
        let points = entry_points.saturating_add(POINTS_PER_REMOVAL * removals);
        let report = |correct, verdict, points| CheckReport {
            correct,
            score: Some(removals),
            verdict,
            line: None,
            points,
            marks: None,
        };
        let correct = |points: i64| format!("Correct! {removals} removals, {points} points");
        match (output.printed, field.squares_left()) {
            (Some(printed), _) => {
                let right = sequence::right_squares(&printed, &field) as i64;
                let wrong = PRINTED_SQUARES - right;
                let points =
                    points.saturating_add(POINTS_FOR_GRID + POINTS_PER_WRONG * wrong + POINTS_PER_RIGHT * right);
                let verdict = format!("{}\nprinted grid: {right} squares right, {wrong} wrong", correct(points));
                report(true, verdict, Some(points))
            }
            (None, 0) => report(true, correct(points), Some(points)),
            (None, left) => report(false, format!("not cleared: {left} squares left"), None),
        }
    }

    fn marks(&self, _score: i64) -> Option<u8> {
        None
    }
}
