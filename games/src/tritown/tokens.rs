//! Texts read by tokens: pieces between blanks, each with its line.

use crate::error::FormatError;

/// Reads a text token by token and knows where it is, for errors.
#[derive(Debug)]
pub(super) struct Tokens<'a> {
    source_name: &'a str,
    tokens: Vec<(usize, &'a str)>,
    next: usize,
    last_line: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str, source_name: &'a str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let tokens: Vec<_> = text
            .lines()
            .enumerate()
            .flat_map(|(index, line)| line.split_whitespace().map(move |token| (index + 1, token)))
            .collect();
        Self { source_name, tokens, next: 0, last_line: text.lines().count().max(1) }
    }

    /// The next token with its line, from 1.
    pub(super) fn next(&mut self) -> Option<(usize, &'a str)> {
        let token = self.tokens.get(self.next).copied();
        self.next += usize::from(token.is_some());
        token
    }

    /// Number of tokens on the line of the token `ahead` places from here; 0 when there is none.
    pub(super) fn tokens_on_line_of(&self, ahead: usize) -> usize {
        let Some((line, _)) = self.tokens.get(self.next + ahead) else { return 0 };
        self.tokens.iter().filter(|(other, _)| other == line).count()
    }

    /// The next token, or an error that says what was `expected`.
    pub(super) fn expect(&mut self, expected: &str) -> Result<(usize, &'a str), FormatError> {
        self.next().ok_or_else(|| self.error(self.last_line, "the end of the text", expected))
    }

    /// The next token as a number from `low` to `high`; `what` names it.
    pub(super) fn number(&mut self, what: &str, low: u32, high: u32) -> Result<u32, FormatError> {
        let expected = format!("{what}, a number from {low} to {high}");
        let (line, token) = self.expect(&expected)?;
        let digits = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
        match token.parse::<u32>() {
            Ok(number) if digits && (low..=high).contains(&number) => Ok(number),
            _ => Err(self.error(line, FormatError::quote(token), expected)),
        }
    }

    /// Refuses anything after what has been read.
    pub(super) fn expect_end(&mut self, expected: &str) -> Result<(), FormatError> {
        match self.next() {
            None => Ok(()),
            Some((line, token)) => Err(self.error(line, FormatError::quote(token), expected)),
        }
    }

    pub(super) fn error(&self, line: usize, found: impl Into<String>, expected: impl Into<String>) -> FormatError {
        FormatError::new(self.source_name, line, found, expected)
    }
}
