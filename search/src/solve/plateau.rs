//! The plays that are as good as the best.

/// Plays kept; the oldest goes first.
const PLAYS: usize = 64;
/// Plays taken in from one run.
const PER_RUN: usize = 4;

/// Distinct plays of the best score, the newest last. A walk from one to the next by repairs that do as well comes to
/// places from which there is a way up (iterated local search on a plateau).
pub(super) struct Plateau {
    score: Option<i64>,
    plays: Vec<Vec<u32>>,
}

impl Plateau {
    /// No play yet.
    pub(super) const fn new() -> Self {
        Self { score: None, plays: Vec::new() }
    }

    /// Takes in a run's plays that all have `score`, which is the best one. Those of a lower plateau are left behind.
    pub(super) fn reach<'a>(&mut self, score: i64, plays: impl Iterator<Item = &'a Vec<u32>>) {
        if self.score != Some(score) {
            self.score = Some(score);
            self.plays.clear();
        }
        for play in plays.take(PER_RUN) {
            if !self.plays.contains(play) {
                self.plays.push(play.clone());
            }
        }
        let oldest = self.plays.len().saturating_sub(PLAYS);
        self.plays.drain(..oldest);
    }

    /// The plays, the newest last.
    pub(super) fn plays(&self) -> &[Vec<u32>] {
        &self.plays
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_plays_of_the_best_score_are_kept() {
        let mut plateau = Plateau::new();
        plateau.reach(9, [vec![1], vec![2], vec![1]].iter());
        assert_eq!(plateau.plays(), [[1], [2]]);
        for play in 0..100 {
            plateau.reach(8, [vec![play]].iter());
        }
        assert_eq!((plateau.plays().len(), plateau.plays()[0][0]), (PLAYS, 36));
    }
}
