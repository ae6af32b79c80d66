//! The contest's output: indices of removed squares as two hexadecimal digits, at the end perhaps the printed grid.

use super::LARGEST_SIDE;
use super::judge::{EMPTY, Field};
use crate::error::FormatError;

/// The squares of a printed grid: 16 rows of 16, letters or blanks.
pub(super) type PrintedGrid = [[u8; LARGEST_SIDE]; LARGEST_SIDE];

/// An entry's output as it was read, not yet judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Output {
    /// Indices of the removals.
    pub(super) removals: Vec<Removal>,
    /// The grid printed at the end.
    pub(super) printed: Option<PrintedGrid>,
}

/// One index and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Removal {
    /// 16 times the row, plus the column.
    pub(super) index: u32,
    /// Line of the text, from 1.
    pub(super) line: usize,
}

const INDEX_EXPECTED: &str =
    "indices of two hexadecimal digits, between blanks, and at the end at most a grid of 16 lines of 16 characters";

/// Reads an entry's output. `source_name` stands in errors.
///
/// # Errors
/// Where the text is not of the format.
pub(super) fn read(text: &str, source_name: &str) -> Result<Output, FormatError> {
    let lines: Vec<&str> = text.lines().collect();
    // An editor may add an empty line at the end; the last lines of a printed grid are never shorter than 16.
    let written = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let Some(printed) = printed_grid(&lines[..written]) else {
        if let Some(error) = stripped_grid(&lines, source_name) {
            return Err(error);
        }
        return Ok(Output { removals: read_indices(&lines, source_name)?, printed: None });
    };
    let removals = read_indices(&lines[..written - LARGEST_SIDE], source_name)?;
    Ok(Output { removals, printed: Some(printed) })
}

fn read_indices(lines: &[&str], source_name: &str) -> Result<Vec<Removal>, FormatError> {
    let mut removals = Vec::new();
    for (line, text) in (1..).zip(lines) {
        for token in text.split_ascii_whitespace() {
            let digits = token.len() == 2 && token.bytes().all(|digit| digit.is_ascii_hexdigit());
            let index = u32::from_str_radix(token, 16).ok().filter(|_| digits);
            let refused = || FormatError::new(source_name, line, FormatError::quote(token), INDEX_EXPECTED);
            removals.push(Removal { index: index.ok_or_else(refused)?, line });
        }
    }
    Ok(removals)
}

/// The last 16 lines, where each holds exactly 16 squares.
fn printed_grid(lines: &[&str]) -> Option<PrintedGrid> {
    let mut grid = [[EMPTY; LARGEST_SIDE]; LARGEST_SIDE];
    let first = lines.len().checked_sub(LARGEST_SIDE)?;
    for (row, text) in grid.iter_mut().zip(&lines[first..]) {
        *row = text.as_bytes().try_into().ok().filter(|_| is_squares(text))?;
    }
    Some(grid)
}

/// The error for a grid whose lines have lost their trailing blanks, where the last 16 lines look like one.
fn stripped_grid(lines: &[&str], source_name: &str) -> Option<FormatError> {
    let first = lines.len().checked_sub(LARGEST_SIDE)?;
    let last = &lines[first..];
    let fits = last.iter().all(|text| text.len() <= LARGEST_SIDE && is_squares(text));
    let is_grid_row = |text: &&str| text.split(' ').any(|part| !part.is_empty() && part.len() != 2);
    if !fits || !last.iter().any(is_grid_row) {
        return None;
    }
    let short = last.iter().position(|text| text.len() < LARGEST_SIDE)?;
    Some(FormatError::new(
        source_name,
        first + short + 1,
        format!("a row of {} characters in a printed grid", last[short].len()),
        "16 characters, blanks included (an editor may have stripped the blanks at the end of lines)",
    ))
}

fn is_squares(text: &str) -> bool {
    text.bytes().all(|letter| matches!(letter, EMPTY | b'a'..=b'd'))
}

/// Squares of the printed grid that are as they should be.
pub(super) fn right_squares(printed: &PrintedGrid, field: &Field) -> usize {
    printed.iter().flatten().zip(field.printed().iter().flatten()).filter(|(left, right)| left == right).count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn indices(text: &str) -> Vec<u32> {
        read(text, "t").unwrap().removals.iter().map(|removal| removal.index).collect()
    }

    fn refused(text: &str) -> String {
        read(text, "out.txt").unwrap_err().to_string()
    }

    #[test]
    fn indices_stand_in_any_case_between_any_blanks() {
        assert_eq!(indices("c0 9F\r\n\t4a\n\n  F2"), [0xc0, 0x9f, 0x4a, 0xf2]);
        assert_eq!(indices(""), []);
    }

    #[test]
    fn anything_but_two_hexadecimal_digits_is_an_error_with_its_line() {
        assert!(refused("c0\n9").starts_with("out.txt, line 2: found '9', expected indices of two"));
        assert!(refused("c0 9f\n\n0x1").starts_with("out.txt, line 3: found '0x1'"));
        assert!(refused("c0c1").contains("'c0c1'"));
        assert!(refused("+1").contains("'+1'"));
        assert!(refused("é").contains("'é'"));
    }

    #[test]
    fn the_last_sixteen_lines_of_sixteen_squares_are_a_grid() {
        let grid = "dd  dd  dd  dd  \n".repeat(15) + "                ";
        let output = read(&format!("c0\ndd\n{grid}"), "t").unwrap();
        assert_eq!(output.removals.len(), 2);
        assert_eq!(output.printed.map(|grid| grid[15]), Some([b' '; 16]));
        assert_eq!(read(&format!("c0\ndd\n{}\r\n\r\n", grid.replace('\n', "\r\n")), "t"), Ok(output));
    }

    #[test]
    fn a_grid_without_its_trailing_blanks_is_called_that() {
        let grid = format!("{}\n{}", " ab cd", "abcdabcdabcdabcd\n".repeat(15));
        assert_eq!(
            refused(&format!("c0\n{grid}")),
            "out.txt, line 2: found a row of 6 characters in a printed grid, expected 16 characters, blanks included \
             (an editor may have stripped the blanks at the end of lines)"
        );
    }

    #[test]
    fn a_grid_of_fifteen_lines_is_refused_where_it_begins() {
        let grid = "abcdabcdabcdabcd\n".repeat(15);
        assert!(refused(&format!("c0\n{grid}")).starts_with("out.txt, line 2: found 'abcdabcdabcdabcd', expected"));
    }
}
