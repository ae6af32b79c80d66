//! The judge: the statement's rules, slow and plain. It shares nothing with the board that searches use.

use super::case::Case;
use super::command::Command;
use super::level::{MERGE, TOP, points};

/// A square by row (0 at the top) and column (0 at the left).
pub(super) type Square = (usize, usize);

/// What happens while a command runs its course.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    /// A building stands here now.
    Built(Square),
    /// This group went; one building of the next level follows.
    Merging(&'a [Square]),
    /// The square was emptied.
    Demolished(Square),
}

/// A play in progress.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    case: &'a Case,
    map: Vec<Vec<u8>>,
    built: usize,
    stars: u32,
    bombers: u32,
    score: i64,
}

impl<'a> Judge<'a> {
    /// The start of a play of `case`.
    #[must_use]
    pub fn new(case: &'a Case) -> Self {
        let map = case.map.chunks(case.columns).map(<[u8]>::to_vec).collect();
        Self { case, map, built: 0, stars: case.stars, bombers: case.bombers, score: 0 }
    }

    /// Points so far.
    #[must_use]
    pub const fn score(&self) -> i64 {
        self.score
    }

    /// Number of buildings of the sequence that are used up.
    #[must_use]
    pub const fn built(&self) -> usize {
        self.built
    }

    /// Stars left.
    #[must_use]
    pub const fn stars(&self) -> u32 {
        self.stars
    }

    /// Bombers left.
    #[must_use]
    pub const fn bombers(&self) -> u32 {
        self.bombers
    }

    /// Level of every square, row by row; 0 is empty.
    #[must_use]
    pub fn levels(&self) -> Vec<u8> {
        self.map.concat()
    }

    /// Carries out one command; a refused one changes nothing.
    ///
    /// # Errors
    /// Why the rules forbid it.
    pub fn play(&mut self, command: Command) -> Result<(), String> {
        self.play_watched(command, &mut |_, _| {})
    }

