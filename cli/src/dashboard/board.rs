//! Where each instance stands on the board: games one below the other, tiles in rows, and how the arrows move.

use crate::command::status::{share, short_name};
use crate::output::points;
use cascade_proto::v1::InstanceInfo;

/// Room at the left for the game's name.
pub(super) const GUTTER: u16 = 8;
/// Longer names are cut.
const LONGEST_NAME: usize = 16;
/// A sign before the name, a blank after it, and a sign after the figure.
const SIGNS: usize = 3;

/// The tiles in rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) rows: Vec<Row>,
}

/// A row of tiles of one game.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The game, if this is the first row of its tiles.
    pub(super) title: Option<String>,
    /// Width of the names.
    pub(super) names: usize,
    /// Width of the figures.
    pub(super) figures: usize,
    /// The instances, as places in the list the board was made of.
    pub(super) tiles: Vec<usize>,
}

/// A way to go on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Left,
    Right,
    Up,
    Down,
    First,
    Last,
}

impl Board {
    /// The board of those of `instances` that `shown` tells, `width` columns wide.
    pub(super) fn of(instances: &[InstanceInfo], shown: &[usize], width: u16) -> Self {
        let mut games: Vec<&str> = Vec::new();
        for info in shown.iter().filter_map(|&at| instances.get(at)) {
            if !games.contains(&info.game.as_str()) {
                games.push(&info.game);
            }
        }
        let mut rows = Vec::new();
        for game in games {
            let of_game = |at: &usize| instances.get(*at).filter(|info| info.game == game);
            let members: Vec<usize> = shown.iter().copied().filter(|at| of_game(at).is_some()).collect();
            let widest = |width: fn(&InstanceInfo) -> usize| members.iter().filter_map(of_game).map(width).max();
            let names = widest(|info| short_name(info).chars().count()).unwrap_or(0).min(LONGEST_NAME);
            let figures = widest(|info| figure(info).chars().count()).unwrap_or(0);
            let columns = (usize::from(width.saturating_sub(GUTTER)) / (names + figures + SIGNS)).max(1);
            for (number, tiles) in members.chunks(columns).enumerate() {
                let title = (number == 0).then(|| game.to_owned());
                rows.push(Row { title, names, figures, tiles: tiles.to_vec() });
            }
        }
        Self { rows }
    }

    /// Row and column of the tile of the instance `at` a place in the list.
    pub(super) fn place(&self, at: usize) -> Option<(usize, usize)> {
        self.rows
            .iter()
            .enumerate()
            .find_map(|(row, tiles)| Some((row, tiles.tiles.iter().position(|&tile| tile == at)?)))
    }

    /// Where a step from the instance `at` a place leads; to itself at the edge.
    pub(super) fn step(&self, at: usize, step: Step) -> usize {
        let Some((row, column)) = self.place(at) else { return at };
        let tile = |row: usize, column: usize| {
            let tiles = &self.rows.get(row)?.tiles;
            tiles.get(column.min(tiles.len().saturating_sub(1))).copied()
        };
        let reached = match step {
            Step::Left if column > 0 => tile(row, column - 1),
            Step::Left => row.checked_sub(1).and_then(|above| tile(above, usize::MAX)),
            Step::Right if column + 1 < self.rows[row].tiles.len() => tile(row, column + 1),
            Step::Right => tile(row + 1, 0),
            Step::Up => row.checked_sub(1).and_then(|above| tile(above, column)),
            Step::Down => tile(row + 1, column),
            Step::First => tile(0, 0),
            Step::Last => tile(self.rows.len().saturating_sub(1), usize::MAX),
        };
        reached.unwrap_or(at)
    }
}

/// The figure on the tile of `info`: removals, or the share of the bound.
pub(super) fn figure(info: &InstanceInfo) -> String {
    match (info.best_score, share(info)) {
        (None, _) => "-".to_owned(),
        (Some(_), Some(share)) => percent(share),
        (Some(score), None) => points(score),
    }
}

/// A share for people. Less than all never reads as all.
pub(super) fn percent(share: f64) -> String {
    let permille = share * 1000.0;
    let rounded = if permille < 1000.0 { permille.round().min(999.0) } else { permille.round() };
    format!("{:.1}%", rounded / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cascade_proto::v1::InstanceRef;

    fn info(game: &str, name: &str, best: i64) -> InstanceInfo {
        InstanceInfo {
            instance: Some(InstanceRef { name: format!("{game}/{name}"), digest: Vec::new() }),
            game: game.into(),
            best_score: Some(best),
            bound: 1000,
            ..InstanceInfo::default()
        }
    }

    #[test]
    fn arrows_go_through_rows_and_games_and_stop_at_the_edges() {
        let mut instances: Vec<_> = ["a", "b", "c"].map(|name| info("tetris", name, 12)).into();
        instances.extend(["1", "2"].map(|name| info("tritown", name, 500)));
        // Two grids of six columns stand in a row, and one case of ten.
        let board = Board::of(&instances, &[0, 1, 2, 3, 4], GUTTER + 12);
        let tiles: Vec<_> = board.rows.iter().map(|row| row.tiles.clone()).collect();
        assert_eq!(tiles, [vec![0, 1], vec![2], vec![3], vec![4]]);
        let titles: Vec<_> = board.rows.iter().map(|row| row.title.as_deref()).collect();
        assert_eq!(titles, [Some("tetris"), None, Some("tritown"), None]);
        for (from, step, to) in [
            (0, Step::Left, 0),
            (0, Step::Up, 0),
            (0, Step::Right, 1),
            (1, Step::Right, 2),
            (2, Step::Left, 1),
            (1, Step::Down, 2),
            (2, Step::Down, 3),
            (3, Step::Up, 2),
            (4, Step::Right, 4),
            (4, Step::Down, 4),
            (2, Step::First, 0),
            (0, Step::Last, 4),
        ] {
            assert_eq!(board.step(from, step), to, "{from} {step:?}");
        }
    }

    #[test]
    fn tiles_tell_removals_or_the_share_of_the_bound() {
        assert_eq!(figure(&info("tetris", "a", 12)), "12");
        assert_eq!(figure(&info("tritown", "1", 876)), "87.6%");
        assert_eq!(figure(&InstanceInfo { best_score: None, ..info("tritown", "1", 0) }), "-");
        assert_eq!(percent(0.9999), "99.9%");
        assert_eq!(percent(1.0), "100.0%");
    }
}
