//! How fast this worker searches each game, as a moving average that outlives it.

use cascade_games::GameId;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tracing::warn;

/// Searches shorter than this say nothing about speed.
const SHORTEST: Duration = Duration::from_millis(200);
/// After so much searching a former average counts 1/e.
const MEMORY: Duration = Duration::from_secs(120);

/// Measured expansions a second by game; kept in a file of lines `GAME EXPANSIONS_PER_SECOND`.
#[derive(Debug)]
pub(crate) struct Speed {
    file: PathBuf,
    by_game: Mutex<BTreeMap<GameId, f64>>,
}

impl Speed {
    /// Reads back what was measured before; what cannot be read is measured anew.
    pub(crate) fn open(file: PathBuf) -> Self {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let by_game = text.lines().filter_map(parse_line).collect();
        Self { file, by_game: Mutex::new(by_game) }
    }

    /// Takes in a search of `game` that spent `expansions` in `elapsed`.
    pub(crate) fn measured(&self, game: GameId, expansions: u64, elapsed: Duration) {
        if elapsed < SHORTEST || expansions == 0 {
            return;
        }
        let mut by_game = self.by_game.lock().unwrap_or_else(PoisonError::into_inner);
        let speed = expansions as f64 / elapsed.as_secs_f64();
        let weight = (-elapsed.as_secs_f64() / MEMORY.as_secs_f64()).exp();
        by_game.entry(game).and_modify(|old| *old = *old * weight + speed * (1.0 - weight)).or_insert(speed);
        let text: String = by_game.iter().map(|(game, speed)| format!("{game} {speed:.0}\n")).collect();
        if let Err(failure) = fs::write(&self.file, text) {
            warn!(file = %self.file.display(), %failure, "cannot keep the measured speed");
        }
    }

    /// Expansions a second by the game's name.
    pub(crate) fn by_game(&self) -> HashMap<String, f64> {
        let by_game = self.by_game.lock().unwrap_or_else(PoisonError::into_inner);
        by_game.iter().map(|(game, speed)| (game.name().to_owned(), *speed)).collect()
    }
}

fn parse_line(line: &str) -> Option<(GameId, f64)> {
    let (game, speed) = line.split_once(' ')?;
    let speed: f64 = speed.trim().parse().ok()?;
    (speed.is_finite() && speed > 0.0).then_some((GameId::from_name(game)?, speed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_average_moves_towards_what_is_measured_and_outlives_the_worker() {
        let root = tempfile::tempdir().expect("a directory");
        let file = root.path().join("speed");
        let speed = Speed::open(file.clone());
        assert!(speed.by_game().is_empty());
        speed.measured(GameId::Tetris, 1_000_000, Duration::from_secs(1));
        assert_eq!(speed.by_game()["tetris"], 1_000_000.0);
        speed.measured(GameId::Tetris, 120_000_000, Duration::from_secs(60));
        let now = speed.by_game()["tetris"];
        assert!(now > 1_000_000.0 && now < 2_000_000.0, "{now}");
        let again = Speed::open(file).by_game()["tetris"];
        assert!((again - now).abs() <= 1.0, "{again} {now}");
    }

    #[test]
    fn a_damaged_file_and_a_tiny_search_count_for_nothing() {
        let root = tempfile::tempdir().expect("a directory");
        let file = root.path().join("speed");
        fs::write(&file, "tetris fast\nchess 12\ntritown -3\ntritown NaN\n\0\n").expect("written");
        let speed = Speed::open(file);
        speed.measured(GameId::Tetris, 10, Duration::from_millis(1));
        assert!(speed.by_game().is_empty());
    }
}