    /// As [`Judge::play`], and tells each step and the play after it.
    ///
    /// # Errors
    /// Why the rules forbid it.
    pub(super) fn play_watched(
        &mut self,
        command: Command,
        watch: &mut dyn FnMut(Step<'_>, &Self),
    ) -> Result<(), String> {
        let (row, column) = (command.square() / self.case.columns, command.square() % self.case.columns);
        let Some(&level) = self.map.get(row).and_then(|row| row.get(column)) else {
            return Err(format!("row {} column {} is outside the map", row + 1, column + 1));
        };
        let place = format!("row {} column {}", row + 1, column + 1);
        match command {
            Command::Put(_) => {
                let Some(&next) = self.case.sequence.get(self.built) else {
                    return Err(format!("all {} buildings of the sequence are used up", self.case.sequence.len()));
                };
                if level != 0 {
                    return Err(format!("{place} already holds a building of level {level}"));
                }
                self.built += 1;
                self.build(row, column, next, watch);
            }
            Command::Star(_) => {
                if self.stars == 0 {
                    return Err("no star is left".to_owned());
                }
                if level != 0 {
                    return Err(format!("{place} already holds a building of level {level}"));
                }
                self.stars -= 1;
                let reacting = (1..TOP).rev().find(|&level| self.would_react(row, column, level));
                self.build(row, column, reacting.unwrap_or(1), watch);
            }
            Command::Bomber(_) => {
                if self.bombers == 0 {
                    return Err("no bomber is left".to_owned());
                }
                if level == 0 {
                    return Err(format!("{place} holds no building"));
                }
                self.bombers -= 1;
                self.score -= points(level) / 2;
                self.map[row][column] = 0;
                watch(Step::Demolished((row, column)), self);
            }
        }
        Ok(())
    }

    /// Puts a building on an empty square and lets every reaction run its course.
    fn build(&mut self, row: usize, column: usize, level: u8, watch: &mut dyn FnMut(Step<'_>, &Self)) {
        self.map[row][column] = level;
        self.score += points(level);
        watch(Step::Built((row, column)), self);
        if level == TOP {
            return;
        }
        let group = self.group(row, column);
        if group.len() >= MERGE as usize {
            for &(row, column) in &group {
                self.map[row][column] = 0;
            }
            watch(Step::Merging(&group), self);
            self.build(row, column, level + 1, watch);
        }
    }

    /// Whether a building of `level` on this empty square would set off a reaction.
    fn would_react(&self, row: usize, column: usize, level: u8) -> bool {
        let mut tried = self.clone();
        tried.map[row][column] = level;
        tried.group(row, column).len() >= MERGE as usize
    }

    /// The squares directly or indirectly adjacent to this one that hold buildings of its level, itself included.
    fn group(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let level = self.map[row][column];
        let mut group = vec![(row, column)];
        let mut looked_at = 0;
        while let Some(&(row, column)) = group.get(looked_at) {
            looked_at += 1;
            let beside =
                [(row.wrapping_sub(1), column), (row + 1, column), (row, column.wrapping_sub(1)), (row, column + 1)];
            for place in beside {
                let inside = place.0 < self.case.rows && place.1 < self.case.columns;
                if inside && self.map[place.0][place.1] == level && !group.contains(&place) {
                    group.push(place);
                }
            }
        }
        group
    }
}

#[cfg(test)]
mod tests {
    use super::Command::{Bomber, Put, Star};
    use super::*;

    fn after(case: &str, commands: &[Command]) -> (i64, String) {
        let case = Case::parse(case, "case").expect("valid case");
        let mut judge = Judge::new(&case);
        for &command in commands {
            judge.play(command).expect("legal command");
        }
        let map = judge.levels().iter().map(|level| level.to_string().replace('0', ".")).collect();
        (judge.score(), map)
    }

    fn refusal(case: &str, command: Command) -> String {
        let case = Case::parse(case, "case").expect("valid case");
        Judge::new(&case).play(command).expect_err("must be refused")
    }

    #[test]
    fn the_statements_example_scores_824() {
        let example = "2 3 1 1 ..1 221 2 1 3";
        assert_eq!(after(example, &[Put(1)]).0, 124);
        assert_eq!(after(example, &[Put(1), Put(0)]).0, 224);
        assert_eq!(after(example, &[Put(1), Put(0), Star(3)]), (824, "...4..".to_owned()));
    }

    #[test]
    fn a_chain_climbs_at_the_square_built_on() {
        assert_eq!(after("3 3 0 0 122 1.3 ..3 1 1", &[Put(4)]), (4 + 20 + 100 + 500, "....4....".to_owned()));
    }

    #[test]
    fn groups_on_the_map_wait_until_something_joins_them() {
        assert_eq!(after("1 6 0 0 111..1 2 1 1", &[Put(4)]), (4, "111.11".to_owned()));
        assert_eq!(after("1 6 0 0 111..1 2 1 1", &[Put(3)]), (24, "...2.1".to_owned()));
        assert_eq!(after("1 5 0 0 111.1 1 1", &[Put(3)]), (24, "...2.".to_owned()));
    }

    #[test]
    fn a_star_takes_the_highest_level_that_reacts_and_never_the_top() {
        assert_eq!(after("3 3 1 0 .99 1.8 188 0", &[Star(4)]), (100_000 + 500_000, ".9919.1..".to_owned()));
        assert_eq!(after("3 3 1 0 .99 1.. 11. 0", &[Star(4)]), (24, ".99.2....".to_owned()));
        assert_eq!(after("1 3 1 0 9.9 0", &[Star(1)]), (4, "919".to_owned()));
        assert_eq!(after("1 3 1 0 5.. 0", &[Star(1)]), (4, "51.".to_owned()));
    }

    #[test]
    fn the_top_level_does_not_merge() {
        assert_eq!(after("1 4 0 0 99.. 2 9 9", &[Put(2), Put(3)]), (1_000_000, "9999".to_owned()));
    }

    #[test]
    fn a_bomber_costs_half_the_points_and_can_make_the_score_negative() {
        assert_eq!(after("1 3 0 2 9.1 0", &[Bomber(0), Bomber(2)]), (-250_002, "...".to_owned()));
    }

    #[test]
    fn refusals_say_why() {
        let case = "1 2 1 1 1. 1 1";
        assert_eq!(refusal(case, Put(0)), "row 1 column 1 already holds a building of level 1");
        assert_eq!(refusal(case, Star(0)), "row 1 column 1 already holds a building of level 1");
        assert_eq!(refusal(case, Bomber(1)), "row 1 column 2 holds no building");
        assert_eq!(refusal(case, Put(2)), "row 2 column 1 is outside the map");
        assert_eq!(refusal("1 2 0 0 1. 0", Put(1)), "all 0 buildings of the sequence are used up");
        assert_eq!(refusal("1 2 0 0 1. 0", Star(1)), "no star is left");
        assert_eq!(refusal("1 2 0 0 1. 0", Bomber(0)), "no bomber is left");
    }
}
