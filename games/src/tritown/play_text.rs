//! The text of a play (`tritownN.out`): commands read by tokens, the last of them END.

use super::case::Case;
use super::command::Command;
use super::judge::Judge;
use super::tokens::Tokens;
use crate::error::FormatError;
use std::fmt::Write as _;

const COMMANDS: &str = "PUT, STAR, BOMBER or END";

/// Writes `commands`, one a line, and END.
pub(super) fn format(commands: impl Iterator<Item = Command>, columns: usize) -> String {
    let mut text = String::new();
    for command in commands {
        let (row, column) = (command.square() / columns + 1, command.square() % columns + 1);
        let _ = writeln!(text, "{} {row} {column}", command.word());
    }
    text.push_str("END\n");
    text
}

/// Reads and judges a play. Gives its commands, and its score up to the end or to where it went wrong.
pub(super) fn judge(text: &str, source_name: &str, case: &Case) -> (i64, Result<Vec<Command>, FormatError>) {
    let mut judge = Judge::new(case);
    let commands = play(Tokens::of(text, source_name), case, &mut judge);
    (judge.score(), commands)
}

fn play(mut tokens: Tokens<'_>, case: &Case, judge: &mut Judge<'_>) -> Result<Vec<Command>, FormatError> {
    let mut commands = Vec::new();
    loop {
        let expected = if commands.is_empty() { COMMANDS.to_owned() } else { format!("{COMMANDS} (END comes last)") };
        let (line, word) = tokens.expect(&expected)?;
        let kind = match word {
            "PUT" => Command::Put,
            "STAR" => Command::Star,
            "BOMBER" => Command::Bomber,
            "END" => {
                tokens.expect_end("the end of the text after END")?;
                return Ok(commands);
            }
            other => return Err(tokens.error(line, FormatError::quote(other), expected)),
        };
        let row = tokens.number("a row of the map", 1, case.rows as u32)? as usize;
        let column = tokens.number("a column of the map", 1, case.columns as u32)? as usize;
        let command = kind(((row - 1) * case.columns + column - 1) as u16);
        judge.play(command).map_err(|reason| {
            tokens.error(line, format!("'{word} {row} {column}'"), format!("a command that the rules allow: {reason}"))
        })?;
        commands.push(command);
    }
}
