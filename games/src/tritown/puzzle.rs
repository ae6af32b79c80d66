//! Triple Town as a [`Puzzle`]: everything here rests on the judge.

use super::TritownGame;
use super::command::Command;
use super::judge::Judge;
use super::play_text;
use crate::digest::Digest;
use crate::error::{FormatError, IllegalMove};
use crate::puzzle::{Bound, CheckReport, Judged, Position, Puzzle};
use crate::registry::GameId;
use crate::replay::Replay;

impl TritownGame {
    /// Plays `moves` by the judge.
    fn play(&self, moves: &[u32]) -> Result<Judge<'_>, IllegalMove> {
        let mut judge = Judge::new(&self.case);
        for (number, &code) in (1..).zip(moves) {
            let command = self.command(number, code)?;
            judge.play(command).map_err(|reason| IllegalMove { number, reason })?;
        }
        Ok(judge)
    }

    /// The command that the move `code` stands for, the `number`th of its play.
    pub(super) fn command(&self, number: usize, code: u32) -> Result<Command, IllegalMove> {
        let unknown = || IllegalMove { number, reason: format!("{code} is the number of no command on this map") };
        Command::decode(code, self.case.map.len()).ok_or_else(unknown)
    }
}

impl Puzzle for TritownGame {
    fn game(&self) -> GameId {
        GameId::Tritown
    }

    fn content(&self) -> &str {
        &self.content
    }

    fn digest(&self) -> Digest {
        self.digest
    }

    fn judge(&self, moves: &[u32]) -> Result<Judged, IllegalMove> {
        Ok(Judged { score: self.play(moves)?.score(), complete: true })
    }

    fn replay(&self, moves: &[u32]) -> Result<Replay, IllegalMove> {
        super::replay::replay(self, moves)
    }

    fn position(&self, moves: &[u32]) -> Result<Position, IllegalMove> {
        let judge = self.play(moves)?;
        let levels = judge.levels();
        let bound = judge.score() + self.optimistic_gain(&levels, judge.built(), judge.stars());
        let mut key = levels;
        for count in [judge.built() as u32, judge.stars(), judge.bombers()] {
            key.extend(count.to_le_bytes());
        }
        Ok(Position { key, score: judge.score(), layer: moves.len() as u32, complete: true, bound })
    }

    fn bounds(&self) -> Vec<Bound> {
        let relaxed = || self.optimistic_gain(&self.case.map, 0, self.case.stars);
        let counting = match self.counting_bound() {
            Some(value) => Bound { value, name: "counting" },
            None => Bound { value: relaxed(), name: "relaxed counting" },
        };
        let room = self.room_bound().map(|value| Bound { value, name: "room" });
        let mut bounds: Vec<Bound> = [Some(counting), room].into_iter().flatten().collect();
        bounds.sort_by_key(|bound| bound.value);
        bounds
    }

    fn format(&self, moves: &[u32]) -> String {
        let commands = moves.iter().filter_map(|&code| Command::decode(code, self.case.map.len()));
        play_text::format(commands, self.case.columns)
    }

    fn parse(&self, text: &str, source_name: &str) -> Result<Vec<u32>, FormatError> {
        let (_, commands) = play_text::judge(text, source_name, &self.case);
        Ok(commands?.into_iter().map(Command::encode).collect())
    }

    fn check(&self, text: &str, source_name: &str, _entry_bytes: u64) -> CheckReport {
        let (score, commands) = play_text::judge(text, source_name, &self.case);
        match commands {
            Ok(_) => CheckReport {
                correct: true,
                score: Some(score),
                verdict: format!("Correct! Your score is {score}"),
                line: None,
                points: None,
                marks: Puzzle::marks(self, score),
            },
            Err(error) => CheckReport {
                correct: false,
                score: Some(score),
                verdict: format!("Output Invalid!\n{error}"),
                line: Some(error.line),
                points: None,
                // An invalid play earns nothing.
                marks: self.marks.as_ref().map(|_| 0),
            },
        }
    }

    fn marks(&self, score: i64) -> Option<u8> {
        self.marks.as_ref().map(|marks| marks.of(score))
    }

    fn next_mark(&self, score: i64) -> Option<(u8, i64)> {
        self.marks.as_ref().and_then(|marks| marks.next(score))
    }
}
