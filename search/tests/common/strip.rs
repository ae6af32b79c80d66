//! A strip of coloured beads. A move takes one bead out and the rest close up; then groups of three or more like
//! neighbours vanish, again and again. Clear the strip in few moves.

use cascade_games::mix::mix2;
use cascade_games::{Direction, Game};
use std::collections::{HashSet, VecDeque};

#[derive(Clone, Debug)]
pub struct Strip(pub Vec<u8>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Beads {
    pub left: Vec<u8>,
    pub removed: i64,
}

impl Strip {
    /// A strip without groups, from a seed.
    pub fn random(length: usize, colours: u64, seed: u64) -> Self {
        let mut beads: Vec<u8> = Vec::new();
        let mut index = 0;
        while beads.len() < length {
            let bead = (mix2(seed, index) % colours) as u8;
            index += 1;
            if !beads.ends_with(&[bead, bead]) {
                beads.push(bead);
            }
        }
        Self(beads)
    }

    /// The fewest moves that clear the strip, by breadth-first search.
    pub fn optimum(&self) -> i64 {
        let mut queue = VecDeque::from([self.start()]);
        let mut known = HashSet::from([self.0.clone()]);
        while let Some(state) = queue.pop_front() {
            if state.left.is_empty() {
                return state.removed;
            }
            for mv in 0..state.left.len() as u32 {
                let mut child = state.clone();
                self.apply(&mut child, mv);
                if known.insert(child.left.clone()) {
                    queue.push_back(child);
                }
            }
        }
        unreachable!("taking beads out one by one clears any strip")
    }
}

impl Game for Strip {
    type State = Beads;
    type Move = u32;
    type Outlook = ();
    const DIRECTION: Direction = Direction::Minimize;

    fn start(&self) -> Beads {
        Beads { left: self.0.clone(), removed: 0 }
    }
    fn moves(&self, state: &Beads, moves: &mut Vec<u32>) {
        moves.extend(0..state.left.len() as u32);
    }
    fn is_legal(&self, state: &Beads, mv: u32) -> bool {
        (mv as usize) < state.left.len()
    }
    fn apply(&self, state: &mut Beads, mv: u32) {
        state.left.remove(mv as usize);
        state.removed += 1;
        loop {
            let mut kept = Vec::new();
            for group in state.left.chunk_by(|a, b| a == b) {
                if group.len() < 3 {
                    kept.extend_from_slice(group);
                }
            }
            if kept.len() == state.left.len() {
                return;
            }
            state.left = kept;
        }
    }
    fn score(&self, state: &Beads) -> i64 {
        state.removed
    }
    fn is_complete(&self, state: &Beads) -> bool {
        state.left.is_empty()
    }
    fn is_over(&self, state: &Beads) -> bool {
        state.left.is_empty()
    }
    fn hash(&self, state: &Beads) -> u64 {
        state.left.iter().fold(state.left.len() as u64, |hash, &bead| mix2(hash, u64::from(bead)))
    }
    fn same_position(&self, left: &Beads, right: &Beads) -> bool {
        left.left == right.left
    }
    fn estimate(&self, state: &Beads) -> i64 {
        let like = state.left.windows(2).filter(|pair| pair[0] == pair[1]).count();
        10 * (like as i64) - 10 * (state.left.len() as i64)
    }
    fn outlook(&self, _: &Beads) {}

    fn estimate_child(&self, (): &(), child: &Beads, least: i64) -> Option<i64> {
        Some(self.estimate(child)).filter(|&estimate| estimate >= least)
    }

    fn estimate_unit(&self) -> i64 {
        10
    }
    fn layer(&self, state: &Beads) -> u32 {
        state.removed as u32
    }
    fn bound(&self, state: &Beads) -> i64 {
        state.removed + i64::from(!state.left.is_empty())
    }
    fn move_code(&self, state: &Beads, mv: u32) -> u64 {
        mix2(self.hash(state), u64::from(mv))
    }
    fn encode(&self, mv: u32) -> u32 {
        mv
    }
    fn decode(&self, code: u32) -> Option<u32> {
        ((code as usize) < self.0.len()).then_some(code)
    }
}
