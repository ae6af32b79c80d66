//! A small board in SVG. A square is [`SIDE`] wide.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The side of a square.
pub(super) const SIDE: usize = 10;
/// How far below its upper edge the letter of a square stands, and how far from its left edge.
const BASELINE: f64 = 7.3;
const INDENT: usize = 3;

/// The squares of a board of so many `columns`: one path for each letter, and the letters.
pub(super) fn squares(letters: &[char], columns: usize) -> String {
    let columns = columns.max(1);
    let (width, height) = (columns * SIDE, letters.len().div_ceil(columns) * SIDE);
    let mut svg = format!(r#"<rect class="floor" width="{width}" height="{height}"/>"#);
    let kinds: BTreeSet<char> = letters.iter().copied().filter(char::is_ascii_alphanumeric).collect();
    for kind in kinds {
        // Writing to a String does not fail.
        let _ = write!(svg, r#"<path class="t{kind}" d="{}"/>"#, runs(letters, columns, kind));
    }
    let _ = write!(svg, r#"<path class="lines" d="{}"/>"#, lines(width, height));
    for (number, row) in letters.chunks(columns).enumerate() {
        let held = || row.iter().enumerate().filter(|(_, letter)| letter.is_ascii_alphanumeric());
        if held().next().is_some() {
            let places: Vec<String> = held().map(|(column, _)| (column * SIDE + INDENT).to_string()).collect();
            let text: String = held().map(|(_, letter)| *letter).collect();
            let baseline = (number * SIDE) as f64 + BASELINE;
            let _ = write!(svg, r#"<text class="letters" y="{baseline}" x="{}">{text}</text>"#, places.join(" "));
        }
    }
    svg
}

/// The path around `squares`, edge by edge.
pub(super) fn outline(squares: &[u16], columns: usize) -> String {
    let inside: BTreeSet<(usize, usize)> = squares
        .iter()
        .map(|&square| (usize::from(square) / columns.max(1), usize::from(square) % columns.max(1)))
        .collect();
    let mut path = String::new();
    for &(row, column) in &inside {
        let (x, y) = (column * SIDE, row * SIDE);
        let edges = [
            ((row.wrapping_sub(1), column), (x, y, 'h')),
            ((row + 1, column), (x, y + SIDE, 'h')),
            ((row, column.wrapping_sub(1)), (x, y, 'v')),
            ((row, column + 1), (x + SIDE, y, 'v')),
        ];
        for (_, (x, y, direction)) in edges.into_iter().filter(|(beside, _)| !inside.contains(beside)) {
            let _ = write!(path, "M{x} {y}{direction}{SIDE}");
        }
    }
    path
}

/// Squares that hold `kind`, those side by side as one.
fn runs(letters: &[char], columns: usize, kind: char) -> String {
    let mut path = String::new();
    for (number, row) in letters.chunks(columns).enumerate() {
        let mut column = 0;
        for run in row.chunk_by(|left, right| left == right) {
            if run.first() == Some(&kind) {
                let (x, y, width) = (column * SIDE, number * SIDE, run.len() * SIDE);
                let _ = write!(path, "M{x} {y}h{width}v{SIDE}h-{width}z");
            }
            column += run.len();
        }
    }
    path
}

/// The lines between the squares.
fn lines(width: usize, height: usize) -> String {
    let across = (SIDE..height).step_by(SIDE).map(|y| format!("M0 {y}h{width}"));
    let down = (SIDE..width).step_by(SIDE).map(|x| format!("M{x} 0v{height}"));
    across.chain(down).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_squares_side_by_side_are_one_run_and_empty_ones_none() {
        let svg = squares(&['a', 'a', '.', 'b'], 2);
        let expected = concat!(
            r#"<rect class="floor" width="20" height="20"/>"#,
            r#"<path class="ta" d="M0 0h20v10h-20z"/><path class="tb" d="M10 10h10v10h-10z"/>"#,
            r#"<path class="lines" d="M0 10h20M10 0v20"/>"#,
            r#"<text class="letters" y="7.3" x="3 13">aa</text><text class="letters" y="17.3" x="13">b</text>"#,
        );
        assert_eq!(svg, expected);
    }

    #[test]
    fn an_outline_has_no_edge_between_its_squares() {
        assert_eq!(outline(&[0, 1], 2), "M0 0h10M0 10h10M0 0v10M10 0h10M10 10h10M20 0v10");
        assert_eq!(outline(&[], 2), "");
    }
}
