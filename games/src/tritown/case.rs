//! A case: the map, the items and the building sequence, and its text format (`tritownN.in`).

use super::level::TOP;
use super::tokens::Tokens;
use crate::error::FormatError;
use std::fmt::Write as _;

/// One case of Triple Town.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Rows of the map.
    pub rows: usize,
    /// Columns of the map.
    pub columns: usize,
    /// Star items at the start.
    pub stars: u32,
    /// Bomber items at the start.
    pub bombers: u32,
    /// Level of every square at the start, row by row; 0 is empty.
    pub map: Vec<u8>,
    /// Levels to build, in order.
    pub sequence: Vec<u8>,
}

impl Case {
    /// Most rows, and most columns.
    pub const LONGEST_SIDE: u32 = 64;
    /// Most squares of a map.
    pub const MOST_SQUARES: usize = 1024;
    /// Most stars, and most bombers.
    pub const MOST_ITEMS: u32 = 10_000;
    /// Longest building sequence.
    pub const LONGEST_SEQUENCE: u32 = 100_000;

    /// Reads a case by tokens, with or without the leading line that holds the case's number alone.
    ///
    /// # Errors
    /// Where the text is not of the format or a size is beyond the limits of this type.
    pub fn parse(text: &str, source_name: &str) -> Result<Self, FormatError> {
        let mut tokens = Tokens::of(text, source_name);
        // A number alone on the first line is the case's own when the line after it does not go on with one number.
        if tokens.tokens_on_line_of(0) == 1 && tokens.tokens_on_line_of(1) != 1 {
            tokens.number("the number of the case", 0, u32::MAX)?;
        }
        let rows = tokens.number("the number of rows", 1, Self::LONGEST_SIDE)?;
        let most_columns = Self::LONGEST_SIDE.min(Self::MOST_SQUARES as u32 / rows);
        let columns =
            tokens.number("the number of columns (a map has at most 1024 squares)", 1, most_columns)? as usize;
        let stars = tokens.number("the number of stars", 0, Self::MOST_ITEMS)?;
        let bombers = tokens.number("the number of bombers", 0, Self::MOST_ITEMS)?;
        let mut map = Vec::with_capacity(rows as usize * columns);
        for row in 1..=rows {
            let expected = format!("row {row} of the map, {columns} of '.' and 1 to {TOP}");
            let (line, token) = tokens.expect(&expected)?;
            let levels = token.chars().map(square).collect::<Option<Vec<u8>>>();
            match levels.filter(|levels| levels.len() == columns) {
                Some(levels) => map.extend(levels),
                None => return Err(tokens.error(line, FormatError::quote(token), expected)),
            }
        }
        let length = tokens.number("the length of the building sequence", 0, Self::LONGEST_SEQUENCE)?;
        let mut sequence = Vec::with_capacity(length as usize);
        for index in 1..=length {
            let what = format!("level {index} of {length} of the building sequence");
            sequence.push(tokens.number(&what, 1, TOP.into())? as u8);
        }
        tokens.expect_end(&format!("the end of the text after {length} levels"))?;
        Ok(Self { rows: rows as usize, columns, stars, bombers, map, sequence })
    }

    /// The canonical text; [`Case::parse`] reads it back.
    #[must_use]
    pub fn content(&self) -> String {
        let mut text = format!("{} {}\n{} {}\n", self.rows, self.columns, self.stars, self.bombers);
        for row in self.map.chunks(self.columns) {
            text.extend(row.iter().map(|&level| letter(level)));
            text.push('\n');
        }
        let _ = writeln!(text, "{}", self.sequence.len());
        text.extend(self.sequence.iter().enumerate().flat_map(|(index, &level)| {
            let blank = (index > 0).then_some(' ');
            blank.into_iter().chain([letter(level)])
        }));
        text.push('\n');
        text
    }
}

/// The level that `letter` stands for on a map.
fn square(letter: char) -> Option<u8> {
    match letter {
        '.' => Some(0),
        '1'..='9' => letter.to_digit(10).map(|digit| digit as u8),
        _ => None,
    }
}

/// How a map shows a square of `level`.
fn letter(level: u8) -> char {
    match level {
        0 => '.',
        level => char::from(b'0' + level),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "2 3 1 1 ..1 221 2 1 3";

    fn refusal(text: &str) -> String {
        Case::parse(text, "t.in").expect_err("must be refused").to_string()
    }

    #[test]
    fn the_statements_example_is_read_from_one_line() {
        let case = Case::parse(EXAMPLE, "t.in").expect("valid");
        assert_eq!((case.rows, case.columns, case.stars, case.bombers), (2, 3, 1, 1));
        assert_eq!(case.map, [0, 0, 1, 2, 2, 1]);
        assert_eq!(case.sequence, [1, 3]);
    }

    #[test]
    fn a_leading_case_number_windows_line_ends_and_trailing_blanks_change_nothing() {
        let plain = Case::parse(EXAMPLE, "t.in").expect("valid");
        for text in [
            "7\n2 3\n1 1\n..1\n221\n2\n1 3\n",
            "2 3 \r\n1 1\r\n..1  \r\n221\r\n2\r\n1 3 \r\n\r\n",
            "\u{feff}12\r\n2 3\r\n1 1\r\n..1\r\n221\r\n2\r\n1\r\n3",
            "2\n3\n1\n1\n..1\n221\n2\n1\n3\n",
        ] {
            assert_eq!(Case::parse(text, "t.in").expect(text), plain);
        }
    }

    #[test]
    fn canonical_content_is_read_back() {
        for text in [EXAMPLE, "1 1 0 0 9 0", "1 2 10000 3 .. 3 9 9 1"] {
            let case = Case::parse(text, "t.in").expect("valid");
            assert_eq!(Case::parse(&case.content(), "again"), Ok(case));
        }
    }

    #[test]
    fn refusals_name_line_found_and_expected() {
        assert_eq!(
            refusal("2 3\n1 1\n..1\n2x1\n2\n1 3\n"),
            "t.in, line 4: found '2x1', expected row 2 of the map, 3 of '.' and 1 to 9"
        );
        assert_eq!(
            refusal("2 3\n1 1\n..1\n221\n3\n1 3\n"),
            "t.in, line 6: found the end of the text, expected level 3 of 3 of the building sequence, a number from 1 to 9"
        );
        assert_eq!(
            refusal("2 3\n1 1\n..1\n221\n1\n1 3\n"),
            "t.in, line 6: found '3', expected the end of the text after 1 levels"
        );
        assert_eq!(
            refusal("64 64\n"),
            "t.in, line 1: found '64', expected the number of columns (a map has at most 1024 squares), a number from 1 to 16"
        );
        assert_eq!(
            refusal("1 1 0 0 . 99999999999999999999"),
            "t.in, line 1: found '99999999999999999999', expected the length of the building sequence, a number from 0 to 100000"
        );
        for text in ["", "\n\n", "x", "0 1", "1 0", "1 -1", "1 1 0", "1 1 +1 0 . 0", "1 1 0 0 0 0", "1 1 0 0 . 1 0"] {
            assert!(refusal(text).starts_with("t.in, line "), "{text:?}");
        }
    }
}
