//! The marks a case gives for scores (`tritownN.ans`).

use super::tokens::Tokens;
use crate::error::FormatError;

/// The nine scores a10, a9 … a2 that earn the marks 10, 9 … 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks([i64; 9]);

impl Marks {
    /// Reads nine numbers, the one for mark 10 first.
    ///
    /// # Errors
    /// Where the text is not nine numbers that do not rise.
    pub fn parse(text: &str, source_name: &str) -> Result<Self, FormatError> {
        let mut tokens = Tokens::of(text, source_name);
        let mut scores = [0; 9];
        let mut above = i64::MAX;
        for (score, mark) in scores.iter_mut().zip((2..=10).rev()) {
            let expected = match mark {
                10 => "the score that earns mark 10".to_owned(),
                _ => format!("the score that earns mark {mark}, at most {above}"),
            };
            let (line, token) = tokens.expect(&expected)?;
            *score = match token.parse() {
                Ok(number) if number <= above => number,
                _ => return Err(tokens.error(line, FormatError::quote(token), expected)),
            };
            above = *score;
        }
        tokens.expect_end("the end of the text after nine scores")?;
        Ok(Self(scores))
    }

    /// The mark from 0 to 10 that a valid play with `score` earns.
    #[must_use]
    pub fn of(&self, score: i64) -> u8 {
        match self.0.iter().position(|&least| score >= least) {
            Some(index) => 10 - index as u8,
            None => u8::from(score > 0),
        }
    }

    /// The mark that `score` lacks next, and the score it takes; `None` when it earns all ten.
    #[must_use]
    pub fn next(&self, score: i64) -> Option<(u8, i64)> {
        let mark = self.of(score) + 1;
        match mark {
            1 => Some((1, 1)),
            2..=10 => Some((mark, self.0[usize::from(10 - mark)])),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_follow_the_statements_table() {
        let marks = Marks::parse("1000\r\n900 \r\n800\n700\n600\n500\n400\n300\n200\n", "t.ans").expect("valid");
        for (score, mark) in [(2000, 10), (1000, 10), (999, 9), (200, 2), (199, 1), (1, 1), (0, 0), (-5, 0)] {
            assert_eq!(marks.of(score), mark, "{score}");
        }
    }

    #[test]
    fn the_next_mark_is_the_first_that_a_score_lacks() {
        let marks = Marks::parse("1000 900 800 700 600 500 400 300 200", "t.ans").expect("valid");
        for (score, next) in [(1000, None), (999, Some((10, 1000))), (150, Some((2, 200))), (-3, Some((1, 1)))] {
            assert_eq!(marks.next(score), next, "{score}");
        }
    }

    #[test]
    fn refusals_name_the_line() {
        let refusal = |text| Marks::parse(text, "t.ans").expect_err("must be refused").to_string();
        assert_eq!(
            refusal("10\n9\n"),
            "t.ans, line 2: found the end of the text, expected the score that earns mark 8, at most 9"
        );
        assert_eq!(refusal("10\n11\n"), "t.ans, line 2: found '11', expected the score that earns mark 9, at most 10");
        assert_eq!(
            refusal("9 8 7 6 5 4 3 2 1\n0"),
            "t.ans, line 2: found '0', expected the end of the text after nine scores"
        );
        assert!(refusal("many").starts_with("t.ans, line 1: found 'many'"));
    }
}
