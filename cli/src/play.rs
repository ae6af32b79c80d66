//! A play to show.

use crate::exit::{Exit, Failure, OrExit};
use crate::output::points;
use anyhow::Context;
use cascade_games::{GameId, InstanceName, Puzzle, Replay};
use std::io::Read;

/// A play of an instance, as the judge saw it.
#[derive(Debug)]
pub(crate) struct Play {
    /// The instance.
    pub(crate) name: InstanceName,
    /// The play.
    pub(crate) replay: Replay,
}

impl Play {
    /// The play of `moves` in `puzzle`, which is the instance called `name`.
    pub(crate) fn of_moves(name: InstanceName, puzzle: &dyn Puzzle, moves: &[u32]) -> Result<Self, Failure> {
        let replay = puzzle.replay(moves).with_context(|| name.to_string()).or_exit(Exit::BadInput)?;
        Ok(Self { name, replay })
    }

    /// The play that the file at `path` holds in the contest's own format; `-` is standard input.
    pub(crate) fn of_file(name: InstanceName, puzzle: &dyn Puzzle, path: &str) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        let (source, read) = match path {
            "-" => ("<stdin>", std::io::stdin().lock().read_to_end(&mut bytes).map(drop)),
            _ => (path, std::fs::read(path).map(|read| bytes = read)),
        };
        read.with_context(|| format!("cannot read {source}")).or_exit(Exit::BadInput)?;
        // What is not text is refused at that very place.
        let moves = puzzle.parse(&String::from_utf8_lossy(&bytes), source).or_exit(Exit::BadInput)?;
        Self::of_moves(name, puzzle, &moves)
    }

    /// Instance and score.
    pub(crate) fn title(&self) -> String {
        let game = self.name.game();
        let moves = match game {
            // Its score counts the moves.
            GameId::Tetris => String::new(),
            GameId::Tritown => format!(" in {} moves", self.replay.turns.len()),
        };
        format!("{}: {} {}{moves}", self.name, points(self.replay.score()), game.score_unit())
    }
}

#[cfg(test)]
impl Play {
    /// The play `text` of the instance that `content` is.
    pub(crate) fn example(content: &str, text: &str) -> Self {
        let game = if content.starts_with(|c: char| c.is_ascii_digit()) { GameId::Tritown } else { GameId::Tetris };
        let puzzle = cascade_games::AnyGame::parse(game, content, "example").expect("valid").puzzle();
        let moves = puzzle.parse(text, "play").expect("legal");
        let name = InstanceName::new(game, "example").expect("a name");
        Self::of_moves(name, puzzle.as_ref(), &moves).expect("legal")
    }
}
