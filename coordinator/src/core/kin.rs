//! What instances learn from others much like them.

use super::Core;

/// Instances whose contents are equal but for at most so many characters are kin: what is good in one is likely to be
/// good in the other.
const FEW: usize = 2;

impl Core {
    /// The kin of the instance at `at` take in its best play, as far as it is no worse than their own.
    pub(super) fn share_best(&mut self, at: usize) {
        let Some(best) = self.instances[at].best.clone() else { return };
        for kin in self.kin_of(at) {
            let entry = &mut self.instances[kin];
            let is_worse = entry.best_score().is_some_and(|own| entry.direction.is_better(own, best.score));
            if !is_worse && !entry.is_settled() {
                entry.frontier.learn_from_kin(&best.moves, best.score);
                self.dirty_instances.insert(kin);
            }
        }
    }

    fn kin_of(&self, at: usize) -> Vec<usize> {
        let entry = &self.instances[at];
        let is_kin = |&other: &usize| {
            let other = &self.instances[other];
            other.puzzle.game() == entry.puzzle.game() && are_kin(&entry.content, &other.content)
        };
        (0..self.instances.len()).filter(|&other| other != at).filter(is_kin).collect()
    }
}

fn are_kin(one: &str, other: &str) -> bool {
    let differences = one.bytes().zip(other.bytes()).filter(|(one, other)| one != other);
    one.len() == other.len() && differences.take(FEW + 1).count() <= FEW
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kin_differ_in_few_places() {
        assert!(are_kin("abcd\nabcd\n", "abcd\nabca\n"));
        assert!(are_kin("abcd\nabcd\n", "abca\nabca\n"));
        assert!(!are_kin("abcd\nabcd\n", "abca\nabaa\n"));
        assert!(!are_kin("abcd\n", "abcd\nabcd\n"));
    }
}
