//! The children that may enter the next layer, kept few by a running cut-off.

use rayon::prelude::*;
use std::cmp::Ordering;

/// A child before it is worth a state: 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The estimate, noise included; more is better.
    pub(crate) estimate: i64,
    pub(crate) hash: u64,
    /// Rank of the parent in its layer.
    pub(crate) parent: u32,
    /// Encoded move.
    pub(crate) mv: u32,
}

impl Candidate {
    /// The total order of a layer, best first.
    fn order(&self, other: &Self) -> Ordering {
        (other.estimate.cmp(&self.estimate))
            .then(self.hash.cmp(&other.hash))
            .then(self.parent.cmp(&other.parent))
            .then(self.mv.cmp(&other.mv))
    }
}

/// Collects candidates. Whenever some three widths have gathered it keeps the best one and a half, and from then on
/// refuses what is worse than the worst of these.
///
/// Here two candidates of one hash and one estimate count as one position. Were they two, the beam would lose one of
/// its states, so a thinned-out layer never takes part in a proof; [`super::select`] compares full states.
pub(crate) struct Candidates {
    held: Vec<Candidate>,
    keep: usize,
    limit: usize,
    cutoff: Option<i64>,
    thinned: bool,
}

/// Room for candidates below which thinning out is not worth it.
const SMALLEST_LIMIT: usize = 4096;

impl Candidates {
    pub(crate) fn new(width: u32) -> Self {
        let width = width as usize;
        let keep = width + width / 2;
        Self { held: Vec::new(), keep, limit: (2 * keep).max(SMALLEST_LIMIT), cutoff: None, thinned: false }
    }

    /// The estimate below which a child is not worth handing in.
    pub(crate) fn cutoff(&self) -> Option<i64> {
        self.cutoff
    }

    /// Whether anything was ever left out.
    pub(crate) fn is_thinned(&self) -> bool {
        self.thinned
    }

    /// Takes one block's children, parts in the order of their parents; `refused` says whether some of the
    /// block's children were kept out.
    pub(crate) fn take(&mut self, parts: &mut [Vec<Candidate>], refused: bool) {
        self.thinned |= refused;
        for part in parts {
            self.held.append(part);
        }
        if self.held.len() >= self.limit {
            self.thin_out();
        }
    }

    fn thin_out(&mut self) {
        let before = self.held.len();
        self.sort();
        self.held.dedup_by(|later, earlier| later.hash == earlier.hash && later.estimate == earlier.estimate);
        self.held.truncate(self.keep);
        self.thinned |= self.held.len() < before;
        if self.held.len() == self.keep {
            self.cutoff = self.held.last().map(|worst| worst.estimate);
        }
    }

    fn sort(&mut self) {
        self.held.par_sort_unstable_by(Candidate::order);
    }

    /// All that is held, best first.
    pub(crate) fn take_sorted(&mut self) -> Vec<Candidate> {
        self.sort();
        std::mem::take(&mut self.held)
    }
}
