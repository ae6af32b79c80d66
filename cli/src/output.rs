//! What goes to stdout, and how figures and tables look.

use crate::exit::{Exit, Failure, OrExit};
use anyhow::Context;
use clap::Args;
use clap::builder::BoolishValueParser;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde::{Deserialize, Serialize};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The form of what is printed.
#[derive(Args, Debug, Default, Deserialize, Serialize)]
pub(crate) struct OutputOptions {
    /// Print JSON
    #[arg(long, env = "CASCADE_JSON", num_args = 0..=1, require_equals = true, default_missing_value = "true",
        value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<bool>,
}

impl OutputOptions {
    /// Whether JSON is wanted.
    pub(crate) fn json(&self) -> bool {
        self.json.unwrap_or(false)
    }
}

/// Writes `text` to stdout, a final line break added where it has none. A reader that has gone away is no error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let ending = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    match write!(stdout, "{text}{ending}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output").or_exit(Exit::Internal)
        }
        _ => Ok(()),
    }
}

/// Writes `value` as JSON to stdout, indented for people, one document.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).context("cannot write JSON").or_exit(Exit::Internal)?;
    print(&text)
}

/// Writes `value` as JSON to stdout in one line, for streams.
pub(crate) fn print_json_line(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).context("cannot write JSON").or_exit(Exit::Internal)?;
    print(&text)
}

/// A new file in `folder`, to be given its name when it is whole; readable as the umask allows.
pub(crate) fn new_file(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".cascade-").tempfile_in(folder)
}

/// Writes `text` to `path`, in place only when it is whole.
pub(crate) fn write_file(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = new_file(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// Words, aligned left.
    Text(&'static str),
    /// Figures, aligned right.
    Figure(&'static str),
}

/// A plain table without lines, as wide as its content: the same on a terminal and in a pipe.
pub(crate) fn table(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(columns.iter().map(|column| match column {
        Column::Text(name) | Column::Figure(name) => *name,
    }));
    table.add_rows(rows);
    for (index, column) in columns.iter().enumerate() {
        let Some(shown) = table.column_mut(index) else { continue };
        shown.set_padding((0, 2));
        if matches!(column, Column::Figure(_)) {
            shown.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// A whole number with commas between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// As [`grouped`], for a score, which may be less than nothing.
pub(crate) fn points(points: i64) -> String {
    let sign = if points < 0 { "-" } else { "" };
    format!("{sign}{}", grouped(points.unsigned_abs()))
}

/// A large number in three digits and a letter: `1.53M`.
pub(crate) fn short(number: f64) -> String {
    let (scaled, unit) = match number {
        n if n >= 1e12 => (n / 1e12, "T"),
        n if n >= 1e9 => (n / 1e9, "G"),
        n if n >= 1e6 => (n / 1e6, "M"),
        n if n >= 1e3 => (n / 1e3, "k"),
        n => return format!("{n:.0}"),
    };
    let places = if scaled < 10.0 { 2 } else { usize::from(scaled < 100.0) };
    format!("{scaled:.places$}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(points(-250_002), "-250,002");
    }

    #[test]
    fn short_numbers_keep_three_digits() {
        for (number, text) in [(0.4, "0"), (999.0, "999"), (1530.0, "1.53k"), (15_300_000.0, "15.3M"), (2e11, "200G")] {
            assert_eq!(short(number), text);
        }
    }

    #[test]
    fn figures_stand_at_the_right_of_their_column() {
        let text = table(&[Column::Text("name"), Column::Figure("score")], [vec!["a".into(), "7".into()]]);
        assert_eq!(text, "name  score\na         7");
    }
}
