//! How the states of a beam came about: a tree that loses the branches nothing grows from.

use serde::{Deserialize, Serialize};

/// One state's parent, as its rank in the layer before, and the encoded move that led from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) parent: u32,
    pub(crate) mv: u32,
}

/// The ancestors of a beam's current layer, layer by layer from the root's children on. Ranks of the newest layer are
/// those of the beam; older layers keep only states with descendants.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ancestry {
    layers: Vec<Vec<Link>>,
}

impl Ancestry {
    /// Layers so far, oldest first.
    pub(crate) fn layers(&self) -> &[Vec<Link>] {
        &self.layers
    }

    /// Adds the newest layer and drops all that has no descendant in it.
    pub(crate) fn push(&mut self, links: Vec<Link>) {
        self.layers.push(links);
        for newest in (1..self.layers.len()).rev() {
            let (older, newer) = self.layers.split_at_mut(newest);
            let (Some(parents), Some(children)) = (older.last_mut(), newer.first_mut()) else { return };
            if !drop_childless(parents, children) {
                return;
            }
        }
    }

    /// The encoded moves from the root to the state of `rank` in the newest layer.
    pub(crate) fn path(&self, rank: u32) -> Vec<u32> {
        let mut rank = rank;
        let mut moves: Vec<u32> = self
            .layers
            .iter()
            .rev()
            .map(|layer| {
                let link = layer[rank as usize];
                rank = link.parent;
                link.mv
            })
            .collect();
        moves.reverse();
        moves
    }

    /// The rank, in its own layer, of the ancestor `generations` above the state of `rank` in the newest layer.
    pub(crate) fn ancestor(&self, rank: u32, generations: usize) -> u32 {
        self.layers.iter().rev().take(generations).fold(rank, |rank, layer| layer[rank as usize].parent)
    }
}

/// Removes from `parents` what no child names and renames the rest in `children`; whether anything was removed.
fn drop_childless(parents: &mut Vec<Link>, children: &mut [Link]) -> bool {
    const CHILDLESS: u32 = u32::MAX;
    let mut new_ranks = vec![CHILDLESS; parents.len()];
    for child in children.iter() {
        new_ranks[child.parent as usize] = 0;
    }
    let mut kept = 0;
    for (rank, new_rank) in new_ranks.iter_mut().enumerate() {
        if *new_rank != CHILDLESS {
            parents[kept] = parents[rank];
            *new_rank = u32::try_from(kept).unwrap_or(CHILDLESS);
            kept += 1;
        }
    }
    if kept == parents.len() {
        return false;
    }
    parents.truncate(kept);
    parents.shrink_to_fit();
    for child in children {
        child.parent = new_ranks[child.parent as usize];
    }
    true
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn paths_stay_the_same_while_childless_branches_go(
            layers in prop::collection::vec(prop::collection::vec((any::<u32>(), any::<u32>()), 1..20), 1..12)
        ) {
            let mut ancestry = Ancestry::default();
            let mut paths: Vec<Vec<u32>> = vec![Vec::new()];
            for layer in layers {
                let size = u32::try_from(paths.len()).unwrap();
                let links: Vec<Link> =
                    layer.iter().map(|&(parent, mv)| Link { parent: parent % size, mv }).collect();
                paths = links
                    .iter()
                    .map(|link| {
                        let mut path = paths[link.parent as usize].clone();
                        path.push(link.mv);
                        path
                    })
                    .collect();
                ancestry.push(links);
                for (rank, path) in (0..).zip(&paths) {
                    prop_assert_eq!(&ancestry.path(rank), path);
                }
                for pair in ancestry.layers().windows(2) {
                    for parent in 0..pair[0].len() {
                        prop_assert!(pair[1].iter().any(|link| link.parent as usize == parent));
                    }
                }
            }
        }
    }
}
