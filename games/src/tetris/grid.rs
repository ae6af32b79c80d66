//! Grid files: rows of letters, some of them perhaps unknown.

use super::LARGEST_SIDE;
use super::game::TetrisGame;
use super::judge::{Field, Square};
use crate::error::FormatError;
use std::fmt;

/// The most unknown squares a grid may have: 4^6 fills.
const MOST_UNKNOWN: usize = 6;

/// A letter for a square that is not known.
const UNKNOWN: u8 = b'?';

const ROW_EXPECTED: &str = "a row of the letters a, b, c, d and ?";

/// A grid as its file gives it, unknown squares included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    rows: Vec<Vec<u8>>,
    unknown: Vec<Square>,
}

/// One way to fill the unknown squares of a grid.
#[derive(Clone, Debug)]
pub struct Fill {
    /// The letters of the unknown squares, left to right and top to bottom; empty where nothing is unknown.
    pub letters: String,
    /// The full grid, or why the rules forbid it.
    pub game: Result<TetrisGame, IllegalFill>,
}

/// A full grid that the rules forbid: it holds a removable cluster before anything was removed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct IllegalFill {
    /// The colour of the first cluster.
    pub colour: char,
    /// The squares of the first cluster, by index (16 times the row, plus the column), ascending.
    pub squares: Vec<u8>,
}

impl fmt::Display for IllegalFill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "squares")?;
        self.squares.iter().try_for_each(|square| write!(f, " {square:02x}"))?;
        write!(f, " are a cluster of {} {}", self.squares.len(), self.colour)
    }
}

impl Grid {
    /// Reads a grid of at most 16 rows and 16 columns. `source_name` stands in errors.
    ///
    /// # Errors
    /// Where the text is not of the format.
    pub fn parse(text: &str, source_name: &str) -> Result<Self, FormatError> {
        let error = |line: usize, found: String, expected: &str| {
            Err(FormatError::new(source_name, line, found, expected.to_owned()))
        };
        let mut lines: Vec<&str> = text.lines().map(|line| line.trim_end_matches(['\r', ' ', '\t'])).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        if lines.is_empty() {
            return error(1, "nothing".to_owned(), ROW_EXPECTED);
        }
        let mut grid = Self { rows: Vec::new(), unknown: Vec::new() };
        for (row, text) in lines.iter().enumerate() {
            let line = row + 1;
            if row >= LARGEST_SIDE {
                return error(line, format!("row {line}"), "the end: a grid has at most 16 rows");
            }
            if text.is_empty() {
                return error(line, "an empty line".to_owned(), ROW_EXPECTED);
            }
            if let Some(foreign) = text.chars().find(|letter| !matches!(letter, 'a'..='d' | '?')) {
                let column = text.chars().take_while(|&letter| letter != foreign).count() + 1;
                let found = format!("{} in column {column}", FormatError::quote(&foreign.to_string()));
                return error(line, found, ROW_EXPECTED);
            }
            if text.len() > LARGEST_SIDE {
                return error(line, format!("{} letters", text.len()), "at most 16");
            }
            let letters = text.as_bytes().to_vec();
            let columns = grid.rows.first().unwrap_or(&letters).len();
            if letters.len() != columns {
                let expected = format!("{columns}, as many as in line 1");
                return error(line, format!("{} letters", letters.len()), &expected);
            }
            let unknown = letters.iter().enumerate().filter(|&(_, &letter)| letter == UNKNOWN);
            grid.unknown.extend(unknown.map(|(column, _)| (row, column)));
            if grid.unknown.len() > MOST_UNKNOWN {
                let expected = format!("at most {MOST_UNKNOWN}, since every way to fill them is an instance");
                return error(line, format!("the {}th unknown square", MOST_UNKNOWN + 1), &expected);
            }
            grid.rows.push(letters);
        }
        Ok(grid)
    }

    /// The squares that are not known.
    #[must_use]
    pub fn unknown(&self) -> &[Square] {
        &self.unknown
    }

    /// Every way to fill the unknown squares, 4 to the power of their number, in alphabetical order.
    #[must_use]
    pub fn fills(&self) -> Vec<Fill> {
        let count = self.unknown.len();
        let nth = |number: usize| (0..count).rev().map(|place| b"abcd"[number >> (2 * place) & 3]).collect();
        (0..1 << (2 * count)).map(|number| self.fill(nth(number))).collect()
    }

    fn fill(&self, letters: Vec<u8>) -> Fill {
        let mut rows = self.rows.clone();
        for (&(row, column), &letter) in self.unknown.iter().zip(&letters) {
            rows[row][column] = letter;
        }
        Fill { letters: letters.into_iter().map(char::from).collect(), game: TetrisGame::of_rows(&rows) }
    }

    /// The one game of a grid without unknown squares.
    pub(super) fn into_game(self, source_name: &str) -> Result<TetrisGame, FormatError> {
        if let Some(&(row, column)) = self.unknown.first() {
            let found = format!("an unknown square ({:02x})", row * 16 + column);
            return Err(FormatError::new(source_name, row + 1, found, "a full grid of the letters a, b, c and d"));
        }
        TetrisGame::of_rows(&self.rows).map_err(|illegal| {
            let line = illegal.squares.first().map_or(1, |&square| usize::from(square >> 4) + 1);
            FormatError::new(
                source_name,
                line,
                format!("a cluster ({illegal})"),
                "a grid in which nothing can vanish at the start",
            )
        })
    }
}

/// Why the rules forbid to start from `field`, if they do.
pub(super) fn illegal(field: &Field) -> Option<IllegalFill> {
    let cluster = field.clusters().into_iter().next()?;
    Some(IllegalFill {
        colour: cluster.first().map_or('?', |&square| char::from(field.at(square))),
        squares: cluster.into_iter().map(|(row, column)| (row * 16 + column) as u8).collect(),
    })
}
